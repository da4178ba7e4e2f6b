"""Rule I: a number written as text, with grouping and its own unit, as the schema's number.

Never converts: another currency, another unit, a range, "about" and kanji numerals stay as
written, and so does what JSON itself would not read as a number (+3, 007, 1e5, 0x10, 1_000).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from jtau_plugin.normalization.text import fold_key, fold_width

_NUMBER = re.compile(
    r"(?P<whole>[1-9][0-9]{0,2}(?:,[0-9]{3})+|0|[1-9][0-9]*)(?P<decimals>\.[0-9]+)?"
)
_MINUS = ("-", "\u2212")
_CODE = re.compile("[A-Z]{3}")

_EXACT_DIGITS = 15
"""As many decimal digits as a double keeps exactly."""


def canonicalize_number(value: object, *, integer: bool, units: Collection[str] = ()) -> object:
    """Return ``value`` as the schema's number when it is one, otherwise the very object.

    Text becomes ``int`` for an integer and ``float`` for a number. A JSON number stays, save that
    3.0 becomes 3 for an integer: JSON does not tell them apart, a tool that stores it raw does.
    """
    if isinstance(value, str):
        number = _read(value, units)
        return value if number is None else _as_schema_type(number, value, integer=integer)
    if integer and isinstance(value, float) and value.is_integer():
        return int(value) if abs(value) < 10**_EXACT_DIGITS else value
    return value


def _as_schema_type(number: str, value: str, *, integer: bool) -> object:
    if not integer:
        return float(number)
    whole, _, decimals = number.partition(".")
    return value if decimals.strip("0") else int(whole)


def _read(value: str, units: Collection[str]) -> str | None:
    """Return the plain digits (``-1200.50``) that ``value`` stands for, or None."""
    text = fold_width(value).strip()
    sign = "-" if text.startswith(_MINUS) else ""
    text = text[len(sign) :]
    # Only the unit may be a compatibility form (㌦): a digit that is one (①, ²) is no digit.
    lead = _leading_unit(text, units)
    found = _NUMBER.match(text, len(lead))
    if found is None:
        return None
    tail = fold_key(text[found.end() :])
    if tail and (lead or tail not in map(fold_key, units)):
        return None
    digits = found.group().replace(",", "")
    return sign + digits if len(digits) <= _EXACT_DIGITS else None


def _leading_unit(text: str, units: Collection[str]) -> str:
    """Return the currency sign or code among ``units`` that ``text`` begins with, and its blank."""
    for unit in sorted(map(fold_key, units), key=len, reverse=True):
        if unit and _may_lead(unit) and text.startswith(unit):
            return unit + (" " if text.startswith(" ", len(unit)) else "")
    return ""


def _may_lead(unit: str) -> bool:
    return unicodedata.category(unit[-1]) == "Sc" or _CODE.fullmatch(unit) is not None
