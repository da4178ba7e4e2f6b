"""Scripts: which letters of a text belong to which writing system.

Never knows a language; a letter of a script that is not listed is of the script ``other``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from jtau_plugin.models.measures import Script

#: Ranges of letters, in the form of a regular expression's character class. The marks that make
#: other letters of Latin ones, and those of vowels, count as letters.
_RANGES: dict[Script, str] = {
    "latin": "A-Za-zªºÀ-ÖØ-öø-ʯ\u0300-\u036fḀ-ỿ",
    "hiragana": "ぁ-ゖ\u3099\u309aゝ-ゟ",
    "katakana": "ァ-ヺー-ヿㇰ-ㇿｦ-ﾟ",
    "han": "々〆〇㐀-䶿一-鿿豈-﫿\U00020000-\U0003ffff",
    "hangul": "ᄀ-ᇿ㄰-㆏ꥠ-꥿가-힣",
    "thai": "ก-ฺเ-๎",
    "cyrillic": "Ѐ-ԯ",
    "greek": "Ͱ-Ͽἀ-῿",
    "arabic": "ؠ-ٟٮ-ۿݐ-ݿ",
    "hebrew": "א-ת",
    "devanagari": "ऀ-ॣॱ-ॿ",
}
_LATIN_WORD = rf"[{_RANGES['latin']}]+(?:['’.-][{_RANGES['latin']}]+)*"
_RUN = re.compile(
    "|".join(
        rf"(?P<{name}>{_LATIN_WORD if name == 'latin' else f'[{ranges}]+'})"
        for name, ranges in _RANGES.items()
    )
    + r"|(?P<other>[^\W\d_])"
)


class Run(NamedTuple):
    """Letters of one script that stand together; of Latin ones, one word.

    Attributes:
        start: where it begins in the text.
        end: where it ends.
    """

    script: Script
    text: str
    start: int
    end: int


def iter_runs(text: str) -> Iterator[Run]:
    """Yield the runs of letters in ``text`` in order."""
    for match in _RUN.finditer(text):
        if match.lastgroup == "other" and not match[0].isalpha():
            continue  # a number that is no digit: ², ①
        yield Run(match.lastgroup, match[0], match.start(), match.end())  # type: ignore[arg-type]
