"""Values: what a text tells a reader to write is accepted, and is what the database shows."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from jtau_plugin.checks.inflection import term_regex
from jtau_plugin.checks.model import (
    ERROR,
    MESSAGE,
    PARAMETER,
    POLICY,
    PROMPT,
    SPEECH,
    TASK,
    TOOL,
    Choices,
    Context,
    Fault,
    Segment,
    of_segment,
)

QUOTED = re.compile(
    r"「([^「」]+)」|『([^『』]+)』|`([^`]+)`|\*\*([^*]+)\*\*|(?<![\w=])'([^'\n]+)'(?!\w)"
    r"|(?<![\w=])\"([^\"\n]+)\"|“([^“”\n]+)”|‘([^‘’\n]+)’|«\s*([^«»\n]+?)\s*»|„([^„“”\n]+)[“”]"
)
#: An argument in an example of a call: grant_app_permission(permission="…").
_ARGUMENT = re.compile(r"\w+=\"([^\"]+)\"")
_ENGLISH_QUOTED = re.compile(r"['\"“‘]([^'\"“”‘’]+)['\"”’]")
_ENGLISH_MARKED = re.compile(
    r"(?<!\w)'([^'\n]+)'(?!\w)|\"([^\"\n]+)\"|\*\*([^*]+)\*\*|`([^`]+)`"
    r"|\b([A-Z]{3,}(?: [A-Z]{3,})*)\b"
)
#: Kinds whose texts name values as the database shows them.
NAMING = frozenset({TASK, POLICY, TOOL, PARAMETER, MESSAGE})
_NEAR = 0.75
_INHERENT = 0.6
_SHORTEST_NEAR = 3
_SHORTEST_ALIAS = 2
_SHORTEST_NAMED = 4


def quoted(text: str) -> list[str]:
    """Return what a text puts in quotes, in bold or in code."""
    return ["".join(groups).strip("\"'") for groups in QUOTED.findall(text)]


def _told_tables(context: Context) -> Iterator[tuple[str, Choices]]:
    for name in sorted(context.told):
        if name in context.tables:
            yield name, context.tables[name]


def _letters(text: str) -> str:
    """Return the letters and digits of a text: icons and marks make no other word of it."""
    return "".join(c for c in text if unicodedata.category(c)[0] == "L" or c.isdecimal())


def _is_near(literal: str, shown: str, *, is_told: bool) -> bool:
    """Return whether a literal was probably meant to be a shown form, and is not.

    Where no argument takes the form, a part of it is a word of its own ("cancel" beside
    "cancelled"), and the form with an icon is itself.
    """
    if not is_told:
        literal, shown = _letters(literal), _letters(shown)
        if literal in shown:
            return False
    if min(len(shown), len(literal)) < _SHORTEST_NEAR:
        return False
    return difflib.SequenceMatcher(None, literal, shown).ratio() >= _NEAR


@lru_cache(maxsize=4096)
def _fault_of(literal: str, context: Context) -> tuple[Fault, str] | None:
    """Return what is wrong with a literal that looks like a value and is not written as one.

    With it comes the canonical value if the literal only resembles its shown form.
    """
    if literal in context.displays:
        return None
    for name, table in _told_tables(context):
        canonical = table.forms.get(literal)
        if canonical is not None:
            shown = table.display[canonical]
            what = f"{literal!r} is told, table {name} shows {shown!r}"
            return Fault(what, f"write {shown}"), ""
    for name, table in context.tables.items():
        for canonical, shown in table.display.items():
            if _is_near(literal, shown, is_told=name in context.told):
                what = f"{literal!r} is nearly {shown!r} of table {name}, and is no value"
                return Fault(what, f"write {shown}"), canonical
    return None


def _is_near_in_source(canonical: str, segment: Segment, context: Context) -> bool:
    """Return whether the source marks another word that resembles the value just as much."""
    marked = {"".join(groups) for groups in _ENGLISH_MARKED.findall(segment.source)}
    return any(
        literal not in context.canonical_values
        and difflib.SequenceMatcher(None, literal.lower(), canonical.lower()).ratio() >= _INHERENT
        for literal in marked
    )


@of_segment(ERROR, {POLICY, TOOL, PARAMETER, MESSAGE, PROMPT, TASK, SPEECH})
def check_literals(segment: Segment, context: Context) -> Iterator[Fault]:
    """A choice that a text tells is written as the table shows it."""
    for literal in quoted(segment.target):
        is_code = literal in segment.source and literal not in context.canonical_values
        if is_code:
            continue  # a name, an id, an example: written so in the source too
        found = _fault_of(literal, context)
        if found is None or (found[1] and _is_near_in_source(found[1], segment, context)):
            continue
        yield found[0]
    for written in _ARGUMENT.findall(segment.target):
        is_free = written in segment.source and written not in context.canonical_values
        if written not in context.displays and not is_free:
            yield Fault(f"the argument {written!r} is no value of any table")


@of_segment(ERROR, {PARAMETER})
def check_choices(segment: Segment, context: Context) -> Iterator[Fault]:
    """A parameter's description tells the choices that its source tells, as they are shown."""
    table = context.tables.get(segment.table)
    if table is None:
        return
    told = set(quoted(segment.target))
    english = set(_ENGLISH_QUOTED.findall(segment.source))
    for canonical, shown in table.display.items():
        if canonical in english and shown not in told:
            yield Fault(f"the choice {shown!r} is not told", f"write 「{shown}」")
        if canonical not in english and english & set(table.display) and shown in told:
            yield Fault(f"the choice {shown!r} is told, and the source does not tell it")
    for literal in told - set(table.display.values()) - english:
        if literal not in table.forms:
            yield Fault(f"{literal!r} is told and is no choice of table {segment.table}")


