"""Japanese dates: 2024年5月15日, 二〇二四年五月十五日, 令和6年5月15日, and their weekdays.

Never converts a date before 1873, when Japan left its lunisolar calendar: 明治5年12月3日 is not
the third of December.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Final

from jtau_plugin.normalization.japanese_numerals import KANJI_DIGITS, parse_kanji_integer

_WEEKDAYS = "月火水木金土日"
_WEEKDAY_SUFFIX = re.compile(
    rf"(?P<date>.*\S)\s*(?:\((?P<short>[{_WEEKDAYS}])(?:曜日?)?\)|(?P<long>[{_WEEKDAYS}])曜日?)"
)

_Day = dt.date
# First and last day of each era; the day of a change of era belongs to both. 明治 began in 1868
# and is admitted from its first Gregorian day on.
_ERAS: Final[dict[str, tuple[int, _Day, _Day]]] = {
    "明治": (1868, _Day(1873, 1, 1), _Day(1912, 7, 30)),
    "大正": (1912, _Day(1912, 7, 30), _Day(1926, 12, 25)),
    "昭和": (1926, _Day(1926, 12, 25), _Day(1989, 1, 7)),
    "平成": (1989, _Day(1989, 1, 8), _Day(2019, 4, 30)),
    "令和": (2019, _Day(2019, 5, 1), _Day.max),
}

_NUMBER = f"[0-9]{{1,2}}|[{KANJI_DIGITS}十]{{1,3}}"
_YEAR = f"[0-9]{{4}}|[{KANJI_DIGITS}]{{4}}|[二一]?千[{KANJI_DIGITS}百十]*"
_DATE = re.compile(
    rf"(?:(?P<year>{_YEAR})|(?P<era>{'|'.join(_ERAS)})(?P<era_year>元|{_NUMBER}))年"
    rf"\s?(?P<month>{_NUMBER})月\s?(?P<day>{_NUMBER})日"
)


def split_weekday(text: str) -> tuple[str, int | None]:
    """Return ``text`` without a weekday at its end, and that weekday (Monday is 0) or None."""
    found = _WEEKDAY_SUFFIX.fullmatch(text)
    if found is None:
        return text, None
    return found["date"], _WEEKDAYS.index(found["short"] or found["long"])


def read_japanese_date(text: str) -> dt.date | None:
    """Return the date that ``text`` (ordinary width) writes out with 年, 月 and 日, or None.

    An era's year counts only inside that era: 昭和64年1月8日 was never a day.
    """
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    date = _date(_year(found), _integer(found["month"]), _integer(found["day"]))
    if date is None or found["era"] is None:
        return date
    _, first, last = _ERAS[found["era"]]
    return date if first <= date <= last else None


def _year(found: re.Match[str]) -> int | None:
    if found["era"] is None:
        return _integer(found["year"])
    count = 1 if found["era_year"] == "元" else _integer(found["era_year"])
    return _ERAS[found["era"]][0] + count - 1 if count else None


def _integer(digits: str) -> int | None:
    return int(digits) if digits.isascii() else parse_kanji_integer(digits)


def _date(year: int | None, month: int | None, day: int | None) -> dt.date | None:
    if year is None or month is None or day is None:
        return None
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None
