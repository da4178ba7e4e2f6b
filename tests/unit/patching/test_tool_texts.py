"""Repairs of what tools are described as: by requestor, tool and parameter, in each language."""

from __future__ import annotations

from typing import Any

import pytest

from jtau_plugin.errors import RepairError
from jtau_plugin.models.overlay import ToolText
from jtau_plugin.models.patches import ToolTextRepair
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.patching.tool_texts import (
    check_tool_texts,
    read_descriptions,
    repair_tool_text,
    repaired_tool_texts,
)

SCHEMA = {
    "$defs": {
        "Payment": {
            "properties": {"id": {"description": "Name of the payment"}, "amount": {}},
            "type": "object",
        }
    },
    "properties": {
        "user": {"description": "Who pays", "type": "string"},
        "payments": {
            "description": "All payments",
            "items": {"anyOf": [{"$ref": "#/$defs/Payment"}, {"type": "object"}]},
            "type": "array",
        },
    },
}
PAYMENT = "payments.items.id"


def repair(name: str, parameter: str = "", **more: Any) -> ToolTextRepair:
    return ToolTextRepair.model_validate(
        {
            "id": name,
            "title": "A title",
            "class": "tools",
            "why": "a reason",
            "evidence": "read",
            "tool": "pay",
            "parameter": parameter,
            "guard": fingerprint_text("Name of the payment"),
            "value": "Name of the payment method",
            "localized": {"ja": "支払い方法の名前"},
            **more,
        }
    )


def english(**texts: str) -> dict[tuple[str, str, str], str]:
    return {("assistant", "pay", path): text for path, text in {"": "Pays", **texts}.items()}


def test_the_new_texts_of_each_language() -> None:
    key = ("assistant", "pay", PAYMENT)
    assert repaired_tool_texts([repair("one", PAYMENT)]) == {key: "Name of the payment method"}
    assert repaired_tool_texts([repair("one", PAYMENT)], "ja") == {key: "支払い方法の名前"}


def test_two_repairs_of_one_text_name_each_other() -> None:
    with pytest.raises(RepairError, match=r"repair two: agent\.pay: .* repair one"):
        repaired_tool_texts([repair("one"), repair("two"), repair("three", requestor="user")])


def test_a_repair_without_a_wording_in_the_locale_is_an_error() -> None:
    with pytest.raises(RepairError, match=r"repair one: user\.pay\.x: no wording .* 'de'"):
        repaired_tool_texts([repair("one", "x", requestor="user")], "de")


def test_descriptions_are_found_below_lists_and_references() -> None:
    assert read_descriptions("Pays", SCHEMA) == {
        "": "Pays",
        "user": "Who pays",
        "payments": "All payments",
        PAYMENT: "Name of the payment",
    }


def test_a_guard_fits_the_old_text_and_the_new_one_is_satisfied() -> None:
    for text in ("Name of the payment", " Name of the payment\n", "Name of the payment method"):
        assert check_tool_texts([repair("one", PAYMENT)], english(**{PAYMENT: text})) == []


def test_what_does_not_fit_is_told() -> None:
    changed = check_tool_texts([repair("one", PAYMENT)], english(**{PAYMENT: "A name"}))
    gone = check_tool_texts([repair("one", PAYMENT)], english())
    assert "the English has changed" in str(changed[0])
    assert "repair one: agent.pay.payments.items.id: the installed tool has no such text" in str(
        gone[0]
    )


def test_a_tool_of_another_layout_needs_no_repair() -> None:
    assert check_tool_texts([repair("one", tool="refund")], english()) == []


def test_a_localized_tool_is_told_anew_and_keeps_the_rest() -> None:
    tool = ToolText.model_validate(
        {
            "source": "0" * 64,
            "description": "支払います。",
            "parameters": {
                "user": {"kind": "id", "description": "支払う人"},
                "payments": {
                    "kind": "list",
                    "description": "すべての支払い",
                    "items": {
                        "kind": "object",
                        "parameters": {"id": {"kind": "id", "description": "支払いの名前"}},
                    },
                },
            },
        }
    )
    repaired = repair_tool_text(tool, {PAYMENT: "支払い方法の名前", "": "支払いを行います。"})
    items = repaired.parameters["payments"].items
    assert items is not None
    assert items.parameters["id"].description == "支払い方法の名前"
    assert items.parameters["id"].kind == "id"
    assert repaired.description == "支払いを行います。"
    assert repaired.parameters["user"] == tool.parameters["user"]
    assert tool.description == "支払います。"
    assert repair_tool_text(tool, {}) == tool
