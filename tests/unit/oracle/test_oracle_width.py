"""Width and numerals: what is written is another form of the same text."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.normalization.japanese_numerals import parse_numeral
from jtau_plugin.oracle.book import load_book
from jtau_plugin.oracle.width import to_digits, to_full_width, to_half_width, to_numerals
from jtau_plugin.overlays.catalog import get_catalog

NUMERALS = load_book(get_catalog("ja", "retail")).locale.wide.numerals
KATAKANA = st.text(st.sampled_from([chr(c) for c in range(0x30A1, 0x30F7)] + ["ー", "・"]))


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
def test_full_width_folds_back(text):
    full = to_full_width(text)
    assert unicodedata.normalize("NFKC", full) == text
    assert not any("!" <= char <= "~" for char in full)


@given(KATAKANA)
def test_half_width_folds_back_to_the_same_word(text):
    assert unicodedata.normalize("NFKC", to_half_width(text)) == text


def test_half_width_carries_voiced_marks():
    assert to_half_width("ガパヴー") == "ｶﾞﾊﾟｳﾞｰ"
    assert to_half_width("竹ABC") == "竹ABC"


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0, "〇"),
        (10, "十"),
        (11, "十一"),
        (1628, "千六百二十八"),
        (23553, "二万三千五百五十三"),
        (10000, "一万"),
        (100_000_000, "一億"),
    ],
)
def test_numerals(number, written):
    assert to_numerals(number, NUMERALS) == written


@given(st.integers(1, 99_999_999))
def test_numerals_are_read_back(number):
    assert parse_numeral(to_numerals(number, NUMERALS)) == number


def test_digits_as_years_are_written():
    assert to_digits(2024, NUMERALS) == "二〇二四"
