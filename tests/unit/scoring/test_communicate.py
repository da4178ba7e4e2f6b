"""COMMUNICATE: every case of tests/cases/communicate.yaml, and what holds for any text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.scoring.communicate import is_communicated, is_communicated_leniently

ROOT = Path(__file__).resolve().parents[3]
CASES = yaml.safe_load((ROOT / "tests/cases/communicate.yaml").read_text(encoding="utf-8"))


def name(case: dict[str, Any]) -> str:
    return f"{case['info']}-{case['text']!r}"


@pytest.mark.parametrize("case", CASES, ids=name)
def test_number_aware(case: dict[str, Any]) -> None:
    got = is_communicated(case["info"], case["text"], forms=case.get("forms", ()))
    assert got is case["number_aware"], case.get("why")


@pytest.mark.parametrize("case", [case for case in CASES if "parity" in case], ids=name)
def test_parity(case: dict[str, Any]) -> None:
    assert is_communicated_leniently(case["info"], case["text"]) is case["parity"]


PIECES = [
    *(
        "約",
        "程度",
        "ドル",
        "円",
        "個",
        "つ",
        "点",
        "4",
        "１０",
        "327",
        "1,628",
        "54.04",
        "2万3,553",
        "千葉",
    ),
    *(
        "四",
        "十",
        "三二七",
        "$",
        "￥",
        "-",
        "−",
        "〜",
        "第",
        "#",
        "HAT",
        "です。",
        "\n",
        " ",
        ".",
        ",",
        "/",
    ),
    *(
        "カメラ",
        "デジタル",
        "白",
        "色",
        "full",
        "IL",
        "will",
        "@",
        "\ud800",
        "\u0301",
        "\u200b",
        "**",
        "(",
    ),
]
texts = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=10).map("".join))
cents = st.integers(0, 10**8).map(lambda value: f"{value / 100:.2f}")


@given(info=texts, text=texts, forms=st.lists(texts, max_size=3))
def test_no_text_makes_it_raise(info: str, text: str, forms: list[str]) -> None:
    met = is_communicated(info, text, forms=forms)
    assert is_communicated(info, text, forms=forms) is met
    assert isinstance(is_communicated_leniently(info, text), bool)


@given(info=texts, text=texts, forms=st.lists(texts, max_size=3))
def test_a_further_form_never_unmeets(info: str, text: str, forms: list[str]) -> None:
    if is_communicated(info, text):
        assert is_communicated(info, text, forms=forms)


@given(amount=cents)
def test_an_amount_is_found_however_it_is_written(amount: str) -> None:
    grouped = f"{float(amount):,.2f}"
    wide = grouped.translate({ord(char): ord(char) + 0xFEE0 for char in "0123456789,."})
    for said in (amount, grouped, wide, grouped.rstrip("0").rstrip(".")):
        for text in (f"返金額は{said}ドルです。", f"返金額は${said}です。", f"It is ${said}."):
            assert is_communicated(amount, text), text


@given(amount=cents, other=cents)
def test_another_amount_is_never_taken_for_it(amount: str, other: str) -> None:
    if float(amount) != float(other):
        assert not is_communicated(amount, f"返金額は{float(other):,.2f}ドルです。")


@given(count=st.integers(1, 99), counter=st.sampled_from(["個", "点", "つ", "名", "種類", "枚"]))
def test_a_count_is_found_and_its_hedge_too(count: int, counter: str) -> None:
    assert is_communicated(str(count), f"手荷物は{count}{counter}です。")
    for text in (
        f"約{count}{counter}です。",
        f"{count}{counter}以上です。",
        f"{count}{counter}目です。",
    ):
        assert not is_communicated(str(count), text)


@given(
    count=st.integers(0, 10**6),
    unit=st.sampled_from(["円", "日", "時間", "%", "ユーロ", "番目", "th"]),
)
def test_another_unit_is_another_fact(count: int, unit: str) -> None:
    assert not is_communicated(str(count), f"それは{count}{unit}です。")


@given(word=st.sampled_from(["full", "IL", "polyester"]), glue=st.sampled_from("abzAZ09_é"))
def test_a_word_inside_a_word_is_none(word: str, glue: str) -> None:
    for text in (f"それは{word}{glue}です。", f"それは{glue}{word}です。"):
        assert not is_communicated(word, text)
    assert is_communicated(word.upper(), f"それは{word}です。")


def test_an_empty_expectation_is_never_met() -> None:
    assert not is_communicated("", "4個です。")
    assert not is_communicated(" ", " ", forms=[""])


def test_a_number_may_have_forms_too() -> None:
    assert is_communicated("10", "二桁のうち最小の数です。", forms=["二桁のうち最小の数"])


def test_the_lenient_rule_is_upstream_s_on_plain_ascii() -> None:
    assert is_communicated_leniently("4", "14")
    assert is_communicated_leniently("1628", "1,628")
    assert not is_communicated_leniently("1,628", "1,628")
    assert is_communicated_leniently("IL", "will")


def test_a_long_text_is_read_in_linear_time() -> None:
    text = "手荷物は14個、合計は1,234ドルです。" * 2000
    assert not is_communicated("4", text)
    assert not is_communicated("camera", text, forms=["カメラ"])


@pytest.mark.parametrize(
    "text", ["_$1,939.05_", "You get __$1,939.05__ back.", "_Total: $1,939.05_"]
)
def test_underlined_amounts_are_read(text: str) -> None:
    assert is_communicated("1939.05", text)


@pytest.mark.parametrize("text", ["item_1939", "_1939_x", "a_1939_", "1939_05"])
def test_underscores_inside_names_stay(text: str) -> None:
    assert not is_communicated("1939", text)
