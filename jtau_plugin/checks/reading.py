"""Finds what must survive a translation as it stands: numbers, ids, dates, addresses.

A reading is taken from each side; ``numbers`` compares them. What a language writes in words is
read by that language's own reader.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

#: Units that may stand directly behind a digit without making an id of it.
_UNITS = frozenset(
    re.findall(
        r"\w+",
        """st nd rd th am pm hr hrs h min s sec ms day days x bar bars
        gb mb kb tb g kg mg lb lbs oz ml l mm cm m km in inch inches ft mph mbps gbps ghz mhz hz
        w kw v mah wh mp k p""",
    )
)
#: Finds what must survive a translation; the name of its group says what it is.
TOKEN = re.compile(
    r"""
      (?P<url>https?://[A-Za-z0-9._~:/?\#@!$&'*+=%-]*[A-Za-z0-9/])
    | (?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
    | (?P<date>(?<![\d-])\d{4}-\d{2}-\d{2}(?:[T]\d{2}:\d{2}(?::\d{2})?)?(?![\d-]))
    | (?P<phone>(?<![\w-])\d{3}-\d{3}-\d{4}(?![\w-]))
    | (?P<time>(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d))
    | (?P<section>(?<![\w.])\d+(?:\.\d+){2,})
    | (?P<number>(?<![A-Za-z0-9_#])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d_]))
    | (?P<mixed>\#?[A-Za-z0-9_]*\d[A-Za-z0-9_]*(?:\.\d+)?)
    """,
    re.VERBOSE | re.ASCII,
)
_WITH_UNIT = re.compile(r"(\d+(?:\.\d+)?)([A-Za-z]*)")


@dataclass(frozen=True)
class Reading:
    """What one side of a segment holds.

    Attributes:
        hard: what is written in digits, and ids, dates and addresses, with how often: the other
            side must have it.
        soft: what is written in words: it explains a number of the other side.
        due: what is written in words and yet must be found on the other side, in any form.
    """

    hard: Mapping[str, int]
    soft: frozenset[str] = frozenset()
    due: frozenset[str] = frozenset()


def unit_number(match: re.Match[str]) -> str:
    """Return the number in front of a unit (``5GB``), or nothing if a match of TOKEN is none."""
    unit = _WITH_UNIT.fullmatch(match[0]) if match.lastgroup == "mixed" else None
    return unit[1] if unit is not None and (not unit[2] or unit[2].lower() in _UNITS) else ""


def _hard_token(match: re.Match[str]) -> str:
    if match.lastgroup in ("url", "email"):
        return match[0].rstrip(".")
    return unit_number(match) or match[0]


def hard_tokens(text: str) -> Counter[str]:
    """Return the numbers in digits, ids, dates, times, e-mail addresses and URLs of a text."""
    return Counter(_hard_token(match) for match in TOKEN.finditer(text))


def read_digits(text: str) -> Reading:
    """Read a text whose language has no reader of its own."""
    return Reading(hard_tokens(text))


def iso_date(year: str, month: str, day: str) -> str:
    """Return a date as the data write it."""
    return f"{year}-{int(month):02d}-{int(day):02d}"
