"""The words around a number, of every language we know, compiled into one pattern per question.

A conversation mixes languages (ドル, USD), so no pattern asks which one it is in.
"""

from __future__ import annotations

import re
from typing import Final

from jtau_plugin.normalization.english_quantities import ENGLISH_QUANTITIES, NUMBER_WORDS
from jtau_plugin.normalization.japanese_numerals import NUMERAL_CHARS
from jtau_plugin.normalization.japanese_quantities import JAPANESE_QUANTITIES

_LANGUAGES: Final = (JAPANESE_QUANTITIES, ENGLISH_QUANTITIES)
_NUMBER = f"(?:[$]?[{NUMERAL_CHARS}]|(?<![A-Za-z])(?:{'|'.join(NUMBER_WORDS)})(?![A-Za-z]))"


def _any_of(field: str, before: str = "", after: str = "") -> re.Pattern[str]:
    """Compile the alternatives of one field of all languages, the longest first."""
    words: list[str] = []
    for language in _LANGUAGES:
        words.extend(getattr(language, field))
    # An empty field must match nothing rather than everything.
    alternatives = "|".join(sorted(words, key=len, reverse=True)) or r"(?!)"
    return re.compile(f"{before}(?:{alternatives}){after}", re.IGNORECASE)


# Matched from the end of a number on.
DOLLARS: Final = _any_of("dollars")
COUNTERS: Final = _any_of("counters")
NATIVE_COUNTERS: Final = _any_of("native_counters")
OTHER_UNITS: Final = _any_of("other_units")
CENTS: Final = _any_of("cents", before=r" ?")
VAGUE_AFTER: Final = _any_of("vague_after", before=r" ?")
ALTERNATIVE_AFTER: Final = _any_of("alternatives", before=r" ?", after=rf" ?{_NUMBER}")

# Searched for at the end of what stands before a number.
VAGUE_BEFORE: Final = _any_of("vague_before", after=r" ?\Z")
VAGUE_BEFORE_NATIVE: Final = _any_of("vague_before_native", after=r"\Z")
ORDINAL_BEFORE: Final = _any_of("ordinal_before", after=r" ?\Z")
LABEL_BEFORE: Final = _any_of("labels", after=r" ?\Z")
NEGATIVE_BEFORE: Final = _any_of("negative_before", after=r" ?\Z")
ALTERNATIVE_BEFORE: Final = _any_of(
    "alternatives", before=rf"(?P<origin>from )?{_NUMBER} ?", after=r" ?\Z"
)

# Searched for in the sentence.
REFUND: Final = _any_of("refund")
