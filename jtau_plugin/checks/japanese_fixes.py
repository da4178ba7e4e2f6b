"""Mends Japanese script: width, blanks between scripts, punctuation, a missing full stop."""

from __future__ import annotations

import re
import unicodedata

from jtau_plugin.checks.japanese_script import (
    BLANK_BETWEEN,
    CODE,
    HALF_BRACKET,
    JAPANESE,
    MARKER,
    WIDE,
    WIDE_ALLOWED,
)
from jtau_plugin.checks.language import Fix
from jtau_plugin.checks.model import PARAMETER, TOOL, Context, Segment

#: A kana and its voicing mark are two half-width characters and one full-width one.
_WIDE_RUN = re.compile(rf"(?:(?![{''.join(WIDE_ALLOWED)}])(?:{WIDE.pattern}))+")
_QUOTED = re.compile(r"\"([^\"\n]*)\"|“([^”\n]*)”|(?<!\w)'([^'\n]*)'(?!\w)")
_HALF_SIGN = re.compile(rf"(?<=[{JAPANESE}])(?:, ?|; ?|[!?]|\.(?!\d|\w))|[,;](?=[{JAPANESE}])")
_SIGNS = {",": "、", ";": "、", ".": "。", "!": "！", "?": "？"}
_PREDICATE = re.compile(r"(?:です|ます|ません|ました|ください)$")


def _outside_code(text: str, pattern: re.Pattern[str], new: dict[str, str]) -> str:
    """Replace single characters outside code and placeholders."""
    hidden = CODE.sub(lambda match: "\x00" * len(match[0]), text)
    pieces, done = [], 0
    for match in pattern.finditer(hidden):
        pieces += [text[done : match.start()], new[match[0].strip()]]
        done = match.end()
    return "".join([*pieces, text[done:]])


def fix_width(segment: Segment, context: Context) -> str:  # noqa: ARG001
    """Write digits, Latin letters and their signs half-width, katakana full-width."""
    return _WIDE_RUN.sub(lambda match: unicodedata.normalize("NFKC", match[0]), segment.target)


def fix_blanks_between_scripts(segment: Segment, context: Context) -> str:  # noqa: ARG001
    """Take away the blanks between Japanese and Latin, and inside Japanese."""
    lines = []
    for line in segment.target.split("\n"):
        marker = MARKER.match(line)
        head = marker[0] if marker is not None else ""
        body = line[len(head) :]
        while (match := BLANK_BETWEEN.search(body)) is not None:
            body = body[: match.start()] + match[0].replace(" ", "") + body[match.end() :]
        lines.append(head + body)
    return "\n".join(lines)


def fix_brackets(segment: Segment, context: Context) -> str:  # noqa: ARG001
    """Write round brackets full-width."""
    return _outside_code(segment.target, HALF_BRACKET, {"(": "（", ")": "）"})


def fix_signs(segment: Segment, context: Context) -> str:  # noqa: ARG001
    """Write commas, full stops and marks behind Japanese as Japanese does."""
    return _outside_code(segment.target, _HALF_SIGN, _SIGNS)


def fix_quotes(segment: Segment, context: Context) -> str:  # noqa: ARG001
    """Put what stands in straight or curly quotes into 「」."""
    hidden = CODE.sub(lambda match: "\x00" * len(match[0]), segment.target)
    pieces, done = [], 0
    for match in _QUOTED.finditer(hidden):
        index = match.lastindex or 0
        start, end = match.span(index)
        pieces += [segment.target[done : match.start()], f"「{segment.target[start:end]}」"]
        done = match.end()
    return "".join([*pieces, segment.target[done:]])


def fix_full_stop(segment: Segment, context: Context) -> str:  # noqa: ARG001
    """End what is said of a tool or a parameter, and every sentence, with 。."""
    lines = segment.target.split("\n")
    mended = [f"{line}。" if _PREDICATE.search(line) else line for line in lines]
    text = "\n".join(mended)
    if segment.kind in (TOOL, PARAMETER) and text and text[-1].isalnum():
        text = f"{text}。"
    return text


FIXES: tuple[Fix, ...] = (
    fix_width,
    fix_blanks_between_scripts,
    fix_brackets,
    fix_signs,
    fix_quotes,
    fix_full_stop,
)
