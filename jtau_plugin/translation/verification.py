"""Judges a translation before it is kept: what makes it unusable, and what should be better.

Goes by the checks of ``jtau check``, so that what is written passes them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from jtau_plugin.checks.fixes import fix_text
from jtau_plugin.checks.model import DOCUMENT, LIBRARY, MESSAGE, Context, Finding, Segment
from jtau_plugin.checks.runner import run_checks
from jtau_plugin.translation.engine.units import Unit, Verdict
from jtau_plugin.translation.extraction.segment import (
    CHECKED_AS,
    FRAGMENT,
    LABEL,
    LITERAL,
    NAME,
    PARAMETER,
    POLICY,
    PROMPT,
    TEMPLATE,
    TERM,
    TOOL,
    VALUE,
)
from jtau_plugin.translation.masking import lost_masks, restore

#: Checks without which a text does harm: facts are lost, or a program cannot read it.
_HARD = frozenset(
    {
        "empty",
        "untranslated",
        "placeholders",
        "tags",
        "icons",
        "emphasis",
        "names",
        "invisible",
        "numbers",
        "people",
        "structure",
        "lists",
    }
)
#: One line of the text stands for one of the source.
_BY_LINE = frozenset({POLICY, MESSAGE, TEMPLATE, FRAGMENT, LIBRARY})
#: Lines may be broken elsewhere, but no paragraph may go.
_BY_PARAGRAPH = frozenset({PROMPT, TOOL, PARAMETER})
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_SINGLE = frozenset({LITERAL, VALUE, NAME, TERM, LABEL})
_REFUSAL = re.compile(
    r"^\W*(?:I(?:'m| am) sorry|I can(?:no|')t|I(?:'m| am) (?:not able|unable)|As an AI|"
    r"Sorry, (?:but )?I)\b",
    re.IGNORECASE,
)
_MOST, _LEAST, _SHORTEST = 12.0, 0.05, 40
_DIGITS = re.compile(r"[0-9]+")
_LONGEST_WORD = 20


def _shape_faults(unit: Unit, text: str) -> Iterator[str]:
    source = unit.english.strip("\n")
    wanted, found = source.count("\n") + 1, text.strip("\n").count("\n") + 1
    if unit.kind in _BY_LINE and wanted != found:
        yield f"{found} lines, expected {wanted}"
    if unit.kind in _SINGLE and (found != 1 or "\t" in text):
        yield "a single line is expected, without tabs"
    elif wanted == 1 and found != 1 and unit.kind not in _BY_LINE:
        yield f"{found} lines, expected a single one"
    if unit.kind in _BY_PARAGRAPH:
        yield from _paragraph_faults(source, text)
    if _REFUSAL.match(text) and not _REFUSAL.match(source):
        yield f"this is no translation: {text[:60]!r}"
    if unit.kind in (NAME, TERM, LABEL):
        yield from _word_faults(unit.english, text)
    ratio = len(text.strip()) / max(1, len(source.strip()))
    if len(source) >= _SHORTEST and not _LEAST <= ratio <= _MOST:
        yield f"{ratio:.2f} characters per character of the source"


def _paragraph_faults(source: str, text: str) -> Iterator[str]:
    wanted, found = (len(_BLANK_LINES.split(t.strip())) for t in (source, text))
    if found < wanted:
        yield f"{found} paragraphs, expected {wanted}"


def _numbers(text: str) -> list[str]:
    """Return the whole numbers of a text, sorted, whatever digits they are written in."""
    plain = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
    return sorted(_DIGITS.findall(plain))


def _word_faults(source: str, text: str) -> Iterator[str]:
    """Yield what is wrong with a name or a term, which no check of sentences fits."""
    wanted, found = _numbers(source), _numbers(text)
    if wanted != found:
        yield f"numbers {', '.join(found) or 'none'}, expected {', '.join(wanted) or 'none'}"
    if len(text.strip()) > _LONGEST_WORD + _MOST * len(source):
        yield "a name or a word is expected, not an explanation"


def _says(finding: Finding) -> str:
    return f"{finding.message} ({finding.hint})" if finding.hint else finding.message


def _as_read(unit: Unit) -> str:
    """Return the English as a reader takes it: a value in words, whatever joins them."""
    text = unit.english.strip("\n")
    return text.replace("_", " ") if unit.kind in (LITERAL, VALUE) else text


class Verifier:
    """Judges the translations of one domain.

    Args:
        context: what is known of the locale's words.
    """

    def __init__(self, context: Context) -> None:
        self._context = context

    def _segment(self, unit: Unit, text: str) -> Segment:
        kind = CHECKED_AS.get(unit.kind, unit.kind)
        return Segment(
            address=unit.id,
            # The sentence of a library is known here, not only its pattern.
            kind=MESSAGE if kind == LIBRARY else kind,
            source=_as_read(unit),
            target=text.strip("\n"),
            file="",
            line=1,
            scope=unit.scope,
            table=unit.table if unit.kind not in _SINGLE else "",
        )

    def _findings(self, segment: Segment) -> list[Finding]:
        segments = [segment]
        if segment.kind == POLICY:
            segments.append(Segment("", DOCUMENT, segment.source, segment.target, "", 1))
        if segment.kind in (NAME, TERM):
            return []
        return run_checks(segments, self._context)

    def __call__(self, unit: Unit, translation: str) -> Verdict:
        """Return what is to be said about a translation that still has its tokens."""
        faults = lost_masks(unit.masked, translation)
        if faults:
            return Verdict("", tuple(faults))
        text = restore(unit.masked, translation)
        segment = self._segment(unit, text)
        fixed = fix_text(segment, self._context)
        if fixed != segment.target:
            before = text[: len(text) - len(text.lstrip("\n"))]
            after = text[len(text.rstrip("\n")) :]
            text, segment = f"{before}{fixed}{after}", self._segment(unit, fixed)
        faults = list(_shape_faults(unit, text))
        findings = self._findings(segment)
        faults += [_says(finding) for finding in findings if finding.check in _HARD]
        notes = [_says(finding) for finding in findings if finding.check not in _HARD]
        return Verdict(text, tuple(dict.fromkeys(faults)), tuple(dict.fromkeys(notes)))
