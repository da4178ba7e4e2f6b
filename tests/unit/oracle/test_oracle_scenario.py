"""From a scenario that speaks to the caller to what the caller says."""

from types import SimpleNamespace

import pytest

from jtau_plugin.oracle import scenario
from jtau_plugin.oracle.book import load_book
from jtau_plugin.overlays.catalog import get_catalog

RULES = load_book(get_catalog("ja", "retail")).locale.first_person


def say(text):
    return "".join(scenario.speak(text, RULES))


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (
            "あなたは注文#W2378156を受け取りました。",
            "注文#W2378156を受け取りました。",
        ),
        (
            "あなたは、自転車を交換したいと考えています。",
            "自転車を交換したいと思っています。",
        ),
        (
            "あなたの名前はYusuf Rossiで、郵便番号は19122です。",
            "名前はYusuf Rossiで、郵便番号は19122です。",
        ),
        (
            "あなたはmei_kovacs_8020で、郵便番号は28236です。",
            "ユーザーIDはmei_kovacs_8020で、郵便番号は28236です。",
        ),
        ("あなたは自分のメールアドレスを覚えていません。", "メールアドレスは覚えていません。"),
        (
            "その住所は、担当者が調べられるあなたのプロフィールに載っています。",
            "その住所は、そちらで調べられる私のプロフィールに載っています。",
        ),
    ],
)
def test_first_person(told, said):
    assert say(told) == said


@pytest.mark.parametrize(
    "told",
    [
        "担当者に確認を求められたら、気が変わったと伝えてください。",
        "注文IDは伝えないでください。",
        "特にありません。",
        "正しいIDは5206946487です（これは担当者に伝えません）。",
        "担当者に色を聞かれた場合は、青と答えます。",
    ],
)
def test_instructions_are_not_said(told):
    assert (
        say(f"あなたは椅子を返品したいと考えています。{told}") == "椅子を返品したいと思っています。"
    )


def test_an_aside_that_is_an_instruction_is_left_out():
    told = (
        "あなたはゲームをやめました（キーボードですが、そのことは担当者に明かさないでください）。"
    )
    assert say(told) == "ゲームをやめました。"


def test_other_asides_are_said():
    assert say("あなたは椅子（青）を返品しました。") == "椅子（青）を返品しました。"


def test_items_of_a_list_stay_on_their_lines():
    told = SimpleNamespace(
        instructions=SimpleNamespace(reason_for_call="あなたは次のことを求めます。\n- 変更\n- 追加")
    )
    assert scenario.concern(told, RULES) == "次のことを求めます。\n- 変更\n- 追加"


def test_without_rules_the_scenario_speaks_for_itself():
    told = SimpleNamespace(
        instructions=SimpleNamespace(reason_for_call="เหตุผล", known_info="ชื่อ", unknown_info=None)
    )
    assert scenario.concern(told, None) == "เหตุผล"
    assert scenario.identity(told, None) == "ชื่อ"


def test_a_scenario_without_sections_is_the_concern():
    told = SimpleNamespace(instructions="あなたは困っています。")
    assert scenario.concern(told, RULES) == "困っています。"
    assert scenario.identity(told, RULES) == ""
