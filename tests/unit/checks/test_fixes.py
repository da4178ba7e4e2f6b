"""Mending: what each mend does, and that none ever loses a fact or adds a fault."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.checks.fixes import facts_of, fix_text
from jtau_plugin.checks.model import (
    MESSAGE,
    PARAMETER,
    POLICY,
    PROMPT,
    SPEECH,
    TASK,
    TOOL,
    VALUE,
)
from jtau_plugin.checks.runner import run_checks

from .judge import CONTEXT, replace, segment

MENDED = [
    # (kind, English, what stands there, what is to stand there)
    (TASK, "", "注文 #W1を 届けます。", "注文#W1を届けます。"),
    (TASK, "", "ｽﾏﾎで１０ドルです。", "スマホで10ドルです。"),
    (TASK, "", "ﾊﾞｯｸﾞﾊﾟｯｸです。", "バッグパックです。"),
    (TASK, "", "はい(いいえ)です。", "はい（いいえ）です。"),
    (TASK, "", "はい, いいえ.", "はい、いいえ。"),
    (TASK, "", "本当ですか?", "本当ですか？"),
    (TASK, "", '"はい"と答えます。', "「はい」と答えます。"),
    (TASK, "", "“はい”と答えます。", "「はい」と答えます。"),
    (TASK, "", "は\u200bいです。", "はいです。"),
    (TASK, "", "はいです。  ", "はいです。"),
    (TASK, "", "サーバとユーザです。", "サーバーとユーザーです。"),
    (TASK, "", "全ての事です。", "すべての事です。"),
    (TASK, "", "搭乗者は ３名です.", "搭乗者は3名です。"),
    (TOOL, "The order.", "注文です", "注文です。"),
    (PARAMETER, "The id", "注文ID", "注文ID。"),
    (PROMPT, "Say ###STOP### now.", "今###STOP##と言ってください。", "今###STOP###と言ってください。"),
    (PROMPT, "Say ###STOP### now.", "今＃＃＃STOP＃＃＃と言ってください。", "今###STOP###と言ってください。"),
    (POLICY, "'by mistake' only", "「間違えて注文した」だけ", "「間違えて注文した」だけ"),
    (POLICY, "The mode 'x'.", "「5G/4G優先」です。", "「4G/5G優先」です。"),
    (TASK, "The smartphone.", "スマホです。", "スマートフォンです。"),
    (MESSAGE, "No {id}.", "{id} がありません.", "{id}がありません。"),
]  # fmt: skip
LEFT = [
    # wrong, and for a person to say what is right
    (TASK, "It costs 24 dollars.", "48ドルです。"),
    (TASK, "Do not cancel.", "キャンセルしてください。"),
    (TASK, "Cancel the order.", "ご注文を取り消します。"),
    (MESSAGE, "No {id}.", "{order}がありません。"),
    (TASK, "It is so.", "そうである。"),
    (TASK, "A result.", "resultです。"),
    # exempt from mending: code, marks inside Latin text
    (POLICY, "Call `f(x)`.", "`f(x)`を呼び出してください。"),
]


def _mend(kind: str, english: str, text: str) -> str:
    return fix_text(segment(english, text, kind), CONTEXT)


@pytest.mark.parametrize(("kind", "english", "text", "wanted"), MENDED)
def test_mended(kind: str, english: str, text: str, wanted: str) -> None:
    assert _mend(kind, english, text) == wanted
    assert _mend(kind, english, wanted) == wanted


@pytest.mark.parametrize(("kind", "english", "text"), LEFT)
def test_left_to_a_person(kind: str, english: str, text: str) -> None:
    assert _mend(kind, english, text) == text


def test_a_value_gets_the_form_that_the_termbase_approves() -> None:
    shown = segment("pending", "保留状態", VALUE, scope="table order_status")
    assert fix_text(shown, CONTEXT) == "保留中"
    unknown = segment("gone", "消えた", VALUE, scope="table order_status")
    assert fix_text(unknown, CONTEXT) == "消えた"


def test_what_is_exempted_stays() -> None:
    text = segment("", "注文 の全ての詳細です。", TASK)
    assert fix_text(text, CONTEXT) == "注文のすべての詳細です。"
    kept = fix_text(text, CONTEXT, lambda finding: finding.check == "spelling")
    assert kept == "注文の全ての詳細です。"
    assert fix_text(text, CONTEXT, lambda _: True) == text.target


def test_a_language_of_nobody_is_mended_as_plain_text() -> None:
    thai = replace(CONTEXT, locale="th")
    assert fix_text(segment("One.", "หนึ่ง\u200b  สอง ", TASK), thai) == "หนึ่ง สอง"
    assert fix_text(segment("One.", "注文 #W1 １", TASK), thai) == "注文 #W1 １"


# --- properties

PIECES = st.sampled_from(
    [
        *"あのはがをですます注文中一二十。、「」（）！？・ーアイｱｲﾞﾟ１２０ＡＢ　 \n.,;!?()[]\"'“”‘’`*#-/:",
        *"0123456789ABCxyz_{}<>$%+=\u200b\ufeff\r\t📵①㍑",
        "です", "ます。", "ません", "{id}", "{order_id}", "###STOP###", "###STOP##", "＃＃＃STOP＃＃＃",
        "<policy>", "#W123", "1,000", "12.5", "2024-05-15", "15:00", "a@b.com", "5GB", "get_order",
        "**", "`x`", "- ", "1. ", "## ", "サーバ", "全て", "スマホ", "「5G/4G優先」", "保留中", "ご注文",
        "(はい)", ", ", "…", "出来る", "取消", "\u3000", "３", "４Ｇ",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=25).map("".join)
ENGLISH = st.sampled_from(
    [
        "",
        "Cancel order {id}, 12 items.",
        "Say ###STOP###.",
        "The smartphone, 2024-05-15.",
        "<policy>",
    ]
)
KINDS = st.sampled_from([TASK, POLICY, TOOL, PARAMETER, MESSAGE, PROMPT, SPEECH, VALUE])


@given(TEXTS, ENGLISH, KINDS)
def test_mending_twice_is_mending_once(text: str, english: str, kind: str) -> None:
    mended = _mend(kind, english, text)
    assert _mend(kind, english, mended) == mended


@given(TEXTS, ENGLISH, KINDS)
def test_no_fact_is_lost_and_no_fault_is_added(text: str, english: str, kind: str) -> None:
    # No table is in the way here: what is shown for a value may hold other digits.
    plain = replace(CONTEXT, tables={}, terms=(), told=frozenset())
    before = segment(english, text, kind)
    after = replace(before, target=fix_text(before, plain))
    numbers, placeholders, tags = facts_of(before.target)
    found = facts_of(after.target)
    assert found[:2] == (numbers, placeholders)
    assert found[2] >= tags
    assert len(run_checks([after], plain)) <= len(run_checks([before], plain))
    assert after.target.count("\n") == before.target.count("\n")
