"""Does an agent's message communicate an expected piece of information?

Never knows a task, a locale or the conversation: one expected text, one message, one verdict. An
expected number is met by the same decimal value, stated exactly and in no other unit; an expected
word by the word itself or one of its accepted forms, on word boundaries.

A negative amount meets a positive expectation only in a sentence that calls it a refund.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import Decimal

from jtau_plugin.normalization.japanese_numerals import parse_numeral
from jtau_plugin.normalization.text import fold_width
from jtau_plugin.scoring.number_meaning import is_exact_number, is_exact_quantity, is_numeral
from jtau_plugin.scoring.number_patterns import REFUND
from jtau_plugin.scoring.number_tokens import NumberToken, find_numbers
from jtau_plugin.scoring.words import contains_word, fold_words, prepare_text

_EXPECTED_NUMBER = re.compile(r"(?P<minus>-?)\$?(?P<digits>(?:0|[1-9][0-9,]*)(?:\.[0-9]+)?)")
_EXPECTED_QUANTITY = re.compile(
    r"(?P<digits>(?:0|[1-9][0-9,]*)(?:\.[0-9]+)?) ?(?P<unit>[^\W\d_].*)", re.DOTALL
)
_IDENTIFIER = re.compile("[0-9]{8,}")
_SENTENCE_END = re.compile(r"[。！？!?\n]|\.(?=\s|\Z)")


def is_communicated(info: str, text: str, *, forms: Collection[str] = ()) -> bool:
    """Tell whether ``text`` states ``info`` exactly, or one of its further accepted ``forms``.

    An expected text that is empty is never communicated.
    """
    prepared = prepare_text(text)
    return any(_states(expected, prepared) for expected in (info, *forms))


def is_communicated_leniently(info: str, text: str) -> bool:
    """Tell whether upstream's substring rule, or a composed numeral's value, finds ``info``.

    The diagnostic beside the verdict: the raw and the width-folded text are searched.
    """
    needle = info.lower()
    if any(needle in haystack.lower().replace(",", "") for haystack in _readings(text)):
        return True
    expected = _expected_number(prepare_text(info).strip())
    return expected is not None and _has_composed(prepare_text(text), expected)


def _states(expected: str, text: str) -> bool:
    wanted = fold_words(expected)
    number = _expected_number(wanted)
    if number is not None:
        return _states_number(number, text) or _states_identifier(wanted, text)
    quantity = _EXPECTED_QUANTITY.fullmatch(wanted)
    value = parse_numeral(quantity["digits"]) if quantity else None
    if quantity is not None and value is not None:
        return _states_quantity(value, quantity["unit"], text)
    return contains_word(text, wanted)


def _expected_number(text: str) -> Decimal | None:
    found = _EXPECTED_NUMBER.fullmatch(text)
    value = parse_numeral(found["digits"]) if found else None
    return -value if found and value is not None and found["minus"] else value


def _states_number(expected: Decimal, text: str) -> bool:
    return any(
        _has_value(text, token, expected) and is_exact_number(text, token)
        for token in find_numbers(text)
    )


def _has_value(text: str, token: NumberToken, expected: Decimal) -> bool:
    if token.value == expected:
        return True
    return token.value == -expected < 0 and REFUND.search(_sentence(text, token)) is not None


def _sentence(text: str, token: NumberToken) -> str:
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    start = max((end for end in ends if end <= token.start), default=0)
    return text[start : min((end for end in ends if end > token.end), default=len(text))]


def _states_quantity(value: Decimal, unit: str, text: str) -> bool:
    return any(
        token.value == value and is_exact_quantity(text, token, unit)
        for token in find_numbers(text)
    )


def _states_identifier(digits: str, text: str) -> bool:
    """Tell whether a long run of digits stands in ``text`` as an identifier of its own."""
    if _IDENTIFIER.fullmatch(digits) is None:
        return False
    alone = rf"(?<![0-9A-Za-z_])(?<![0-9A-Za-z][-./,]){digits}(?![0-9A-Za-z_]|[-./,][0-9A-Za-z])"
    return re.search(alone, text) is not None


def _readings(text: str) -> tuple[str, str]:
    return text, fold_width(text)


def _has_composed(text: str, expected: Decimal) -> bool:
    return any(
        token.value == expected and token.script in {"mixed", "native"} and is_numeral(text, token)
        for token in find_numbers(text)
    )
