"""Japanese as this project writes it: script, punctuation, register.

What the words are (banned wordings, spellings, Latin that stays) is data of the locale.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jtau_plugin.checks import latin
from jtau_plugin.checks.japanese_fixes import FIXES
from jtau_plugin.checks.japanese_reading import read_japanese, term_pattern
from jtau_plugin.checks.japanese_register import CHECKS as REGISTER
from jtau_plugin.checks.japanese_script import (
    BLANK_BETWEEN,
    CODE,
    HALF_BRACKET,
    HALF_COMMA,
    HALF_MARK,
    MARKER,
    STRAIGHT_QUOTE,
    WIDE,
    WIDE_ALLOWED,
)
from jtau_plugin.checks.language import Language
from jtau_plugin.checks.model import (
    ERROR,
    SHOWN,
    SPEECH,
    TRANSLATED,
    Context,
    Fault,
    Segment,
    of_segment,
)

_PAIRS = {"「": "」", "『": "』", "（": "）", "“": "”"}
_DOUBLED = re.compile(r"、、|。。|、。|。、|「」|（）|ーー|っっ|をを|がが")
_STATUS = re.compile("ステータス(?:が|は|を|の|:)?「([^「」]+)」")


def _excerpt(text: str, at: int) -> str:
    return text[max(0, at - 8) : at + 12].replace("\n", "⏎")


@of_segment(ERROR, SHOWN)
def check_script_spacing(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """No blank stands between Japanese and Latin, or between two Japanese characters."""
    text = MARKER.sub("", segment.target)
    for match in BLANK_BETWEEN.finditer(text):
        yield Fault(f"a blank in {_excerpt(text, match.start())!r}", "remove it")


@of_segment(ERROR, SHOWN)
def check_width(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """Digits, Latin letters and their signs are half-width, katakana is full-width."""
    wide = sorted(set(WIDE.findall(segment.target)) - WIDE_ALLOWED)
    if wide:
        yield Fault(f"width: {' '.join(wide)}", "digits and Latin half-width, katakana full-width")


@of_segment(ERROR, SHOWN)
def check_punctuation(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """Japanese prose has 、。（）「」, and no half-width commas, brackets or quotes."""
    text = CODE.sub(lambda match: "\x00" * len(match[0]), segment.target)
    for what, pattern in (
        ("half-width bracket", HALF_BRACKET),
        ("half-width comma or full stop", HALF_COMMA),
        ("half-width mark", HALF_MARK),
        ("straight quote", STRAIGHT_QUOTE),
        ("doubled", _DOUBLED),
    ):
        match = pattern.search(text)
        if match is not None:
            yield Fault(f"{what} in {_excerpt(text, match.start())!r}", "write 、。（）「」")


@of_segment(ERROR, SHOWN)
def check_brackets(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """Every bracket is closed, in order."""
    expected: list[str] = []
    for character in segment.target:
        if character in _PAIRS:
            expected.append(_PAIRS[character])
        elif character in _PAIRS.values() and (not expected or expected.pop() != character):
            yield Fault(f"{character} closes nothing", "balance the brackets")
            return
    if expected:
        yield Fault(f"{expected[-1]} is missing", "balance the brackets")


@of_segment(ERROR, TRANSLATED | {SPEECH})
def check_status_words(segment: Segment, context: Context) -> Iterator[Fault]:
    """What a text quotes as a status is one that some table shows."""
    for literal in _STATUS.findall(segment.target):
        if context.displays and literal not in context.displays:
            yield Fault(f"「{literal}」 is no status of any table", "write what the table shows")


LANGUAGE = Language(
    read_numbers=read_japanese,
    term_pattern=term_pattern,
    checks=(
        *latin.CHECKS,
        check_script_spacing,
        check_width,
        check_punctuation,
        check_brackets,
        check_status_words,
        *REGISTER,
    ),
    fixes=FIXES,
)
