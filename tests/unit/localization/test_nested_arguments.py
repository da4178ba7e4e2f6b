"""Arguments and schemas of nested shapes, without tau2."""

from __future__ import annotations

import copy
import json
from types import MappingProxyType
from typing import Any

import pytest

from jtau_plugin.localization.arguments import ArgumentCompiler
from jtau_plugin.localization.schemas import localize_parameters_schema, render_docstring
from jtau_plugin.models.overlay import Parameter, ToolText
from jtau_plugin.normalization import get_rules
from jtau_plugin.overlays.tables import Table


def table(name: str, **display: str) -> Table:
    forms = {**{value: value for value in display}, **{v: k for k, v in display.items()}}
    return Table(name, MappingProxyType(display), MappingProxyType(forms))


TABLES = {"cabin": table("cabin", economy="エコノミー", business="ビジネス")}
NAMES = {
    "given": table("given", Yusuf="ユスフ"),
    "family": table("family", Rossi="ロッシ"),
    "city": table("city", Chicago="シカゴ"),
}
SCHEMA: dict[str, Any] = {
    "$defs": {
        "Passenger": {
            "type": "object",
            "description": "A passenger",
            "properties": {
                "first_name": {"type": "string", "title": "First Name"},
                "dob": {"type": "string", "description": "Date of birth"},
                "seat": {"$ref": "#/$defs/Cabin"},
            },
            "required": ["first_name", "dob"],
        },
        "Cabin": {"enum": ["economy", "business"], "type": "string"},
    },
    "type": "object",
    "properties": {
        "cabin": {"$ref": "#/$defs/Cabin", "description": "The cabin", "default": "economy"},
        "passengers": {
            "type": "array",
            "description": "Passengers",
            "items": {"anyOf": [{"$ref": "#/$defs/Passenger"}, {"type": "object"}]},
        },
        "bags": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
        "ids": {"type": "array", "items": {"type": "string"}},
        "options": {"type": "object", "properties": {"on": {"type": "boolean"}}},
        "note": {"type": "string"},
    },
    "required": ["cabin", "passengers"],
}
TOOL = ToolText(
    source=("a" * 64,),
    description="予約します。\n\n席を選びます。",
    returns="予約。",
    parameters={
        "cabin": Parameter(kind="enum", table="cabin", description="客室。"),
        "passengers": Parameter(
            kind="list",
            description="乗客。",
            items=Parameter(
                kind="object",
                parameters={
                    "first_name": Parameter(kind="name.given", description="名。"),
                    "dob": Parameter(kind="date", description="生年月日。"),
                    "seat": Parameter(kind="enum", table="cabin"),
                },
            ),
        ),
        "bags": Parameter(kind="int", units=("個",)),
        "ids": Parameter(kind="id"),
        "options": Parameter(kind="object", parameters={"on": Parameter(kind="bool")}),
        "note": Parameter(kind="free_text", description="メモ。"),
        "gone": Parameter(kind="id", description="この版にはありません。"),
    },
)
CANONICALIZE = ArgumentCompiler(get_rules("ja"), TABLES, NAMES).compile(TOOL, SCHEMA)


def canonicalize(arguments: Any) -> tuple[Any, list[tuple[str, Any, Any, str]]]:
    changes: list[Any] = []
    got = CANONICALIZE(arguments, "", changes)
    return got, [(c.path, c.written, c.canonical, c.rule) for c in changes]


def test_every_level_is_reached_and_recorded() -> None:
    written = {
        "cabin": "「エコノミー」",
        "passengers": [
            {"first_name": "ユスフさん", "dob": "平成2年3月5日", "seat": "ビジネス", "x": "ユスフ"},
            {"first_name": "Yusuf", "dob": "1990-03-05"},
        ],
        "bags": "３個",
        "ids": ["＃１", "2"],
        "options": {"on": "はい", "off": "いいえ"},
        "note": "「エコノミー」",
        "unknown": "＃１",
    }
    before = copy.deepcopy(written)

    got, changes = canonicalize(written)

    assert got == {
        "cabin": "economy",
        "passengers": [
            {"first_name": "Yusuf", "dob": "1990-03-05", "seat": "business", "x": "ユスフ"},
            {"first_name": "Yusuf", "dob": "1990-03-05"},
        ],
        "bags": 3,
        "ids": ["#1", "2"],
        "options": {"on": True, "off": "いいえ"},
        "note": "「エコノミー」",
        "unknown": "＃１",
    }
    assert written == before
    assert changes == [
        ("cabin", "「エコノミー」", "economy", "enum"),
        ("passengers[0].first_name", "ユスフさん", "Yusuf", "name.given"),
        ("passengers[0].dob", "平成2年3月5日", "1990-03-05", "date"),
        ("passengers[0].seat", "ビジネス", "business", "enum"),
        ("bags", "３個", 3, "int"),
        ("ids[0]", "＃１", "#1", "id"),
        ("options.on", "はい", True, "bool"),
    ]
    assert list(got) == list(written)


@pytest.mark.parametrize(
    "value",
    [
        {"passengers": "ユスフ"},
        {"passengers": {"first_name": "ユスフ"}},
        {"passengers": [["ユスフ"], None, 5]},
        {"ids": "＃１"},
        {"ids": {"a": "＃１"}},
        {"cabin": ["エコノミー"]},
        {"cabin": {"x": "エコノミー"}},
        {"options": "はい"},
        {"options": ["はい"]},
        {"bags": [3]},
        {"bags": None},
        {},
        None,
        "エコノミー",
        [],
    ],
    ids=repr,
)
def test_another_shape_than_the_schema_s_is_left_alone(value: Any) -> None:
    assert canonicalize(value) == (value, [])


def test_a_number_that_equals_is_still_recorded() -> None:
    """3.0 == 3 in Python, but a tool that stores it raw leaves another state."""
    got, changes = canonicalize({"bags": 3.0})

    assert json.dumps(got) == '{"bags": 3}'
    assert [change[0] for change in changes] == ["bags"]


def test_the_schema_is_localized_at_every_level_and_left_as_it_was() -> None:
    before = copy.deepcopy(SCHEMA)

    shown = localize_parameters_schema(SCHEMA, TOOL, TABLES)

    assert before == SCHEMA
    assert shown["properties"]["cabin"]["description"] == "客室。"
    assert shown["properties"]["cabin"]["default"] == "エコノミー"
    assert shown["$defs"]["Cabin"]["enum"] == ["エコノミー", "ビジネス"]
    assert shown["properties"]["passengers"]["description"] == "乗客。"
    passenger = shown["$defs"]["Passenger"]["properties"]
    assert passenger["first_name"] == {
        "type": "string",
        "title": "First Name",
        "description": "名。",
    }
    assert passenger["dob"]["description"] == "生年月日。"
    assert list(shown["properties"]) == list(SCHEMA["properties"])
    assert shown["required"] == SCHEMA["required"]
    assert "description" not in shown["properties"]["bags"]


def test_shown_choices_are_accepted() -> None:
    for shown in localize_parameters_schema(SCHEMA, TOOL, TABLES)["$defs"]["Cabin"]["enum"]:
        got, _ = canonicalize({"cabin": shown})
        assert got["cabin"] in ("economy", "business")


def test_the_docstring_has_upstream_s_layout() -> None:
    assert render_docstring(TOOL).splitlines()[:5] == [
        "予約します。",
        "",
        "席を選びます。",
        "",
        "Args:",
    ]
    assert render_docstring(TOOL).endswith("Returns:\n    予約。")
