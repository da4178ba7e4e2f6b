"""Calls that no tool can accept: refused as the English twin is, in Japanese, without an exception."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tau2.data_model.message import ToolCall

from .support import call, stray_english

# Texts that no rule changes, so that the English twin of a call is the call itself.
_TEXTS = [
    "",
    "a",
    "x_1",
    "#W0",
    "注文",
    "no longer needed",
    "{order_id}",
    "Error: x",
    'q"q',
    "\x00",
]
_SCALARS = st.sampled_from([None, True, False, 0, 5, -1, 3.5, 10**30, *_TEXTS])
_VALUES = st.recursive(
    _SCALARS,
    lambda child: (
        st.lists(child, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "項目"]), child, max_size=2)
    ),
    max_leaves=4,
)
_UNKNOWN = st.sampled_from(
    ["extra", "tool_name", "requestor", "self", "", "追加", "order-id", "x'y"]
)


@st.composite
def _calls(draw: st.DrawFn, parameters: dict[str, list[str]], known: list[str]) -> ToolCall:
    name = draw(st.sampled_from([*parameters, "no_such_tool", "ツール"]))
    arguments = {
        parameter: draw(st.sampled_from(known) if draw(st.booleans()) else _VALUES)
        for parameter in parameters.get(name, [])
        if draw(st.integers(0, 7))
    }
    if not draw(st.integers(0, 5)):
        arguments[draw(_UNKNOWN)] = draw(_VALUES)
    return ToolCall(id="c1", name=name, arguments=arguments)


@pytest.fixture(scope="module")
def pair(fresh: Callable[[str], Any]) -> tuple[Any, Any]:
    return fresh("retail"), fresh("ja_retail")


def test_wrong_calls_are_refused_as_in_english(pair: tuple[Any, Any]) -> None:
    english, japanese = pair
    db = english.tools.db
    known = [next(iter(db.orders)), next(iter(db.users)), next(iter(db.products))]
    parameters = {
        tool.name: list(tool.openai_schema["function"]["parameters"].get("properties", {}))
        for tool in english.get_tools()
    }

    @settings(max_examples=600)
    @given(_calls(parameters, known))
    def refuses(wrong: ToolCall) -> None:
        japanese.jtau_records.misses.clear()

        plain, shown = english.get_response(wrong), japanese.get_response(wrong)

        assert bool(plain.error) == bool(shown.error)
        assert plain.content.startswith("Error: ") == shown.content.startswith("Error: ")
        assert japanese.jtau_records.misses == []
        if shown.error:
            written = [*json.dumps(wrong.arguments), wrong.name]
            assert "\\u" not in shown.content or "\\u" in json.dumps(written)

    refuses()

    assert japanese.get_db_hash() == english.get_db_hash()


_MISTYPED: list[tuple[str, dict[str, Any]]] = [
    ("get_order_details", {}),
    ("get_order_details", {"order_id": ["#W1"]}),
    ("get_order_details", {"order_id": {"id": "#W1"}}),
    ("get_order_details", {"order_id": "#W1", "extra": 1}),
    ("get_order_details", {"order_id": "#W1", "tool_name": "x"}),
    ("get_order_details", {"order_id": "#W1", "requestor": "user"}),
    ("get_order_details", {"order_id": "#W1", "self": 1}),
    ("get_order_details", {"注文ID": "#W1"}),
    ("find_user_id_by_email", {"email": 5}),
    ("find_user_id_by_email", {"email": None}),
    ("find_user_id_by_name_zip", {"first_name": 1, "last_name": 2, "zip": 3}),
    ("find_user_id_by_name_zip", {"first_name": "Yusuf"}),
    ("calculate", {"expression": 5}),
    ("calculate", {"expression": None}),
    ("calculate", {"expression": ["1"]}),
    ("calculate", {"expression": [5]}),
    ("calculate", {"expression": {}}),
    ("cancel_pending_order", {"order_id": "#W1"}),
    ("modify_user_address", {}),
    ("list_all_product_types", {"page": 1}),
    ("transfer_to_human_agents", {}),
]


@pytest.mark.parametrize(("tool", "arguments"), _MISTYPED)
def test_python_s_own_complaints_are_japanese(
    tool: str, arguments: dict[str, Any], reading: Any, misses: list[Any]
) -> None:
    answer = call(reading, tool, arguments)

    assert answer.error
    assert stray_english(answer.content, *map(str, arguments)) == []
    assert misses == []


def test_a_wrong_type_in_an_address_is_refused_in_japanese(pair: tuple[Any, Any]) -> None:
    english, japanese = pair
    fields = ["address1", "address2", "city", "state", "country", "zip"]
    user_id = next(iter(english.tools.db.users))
    for wrong in range(1, 2 ** len(fields)):
        values = {f: 7 if wrong >> i & 1 else "x" for i, f in enumerate(fields)}
        japanese.jtau_records.misses.clear()

        shown = call(japanese, "modify_user_address", {"user_id": user_id, **values}).content

        assert f"UserAddressの検証エラーが{wrong.bit_count()}件あります" in shown
        assert stray_english(shown, *fields, "UserAddress", "[type=") == []
        assert japanese.jtau_records.misses == []


_EXPRESSIONS = [
    *[
        "",
        " ",
        "1/0",
        "1//0",
        "1%0",
        "1.0/0",
        "1.5//0",
        "0**-1",
        "(-8)**0.5",
        "10.0**400",
        "9" * 5000,
    ],
    *[
        "(",
        ")",
        "()",
        "(1 2)",
        "1 2",
        "*1",
        "1(2)",
        "1(*2)",
        "1(**1)",
        "1.(2)",
        "()-1",
        "-()",
        "()*1.5",
    ],
    *[
        "0777",
        "1..2",
        "...",
        "(...)",
        "1.1.1",
        "(" * 300 + ")" * 300,
        "-" * 200_000 + "1",
        "x",
        "2^3",
    ],
    *["1,000", "1e5", "1_000", "①+②", "十二×三"],
]


@pytest.mark.parametrize("expression", _EXPRESSIONS, ids=lambda text: repr(text[:20]))
def test_odd_expressions_are_refused_in_japanese(
    expression: str, reading: Any, english: Any, misses: list[Any]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        plain = call(english, "calculate", {"expression": expression})
        shown = call(reading, "calculate", {"expression": expression})

    assert bool(shown.error) == bool(plain.error)
    assert not shown.error or stray_english(shown.content) == []
    assert misses == []


def test_any_expression_is_answered_like_its_english_twin(reading: Any, english: Any) -> None:
    expressions = st.text("0123456789+-*/(). ", max_size=9)

    @settings(max_examples=400)
    @given(expressions.filter(lambda text: "**" not in text.replace(" ", "")))
    def answers(expression: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            plain = call(english, "calculate", {"expression": expression})
            shown = call(reading, "calculate", {"expression": expression})

        assert bool(shown.error) == bool(plain.error)
        assert shown.error or shown.content == plain.content
        assert not shown.error or stray_english(shown.content) == []

    answers()
