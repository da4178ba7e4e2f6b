"""Where a Japanese word may begin and end inside text that has no blanks.

Never looks a word up: only the scripts of the neighbouring characters decide. Kanji and katakana
words run together with their neighbours, so the question is whether a form is glued to something
that makes it part of another word.
"""

from __future__ import annotations

import re

_KANJI_RANGES = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々〆〇"
_KATAKANA_RANGES = "\u30a1-\u30fa\u30fc-\u30fe"

JAPANESE = "[\u3005-\u3007\u303b\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
KANJI = f"[{_KANJI_RANGES}]"
KATAKANA = f"[{_KATAKANA_RANGES}]"
KANJI_OR_KATAKANA = f"[{_KANJI_RANGES}{_KATAKANA_RANGES}]"

_KATAKANA_BEFORE = re.compile(f"{KATAKANA}*\\Z")
_KATAKANA_AFTER = re.compile(f"{KATAKANA}*")
_KANJI_BEFORE = re.compile(f"{KANJI}\\Z")
_KANJI_AFTER = re.compile(KANJI)

# Kanji that may stand before or after a whole word without making another one of it.
_FREE_PREFIX = re.compile("[各全計純新]\\Z")
_FREE_SUFFIX = re.compile("色|製|素材|生地|仕様|州|市|型|入")

_WORD_START = re.compile("[^ァィゥェォッャュョヮーン]")
_SHORTEST_WORD = 3


def is_glued_before(form: str, before: str) -> bool:
    """Tell whether what stands before ``form`` makes it the end of another word.

    Katakana compounds end in their head: デジタルカメラ is a カメラ. So up to three kana that
    are no word by themselves glue (フ + ライト), three and more do not.
    """
    if re.match(KATAKANA, form):
        run = _KATAKANA_BEFORE.search(before)
        length = len(run.group()) if run else 0
        return length > 0 and min(length, len(form)) < _SHORTEST_WORD
    if re.match(KANJI, form):
        return bool(_KANJI_BEFORE.search(before)) and not _FREE_PREFIX.search(before)
    return False


def is_glued_after(form: str, after: str) -> bool:
    """Tell whether what stands after ``form`` makes it the beginning of another word.

    ホワイトモデル is ホワイト; カメラマン and フルーツ are neither カメラ nor フル.
    """
    if re.search(f"{KATAKANA}\\Z", form):
        run = _KATAKANA_AFTER.match(after)
        rest = run.group() if run else ""
        return bool(rest) and not (len(rest) >= _SHORTEST_WORD and _WORD_START.match(rest))
    if re.search(f"{KANJI}\\Z", form):
        return bool(_KANJI_AFTER.match(after)) and not _FREE_SUFFIX.match(after)
    return False
