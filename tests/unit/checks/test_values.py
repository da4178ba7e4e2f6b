"""Values: what is told is accepted, and what is named is shown so."""

from __future__ import annotations

import pytest

from jtau_plugin.checks import values as v
from jtau_plugin.checks.model import PARAMETER, POLICY, TASK

from .judge import faults_of, passes

BOTH = "The reason, 'no_longer_needed' or 'by_mistake'."
PASSES = [
    (v.check_literals, "reasons", "理由は「不要になった」または「誤って注文した」です。", POLICY),
    (v.check_literals, "4g_only", "モードを「4Gのみ」にします。", POLICY),
    (v.check_literals, "such as '#W0'", "例:「#W0」", PARAMETER),
    (v.check_literals, "mode `think`", "`think`を使います。", POLICY),
    (v.check_literals, "cancel", "「処理」", POLICY),
    (v.check_literals, "done", "「📵 処理済み」", POLICY),
    (v.check_literals, 'f(mode="4g_only")', '`f(mode="4Gのみ")`を使います。', POLICY),
    (v.check_literals, 'f(id="W1")', '`f(id="W1")`を使います。', POLICY),
    (v.check_choices, BOTH, "「不要になった」または「誤って注文した」。", PARAMETER),
    (v.check_choices, "The reason.", "理由。", PARAMETER),
    (v.check_choices, "'by_mistake' (e.g. 'x')", "「誤って注文した」（例:「x」）。", PARAMETER),
    (v.check_shown_values, "a smartphone", "スマートフォン", TASK),
    (v.check_shown_values, "a phone", "スマホ", TASK),
    (v.check_marked_values, "Status is **pending**.", "ステータスは**保留中**です。", POLICY),
    (v.check_marked_values, "If it is DELIVERED", "「配達済み」の場合", POLICY),
    (v.check_marked_values, "the 'pending' one", "保留中のもの", POLICY),
    (v.check_marked_values, "**always**", "**常に**", POLICY),
    (v.check_named_values, "a water bottle", "ウォーターボトル", TASK),
    (v.check_named_values, "a bottle", "瓶", TASK),
    (v.check_named_values, "delivered last week", "先週届いた", TASK),
]
FAILS = [
    (v.check_literals, "reasons", "理由は「不要になったため」です。", POLICY, "table reason shows"),
    (
        v.check_literals,
        "reasons",
        "理由は「不要になつた」です。",
        POLICY,
        "is nearly '不要になった'",
    ),
    (v.check_literals, "4g_only", "「4g_only」にします。", POLICY, "shows '4Gのみ'"),
    (v.check_literals, "4g_only", '`"4g_only"`にします。', POLICY, "shows '4Gのみ'"),
    (v.check_literals, "mode", "「4G・5G優先」にします。", POLICY, "is nearly '4G/5G優先'"),
    (v.check_literals, "mode", "**5G/4G優先**にします。", POLICY, "shows '4G/5G優先'"),
    (v.check_literals, "pending", "「保留中の」場合", POLICY, "is nearly '保留中'"),
    (v.check_literals, 'f(mode="4g_only")', '`f(mode="四世代")`を使います。', POLICY, "'四世代'"),
    (v.check_literals, 'f(mode="4g_only")', '`f(mode="4g_only")`です。', POLICY, "'4g_only' is no"),
    (v.check_choices, BOTH, "「不要になった」。", PARAMETER, "'誤って注文した' is not told"),
    (
        v.check_choices,
        "'by_mistake'",
        "「誤って注文した」「不要になった」",
        PARAMETER,
        "source does not",
    ),
    (v.check_choices, BOTH, "「不要になった」「誤って注文した」「その他」", PARAMETER, "no choice"),
    (v.check_shown_values, "a smartphone", "スマホ", TASK, "'スマートフォン'"),
    (v.check_shown_values, "pending", "処理待ちの注文", TASK, "'保留中'"),
    (
        v.check_marked_values,
        "Status is **pending**.",
        "ステータスは**未処理**です。",
        POLICY,
        "保留中",
    ),
    (v.check_marked_values, "If it is DELIVERED", "配送された場合", POLICY, "配達済み"),
    (v.check_named_values, "two water bottles", "水筒2つ", TASK, "ウォーターボトル"),
]


def _more(check):
    return {"table": "reason"} if check is v.check_choices else {}


@pytest.mark.parametrize(("check", "english", "japanese", "kind"), PASSES)
def test_passes(check, english, japanese, kind):
    assert passes(check, english, japanese, kind=kind, **_more(check))


@pytest.mark.parametrize(("check", "english", "japanese", "kind", "says"), FAILS)
def test_fails(check, english, japanese, kind, says):
    faults = faults_of(check, english, japanese, kind=kind, **_more(check))
    assert any(says in fault for fault in faults), faults
