"""Values: what a text tells a reader to write is accepted, and is what the database shows."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from jtau_plugin.checks.inflection import term_regex
from jtau_plugin.checks.model import (
    ERROR,
    MESSAGE,
    PARAMETER,
    POLICY,
    PROMPT,
    TASK,
    TOOL,
    Choices,
    Context,
    Fault,
    Segment,
    of_segment,
)

_QUOTED = re.compile("「([^「」]+)」|『([^『』]+)』|`([^`]+)`|\\*\\*([^*]+)\\*\\*")
_ENGLISH_QUOTED = re.compile(r"['\"“‘]([^'\"“”‘’]+)['\"”’]")
_NEAR = 0.75
_SHORTEST_NEAR = 4
_SHORTEST_ALIAS = 2


def quoted(text: str) -> list[str]:
    """Return what a text puts in quotes, in bold or in code."""
    return ["".join(groups).strip("\"'") for groups in _QUOTED.findall(text)]


def _told_tables(context: Context) -> Iterator[tuple[str, Choices]]:
    for name in sorted(context.told):
        if name in context.tables:
            yield name, context.tables[name]


def _fault_of(literal: str, context: Context) -> Fault | None:
    """Return what is wrong with a literal that looks like a choice of some parameter."""
    if literal in context.displays:
        return None
    for name, table in _told_tables(context):
        canonical = table.forms.get(literal)
        if canonical is not None:
            shown = table.display[canonical]
            return Fault(f"{literal!r} is told, table {name} shows {shown!r}", f"write {shown}")
    for name, table in _told_tables(context):
        for shown in table.display.values():
            if min(len(shown), len(literal)) < _SHORTEST_NEAR:
                continue
            if difflib.SequenceMatcher(None, literal, shown).ratio() >= _NEAR:
                what = f"{literal!r} is nearly {shown!r} of table {name}, and is not accepted"
                return Fault(what, f"write {shown}")
    return None


@of_segment(ERROR, {POLICY, TOOL, PARAMETER, MESSAGE, PROMPT, TASK})
def check_literals(segment: Segment, context: Context) -> Iterator[Fault]:
    """A choice that a text tells is written as the table shows it."""
    for literal in quoted(segment.target):
        is_code = literal in segment.source and literal not in context.canonical_values
        if is_code:
            continue  # a name, an id, an example: written so in the source too
        fault = _fault_of(literal, context)
        if fault is not None:
            yield fault


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


def _other_senses(context: Context) -> set[tuple[str, str]]:
    return {(sense.term, form) for sense in context.words.terms.senses for form in sense.also}


@of_segment(ERROR, {TASK, POLICY, TOOL, PARAMETER, MESSAGE})
def check_shown_values(segment: Segment, context: Context) -> Iterator[Fault]:
    """A text names a product, an option or a status as the database shows it."""
    rest = segment.target
    for form in context.longest_displays:
        rest = rest.replace(form, "\x00")
    for name, table in context.tables.items():
        for alias, canonical in table.aliases:
            if len(alias) < _SHORTEST_ALIAS or alias not in rest:
                continue
            is_meant = (canonical, alias) not in _other_senses(context)
            if is_meant and term_regex(canonical).search(segment.source):
                shown = table.display[canonical]
                what = f"{alias!r} is accepted for {canonical!r}, table {name} shows {shown!r}"
                yield Fault(what, f"write {shown}")


CHECKS = (check_literals, check_choices, check_shown_values)
