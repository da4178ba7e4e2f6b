"""Mends what can be derived from a text itself, its source and the tables, and nothing else.

A mended text is kept only if fewer checks object to it and none objects that did not before; what
is exempted stays as it is. A fingerprint, a number, a term in running prose is never touched:
those take a reader.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from jtau_plugin.checks.language import Fix, get_language
from jtau_plugin.checks.markup import BROKEN_TOKEN, PLACEHOLDER, TAG, is_odd_character
from jtau_plugin.checks.model import PROSE, VALUE, Context, Finding, Segment
from jtau_plugin.checks.reading import hard_tokens
from jtau_plugin.checks.runner import run_checks
from jtau_plugin.checks.terms import approved_forms
from jtau_plugin.checks.values import NAMING, QUOTED, accepted_forms

_BLANKS_AT_END = re.compile(r"[ \t]+$", re.MULTILINE)
_TWO_BLANKS = re.compile(r"(?<=\S)  +(?=\S)")
_MARKER = re.compile(r"^[ \t]*(?:[-*+]|\d+\.)[ \t]+")


def fix_invisible(segment: Segment, context: Context) -> str:  # noqa: ARG001
    """Take away invisible characters that the source does not have."""
    return "".join(c for c in segment.target if c in segment.source or not is_odd_character(c))


def fix_blanks(segment: Segment, context: Context) -> str:  # noqa: ARG001
    """Take away blanks at the ends of lines, and all but one inside."""
    if segment.kind not in PROSE:
        return segment.target
    lines = []
    for line in segment.target.split("\n"):
        marker = _MARKER.match(line)
        head = marker[0] if marker is not None else ""
        body = _BLANKS_AT_END.sub("", line[len(head) :])
        lines.append(head + _TWO_BLANKS.sub(" ", body))
    return "\n".join(lines)


def _letters(token: str) -> str:
    return re.sub(r"[^A-Z]", "", unicodedata.normalize("NFKC", token))


def fix_tokens(segment: Segment, context: Context) -> str:  # noqa: ARG001
    """Spell a broken control token as the source does."""
    wanted: dict[str, str] = {
        _letters(token): token for token in TAG.findall(segment.source) if "#" in token
    }

    def mend(match: re.Match[str]) -> str:
        return wanted.get(_letters(match[0]), str(match[0]))

    return BROKEN_TOKEN.sub(mend, segment.target)


def fix_literals(segment: Segment, context: Context) -> str:
    """Tell a choice as its table shows it, where another accepted form is told."""
    names = [segment.table] if segment.table else sorted(context.told)

    def mend(match: re.Match[str]) -> str:
        index = match.lastindex or 0
        literal = match[index]
        if literal in context.displays or literal in segment.source:
            return str(match[0])
        shown = {
            context.tables[name].display[canonical]
            for name in names
            if name in context.tables
            and (canonical := context.tables[name].forms.get(literal)) is not None
        }
        return str(match[0]).replace(literal, shown.pop()) if len(shown) == 1 else str(match[0])

    return QUOTED.sub(mend, segment.target)


def fix_values(segment: Segment, context: Context) -> str:
    """Name a value of the database as its table shows it, where an accepted form is written."""
    if segment.kind not in NAMING:
        return segment.target
    text = segment.target
    for alias, shown in accepted_forms(segment, context):
        text = text.replace(alias, shown)
    return text


def fix_term_value(segment: Segment, context: Context) -> str:
    """Show a value in the form that the termbase approves."""
    approved = approved_forms(segment, context) if segment.kind == VALUE else frozenset()
    return next(iter(approved)) if len(approved) == 1 else segment.target


def fix_spelling(segment: Segment, context: Context) -> str:
    """Spell words as the locale has chosen."""
    text = segment.target
    for wrong, right in context.words.spellings.items():
        text = re.sub(wrong, lambda _, word=right: word, text)  # type: ignore[misc]
    return text


NEUTRAL: tuple[Fix, ...] = (fix_invisible, fix_tokens, fix_blanks, fix_spelling)
"""What any language's texts need."""
WITH_TABLES: tuple[Fix, ...] = (fix_term_value, fix_literals, fix_values)
"""What puts a form of the tables in the place of another; the new one may hold other digits."""


def _never(finding: Finding) -> bool:  # noqa: ARG001
    return False


@dataclass(frozen=True)
class _Objections:
    """What the checks say about a text, by check: what counts, and what is exempted."""

    open: Counter[str]
    exempted: Counter[str]


def _objections(
    segment: Segment, context: Context, is_exempted: Callable[[Finding], bool]
) -> _Objections:
    found = run_checks([segment], context)
    exempted = Counter(finding.check for finding in found if is_exempted(finding))
    return _Objections(Counter(finding.check for finding in found) - exempted, exempted)


def facts_of(text: str) -> tuple[Counter[str], Counter[str], frozenset[str]]:
    """Return what no mending may change: numbers and ids, placeholders, tags.

    Full-width digits are digits; a broken token is no tag.
    """
    plain = unicodedata.normalize("NFKC", text)
    placeholders = Counter(PLACEHOLDER.findall(text))
    return hard_tokens(plain), placeholders, frozenset(TAG.findall(text))


def _keeps_facts(before: str, after: str) -> bool:
    numbers, placeholders, tags = facts_of(before)
    found = facts_of(after)
    return found[:2] == (numbers, placeholders) and found[2] >= tags


def fix_text(
    segment: Segment,
    context: Context,
    is_exempted: Callable[[Finding], bool] = _never,
) -> str:
    """Return the text of a segment with everything mended that can be derived.

    Args:
        segment: the text.
        context: what is known about its overlay.
        is_exempted: tells the findings that are justified as they are; what they are about stays.
    """
    before = _objections(segment, context, is_exempted)
    script = (*NEUTRAL, *get_language(context.locale).fixes)

    def fix_all(text: Segment, known: Context) -> str:
        """Mend everything at once: one fault may have hidden behind another."""
        for fix in script:
            text = replace(text, target=fix(text, known))
        return text.target

    has_changed = True
    while before.open and has_changed:
        has_changed = False
        for fix in (*WITH_TABLES, *script, fix_all):
            mended = replace(segment, target=fix(segment, context))
            if mended.target == segment.target:
                continue
            if fix not in WITH_TABLES and not _keeps_facts(segment.target, mended.target):
                continue
            after = _objections(mended, context, is_exempted)
            is_better = after.open != before.open and after.open <= before.open
            if is_better and after.exempted == before.exempted:
                segment, before, has_changed = mended, after, True
    return segment.target
