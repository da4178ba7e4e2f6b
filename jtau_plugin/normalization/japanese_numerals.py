"""Japanese numerals: 三二七, 五千二百四十四, 2万3,553, and the digits that they are mixed with.

Never decides whether a run of characters *is* a number in its sentence (千葉, 四国, 十分): that
is the caller's question. A run that is not well formed has no value at all.
"""

from __future__ import annotations

import re
from decimal import Decimal

KANJI_DIGITS = "〇零一二三四五六七八九"
NUMERAL_CHARS = f"0-9{KANJI_DIGITS}十百千万億兆"
"""The inside of a character class that matches every character of a numeral but ``,`` and ``.``."""

_DIGIT_VALUES = str.maketrans(KANJI_DIGITS, "00123456789")
_SCALES = (("兆", Decimal(10**12)), ("億", Decimal(10**8)), ("万", Decimal(10**4)))

_ASCII = re.compile(r"(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|0|[1-9][0-9]*)(?:\.[0-9]+)?")
_POSITIONAL = re.compile(f"[{KANJI_DIGITS}]+")
_ASCII_SECTION = re.compile("[1-9][0-9]{0,3}|[1-9],[0-9]{3}")
_POSITIONAL_SECTION = re.compile(f"[一二三四五六七八九][{KANJI_DIGITS}]{{0,3}}")
_UNITS_SECTION = re.compile(
    "(?:(?P<千>[1-9一二三四五六七八九]?)千)?"
    "(?:(?P<百>[1-9一二三四五六七八九]?)百)?"
    "(?:(?P<十>[1-9一二三四五六七八九]?)十)?"
    "(?P<tail>[一二三四五六七八九]|[1-9][0-9]{0,2})?"
)
_LEAST_GROUPED = 3
_UNITS = (("千", 1000), ("百", 100), ("十", 10))
_KANJI_ONLY = re.compile(f"[{KANJI_DIGITS}十百千万]{{1,12}}")
_DIGIT_PAIR = re.compile(f"[{KANJI_DIGITS}]{{2}}")
_DECIMAL_COEFFICIENT = re.compile(r"(?P<coefficient>[0-9]{1,6}\.[0-9]{1,6})(?P<scale>[万億兆])")


def parse_numeral(run: str) -> Decimal | None:
    """Return the value of a whole run of numeral characters, or None when it is not well formed.

    Thousands are grouped properly or not at all, no zero leads (04 is part of a date or an id),
    and a composed numeral has no decimals, save as the
    coefficient of its only scale (1.5万).
    """
    if _ASCII.fullmatch(run):
        return Decimal(run.replace(",", ""))
    if _POSITIONAL.fullmatch(run):
        return Decimal(run.translate(_DIGIT_VALUES))
    return _scaled_decimal(run) or _composed(run)


def parse_kanji_integer(text: str) -> int | None:
    """Return the value of a short kanji numeral, positional or composed, or None."""
    value = parse_numeral(text) if _KANJI_ONLY.fullmatch(text) else None
    return None if value is None else int(value)


def is_ambiguous_pair(run: str) -> bool:
    """Tell whether ``run`` is two neighbouring kanji digits, as 三四 (34, or "three or four")."""
    if _DIGIT_PAIR.fullmatch(run) is None:
        return False
    values = run.translate(_DIGIT_VALUES)
    return int(values[1]) - int(values[0]) == 1


def is_grouped(run: str) -> bool:
    """Tell whether a kanji numeral is long enough, and composed, to be one without a counter."""
    return len(run) >= _LEAST_GROUPED and re.search("[十百千万億兆]", run) is not None


def _scaled_decimal(run: str) -> Decimal | None:
    found = _DECIMAL_COEFFICIENT.fullmatch(run)
    if found is None:
        return None
    value = Decimal(found["coefficient"]) * dict(_SCALES)[found["scale"]]
    return value if value == value.to_integral_value() else None


def _composed(run: str) -> Decimal | None:
    total = Decimal(0)
    rest = run
    for scale, worth in _SCALES:
        head, found, tail = rest.partition(scale)
        if not found:
            continue
        coefficient = _section(head)
        if coefficient is None:
            return None
        total += coefficient * worth
        rest = tail
    if not rest:
        return total or None
    last = _section(rest)
    return None if last is None else total + last


def _section(text: str) -> int | None:
    """Return the value (1 to 9999) of what stands between two scales, or None."""
    if _ASCII_SECTION.fullmatch(text):
        return int(text.replace(",", ""))
    if _POSITIONAL_SECTION.fullmatch(text):
        return int(text.translate(_DIGIT_VALUES))
    found = _UNITS_SECTION.fullmatch(text)
    if found is None or not text:
        return None
    value, smallest = 0, 10_000
    for unit, worth in _UNITS:
        if found[unit] is not None:
            value += int((found[unit] or "1").translate(_DIGIT_VALUES)) * worth
            smallest = worth
    tail = int((found["tail"] or "0").translate(_DIGIT_VALUES))
    return value + tail if tail < smallest else None
