"""The parts of COMMUNICATE: words on boundaries, numbers and what surrounds them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from jtau_plugin.scoring.communicate import is_communicated
from jtau_plugin.scoring.number_meaning import is_exact_number, is_exact_quantity, is_numeral
from jtau_plugin.scoring.number_tokens import find_numbers
from jtau_plugin.scoring.words import contains_word, prepare_text


def exact(text: str) -> list[Decimal]:
    """Return the values that the text states exactly, in order."""
    text = prepare_text(text)
    return [token.value for token in find_numbers(text) if is_exact_number(text, token)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("手荷物は2個、合計四点です。", ["2", "4"]),
        ("402 + 296 + 624 + 306 = $1,628", ["402", "296", "624", "306", "1628"]),
        ("残高は327ドル、1,000ドル、1,786ドルです。", ["327", "1000", "1786"]),
        ("1. 返金 54.04ドル\n2. 返金 41.64ドル", ["54.04", "41.64"]),
        ("合計は約2万3千ドルです。", []),
        ("予約番号ZFA04Y、HAT327便、5月15日10時発、注文#W1006327", []),
        ("-54.04ドル、▲10ドル、マイナス3ドル", ["-54.04", "-10", "-3"]),
        ("555-123-2002", []),
        ("3〜4個、5個～6個、7-8個、9–10個", []),
        ("千葉、四国、十分、一部、三井、一番、六本木、八百屋、千代田", []),
        ("2人で4個", ["2", "4"]),
        ("お一人様2個×2名", ["1", "2", "2"]),
        ("4個\n以上です。", ["4"]),
        ("four bags and ten items", ["4", "10"]),
    ],
)
def test_exact_numbers(text: str, values: list[str]) -> None:
    assert exact(text) == list(map(Decimal, values))


def test_a_token_knows_its_place() -> None:
    text = "返金は-$54.04です"
    (token,) = find_numbers(text)
    assert text[token.start : token.end] in {"-$54.04", "$54.04"}
    assert (token.written, token.value, token.has_dollar_sign) == ("54.04", Decimal("-54.04"), True)


@pytest.mark.parametrize(
    ("text", "script"), [("4", "digits"), ("2万3", "mixed"), ("四", "native"), ("Four", "word")]
)
def test_scripts(text: str, script: str) -> None:
    assert [token.script for token in find_numbers(text)] == [script]


def test_quantities() -> None:
    text = "容量は64 GB、重さは約20キロ"
    sixty_four, twenty = find_numbers(text)
    assert is_exact_quantity(text, sixty_four, "gb")
    assert not is_exact_quantity(text, sixty_four, "g")
    assert not is_exact_quantity(text, twenty, "キロ")


def test_a_long_phrase_after_a_number() -> None:
    phrase = "943 " + "Very Long Maple Drive " * 8
    assert is_communicated(phrase, f"住所は{phrase}です。")
    assert not is_communicated(phrase, f"住所は1{phrase}です。")


def test_a_native_numeral_needs_evidence() -> None:
    text = "千葉で千ドル"
    assert [is_numeral(text, token) for token in find_numbers(text)] == [False, True]


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("カメラ", "デジタルカメラです"),
        ("カメラ", "「ｶﾒﾗ」"),
        ("ホワイト", "ホワイトモデル"),
        ("ポリエステル", "ポリエステル製"),
        ("綿", "綿100%"),
        ("綿", "素材：綿"),
        ("白", "真っ白"),
        ("イリノイ州", "アメリカ、イリノイ州シカゴ"),
        ("触覚", "触覚スイッチ"),
        ("full", "フル（FULL）"),
        ("t-shirt", "T‑Shirtです"),
        ("943 Maple Drive", "943　Maple\nDrive"),
        ("はい", "はい。"),
        ("（白）", "色（白）です"),
    ],
)
def test_a_word_of_its_own(form: str, text: str) -> None:
    assert contains_word(text, form)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("カメラ", "カメラマン"),
        ("フル", "カラフル"),
        ("フル", "フルーツ"),
        ("ライト", "フライト"),
        ("レッド", "スレッド"),
        ("グレー", "アップグレード"),
        ("ホワイト", "オフホワイト"),
        ("白", "面白い"),
        ("白", "白紙"),
        ("京都", "東京都"),
        ("full", "carefully"),
        ("full", "full_size"),
        ("IL", "a@il"),
        ("IL", "il.example"),
        ("camera", "cameraé"),
        ("", "何か"),
    ],
)
def test_no_word_of_its_own(form: str, text: str) -> None:
    assert not contains_word(text, form)


@pytest.mark.parametrize(
    ("info", "text", "met"),
    [
        ("0123", "番号は0123です", True),
        ("123", "番号は0123です", False),
        ("12345678", "番号は12345678-1です", False),
        ("12345678", "番号は12345678です", True),
        ("54.04", "残高は-54.04ドル。返金はありません。", False),
        ("54.04", "$54.04 (refund)", True),
        ("-3", "3ドル", False),
        ("4", "手荷物は一人4個まで", True),
    ],
)
def test_identifiers_and_signs(info: str, text: str, met: bool) -> None:
    assert is_communicated(info, text) is met
