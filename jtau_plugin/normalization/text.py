"""Building blocks: width, invisible characters, dashes, quotes and scripts of one text.

Never knows a language's words, a schema or a parameter: text in, text out.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable
from typing import Concatenate, ParamSpec

_P = ParamSpec("_P")

_WIDTH_TAGS = ("<wide>", "<narrow>")

# A half-width katakana word carries its voiced marks as characters of their own.
_VOICED_KANA = re.compile("[\u3040-\u30ff][\u3099\u309a]+")

# Joiners, byte-order mark and the three implicit direction marks. Embeddings and overrides
# (U+202A to U+202E) are left in: they reorder what a reader sees, so the value must not pass.
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u200e\u200f\u061c\u2060\ufeff"))

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff0d\u30fc"
_DASH_IN_WORD = re.compile(f"(?<=[0-9A-Za-z])[{_DASHES}](?=[0-9A-Za-z])")

_QUOTE_PAIRS = (("「", "」"), ("『", "』"), ("“", "”"), ('"', '"'), ("'", "'"))


def text_only(rule: Callable[Concatenate[str, _P], str]) -> Callable[Concatenate[str, _P], str]:
    """Return ``rule``, made to hand back anything that is not text as the object it got."""

    @functools.wraps(rule)
    def guarded(value: str, /, *args: _P.args, **kwargs: _P.kwargs) -> str:
        # A model may write any JSON value where the schema asks for a string.
        return rule(value, *args, **kwargs) if isinstance(value, str) else value

    return guarded


def fold_width(text: str) -> str:
    """Return ``text`` with full- and half-width forms made ordinary, and nothing else changed.

    Other compatibility forms (``①``, ``㎏``, ``½``, ``²``) stay: NFKC would turn 10² into 102.
    """
    if text.isascii():
        return text
    folded = "".join(map(_ordinary_width, text))
    return _VOICED_KANA.sub(lambda found: unicodedata.normalize("NFC", found.group()), folded)


def _ordinary_width(char: str) -> str:
    decomposition = unicodedata.decomposition(char)
    if not decomposition.startswith(_WIDTH_TAGS):
        return char
    return "".join(chr(int(code, 16)) for code in decomposition.split()[1:])


def fold_key(text: str) -> str:
    """Return the form under which a word is looked up in a table: NFKC, outer blanks removed."""
    return unicodedata.normalize("NFKC", text).strip()


def drop_invisible(text: str) -> str:
    """Return ``text`` without zero-width characters and direction marks."""
    return text if text.isascii() else text.translate(_INVISIBLE)


def fold_dashes(text: str) -> str:
    """Return ``text`` with each dash between two ASCII letters or digits written as ``-``.

    The long-vowel mark ー counts as a dash there, and only there.
    """
    return text if text.isascii() else _DASH_IN_WORD.sub("-", text)


def strip_quotes(text: str) -> str:
    """Return what one matching pair of quotes encloses, or ``text`` when it is no such pair.

    Nested quotes stay as they are, so that a second pass has nothing left to strip.
    """
    inner = _inside_pair(text)
    if inner is None or _inside_pair(inner) is not None:
        return text
    return inner


def _inside_pair(text: str) -> str | None:
    for opening, closing in _QUOTE_PAIRS:
        if text.startswith(opening) and text.endswith(closing):
            inner = text[1:-1].strip()
            return inner if inner and not {opening, closing} & set(inner) else None
    return None


def is_printable_ascii(text: str) -> bool:
    """Tell whether ``text`` has at least one character, and printable ASCII ones only."""
    return bool(text) and text.isascii() and text.isprintable()


def is_latin(text: str) -> bool:
    """Tell whether ``text`` has a letter and consists of Latin letters and printable ASCII."""
    return any(map(str.isalpha, text)) and all(map(_is_latin_char, text))


def _is_latin_char(char: str) -> bool:
    if char.isascii():
        return char.isprintable()
    return char.isalpha() and unicodedata.name(char, "").startswith("LATIN ")
