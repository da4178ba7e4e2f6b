"""Numbers, ids, dates and addresses are the same on both sides, however a language writes them."""

from __future__ import annotations

import pytest

from jtau_plugin.checks.english_reading import read_english
from jtau_plugin.checks.japanese_reading import read_japanese
from jtau_plugin.checks.model import VALUE
from jtau_plugin.checks.numbers import check_numbers
from jtau_plugin.checks.people import check_people
from jtau_plugin.checks.reading import hard_tokens

from .judge import faults_of, passes

SAME = [
    ("You received order #W2378156.", "注文#W2378156を受け取りました。"),
    ("Your zip code is 19122.", "郵便番号は19122です。"),
    ("yusuf.rossi@example.com.", "メールアドレスはyusuf.rossi@example.comです。"),
    ("It costs $1,093.34.", "1,093.34ドルです。"),
    ("within 5 to 7 business days", "5〜7営業日以内"),
    ("5-7 days", "5〜7日"),
    ("24 hours", "24時間"),
    ("within 24 hrs", "24時間以内"),
    ("a 10-inch tablet with 32GB", "10インチ、32GBのタブレット"),
    ("3pm", "午後3時"),
    ("May 15", "5月15日"),
    ("on May 20th", "5月20日に"),
    ("the 19th of May", "5月19日"),
    ("May 15, 2024", "2024年5月15日"),
    ("DOB 2001-04-12", "生年月日は2001年4月12日"),
    ("2024-05-15 15:00:00 EST", "2024-05-15 15:00:00 EST"),
    ("555-123-2002", "555-123-2002"),
    ("There are five passengers.", "搭乗者は5名です。"),
    ("two of them", "そのうちの二つ"),
    ("both", "両方"),
    ("at most one call", "1回まで"),
    ("one-stop flight", "乗り継ぎ1回の便"),
    ("flight HAT069 and HAT258", "HAT069便とHAT258便"),
    ("emma_kim_9957", "emma_kim_9957"),
    ("Proceed to Step 2.2.3", "ステップ2.2.3に進んでください。"),
    ("5G, 4G or 3G", "5G、4G、または3G"),
    ("the mode 4g_5g_preferred", "モード「4G/5G優先」"),
    ("2.0 GB", "2.0GB"),
    ("You may come.", "来ても構いません。"),
    ("the first one", "1つ目のもの"),
    ("", "3つあります。"),
]
DIFFERENT = [
    ("order #W2378156", "注文#W2378165", "#W2378156"),
    ("zip code 19122", "郵便番号19123", "19122"),
    ("yusuf.rossi@example.com", "yusuf.rosi@example.com", "yusuf.rossi@example.com"),
    ("$1,093.34", "1,093.43ドル", "1,093.34"),
    ("$1,093.34", "1093.34ドル", "1,093.34"),
    ("5 to 7 business days", "5〜8営業日", "7"),
    ("24 hours", "二日以内", "24"),
    ("May 15", "6月15日", "5"),
    ("May 15", "5月16日", "15"),
    ("May 15, 2024", "2023年5月15日", "2024-05-15"),
    ("DOB 2001-04-12", "生年月日は2001年4月21日", "2001-04-12"),
    ("at 15:00", "15:30に", "15:00"),
    ("555-123-2002", "555-123-2003", "555-123-2002"),
    ("five passengers", "搭乗者は4名です。", "5"),
    ("HAT069", "HAT096便", "HAT069"),
    ("emma_kim_9957", "emma_kim_9975", "emma_kim_9957"),
    ("Step 2.2.3", "ステップ2.2.2", "2.2.3"),
    ("no number", "3つあります。", "not in the source: 3"),
    ("3 here, 3 there and 3 more", "こちらに3つ、あちらに3つ。", "3 stands 2 times"),
]


@pytest.mark.parametrize(("english", "japanese"), SAME)
def test_the_same(english, japanese):
    assert passes(check_numbers, english, japanese)


@pytest.mark.parametrize(("english", "japanese", "says"), DIFFERENT)
def test_different(english, japanese, says):
    faults = faults_of(check_numbers, english, japanese)
    assert any(says in fault for fault in faults), faults


def test_values_are_compared_too():
    assert passes(check_numbers, "4g_only", "4Gのみ", kind=VALUE)
    assert not passes(check_numbers, "4g_only", "3Gのみ", kind=VALUE)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("1,093.34ドル", {"1,093.34"}),
        ("#W2378156、", {"#W2378156"}),
        ("32GBと10インチ", {"32", "10"}),
        ("2024-05-15T15:00:00", {"2024-05-15T15:00:00"}),
        ("https://example.com/a?b=1です", {"https://example.com/a?b=1"}),
        ("4WQ150", {"4WQ150"}),
        ("数はありません", set()),
    ],
)
def test_what_is_read_in_digits(text, tokens):
    assert set(hard_tokens(text)) == tokens


def test_words_explain_and_are_asked_for():
    english = read_english("two bags, the first of May, once")
    assert english.due == {"2"}
    assert {"1", "5"} <= english.soft
    assert read_english("in one of them").due == frozenset()
    assert {"12", "2"} <= read_japanese("十二個、両方").soft
    assert "20" in read_japanese("二十").soft
    assert "205" in read_japanese("二百五").soft


NAMES = [
    ("You are Yusuf Rossi.", "あなたの名前はYusuf Rossiです。", True),
    ("You are Yusuf Rossi.", "あなたの名前はYusuf Kimです。", False),
    ("You are Yusuf Rossi.", "あなたの名前はユスフ・ロッシです。", False),
    ("Your friend", "友人のEmma Kim", False),
    ("Emma Kim", "Emma Kimさん", True),
]


@pytest.mark.parametrize(("english", "japanese", "is_right"), NAMES)
def test_people(english, japanese, is_right):
    assert passes(check_people, english, japanese) is is_right
