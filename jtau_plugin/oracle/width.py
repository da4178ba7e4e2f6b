"""Width and numerals of written text: the mechanical part of other written forms.

Text in, text out; knows no tool, table or task, and never reads anything back.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from jtau_plugin.models.oracle import Numerals

_WIDE_OFFSET = 0xFEE0
_FIRST_ASCII, _LAST_ASCII = "!", "~"
_WIDE_BLANK = "\u3000"
_HALF_WIDTH = range(0xFF61, 0xFFA0)
_MARKS = {"\u3099": "\uff9e", "\u309a": "\uff9f"}
_MYRIAD = 10_000


def to_full_width(text: str) -> str:
    """Return ``text`` with its printable ASCII characters in full width."""
    return "".join(_wide(char) for char in text)


def _wide(char: str) -> str:
    if char == " ":
        return _WIDE_BLANK
    return chr(ord(char) + _WIDE_OFFSET) if _FIRST_ASCII <= char <= _LAST_ASCII else char


@lru_cache(maxsize=1)
def _narrow_forms() -> dict[str, str]:
    marks = _MARKS.values()
    narrow = {unicodedata.normalize("NFKC", chr(c)): chr(c) for c in _HALF_WIDTH}
    return {full: half for full, half in narrow.items() if half not in marks}


def to_half_width(text: str) -> str:
    """Return ``text`` with its katakana in half width, voiced marks as signs of their own."""
    narrow = {**_narrow_forms(), **_MARKS}
    written = []
    for char in text:
        parts = unicodedata.normalize("NFD", char)
        known = all(part in narrow for part in parts)
        written.append("".join(narrow[part] for part in parts) if known else char)
    return "".join(written)


def to_numerals(number: int, numerals: Numerals) -> str:
    """Return a whole number in the locale's own numerals, with names for its places."""
    if number == 0:
        return numerals.digits[0]
    pieces: list[str] = []
    for name in numerals.myriads:
        number, group = divmod(number, _MYRIAD)
        if group:
            pieces.insert(0, _group(group, numerals) + name)
    return "".join(pieces)


def _group(number: int, numerals: Numerals) -> str:
    pieces: list[str] = []
    for name in numerals.places:
        number, digit = divmod(number, 10)
        if digit:
            # 1 is written before a place's name only where there is no name.
            pieces.insert(0, (numerals.digits[digit] if digit > 1 or not name else "") + name)
    return "".join(pieces)


def to_digits(number: int, numerals: Numerals) -> str:
    """Return a whole number digit by digit in the locale's own numerals, as years are written."""
    return "".join(numerals.digits[int(digit)] for digit in str(number))
