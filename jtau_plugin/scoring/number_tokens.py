"""The numbers that stand in a text, each with its place and its value.

Never decides what a number counts: it only leaves out what is no number by its form (part of an
id, a date, a range, a fraction, a list marker).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from jtau_plugin.normalization.english_quantities import NUMBER_WORDS
from jtau_plugin.normalization.japanese_numerals import (
    NUMERAL_CHARS,
    is_ambiguous_pair,
    parse_numeral,
)
from jtau_plugin.normalization.text import drop_invisible, fold_width

_RUN = re.compile(
    f"(?P<numeral>[{NUMERAL_CHARS}](?:[{NUMERAL_CHARS}]|[.,](?=[0-9]))*)"
    f"|(?<![A-Za-z0-9_-])(?P<word>{'|'.join(NUMBER_WORDS)})(?![A-Za-z0-9_-])",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(r"\*\*|`")

_DASH = "[-‐‑‒–—―−]"
_RANGE_MARK = "[〜～~∼–—]"
_DOLLAR_SIGN = re.compile(r"(?P<minus>[-−]?)(?P<currency>(?:US\s?)?\$|USD)\s?\Z", re.IGNORECASE)
_MINUS = re.compile(r"[-−]\Z")

_PART_BEFORE = re.compile(
    r"(?:[^\W\d_぀-ヿ㐀-鿿豈-﫿々〇〆]|[0-9_#@&.])\Z"  # letters of any script but Japanese ones
    f"|[0-9A-Za-z]{_DASH}\\Z"
    r"|[0-9][/:,]\Z"
    f"|[〜～~∼]\\s*\\Z"
    f"|[{NUMERAL_CHARS}][^\\s0-9]{{0,4}}\\s*{_RANGE_MARK}\\s*\\Z"
)
_TIMES_SIGN = re.compile(r"(?<![A-Za-z0-9])x\Z", re.IGNORECASE)
_PART_AFTER = re.compile(
    r"[A-Za-z_0-9]{0}[/:][0-9]"
    f"|{_DASH}[0-9A-Za-z]"
    r"|\+(?![0-9$])"
)
_LINE_START = re.compile(r"(?:\A|\n)[ \t>#*・•-]*\(?\Z")
_MARKER_END = re.compile(r"[.)](?=\s*[^\s0-9])")
_LONGEST_MARKER = 2


@dataclass(frozen=True)
class NumberToken:
    """A number in a text: ``text[start:end]``, its signed value, and how it is written."""

    start: int
    end: int
    value: Decimal
    prefix_start: int
    """Where the number begins with its sign and dollar sign."""
    in_dollars: bool
    """Whether a dollar sign stands before it."""
    script: str
    """``digits``, ``mixed`` (2万3,553), ``kanji`` or ``word`` (four)."""


def prepare_text(text: str) -> str:
    """Return ``text`` in ordinary width, without invisible characters and Markdown emphasis."""
    return _EMPHASIS.sub("", drop_invisible(fold_width(text)))
