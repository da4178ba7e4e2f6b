"""Wordings, spellings and conditions as ``overlays/ja/checks.yaml`` has them."""

from __future__ import annotations

import pytest

from jtau_plugin.checks import wording as w
from jtau_plugin.checks.model import MESSAGE, POLICY, SPEECH, TASK

from .judge import faults_of, passes

USED = [
    ("承知いたしました。", SPEECH),
    ("こちらでよろしいでしょうか。", SPEECH),
    ("ご連絡させていただきます。", SPEECH),
    ("交換のほうを先に述べてください。", TASK),
    ("変更するべきだと要求してください。", TASK),
    ("あなたは急いでいます。", TASK),
    ("楕円形の眼鏡", TASK),
    ("表示できます。", POLICY),
]
NOT_USED = [
    ("引継を頼む", TASK),
    ("二つのもの", TASK),
    ("三人の客", TASK),
    ("注文の取消を頼む", TASK),
    ("了解しました。", SPEECH),
    ("よろしかったでしょうか。", SPEECH),
    ("確認させていただき、ご連絡させていただきます。", SPEECH),
    ("お支払いのほうをお願いします。", SPEECH),
    ("合計は500ドルになります。", MESSAGE),
    ("同意を得るべきです。", POLICY),
    ("人間のエージェントに引き継ぎます。", POLICY),
    ("彼は急いでいます。", TASK),
    ("変更することができます。", POLICY),
    ("あなたは案内してください。", POLICY),
    ("500円です。", TASK),
]
SPELT = [
    "ユーザーのサーバー",
    "ブラウザーでキャンセルする",
    "エラーメッセージ",
    "カスタマイズ",
    "支払った",
    "変更に応じます。",
    "自分から言わない",
    "一番近い",
    "一つひとつ",
    "そのほかの",
    "できます。",
]
MISSPELT = [
    ("それでかまいません", "構"),
    ("店の他の商品", "ほかの"),
    ("ユーザのID", "ユーザー"),
    ("サーバに接続", "サーバー"),
    ("ブラウザを開く", "ブラウザー"),
    ("キャンセした", "キャンセル"),
    ("オペレータに", "オペレーター"),
    ("メモリを増やす", "メモリー"),
    ("して下さい", "ください"),
    ("出来ます", "でき"),
    ("既に済んだ", "すでに"),
    ("全ての注文", "すべて"),
    ("支払方法", "支払い"),
    ("いちばん近い", "一番"),
    ("分からない", "わか"),
    ("ウェブで調べる", "Web"),
    ("ユーザー及び顧客", "および"),
]
KEPT = [
    ("Only cancel it.", "キャンセルだけを行います。"),
    ("only once, and only here", "1回だけ、ここでのみ"),
    ("Do not cancel it.", "キャンセルしないでください。"),
    ("It can't and won't.", "できませんし、しません。"),
    ("unless they ask", "求められない限り"),
    ("at most three", "最大3つ"),
    ("if it is late", "遅い場合"),
    ("$50 and 30 dollars", "50ドルと30ドル"),
    ("24 hours, 3pm, 50%", "24時間、午後3時、50%"),
    ("You must ask.", "尋ねなければなりません。"),
    ("explicit consent", "明示的な同意"),
    ("exactly one payment", "ちょうど1件"),
    ("do one thing at a time", "一度に1つずつ"),
]
LOST = [
    ("Only cancel it.", "キャンセルを行います。", "限定"),
    ("only once, and only here", "1回だけ、ここで", "限定"),
    ("Do not cancel it.", "キャンセルしてください。", "否定"),
    ("You can't and won't.", "できませんが、します。", "否定"),
    ("unless they ask", "求められた場合", "除外の条件"),
    ("at most three", "3つ", "上限"),
    ("at least three", "3つ", "下限"),
    ("Ask if it is late.", "遅い。", "条件"),
    ("$50", "50円", "ドル"),
    ("50 percent", "50", "パーセント"),
    ("24 hours", "24日", "時間"),
    ("3pm", "午前3時", "午後"),
    ("10-inch", "10センチ", "インチ"),
    ("5 GB", "5MB", "ギガバイト"),
    ("all of them", "それら", "全体"),
    ("before calling", "呼び出して", "順序"),
    ("except it", "それ", "例外"),
    ("You must ask.", "尋ねます。", "義務"),
    ("explicit consent", "同意", "明示"),
    ("refunded immediately", "返金されます。", "即時"),
    ("exactly one payment", "支払い", "ちょうど1つ"),
]


@pytest.mark.parametrize(("text", "kind"), USED)
def test_used(text, kind):
    assert passes(w.check_phrases, "", text, kind=kind)


@pytest.mark.parametrize(("text", "kind"), NOT_USED)
def test_not_used(text, kind):
    assert not passes(w.check_phrases, "", text, kind=kind)


@pytest.mark.parametrize("text", SPELT)
def test_spelt(text):
    assert passes(w.check_spelling, "", text)


@pytest.mark.parametrize(("text", "right"), MISSPELT)
def test_misspelt(text, right):
    faults = faults_of(w.check_spelling, "", text)
    assert any(f"is spelt {right!r}" in fault for fault in faults), faults


@pytest.mark.parametrize(("english", "japanese"), KEPT)
def test_kept(english, japanese):
    assert passes(w.check_conditions, english, japanese)


@pytest.mark.parametrize(("english", "japanese", "name"), LOST)
def test_lost(english, japanese, name):
    faults = faults_of(w.check_conditions, english, japanese)
    assert any(f"({name})" in fault for fault in faults), faults
