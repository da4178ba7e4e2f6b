"""Terms: the approved form where the source has the term, and no form that is only accepted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jtau_plugin.checks import terms as t
from jtau_plugin.checks.inflection import term_regex, variants
from jtau_plugin.checks.japanese_reading import term_pattern
from jtau_plugin.checks.model import POLICY, TASK, VALUE
from jtau_plugin.models.checks import Sense

from .judge import CONTEXT, WORDS, faults_of, passes

RIGHT = [
    ("Cancel the order.", "注文をキャンセルします。"),
    ("The orders were cancelled.", "それらの注文はキャンセルされました。"),
    ("canceling an order", "注文のキャンセル"),
    ("Refunds take days.", "返金には数日かかります。"),
    ("a delivered order", "配達済みの注文"),
    ("Transfer the user to a human agent.", "ユーザーを有人オペレーターに引き継いでください。"),
    ("the origin", "出発地"),
    ("the destination", "目的地"),
    ("explicit confirmation (yes)", "「はい」などの明示的な同意"),
    ("item IDs", "アイテムIDのリスト"),
    ("Try resetting the settings", "設定のリセットを試す"),
    ("reset settings to default", "設定を初期状態にリセットしてください。"),
    ("resets settings", "リセットされる設定"),
    ("an ordinary text", "普通の文"),
    ("border", "境界"),
    ("call get_order with {order}", "get_orderを呼び出します。"),
    ("", "便"),
]
WRONG = [
    ("Cancel the order.", "発注をキャンセルします。", "注文"),
    ("Cancel the order.", "注文を取り消します。", "キャンセルする"),
    ("Refunds take days.", "払い戻しには数日かかります。", "返金"),
    ("delivered orders", "届いた注文", "配達済みの注文"),
    ("transfer to a human agent", "人間に転送します。", "有人オペレーターに引き継ぐ"),
    ("the origin", "始点", "出発地／目的地"),
    ("the item", "そのアイテム", "商品アイテム"),
    ("the flight", "その便", "フライト"),
]
ALTERNATIVES = [
    ("Cancel the order.", "ご注文をキャンセルします。", "ご注文"),
    ("the item", "アイテム、つまり商品アイテム", "アイテム"),
    ("a delivered order", "配達済みのご注文、つまり配達済みの注文", "ご注文"),
    ("the flight", "便のフライト", "便"),
]


@pytest.mark.parametrize(("english", "japanese"), RIGHT)
def test_right(english, japanese):
    assert passes(t.check_terms, english, japanese, kind=POLICY)
    assert passes(t.check_alternatives, english, japanese, kind=POLICY)


@pytest.mark.parametrize(("english", "japanese", "approved"), WRONG)
def test_wrong(english, japanese, approved):
    faults = faults_of(t.check_terms, english, japanese, kind=POLICY)
    assert any(approved in fault for fault in faults), faults


@pytest.mark.parametrize(("english", "japanese", "form"), ALTERNATIVES)
def test_alternatives(english, japanese, form):
    faults = faults_of(t.check_alternatives, english, japanese, kind=POLICY)
    assert any(repr(form) in fault for fault in faults), faults


def test_a_form_inside_an_approved_one_is_none():
    assert passes(t.check_alternatives, "item IDs of items", "商品アイテムのアイテムID")


def test_senses():
    """A word with another sense: in tasks a flight may be 便; "no status" is a wording of its own."""
    assert passes(t.check_terms, "your flight", "あなたの便", kind=TASK)
    assert passes(t.check_alternatives, "your flight", "あなたの便", kind=TASK)
    assert not passes(t.check_terms, "your flight", "あなたの便", kind=POLICY)
    silent = Sense(term="order", unless=("in order to",), why="a purpose")
    rules = WORDS.terms.model_copy(update={"senses": (silent,)})
    context = replace(CONTEXT, words=WORDS.model_copy(update={"terms": rules}))
    assert passes(t.check_terms, "in order to help", "助けるために", context=context)
    assert not passes(t.check_terms, "an order in order to help", "助けるために", context=context)


def test_term_values():
    scope = {"kind": VALUE, "scope": "table order_status"}
    assert passes(t.check_term_values, "pending", "保留中", **scope)
    assert passes(t.check_term_values, "unknown", "不明", **scope)
    assert not passes(t.check_term_values, "pending", "処理待ち", **scope)


@pytest.mark.parametrize(
    ("term", "text", "is_found"),
    [
        ("order", "two orders", True),
        ("order", "the order's id", True),
        ("order", "reorder", False),
        ("policy", "policies", True),
        ("modify", "modified", True),
        ("cancel", "cancelled", True),
        ("change", "changing", True),
        ("zip code", "zipcode", True),
        ("zip code", "ZIP-codes", True),
        ("payment method", "payment methods", True),
        ("line", "on-line", False),
        ("PIN", "PINs", True),
    ],
)
def test_inflection(term, text, is_found):
    assert bool(term_regex(term).search(text)) is is_found


def test_variants():
    assert variants("fare / price") == ("fare", "price")
    assert variants("suspend (a line)") == ("suspend",)


@pytest.mark.parametrize(
    ("term", "text", "is_found"),
    [
        ("変更する", "変更できません", True),
        ("引き継ぐ", "引き継がれたくない", True),
        ("電話をかける", "電話をかけた", True),
        ("アプリの権限", "アプリに付与された権限", True),
        ("アプリの権限", "権限。アプリ", False),
        ("メモリー（ram）", "メモリー", True),
        ("注文", "発注", False),
    ],
)
def test_japanese_inflection(term, text, is_found):
    assert bool(term_pattern(term).search(text)) is is_found