@lru_cache(maxsize=64)
def _aliases(context: Context) -> tuple[tuple[str, str, str], ...]:
    """Return each form that is accepted only, with the table and the canonical value.

    A form that holds the shown one is left out: 「メッセージアプリ」 names the app 「メッセージ」.
    """
    other = {(sense.term, form) for sense in context.words.terms.senses for form in sense.also}
    return tuple(
        (alias, name, canonical)
        for name, table in context.tables.items()
        for alias, canonical in table.aliases
        if len(alias) >= _SHORTEST_ALIAS
        and (canonical, alias) not in other
        and table.display[canonical] not in alias
    )


@lru_cache(maxsize=64)
def _form_pattern(context: Context) -> re.Pattern[str]:
    """Return the pattern of every form, shown or not: one inside a longer one is not itself."""
    forms = context.displays | {a for t in context.tables.values() for a, _ in t.aliases}
    return re.compile("|".join(map(re.escape, sorted(forms, key=len, reverse=True))) or r"(?!)")


def _written_aliases(segment: Segment, context: Context) -> Iterator[tuple[str, str, str]]:
    """Yield (form, table, canonical value) of each form that is accepted only, and written."""
    written = set(_form_pattern(context).findall(segment.target)) - context.displays
    for alias, name, canonical in _aliases(context) if written else ():
        if alias in written and term_regex(canonical).search(segment.source):
            yield alias, name, canonical


def accepted_forms(segment: Segment, context: Context) -> Iterator[tuple[str, str]]:
    """Yield each form that is accepted only and is written, with the form that is shown.

    Left out are forms of several values, and those that stand inside a longer form.
    """
    found: dict[str, set[str]] = {}
    for alias, name, canonical in _written_aliases(segment, context):
        found.setdefault(alias, set()).add(context.tables[name].display[canonical])
    forms = _form_pattern(context).findall(segment.target)
    for alias, shown in found.items():
        if len(shown) == 1 and segment.target.count(alias) == forms.count(alias):
            yield alias, next(iter(shown))


@of_segment(ERROR, NAMING)
def check_shown_values(segment: Segment, context: Context) -> Iterator[Fault]:
    """A text names a product, an option or a status as the database shows it."""
    for alias, name, canonical in _written_aliases(segment, context):
        shown = context.tables[name].display[canonical]
        what = f"{alias!r} is accepted for {canonical!r}, table {name} shows {shown!r}"
        yield Fault(what, f"write {shown}")


@lru_cache(maxsize=64)
def _shown_by_english(context: Context) -> dict[str, frozenset[str]]:
    """Return the forms in which any table shows a value, by the value as prose writes it."""
    shown: dict[str, set[str]] = {}
    for table in context.tables.values():
        for canonical, form in table.display.items():
            shown.setdefault(canonical.replace("_", " ").lower(), set()).add(form)
    return {english: frozenset(forms) for english, forms in shown.items()}


@of_segment(ERROR, {POLICY, TOOL, PARAMETER, MESSAGE, PROMPT})
def check_marked_values(segment: Segment, context: Context) -> Iterator[Fault]:
    """A value that the source puts in quotes or in bold is rendered as a table shows it."""
    shown = _shown_by_english(context)
    for groups in _ENGLISH_MARKED.findall(segment.source):
        literal = "".join(groups)
        forms = shown.get(literal.replace("_", " ").strip(" .,").lower())
        if forms and not any(form in segment.target for form in forms | {literal}):
            wanted = " or ".join(sorted(forms))
            yield Fault(f"{literal!r} is not rendered as {wanted}", f"write {wanted}")


@of_segment(ERROR, {TASK, MESSAGE})
def check_named_values(segment: Segment, context: Context) -> Iterator[Fault]:
    """A task names the values that its source names, as the database shows them.

    So does a sentence of a tool; there, a single word may be a verb.
    """
    text = segment.source
    shown = _shown_by_english(context)
    for english in sorted(shown, key=len, reverse=True):
        is_word = len(english) < _SHORTEST_NAMED or (segment.kind == MESSAGE and " " not in english)
        if is_word or english not in text.lower():
            continue
        pattern = term_regex(english)
        match = pattern.search(text)
        is_value = match is not None and english not in context.words.terms.everyday
        if match and is_value and not any(form in segment.target for form in shown[english]):
            wanted = " or ".join(sorted(shown[english]))
            yield Fault(f"{match[0]!r} is not named as {wanted}", f"write {wanted}")
        text = pattern.sub(" ", text)


CHECKS = (
    check_literals,
    check_choices,
    check_shown_values,
    check_marked_values,
    check_named_values,
)
