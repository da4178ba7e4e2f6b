"""Finds what must survive a translation as it stands: numbers, ids, dates, addresses.

A reading is taken from each side; ``numbers`` compares them. What a language writes in words is
read by that language's own reader.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

#: Units that may stand directly behind a digit without making an id of it.
_UNITS = frozenset(
    """st nd rd th am pm hr hrs h min s sec ms day days x bar bars
    gb mb kb tb g kg mg lb lbs oz ml l mm cm m km in inch inches ft mph mbps gbps ghz mhz hz
    w kw v mah wh mp k p""".split()
)
_TOKEN = re.compile(
    r"""
      (?P<url>https?://[A-Za-z0-9._~:/?\#@!$&'*+=%-]*[A-Za-z0-9/])
    | (?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
    | (?P<date>(?<![\d-])\d{4}-\d{2}-\d{2}(?:[T]\d{2}:\d{2}(?::\d{2})?)?(?![\d-]))
    | (?P<phone>(?<![\w-])\d{3}-\d{3}-\d{4}(?![\w-]))
    | (?P<time>(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d))
    | (?P<number>(?<![A-Za-z0-9_#])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d_]))
    | (?P<mixed>\#?[A-Za-z0-9_]*\d[A-Za-z0-9_]*(?:\.\d+(?![\w.]*\d*[A-Za-z_]{5}))?)
    """,
    re.VERBOSE | re.ASCII,
)
_WITH_UNIT = re.compile(r"(\d+(?:\.\d+)?)([A-Za-z]*)")
_WITH_HASH = re.compile(r"#(\d+)")


@dataclass(frozen=True)
class Reading:
    """What one side of a segment holds.

    Attributes:
        hard: what is written in digits, and ids, dates and addresses: the other side must have it.
        soft: what is written in words: it explains a number of the other side.
        due: what is written in words and yet must be found on the other side, in any form.
    """

    hard: frozenset[str]
    soft: frozenset[str] = frozenset()
    due: frozenset[str] = frozenset()


def plain_number(text: str) -> str:
    """Return a number without thousands commas and leading zeros of its own."""
    return text.replace(",", "")


def _hard_token(kind: str, text: str) -> str:
    if kind == "number":
        return plain_number(text)
    if kind != "mixed":
        return text.rstrip(".") if kind in ("url", "email") else text
    unit = _WITH_UNIT.fullmatch(text)
    if unit is not None and (not unit[2] or unit[2].lower() in _UNITS):
        return unit[1]
    return text


def hard_tokens(text: str) -> frozenset[str]:
    """Return the numbers in digits, ids, dates, times, e-mail addresses and URLs of a text."""
    found: set[str] = set()
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        found.add(_hard_token(kind, match[0]))
    return frozenset(found)


def read_digits(text: str) -> Reading:
    """Read a text whose language has no reader of its own."""
    return Reading(hard_tokens(text))


_WORDS = {
    word: str(number)
    for number, word in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen twenty""".split()
    )
}
_WORDS |= {
    word: str(number * 10)
    for number, word in enumerate(
        "thirty forty fifty sixty seventy eighty ninety hundred".split(), start=3
    )
}
_ORDINALS = {
    word: str(number)
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), start=1
    )
}
#: Words that may become a number, and with which number.
_LOOSE = {
    **_ORDINALS,
    **dict.fromkeys(
        "a an one another each every any per once only single same next last initial no".split(),
        "1",
    ),
    **dict.fromkeys("twice both couple pair double either two-way half".split(), "2"),
    **dict.fromkeys("no none free without zero".split(), "0"),
    "thrice": "3",
    "dozen": "12",
    "thousand": "1000",
}
_MONTHS = {
    name: str(number)
    for number, names in enumerate(
        """january|jan february|feb march|mar april|apr may june|jun july|jul august|aug
        september|sept|sep october|oct november|nov december|dec""".split(),
        start=1,
    )
    for name in names.split("|")
}
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)?")
_MONTH_CONTEXT = re.compile(
    r"\b(?P<before>\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?P<month>[A-Z][a-z]{2,8})\b\.?"
    r"(?P<after>,? \d)?"
)
_LONG_DATE = re.compile(
    r"\b(?P<month>[A-Z][a-z]{2,8})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?,? (?P<year>\d{4})\b"
)
#: Words of which the number is not due: "one of them", "one way", "one-stop".
_NOT_DUE = frozenset({"0", "1"})


def _months(text: str) -> set[str]:
    found = set()
    for match in _MONTH_CONTEXT.finditer(text):
        number = _MONTHS.get(match["month"].lower())
        if number and (match["before"] or match["after"]):
            found.add(number)
    return found


def iso_date(year: str, month: str, day: str) -> str:
    """Return a date as the data write it."""
    return f"{year}-{int(month):02d}-{int(day):02d}"


def _spelt_date(match: re.Match[str]) -> str:
    month = _MONTHS.get(match["month"].lower())
    return iso_date(match["year"], month, match["day"]) if month else match[0]


def read_english(text: str) -> Reading:
    """Read an English text: digits, dates, and numbers in words."""
    text = _LONG_DATE.sub(_spelt_date, text)
    soft = {"1"}  # "a single", "its own", "on the way": a one is never news
    due: set[str] = set()
    for word in _WORD.findall(text.lower()):
        for part in {word, *word.split("-")}:
            number = _WORDS.get(part)
            if number is not None:
                (soft if number in _NOT_DUE else due).add(number)
            if part in _LOOSE:
                soft.add(_LOOSE[part])
            if part in _MONTHS:
                soft.add(_MONTHS[part])
    due |= _months(text)
    return Reading(hard_tokens(text), frozenset(soft), frozenset(due))
