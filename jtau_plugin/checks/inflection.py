"""Finds an English term in running text, in its usual inflections."""

from __future__ import annotations

import re
from functools import lru_cache

_VOWELS = "aeiou"
_SHORTEST_INFLECTED = 3
#: "zip code" is also "zip-code" and "zipcode".
_GAP = r"[\s\-]*"
_ASIDE = re.compile(r"\s*\([^)]*\)")


def _forms(word: str) -> str:
    """Return the alternatives of one word: plural, possessive, past, participle."""
    plain = re.escape(word)
    if not word.isalpha() or len(word) < _SHORTEST_INFLECTED or word.isupper():
        return rf"{plain}s?"
    last, before = word[-1], word[-2]
    endings = [f"{plain}(?:s|es|ed|d|ing|'s|s')?"]
    if last == "y" and before not in _VOWELS:
        endings.append(f"{re.escape(word[:-1])}(?:ies|ied)")
    if last == "e":
        endings.append(f"{re.escape(word[:-1])}ing")
    if last not in _VOWELS and before in _VOWELS and last not in "wxy":
        endings.append(f"{plain}{last}(?:ed|ing|er)")
    return f"(?:{'|'.join(endings)})"


def variants(english: str) -> tuple[str, ...]:
    """Return the wordings of a termbase's cell: split at `` / ``, asides in brackets left out."""
    found = (_ASIDE.sub("", part).strip() for part in english.split(" / "))
    return tuple(part for part in found if part)


@lru_cache(maxsize=4096)
def term_regex(english: str) -> re.Pattern[str]:
    """Return the pattern that finds one wording as whole words.

    The first and the last word may be inflected; blanks and hyphens between words are one.
    """
    words = re.split(r"[\s\-]+", english)
    parts = [
        _forms(word) if index in (0, len(words) - 1) else re.escape(word)
        for index, word in enumerate(words)
    ]
    return re.compile(rf"(?<![\w-]){_GAP.join(parts)}(?![\w-])", re.IGNORECASE)
