"""The building blocks: width, dashes, quotes, invisible characters, scripts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.normalization.text import (
    drop_invisible,
    fold_dashes,
    fold_width,
    is_latin,
    is_printable_ascii,
    strip_quotes,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ＡＢＣ＃１２３", "ABC#123"),
        ("ｶﾞｷﾞﾊﾟｳﾞ", "ガギパヴ"),
        ("ｴｺﾉﾐｰ", "エコノミー"),
        ("　", " "),
        ("￥＄￡", "¥$£"),
        ("ﾞｶ", "\u3099カ"),
        ("①㎏½²㌦㋿", "①㎏½²㌦㋿"),
        ("ﬁ", "ﬁ"),
        ("e\u0301", "e\u0301"),
        ("\u212a", "\u212a"),
        ("\ud800", "\ud800"),
    ],
)
def test_width_and_nothing_else(text: str, folded: str) -> None:
    assert fold_width(text) == folded


@given(st.text())
def test_folding_width_twice_is_folding_it_once(text: str) -> None:
    assert fold_width(fold_width(text)) == fold_width(text)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("555ー123—2002", "555-123-2002"),
        ("1‐2‑3‒4–5—6―7−8", "1-2-3-4-5-6-7-8"),
        ("カード1", "カード1"),
        ("5ー", "5ー"),
        ("ー5", "ー5"),
        ("5ーー5", "5ーー5"),
        ("5 ー 5", "5 ー 5"),
        ("あ−5", "あ−5"),
    ],
)
def test_a_dash_is_one_only_between_letters_or_digits(text: str, folded: str) -> None:
    assert fold_dashes(text) == folded


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("「a」", "a"),
        ("『a』", "a"),
        ("“a”", "a"),
        ('"a"', "a"),
        ("'a'", "a"),
        ("「 a 」", "a"),
        ("「a", "「a"),
        ("a」", "a」"),
        ("「a』", "「a』"),
        ("「「a」」", "「「a」」"),
        ("「『a』」", "「『a』」"),
        ('""a""', '""a""'),
        ("「a」「b」", "「a」「b」"),
        ("'it's'", "'it's'"),
        ("「」", "「」"),
        ('"', '"'),
        ('""', '""'),
        ("", ""),
    ],
)
def test_one_matching_pair_of_quotes(text: str, inner: str) -> None:
    assert strip_quotes(text) == inner


def test_invisible_characters() -> None:
    assert drop_invisible("a\u200b\u200c\u200d\u200e\u200f\u2060\ufeffb") == "ab"
    assert drop_invisible("a\u202eb") == "a\u202eb"
    assert drop_invisible("a\u00adb") == "a\u00adb"


@pytest.mark.parametrize("text", ["Yusuf", "O'Brien", "Anne-Marie", "José", "Łukasz", "J. R."])
def test_latin(text: str) -> None:
    assert is_latin(text)


@pytest.mark.parametrize("text", ["", "123", "ユスフ", "Yusufさん", "Юсуф", "Yusuf\n", "Ｙ"])
def test_not_latin_as_it_stands(text: str) -> None:
    assert not is_latin(text)


def test_printable_ascii() -> None:
    assert is_printable_ascii("a b~")
    assert not is_printable_ascii("")
    assert not is_printable_ascii("a\tb")
    assert not is_printable_ascii("é")
