"""Rule D: a date that is written out in full, as the tools want it (2024-05-15).

Never supplies what was not written: no year, no century, no reading of "tomorrow". A hyphenated
date without its zeros (2024-5-15) stays: it is no Japanese notation, and an English agent that
writes it is refused too.
"""

from __future__ import annotations

import datetime as dt
import re

from jtau_plugin.normalization.japanese_calendar import read_japanese_date, split_weekday
from jtau_plugin.normalization.text import fold_dashes, fold_width, text_only

_ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_SLASHED = re.compile(r"([0-9]{4})/([0-9]{1,2})/([0-9]{1,2})")


@text_only
def canonicalize_iso_date(value: str) -> str:
    """Return an ISO date in ordinary width and without outer blanks; anything else as written."""
    date = _read(_ISO, fold_dashes(fold_width(value).strip()))
    return value if date is None else date.isoformat()


@text_only
def canonicalize_date(value: str) -> str:
    """Return the ISO form of a full date in ISO, slashed or Japanese notation, or ``value``.

    A weekday may follow and must be that date's own; a date that does not exist stays as written.
    """
    text, weekday = split_weekday(fold_dashes(fold_width(value).strip()))
    date = _read(_ISO, text) or _read(_SLASHED, text) or read_japanese_date(text)
    if date is None or weekday not in (None, date.weekday()):
        return value
    return date.isoformat()


def _read(notation: re.Pattern[str], text: str) -> dt.date | None:
    found = notation.fullmatch(text)
    if found is None:
        return None
    year, month, day = map(int, found.groups())
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None
