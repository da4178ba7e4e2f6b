"""Japanese numerals, numbers in text, and the calendar's edges."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.normalization.dates import canonicalize_date
from jtau_plugin.normalization.japanese_numerals import (
    is_ambiguous_pair,
    parse_kanji_integer,
    parse_numeral,
)
from jtau_plugin.normalization.numbers import canonicalize_number
from jtau_plugin.normalization.places import canonicalize_place


@pytest.mark.parametrize(
    ("run", "value"),
    [
        ("0", "0"),
        ("1,234", "1234"),
        ("1,234.50", "1234.50"),
        ("三二七", "327"),
        ("三〇〇", "300"),
        ("五千二百四十四", "5244"),
        ("二万三千五百五十三", "23553"),
        ("2万3,553", "23553"),
        ("2万3千5百53", "23553"),
        ("8千276", "8276"),
        ("1千", "1000"),
        ("千", "1000"),
        ("百万", "1000000"),
        ("1,200万", "12000000"),
        ("1億2345万6789", "123456789"),
        ("1.5万", "15000"),
        ("二万三五五三", "23553"),
    ],
)
def test_well_formed(run: str, value: str) -> None:
    assert parse_numeral(run) == Decimal(value)


@pytest.mark.parametrize(
    "run",
    [
        *("1,23,456", "1,2345", "0,123", "04", "1.2.3", "8千276.23", "2万3,553.50", "万", "十千"),
        *("10千", "3十百", "5百276", "2万03", "二万万", "4一", "一4", "1.5千", "1.23456万", "十十"),
    ],
)
def test_not_well_formed(run: str) -> None:
    assert parse_numeral(run) is None


def kanji(value: int) -> str:
    """Write a number below 10,000 the composed way."""
    digits = "〇一二三四五六七八九"
    text = ""
    for unit, worth in (("千", 1000), ("百", 100), ("十", 10)):
        count, value = divmod(value, worth)
        text += ("" if count == 1 else digits[count]) + unit if count else ""
    return text + (digits[value] if value else "")


@given(high=st.integers(0, 9999), low=st.integers(0, 9999))
def test_composed_numerals_read_back(high: int, low: int) -> None:
    if high or low:
        written = (kanji(high) + "万" if high else "") + kanji(low)
        assert parse_numeral(written) == high * 10_000 + low
    if high and low:
        assert parse_numeral(f"{high}万{low:,}") == high * 10_000 + low


@given(st.text("0123456789,.〇一二三四五六七八九十百千万億兆", max_size=14))
def test_any_run_has_a_value_or_none(run: str) -> None:
    value = parse_numeral(run)
    assert value is None or value >= 0


def test_very_long_runs() -> None:
    assert parse_numeral("9" * 6000) is not None
    assert parse_numeral("九" * 6000) is not None
    assert parse_kanji_integer("九" * 6000) is None
    assert parse_kanji_integer("12") is None


def test_ambiguous_pairs() -> None:
    assert is_ambiguous_pair("三四")
    assert not is_ambiguous_pair("三二")
    assert not is_ambiguous_pair("三四五")
    assert not is_ambiguous_pair("十一")


UNITS = ("個", "ドル", "$", "US$", "USD", "GB")


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("3", 3.0),
        ("３．５", 3.5),
        ("1,200.5ドル", 1200.5),
        ("$1,200.50", 1200.5),
        ("US$1,200", 1200.0),
        ("USD 1,200", 1200.0),
        ("1,200 USD", 1200.0),
        ("＄１２", 12.0),
        ("-$5", -5.0),
        ("−5", -5.0),
        ("2㎇", 2.0),
        ("0", 0.0),
        ("0.5", 0.5),
    ],
)
def test_numbers_as_the_schema_wants_them(written: str, number: float) -> None:
    got = canonicalize_number(written, integer=False, units=UNITS)
    assert isinstance(got, float)
    assert got == number


@pytest.mark.parametrize(
    "written",
    [
        *(
            "",
            " ",
            "-",
            "個",
            "$",
            "+3",
            "--3",
            "3-",
            "03",
            "1e5",
            "inf",
            "-inf",
            "nan",
            "0x10",
            "1_000",
        ),
        *(
            "1,23",
            "1,2345",
            "1.2.3",
            ".5",
            "5.",
            "約3",
            "3〜4",
            "3-4",
            "3個5点",
            "3個個",
            "個3",
            "GB2",
        ),
        *(
            "10²",
            "①",
            "½",
            "三",
            "2万",
            "3円",
            "¥3",
            "€3",
            "$3ドル",
            "3ドル50セント",
            "3%",
            "「3」",
        ),
        *("9" * 16, "9" * 6000, "٣", "3\n4", "1 200"),
    ],
)
def test_numbers_that_stay_as_written(written: str) -> None:
    assert canonicalize_number(written, integer=False, units=UNITS) is written
    assert canonicalize_number(written, integer=True, units=UNITS) is written


def test_integers() -> None:
    assert canonicalize_number("1,200.00", integer=True) == 1200
    assert canonicalize_number("1,200.50", integer=True) == "1,200.50"
    assert canonicalize_number(3.0, integer=True) == 3
    assert isinstance(canonicalize_number(3.0, integer=True), int)
    assert canonicalize_number(3.5, integer=True) == 3.5
    assert canonicalize_number(True, integer=True) is True
    assert canonicalize_number(3, integer=False) == 3
    assert isinstance(canonicalize_number(3, integer=False), int)
    assert canonicalize_number(1e300, integer=True) == 1e300
    assert math.isnan(canonicalize_number(math.nan, integer=True))  # type: ignore[arg-type]
    assert canonicalize_number(math.inf, integer=True) == math.inf


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("明治45年7月30日", "1912-07-30"),
        ("大正元年7月30日", "1912-07-30"),
        ("大正15年12月25日", "1926-12-25"),
        ("昭和元年12月25日", "1926-12-25"),
        ("昭和64年1月7日", "1989-01-07"),
        ("平成元年1月8日", "1989-01-08"),
        ("平成31年4月30日", "2019-04-30"),
        ("令和元年5月1日", "2019-05-01"),
        ("令和06年05月15日", "2024-05-15"),
        ("明治6年1月1日", "1873-01-01"),
        ("２０２４年　５月　１５日", "2024-05-15"),
        ("二〇二四年五月一五日", "2024-05-15"),
        ("二千年一月一日", "2000-01-01"),
        ("千九百九十年三月五日", "1990-03-05"),
        ("2024年5月15日 (水曜)", "2024-05-15"),
        ("2024/05/15（水）", "2024-05-15"),
        ("2024‐05‐15", "2024-05-15"),
        (" 2024-05-15 ", "2024-05-15"),
    ],
)
def test_dates_that_are_read(written: str, iso: str) -> None:
    assert canonicalize_date(written) == iso


@pytest.mark.parametrize(
    "written",
    [
        *(
            "昭和64年1月8日",
            "平成元年1月7日",
            "平成31年5月1日",
            "令和元年4月30日",
            "大正15年12月26日",
        ),
        *(
            "明治45年7月31日",
            "明治5年12月2日",
            "明治元年10月23日",
            "令和0年5月1日",
            "昭和100年1月1日",
        ),
        *(
            "2023年2月29日",
            "2100年2月29日",
            "2024年13月1日",
            "2024年0月1日",
            "2024年4月31日",
            "0000-01-01",
        ),
        *(
            "2024年5月15日(木)",
            "2024-05-15(木)",
            "2024年5月15日(祝)",
            "2024年5月15日水",
            "2024年5月15日頃",
        ),
        *(
            "2024-5-15",
            "2024/05-15",
            "05/06/2024",
            "20240515",
            "5月15日",
            "2024年5月",
            "明日",
            "来週",
        ),
        *("24年5月15日", "六年五月十五日", "元年5月1日", "R6.5.15", "令6年5月15日", "㋿6年5月15日"),
        *(
            "2024年⑤月15日",
            "2024.05.15",
            "2024年5月15日〜16日",
            "May 15, 2024",
            "",
            "年月日",
            "(水)",
        ),
    ],
)
def test_dates_that_stay_as_written(written: str) -> None:
    assert canonicalize_date(written) is written


def test_a_canonical_place_is_taken_before_it_is_looked_up() -> None:
    # Another locale's canonical values need not be ASCII.
    assert canonicalize_place("東京", {"東京": "大阪", "とうきょう": "東京"}) == "東京"
