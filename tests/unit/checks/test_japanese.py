"""Japanese script, punctuation and register, and what is left of English."""

from __future__ import annotations

import pytest

from jtau_plugin.checks import japanese as j
from jtau_plugin.checks import japanese_register as r
from jtau_plugin.checks.latin import check_leftover
from jtau_plugin.checks.model import MESSAGE, PARAMETER, POLICY, PROMPT, TASK, TOOL, VALUE

from .judge import faults_of, passes

PASSES = [
    (j.check_script_spacing, "", "注文#W1をJohn Smithに届けます。", TASK),
    (j.check_script_spacing, "", "- 項目\n1. **名前** - 説明", POLICY),
    (j.check_script_spacing, "", "顧客名: John Smith", TASK),
    (j.check_script_spacing, "", "電話番号: 555", TASK),
    (j.check_script_spacing, "", "📵 圏外", MESSAGE),
    (j.check_width, "", "10インチ／32GB〜（約）", TASK),
    (j.check_punctuation, "", "はい、そうです（例: 1,000ドル）。", TASK),
    (j.check_punctuation, "", "{function}()の`f(x)`に", MESSAGE),
    (j.check_punctuation, "", "445 Maple Drive, Suite 394, Fort Worth", TASK),
    (j.check_brackets, "", "「あ（い「う」）」", TASK),
    (j.check_status_words, "", "ステータスは「保留中」です。", POLICY),
    (j.check_status_words, "", "「例」のステータス", POLICY),
    (r.check_register, "", "変更できません。ご確認ください。変更後の注文の詳細。", TOOL),
    (r.check_register, "", "支払いのとおり。すべての場合。支払い。", TOOL),
    (r.check_register, "", "次のいずれかです。\n- ユーザーに送る。\n- ツールを呼び出す。", PROMPT),
    (r.check_register, "", "「不要になった。」と答えてください。", TASK),
    (r.check_register, "", "どうしますか。", TASK),
    (r.check_sentence_end, "Do it.", "してください。", TASK),
    (r.check_sentence_end, "- payment methods.", "- 支払い方法", POLICY),
    (r.check_sentence_end, "## What is it?", "## それは何か", POLICY),
    (r.check_sentence_end, "Failed: {why}.", "失敗しました: {why}", MESSAGE),
    (r.check_sentence_end, "It ends. ###STOP###", "終わります。###STOP###", PROMPT),
    (r.check_sentence_end, "The id", "注文ID（例:「#W1」）。", PARAMETER),
    (r.check_description_end, "The id", "注文のID。", PARAMETER),
    (r.check_sentences, "A. B!", "あ。い。", TASK),
    (r.check_sentences, "A (e.g. x). B.", "あ（たとえばxのようなもの）。い。", TASK),
    (r.check_sentences, "A. B.", "あ（ただし、いいということです）。", TASK),
    (r.check_sentences, "- methods.", "- 方法", POLICY),
    (r.check_sentences, "## What?", "## 何か", POLICY),
    (check_leftover, "", "注文IDはJSONで、PayPalのSIMです。", TASK),
    (check_leftover, "Use get_order.", "get_orderを使います。", POLICY),
    (check_leftover, "such as 'Doe'", "姓（例:「Doe」）。", PARAMETER),
    (check_leftover, "445 Elm Street, Suite 3", "445 Elm Street, Suite 3です。", TASK),
    (check_leftover, "IFOYYZ", "予約IFOYYZ", TASK),
    (check_leftover, "Yusuf Rossi", "Yusuf Rossiです。", TASK),
    (check_leftover, "<policy> ###STOP### {name}", "<policy>と###STOP###と{name}", PROMPT),
    (check_leftover, "a@example.com https://a.example", "a@example.comとhttps://a.example", TASK),
    (check_leftover, "RGB", "RGB", VALUE),
    (check_leftover, "5 inches", "5インチ", VALUE),
]
FAILS = [
    (j.check_script_spacing, "", "注文 #W1を届けます。", TASK, "a blank"),
    (j.check_script_spacing, "", "Smith さん", TASK, "a blank"),
    (j.check_script_spacing, "", "注文 の詳細", TASK, "a blank"),
    (j.check_script_spacing, "", "注文{id} です。", TASK, "a blank"),
    (j.check_script_spacing, "", "、 次に", TASK, "a blank"),
    (j.check_width, "", "１０ドル", TASK, "１"),
    (j.check_width, "", "ＰＩＮコード", TASK, "Ｐ"),
    (j.check_width, "", "ｶﾀｶﾅ", TASK, "ｶ"),
    (j.check_width, "", "全角　空白", TASK, "width"),
    (j.check_width, "", "例：", TASK, "："),
    (j.check_punctuation, "", "はい(いいえ)", TASK, "bracket"),
    (j.check_punctuation, "", "mia(mia.a@example.com)です", TASK, "bracket"),
    (j.check_punctuation, "", "はい,いいえ", TASK, "comma"),
    (j.check_punctuation, "", "そうです.", TASK, "full stop"),
    (j.check_punctuation, "", "本当ですか?", TASK, "mark"),
    (j.check_punctuation, "", '"はい"と答えます。', TASK, "quote"),
    (j.check_punctuation, "", "はい、、そうです。", TASK, "doubled"),
    (j.check_punctuation, "", "これをを変更します。", TASK, "doubled"),
    (j.check_brackets, "", "「はい", TASK, "」 is missing"),
    (j.check_brackets, "", "はい」", TASK, "closes nothing"),
    (j.check_brackets, "", "「（はい」）", TASK, "closes nothing"),
    (j.check_status_words, "", "ステータスは「未処理」です。", POLICY, "no status"),
    (r.check_register, "", "変更できない。", TASK, "plain form"),
    (r.check_register, "", "注文である。", TOOL, "plain form"),
    (r.check_register, "", "確認した。", TASK, "plain form"),
    (r.check_register, "", "確認してくれ。", TASK, "plain form"),
    (r.check_register, "", "確認します（ただし変更しない。）。", TASK, "plain form"),
    (r.check_register, "", "確認している。", TASK, "plain form"),
    (r.check_sentence_end, "Do it.", "してください", TASK, "no 。"),
    (r.check_sentence_end, "Do it.", "してください.", TASK, "ends in"),
    (r.check_sentence_end, "Do it", "はい。\nしました", TASK, "end of a line"),
    (r.check_description_end, "The id", "注文ID", PARAMETER, "no 。"),
    (r.check_register, "- Refund.", "- 返金せよ。", POLICY, "plain form"),
    (r.check_sentences, "A. B. C.", "あ。う。", TASK, "2 sentences, 3 in the source"),
    (check_leftover, "the order", "orderをキャンセルします。", TASK, "order"),
    (check_leftover, "status", "statusを確認します。", TASK, "status"),
    (check_leftover, "no_longer_needed", "「Needed」と書きます。", POLICY, "Needed"),
    (check_leftover, "Please confirm", "Please confirmしてください。", MESSAGE, "Please"),
    (check_leftover, "red", "redの", VALUE, "red"),
    (check_leftover, "red", "red", VALUE, "red"),
]


@pytest.mark.parametrize(("check", "english", "japanese", "kind"), PASSES)
def test_passes(check, english, japanese, kind):
    assert passes(check, english, japanese, kind=kind)


@pytest.mark.parametrize(("check", "english", "japanese", "kind", "says"), FAILS)
def test_fails(check, english, japanese, kind, says):
    faults = faults_of(check, english, japanese, kind=kind)
    assert any(says in fault for fault in faults), faults
