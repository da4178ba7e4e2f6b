"""Mends what can be derived from a text itself, its source and the tables, and nothing else.

A mended text is kept only if fewer checks object to it and none objects that did not before. A
fingerprint, a number, a term in running prose is never touched: those take a reader.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import replace

from jtau_plugin.checks.language import Fix, get_language
from jtau_plugin.checks.markup import BROKEN_TOKEN, TAG, is_odd_character
from jtau_plugin.checks.model import PROSE, TASK, Context, Segment
from jtau_plugin.checks.runner import run_checks
from jtau_plugin.checks.values import QUOTED, accepted_forms

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
    if segment.kind != TASK:
        return segment.target
    text = segment.target
    for alias, shown in accepted_forms(segment, context):
        text = text.replace(alias, shown)
    return text


NEUTRAL: tuple[Fix, ...] = (fix_invisible, fix_tokens, fix_literals, fix_values, fix_blanks)


def _objections(segment: Segment, context: Context) -> Counter[str]:
    return Counter(finding.check for finding in run_checks([segment], context))


def fix_text(segment: Segment, context: Context) -> str:
    """Return the text of a segment with everything mended that can be derived."""
    before = _objections(segment, context)
    for fix in (*NEUTRAL, *get_language(context.locale).fixes):
        if not before:
            break
        mended = replace(segment, target=fix(segment, context))
        if mended.target == segment.target:
            continue
        after = _objections(mended, context)
        if after != before and after <= before:
            segment, before = mended, after
    return segment.target
