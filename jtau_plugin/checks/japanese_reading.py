"""Reads Japanese: numbers in digits and in kanji, and terms in their inflections."""

from __future__ import annotations

import re
from functools import lru_cache

from jtau_plugin.checks.reading import Reading, hard_tokens, iso_date

_KANJI = {"〇": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_PLACES = {"十": 10, "百": 100, "千": 1000}
_KANJI_NUMBER = re.compile(r"[〇一二三四五六七八九十百千]+")
#: Words that stand for a number without naming it.
_WORDS = {
    "両": "2", "双方": "2", "往復": "2", "いずれも": "2", "どちらも": "2", "片方": "2",
    "片": "1", "単": "1", "初": "1", "なし": "0", "無": "0", "ダース": "12",
}  # fmt: skip
_DATE = re.compile(r"(\d{4})年(\d{1,2})月(\d{1,2})日")
_ASIDE = re.compile(r"（[^）]*）")
_SURU = re.compile(r"(?:を|が|に)?(?:する|できる)$")
_PARTICLE = re.compile(r"(?<=[一-龠ァ-ヶーA-Za-z0-9い])[をにがの](?=[一-龠ァ-ヶA-Za-z0-9])")
#: What may stand between the words of a term.
_GAP = r"[^。\n]{1,12}?"
#: The last syllable of a verb by its row: 引き継ぐ is also 引き継ぎ, 引き継が, 引き継い.
_ROWS = {
    "う": "わいえおっ", "く": "かきけこい", "ぐ": "がぎげごい", "す": "さしせそ",
    "つ": "たちてとっ", "ぬ": "なにねのん", "ぶ": "ばびべぼん", "む": "まみめもん",
    "る": "らりれろっ",
}  # fmt: skip


def _kanji_value(text: str) -> str:
    total, digit = 0, 0
    if not any(c in _PLACES for c in text):
        return str(int("".join(str(_KANJI[c]) for c in text)))
    for character in text:
        if character in _PLACES:
            total += (digit or 1) * _PLACES[character]
            digit = 0
        else:
            digit = _KANJI[character]
    return str(total + digit)


def read_japanese(text: str) -> Reading:
    """Read the numbers of a Japanese text; those in kanji and in words only explain others."""
    soft = {_kanji_value(number) for number in _KANJI_NUMBER.findall(text)}
    soft |= {number for word, number in _WORDS.items() if word in text}
    return Reading(hard_tokens(_DATE.sub(_plain_date, text)), frozenset(soft))


def _plain_date(match: re.Match[str]) -> str:
    return f" {iso_date(match[1], match[2], match[3])} "


def _word_pattern(word: str) -> str:
    """Return the pattern of one word: a verb in any form, a noun as it stands."""
    noun = _SURU.sub("", word)
    if noun and noun != word:
        return re.escape(noun)
    last = word[-1]
    if last in _ROWS and len(word) > 1:
        # A verb of one row keeps its stem without る (得る), one of five rows changes it.
        rest = "" if last == "る" else f"[{last}{_ROWS[last]}]"
        return re.escape(word[:-1]) + rest
    return re.escape(word)


def _wording_pattern(wording: str) -> str:
    """Return the pattern of a wording: its words in order, or a noun after what qualifies it."""
    words = [word for word in _PARTICLE.split(_SURU.sub("", wording) or wording) if word]
    if len(words) == 1:
        return _word_pattern(wording)
    parts = [_word_pattern(word) for word in words]
    if wording.endswith(("する", "る", "ぐ")):
        return f"{_GAP.join(parts)}|{_GAP.join(reversed(parts))}"
    return _GAP.join(parts)


@lru_cache(maxsize=4096)
def term_pattern(local: str) -> re.Pattern[str]:
    """Return the pattern of an approved term in running text.

    An aside in brackets may be left out; of forms that ／ separates, one is enough; between a noun
    and its verb, or between nouns, a few further words may stand.
    """
    forms = {local, *local.split("／"), *_ASIDE.sub("", local).split("／")}
    return re.compile("|".join(sorted(map(_wording_pattern, filter(None, forms)), key=len)[::-1]))
