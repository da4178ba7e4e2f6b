"""The numbers that stand in a text, each with its place and its value.

Never decides what a number counts: it only leaves out what by its form is part of something else
(an id, a date, a range, a fraction) or another currency's amount.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from jtau_plugin.normalization.english_quantities import NUMBER_WORDS
from jtau_plugin.normalization.japanese_numerals import NUMERAL_CHARS, parse_numeral
from jtau_plugin.normalization.japanese_script import JAPANESE
from jtau_plugin.scoring.number_patterns import NEGATIVE_BEFORE

WINDOW = 64
"""How many characters on either side of a number can bear on what it says."""

_RUN = re.compile(
    f"[{NUMERAL_CHARS}](?:[{NUMERAL_CHARS}]|[.,](?=[0-9]))*"
    f"|(?<![A-Za-z0-9_-])(?:{'|'.join(NUMBER_WORDS)})(?![A-Za-z0-9_-])",
    re.IGNORECASE,
)

_DOLLAR_PREFIX = re.compile(r"(?<![A-Za-z])(?:(?:US ?)?\$|USD) ?\Z", re.IGNORECASE)
_OTHER_CODE = re.compile(
    r"(?<![A-Za-z])(?:JPY|EUR|GBP|KRW|CNY|RMB|CAD|AUD|NZD|HKD|SGD|TWD|CHF|INR) ?\Z", re.IGNORECASE
)
_MINUS = ("-", "\u2212")
DASH = "[-\u2010-\u2015\u2212]"
"""Any dash; between two digits it makes an id, a date or a range."""
HYPHEN = "[-\u2010-\u2013\u2212]"
"""A dash that joins letters and digits to an id; a long one (refund—$5—today) parts a sentence."""
WAVE = "[~\u223c\u301c]"
"""Any wave dash; it makes a range, or means "about"."""

_PART_BEFORE = re.compile(
    r"(?:[_#@]|(?<!\.)\.)\Z"
    f"|[0-9](?:{DASH}|ー)\\Z|[A-Za-z](?:{HYPHEN}|ー)\\Z"
    f"|[{NUMERAL_CHARS}][^\\s0-9]{{0,4}} ?(?:{WAVE}|[\u2013\u2014]) ?\\Z"
)
_PART_OF_DIGITS = re.compile(r"[0-9][/:,]?\Z")
_TIMES = re.compile(r"(?<![0-9A-Za-z])x\Z", re.IGNORECASE)

Script = Literal["digits", "mixed", "native", "word"]


@dataclass(frozen=True)
class NumberToken:
    """A number in a text, its signed value, and how it is written."""

    start: int
    """Where it begins, its sign and dollar sign included."""
    end: int
    """Where its last digit ends."""
    written: str
    """Its digits, without sign and dollar sign."""
    value: Decimal
    script: Script
    """Digits, mixed (2万3,553), native (二万三千) or an English word (four)."""
    has_dollar_sign: bool


def find_numbers(text: str) -> Iterator[NumberToken]:
    """Yield the numbers of a prepared text that are not part of something else, in order."""
    for found in _RUN.finditer(text):
        value = _value(found.group())
        token = None if value is None else _read(text, found, value)
        if token is not None:
            yield token


def text_before(text: str, end: int) -> str:
    """Return as much of ``text`` before ``end`` as can bear on a number that begins there."""
    return text[max(0, end - WINDOW) : end]


def _value(written: str) -> Decimal | None:
    word = NUMBER_WORDS.get(written.lower())
    return parse_numeral(written) if word is None else Decimal(word)


def _script(written: str) -> Script:
    if written[0].isalpha() and written.isascii():
        return "word"
    if written.isascii():
        return "digits"
    return "mixed" if re.search("[0-9]", written) else "native"


def _read(text: str, found: re.Match[str], value: Decimal) -> NumberToken | None:
    """Return the token for a run of digits, or None when what precedes makes it no number."""
    window = text_before(text, found.start())
    before, inner_minus = _take_minus(window)
    prefix = _DOLLAR_PREFIX.search(before)
    bare, outer_minus = _take_minus(before[: prefix.start()] if prefix else before)
    if _is_part(bare) or _is_other_currency(bare):
        return None
    if prefix is None and _PART_OF_DIGITS.search(bare):
        return None
    word = NEGATIVE_BEFORE.search(bare)
    bare = bare[: word.start()] if word else bare
    negative = inner_minus or outer_minus or word is not None
    return NumberToken(
        start=found.start() - (len(window) - len(bare)),
        end=found.end(),
        written=found.group(),
        value=-value if negative else value,
        script=_script(found.group()),
        has_dollar_sign=prefix is not None,
    )


def _take_minus(before: str) -> tuple[str, bool]:
    """Return ``before`` without a minus sign at its end; a dash after a letter or digit stays."""
    is_sign = before.endswith(_MINUS) and not re.search("[0-9A-Za-z].\\Z", before, re.DOTALL)
    return (before[:-1], True) if is_sign else (before, False)


def _is_part(before: str) -> bool:
    if _PART_BEFORE.search(before):
        return True
    last = before[-1:]
    is_foreign_letter = last.isalpha() and not re.match(JAPANESE, last)
    return is_foreign_letter and not _TIMES.search(before)


def _is_other_currency(before: str) -> bool:
    last = before.rstrip()[-1:]
    is_sign = bool(last) and unicodedata.category(last) == "Sc"
    return is_sign or _OTHER_CODE.search(before) is not None
