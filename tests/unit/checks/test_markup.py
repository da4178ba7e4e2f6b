"""Placeholders, tags, tokens, icons and names survive; blanks and invisible characters do not."""

from __future__ import annotations

import pytest

from jtau_plugin.checks import markup as m
from jtau_plugin.checks.model import LIBRARY, MESSAGE, POLICY, PROMPT

from .judge import faults_of, passes

PASSES = [
    (m.check_placeholders, "Item {id} not found", "商品{id}が見つかりません。", MESSAGE),
    (m.check_placeholders, "{a} of {b}", "{b}のうち{a}", MESSAGE),
    (m.check_placeholders, r"(?P<name>\w+)\(\) failed", "{name}()に失敗しました。", LIBRARY),
    (
        m.check_tags,
        "Follow the <policy>. Say ###STOP###.",
        "<policy>に従い、###STOP###と出力。",
        None,
    ),
    (m.check_tags, "###STOP### ends it", "###STOP###です。###STOP###で終わります。", PROMPT),
    (m.check_icons, "📵 No Signal, 📶¹ Poor", "📵 圏外、📶¹ 弱い", None),
    (m.check_icons, "5 > 4", "5は4より大きい。", None),
    (m.check_emphasis, "**a** or **b** by `c`", "`c`による**a**または**b**", POLICY),
    (
        m.check_names,
        "Use get_order with order_id.",
        "order_idを指定してget_orderを使います。",
        None,
    ),
    (m.check_names, "the mode 4g_only", "モード「4Gのみ」", None),
    (m.check_names, "Call `think` first.", "まず`think`を呼び出します。", None),
    (m.check_names, "mail a_b@example.com", "a_b@example.com宛て", None),
    (m.check_invisible, "a\tb", "a\tb", None),
    (m.check_invisible, "two lines", "一行目\n二行目", None),
    (m.check_whitespace, "- a\n    - b", "- 一つ\n    - 二つ", None),
    (m.check_whitespace, "*   **a**", "*   **あ**", None),
]
FAILS = [
    (m.check_placeholders, "Item {id} not found", "商品が見つかりません。", MESSAGE, "id"),
    (m.check_placeholders, "Item {id} not found", "商品{ID}が見つかりません。", MESSAGE, "ID"),
    (m.check_placeholders, "not found", "{id}が見つかりません。", MESSAGE, "unexpected"),
    (m.check_placeholders, "Item {id}", "商品{id", MESSAGE, "braces"),
    (m.check_placeholders, r"(?P<name>\w+) failed", "{nam}に失敗しました。", LIBRARY, "nam"),
    (m.check_tags, "Follow the <policy>.", "<ポリシー>に従います。", None, "<policy>"),
    (m.check_tags, "Say ###STOP###.", "「###停止###」と出力します。", None, "###STOP###"),
    (
        m.check_tags,
        "Say ###STOP###.",
        "###STOP##と出力し、###STOP###で終えます。",
        None,
        "###STOP##",
    ),
    (m.check_tags, "Say ###STOP###.", "＃＃＃STOP＃＃＃または###STOP###。", None, "looks like"),
    (m.check_icons, "📵 No Signal", "圏外", None, "📵"),
    (m.check_icons, "📶¹ Poor", "📶² 弱い", None, "¹"),
    (m.check_icons, "Poor", "⚠ 弱い", None, "unexpected"),
    (m.check_emphasis, "**a** or **b**", "**a**またはb", POLICY, "1 bold"),
    (m.check_emphasis, "call `c`", "cを呼び出す", POLICY, "0 code"),
    (m.check_emphasis, "**a**", "**a**と**b", POLICY, "not closed"),
    (m.check_names, "Use get_order.", "注文取得ツールを使います。", None, "get_order"),
    (m.check_names, "Use get_order.", "get_ordersを使います。", None, "get_orders"),
    (m.check_names, "Call `think` first.", "まず考えます。", None, "think"),
    (m.check_invisible, "ab", "a\u200bb", None, "U+200B"),
    (m.check_invisible, "ab", "a\u00adb", None, "U+00AD"),
    (m.check_invisible, "ab", "a\x07b", None, "U+0007"),
    (m.check_invisible, "ab", "文字化け\ufffd", None, "U+FFFD"),
    (m.check_whitespace, "a b", "一行目 \n二行目", None, "blanks at the end"),
    (m.check_whitespace, "John Smith", "John  Smith", None, "two blanks"),
]


@pytest.mark.parametrize(("check", "english", "japanese", "kind"), PASSES)
def test_passes(check, english, japanese, kind):
    assert passes(check, english, japanese, kind=kind)


@pytest.mark.parametrize(("check", "english", "japanese", "kind", "says"), FAILS)
def test_fails(check, english, japanese, kind, says):
    faults = faults_of(check, english, japanese, kind=kind)
    assert any(says in fault for fault in faults), faults


def test_without_a_source_only_the_text_itself_is_judged():
    assert passes(m.check_placeholders, "", "{a}です。")
    assert passes(m.check_names, "", "get_orderです。")
    assert passes(m.check_icons, "", "📵です。")
