"""What holds for every rule and any input: no exception, one pass is enough, canonical stays."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.normalization import RuleSet, get_rules

TABLE = {
    "はい": "yes",
    "いいえ": "no",
    "yes": "yes",
    "no": "no",
    "4Gのみ": "4g_only",
    "シカゴ": "Chicago",
}
GIVEN = {"ユスフ": "Yusuf", "ノア": "Noah"}
FAMILY = {"ロッシ": "Rossi", "ブラウン": "Brown"}
UNITS = ("個", "ドル", "$", "USD", "GB")

RULES: dict[str, Callable[[RuleSet, Any], object]] = {
    "ascii": lambda rules, value: rules.ascii(value),
    "enum": lambda rules, value: rules.enum(value, TABLE),
    "date": lambda rules, value: rules.date(value),
    "integer": lambda rules, value: rules.number(value, integer=True, units=UNITS),
    "number": lambda rules, value: rules.number(value, integer=False, units=UNITS),
    "boolean": lambda rules, value: rules.boolean(value),
    "name": lambda rules, value: rules.name(value, GIVEN),
    "full_name": lambda rules, value: rules.full_name(value, GIVEN, FAMILY),
    "address_line": lambda rules, value: rules.address_line(value),
    "place": lambda rules, value: rules.place(value, TABLE),
    "expression": lambda rules, value: rules.expression(value),
}
every_rule = pytest.mark.parametrize("name", RULES)
both_arms = pytest.mark.parametrize("locale", ["ja", "en"])

PIECES = [
    *("「", "」", "『", "』", "“", "”", '"', "'", " ", "　", "\u200b", "\u202e", "\u0301", "ﾞ", "ﾟ"),
    *(
        "#",
        "Ｗ",
        "W",
        "1",
        "１",
        "①",
        "²",
        "½",
        "㎏",
        "ー",
        "－",
        "−",
        "‐",
        "-",
        "/",
        ".",
        "．",
        ",",
        "，",
    ),
    *(
        "年",
        "月",
        "日",
        "令和",
        "元",
        "昭和64年1月8日",
        "2024",
        "二〇二四",
        "十",
        "(水)",
        "水曜日",
        "5",
    ),
    *(
        "個",
        "ドル",
        "$",
        "GB",
        "約",
        "〜",
        "e5",
        "nan",
        "様",
        "さん",
        "ユスフ",
        "ﾕｽﾌ",
        "ロッシ",
        "・",
    ),
    *(
        "はい",
        "yes",
        "true",
        "オン",
        "シカゴ",
        "×",
        "÷",
        "+",
        "(",
        ")",
        "é",
        "ﬁ",
        "\ud800",
        "\n",
        "K",
    ),
]
texts = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def same(left: object, right: object) -> bool:
    return type(left) is type(right) and (left == right or repr(left) == repr(right) == "nan")


@every_rule
@both_arms
@given(value=texts)
def test_a_second_pass_changes_nothing(name: str, locale: str, value: str) -> None:
    rules = get_rules(locale)
    once = RULES[name](rules, value)
    assert same(RULES[name](rules, once), once)


@every_rule
@both_arms
@given(value=json_values)
def test_no_value_makes_a_rule_raise(name: str, locale: str, value: object) -> None:
    once = RULES[name](get_rules(locale), value)
    if not isinstance(value, (str, float)):
        assert once is value


@every_rule
@given(value=texts)
def test_a_rule_gives_the_same_answer_every_time(name: str, value: str) -> None:
    assert same(RULES[name](get_rules("ja"), value), RULES[name](get_rules("ja"), value))


@given(value=st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1))
@pytest.mark.parametrize("name", ["address_line", "name", "full_name", "place"])
def test_visible_ascii_is_never_touched(name: str, value: str) -> None:
    assert RULES[name](get_rules("ja"), value) == value


@given(value=st.from_regex(r"[#A-Za-z0-9_@.+-]+", fullmatch=True))
@pytest.mark.parametrize("name", ["ascii", "expression"])
def test_ids_and_addresses_stay(name: str, value: str) -> None:
    assert RULES[name](get_rules("ja"), value) == value


@given(value=st.from_regex(r"[!-~]+", fullmatch=True))
def test_full_width_is_read_back(value: str) -> None:
    wide = "".join(chr(ord(char) + 0xFEE0) for char in value)
    assert get_rules("ja").ascii(wide) in {get_rules("ja").ascii(value), wide}
    assert get_rules("ja").address_line(wide) == value


@given(date=st.dates(min_value=dt.date(1000, 1, 1)))
@both_arms
def test_iso_dates_stay(locale: str, date: dt.date) -> None:
    assert get_rules(locale).date(date.isoformat()) == date.isoformat()


@given(date=st.dates(min_value=dt.date(1000, 1, 1)))
def test_a_full_date_is_read_in_every_notation(date: dt.date) -> None:
    weekday = "月火水木金土日"[date.weekday()]
    kanji = "".join("〇一二三四五六七八九"[int(digit)] for digit in str(date.year))
    for written in (
        f"{date.year}/{date.month}/{date.day}",
        f"{date.year}年{date.month}月{date.day}日",
        f"{date.year}年{date.month:02}月{date.day:02}日（{weekday}）",
        f"{kanji}年{date.month}月{date.day}日{weekday}曜日",
    ):
        assert get_rules("ja").date(written) == date.isoformat()


@given(date=st.dates(min_value=dt.date(1000, 1, 1)), step=st.integers(1, 6))
def test_a_wrong_weekday_is_never_overlooked(date: dt.date, step: int) -> None:
    wrong = "月火水木金土日"[(date.weekday() + step) % 7]
    written = f"{date.year}年{date.month}月{date.day}日({wrong})"
    assert get_rules("ja").date(written) == written


@given(value=st.integers(1 - 10**12, 10**12 - 1))
def test_a_written_integer_is_that_integer(value: int) -> None:
    for written in (str(value), f"{value:,}", f"{value:,}ドル", f"{value:,}.00 ドル"):
        got = get_rules("ja").number(written, integer=True, units=UNITS)
        assert got == value
        assert isinstance(got, int)


@given(value=st.integers() | st.floats(allow_nan=False) | st.booleans() | st.none())
def test_a_json_number_is_left_alone(value: object) -> None:
    got = get_rules("ja").number(value, integer=False, units=UNITS)
    assert got is value
