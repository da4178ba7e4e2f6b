"""A text as a whole, and its shape."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jtau_plugin.checks import structure as s
from jtau_plugin.checks import text as t
from jtau_plugin.checks.model import DOCUMENT, MESSAGE, POLICY, TASK, TOOL, VALUE

from .judge import document, faults_among, faults_of, passes, segment


def test_empty():
    assert passes(t.check_empty, "Say something.", "何か言ってください。")
    assert not passes(t.check_empty, "Say something.", " \n")


def test_untranslated():
    assert passes(t.check_untranslated, "The order was cancelled.", "注文をキャンセルしました。")
    assert passes(t.check_untranslated, "{a}: {b}", "{a}: {b}")
    assert passes(t.check_untranslated, "PayPal", "PayPal")
    assert not passes(t.check_untranslated, "The order was cancelled.", "The order was cancelled.")


LONG = "You must list the action details and obtain explicit user confirmation to proceed."


@pytest.mark.parametrize(
    ("japanese", "is_fitting"),
    [
        ("操作の詳細を一覧で示し、実行について明示的な同意をユーザーから得てください。", True),
        ("同意を得る。", False),
        ("操作の詳細を一覧で示し、実行について明示的な同意をユーザーから得てください。" * 4, False),
    ],
)
def test_length(japanese, is_fitting):
    assert passes(t.check_length, LONG, japanese) is is_fitting


def test_length_of_short_texts_is_not_judged():
    assert passes(t.check_length, "Order", "注文に関する情報の一覧")


def test_duplicates():
    first = segment("Order not found", "見つかりません。", MESSAGE, scope="messages")
    second = segment("User not found", "見つかりません。", MESSAGE, scope="messages")
    other = replace(second, scope="other messages")
    nearly = replace(second, source="order not found.")
    free = replace(second, scope="")
    assert faults_among(t.check_duplicates, first, other, nearly, free) == []
    found = faults_among(t.check_duplicates, first, replace(second, address="b"))
    # Which of the two is wrong is for a reader to say.
    assert [fault.partition(", whose")[0] for fault in found] == [
        "shop/a.yaml#x: the same text as b (line 3)",
        "b: the same text as shop/a.yaml#x (line 3)",
    ]
    values = (
        segment("gray", "グレー", VALUE, scope="table color"),
        segment("grey", "グレー", VALUE, scope="table color"),
    )
    assert len(faults_among(t.check_duplicates, *values)) == 2


def test_consistency():
    english = "You do not remember your e-mail address."
    first = segment(english, "メールアドレスを覚えていません。", TASK)
    second = segment(english, "メールアドレスは覚えていません。", TOOL)
    assert faults_among(t.check_consistency, first, replace(second, target=first.target)) == []
    assert len(faults_among(t.check_consistency, first, second)) == 1
    usual = replace(second, address="usual")
    found = faults_among(t.check_consistency, first, second, usual)
    assert [fault.partition(":")[0] for fault in found] == ["shop/a.yaml#x"]  # the odd one out
    short = segment("Refund:", "返金:"), segment("Refund:", "払い戻し:")
    assert faults_among(t.check_consistency, *short) == []


def test_consistency_goes_by_line_in_documents():
    english = "# A\n- Check the status bar.\n- Proceed."
    one = segment(english, "# あ\n- ステータスバーを確認します。\n- 進みます。", POLICY)
    two = segment("# B\n- Check the status bar.", "# い\n- バーを見ます。", POLICY)
    found = list(t.check_consistency.run([one, two], None))
    assert [finding.segment.line for finding in found] == [4]


@pytest.mark.parametrize(("kind", "count"), [(TASK, 2), (TOOL, 2), (POLICY, 2), (MESSAGE, 1)])
def test_lines_correspond_where_there_are_as_many(kind, count):
    two = segment("One.\n\nTwo.", "一。\n\n二。", kind)
    assert len(two.pairs()) == count
    in_yaml = replace(two, key=("a", "text"), line=10)
    assert [pair.line for pair in in_yaml.pairs()] == ([11, 13] if count == 2 else [10])
    assert len(replace(two, target="一。\n二。").pairs()) == 1
    other_gaps = replace(two, target="一。\n二。\n")
    assert len(other_gaps.pairs()) == (3 if kind == POLICY else 1)


ENGLISH = ["# Title", "", "Text.", "", "## Part", "1. First", "   - deep", "*   **b**", "| a | b |"]
JAPANESE = ["# 題", "", "本文。", "", "## 部", "1. 最初", "   - 深い", "*   **う**", "| あ | い |"]


def test_structure_of_the_same_shape():
    assert passes(s.check_structure, *document(ENGLISH, JAPANESE), kind=DOCUMENT)


@pytest.mark.parametrize(
    ("line", "new", "says"),
    [
        (0, "## 題", "line 1 is heading 2, expected heading 1"),
        (1, "本文。", "line 2 is prose, expected blank"),
        (4, "部", "expected heading 2"),
        (5, "- 最初", "item - at 0, expected item 1. at 0"),
        (6, "- 深い", "item - at 0, expected item - at 3"),
        (7, "**う**", "expected item * at 0"),
        (8, "| あ |", "table row of 2, expected table row of 3"),
    ],
)
def test_structure_of_another_shape(line, new, says):
    changed = [*JAPANESE]
    changed[line] = new
    faults = faults_of(s.check_structure, *document(ENGLISH, changed), kind=DOCUMENT)
    assert any(says in fault for fault in faults), faults


def test_structure_with_a_line_less():
    faults = faults_of(s.check_structure, *document(ENGLISH, JAPANESE[:-1]), kind=DOCUMENT)
    assert faults[0] == "8 lines, expected 9"


def test_lists():
    english = "Do:\n- a\n- b"
    assert passes(s.check_lists, english, "次のとおり:\n- あ\n- い")
    assert not passes(s.check_lists, english, "次のとおり:\n- あ、い")
    assert not passes(s.check_lists, english, "次のとおり:\n- あ\n- い\n- う")
    assert passes(s.check_lists, english, "次のとおり:\n- あ\n- い\n- う", kind="prompt")
    assert passes(s.check_lists, "", "- あ")
