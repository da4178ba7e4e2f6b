"""Whether a word or phrase stands in a text as a word of its own.

Never looks inside numbers and never stems: ``camera`` is not in ``cameras``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jtau_plugin.normalization.japanese_script import JAPANESE, is_glued_after, is_glued_before
from jtau_plugin.normalization.text import drop_invisible, fold_dashes, fold_width

_EMPHASIS = re.compile(r"\*\*|`")
# Only in pairs and outside words: item_id and _private stay.
_UNDERLINED = re.compile(r"(?<![0-9A-Za-z_])(_{1,2})(?=[^\s_])(.*?[^\s_])\1(?![0-9A-Za-z_])")

# A dot or an at-sign between two letters is inside an address (il@example.com).
_LATIN_BEFORE = re.compile(r"(?:[^\W_]|[_@]|[^\W_][.'\u2019])\Z")
_LATIN_AFTER = re.compile(r"[^\W_]|[_@]|\.[^\W_]")
_DIGIT_BEFORE = re.compile(r"[0-9][.,]\Z")


def prepare_text(text: str) -> str:
    """Return ``text`` in ordinary width, without invisible characters and Markdown emphasis."""
    return _UNDERLINED.sub(r"\2", _EMPHASIS.sub("", drop_invisible(fold_width(text))))


def fold_words(text: str) -> str:
    """Return the form in which words are compared: dashes and blanks alike, case folded."""
    return " ".join(fold_dashes(prepare_text(text)).casefold().split())


def contains_word(text: str, form: str) -> bool:
    """Tell whether ``form`` stands in ``text`` on word boundaries, whatever the case."""
    word = fold_words(form)
    folded = fold_words(text)
    return any(
        begins_word(word, folded[:start]) and ends_word(word, folded[start + len(word) :])
        for start in _occurrences(word, folded)
    )


def begins_word(word: str, before: str) -> bool:
    """Tell whether ``word`` (folded) begins a word where ``before`` ends."""
    if not before or not word[:1].isalnum():
        return True
    if re.match(JAPANESE, word):
        return not is_glued_before(word, before)
    if word[0].isdigit() and _DIGIT_BEFORE.search(before):
        return False
    return re.match(JAPANESE, before[-1]) is not None or not _LATIN_BEFORE.search(before)


def ends_word(word: str, after: str) -> bool:
    """Tell whether ``word`` (folded) ends a word where ``after`` begins."""
    if not after or not word[-1:].isalnum():
        return True
    if re.match(JAPANESE, word[-1]):
        return not is_glued_after(word, after)
    return re.match(JAPANESE, after) is not None or not _LATIN_AFTER.match(after)


def _occurrences(word: str, text: str) -> Iterator[int]:
    start = text.find(word) if word else -1
    while start >= 0:
        yield start
        start = text.find(word, start + 1)
