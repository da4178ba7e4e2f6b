"""Reads English: digits, dates spelt out, and numbers in words."""

from __future__ import annotations

import re

from jtau_plugin.checks.reading import Reading, hard_tokens, iso_date


def _split(words: str) -> list[str]:
    return words.split()


_WORDS = {
    word: str(number)
    for number, word in enumerate(
        _split("""zero one two three four five six seven eight nine ten eleven twelve thirteen
        fourteen fifteen sixteen seventeen eighteen nineteen twenty""")
    )
}
_WORDS |= {
    word: str(number * 10)
    for number, word in enumerate(
        _split("thirty forty fifty sixty seventy eighty ninety hundred"), start=3
    )
}
_ORDINALS = {
    word: str(number)
    for number, word in enumerate(
        _split("first second third fourth fifth sixth seventh eighth ninth tenth"), start=1
    )
}
#: Words that may become a number, and with which number.
_LOOSE = {
    **_ORDINALS,
    **dict.fromkeys(
        _split("a an one another each every any per once only single same next last initial no"),
        "1",
    ),
    **dict.fromkeys(_split("twice both couple pair double either two-way half"), "2"),
    **dict.fromkeys(_split("no none free without zero"), "0"),
    "thrice": "3",
    "dozen": "12",
    "thousand": "1000",
}
_MONTHS = {
    name: str(number)
    for number, names in enumerate(
        _split("""january|jan february|feb march|mar april|apr may june|jun july|jul august|aug
        september|sept|sep october|oct november|nov december|dec"""),
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


_SENTENCE_END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bSt)(?<!\d)[.!?]+(?=['\")*]*(?:\s|$))"
)


def count_sentences(text: str) -> int:
    """Return how many sentences end in an English text."""
    return len(_SENTENCE_END.findall(text))
