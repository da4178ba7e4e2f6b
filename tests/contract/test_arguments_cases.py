"""From what an agent writes to what the tool receives, through the real localizer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from .japanese_writing import forms_of, table_of, widen
from .support import call, is_main, registry

CASES = Path(__file__).parent.parent / "cases" / "arguments.yaml"
_TEXT = st.text(max_size=12) | st.text(
    "Ａa１1＃#ー－-「」『』\"' 　\u200b様さん・①アｱ゛", max_size=8
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _TEXT,
    lambda child: st.lists(child, max_size=3) | st.dictionaries(_TEXT, child, max_size=3),
    max_leaves=6,
)


def _cases() -> Iterator[Any]:
    for case in yaml.safe_load(CASES.read_text(encoding="utf-8")):
        if case.get("locale", "ja") == "ja":
            yield pytest.param(case, id=f"{case['domain']}-{case['path']}-{case['written']}")


@cache
def _localizer_of(domain: str) -> Any:
    return registry().get_env_constructor(f"ja_{domain}")().jtau_localizer


def _nest(path: str, value: Any) -> dict[str, Any]:
    """Return the arguments that hold ``value`` at ``passengers[0].dob``."""
    for step in reversed(path.replace("[0]", ".0").split(".")):
        value = [value] if step == "0" else {step: value}
    return value  # type: ignore[no-any-return]


@pytest.mark.parametrize("case", _cases())
def test_shared_case(case: dict[str, Any]) -> None:
    own = _localizer_of(case["domain"])
    written = _nest(case["path"], case["written"])
    before = json.dumps(written)

    got, changes = own.canonicalize_arguments(
        case["tool"], written, case.get("requestor", "assistant")
    )

    expected = _nest(case["path"], case["canonical"])
    assert got == expected
    assert json.dumps(got) == json.dumps(expected), "the type counts too: some tools store it raw"
    assert json.dumps(written) == before
    assert bool(changes) == (json.dumps(got) != before)
    assert all(change.path.startswith(case["path"]) for change in changes)


def test_the_retail_cases_are_among_them() -> None:
    assert sum(param.values[0]["domain"] == "retail" for param in _cases()) >= 22


def _parameters(catalog: Any) -> list[tuple[str, str, Any]]:
    return [
        (tool, name, parameter)
        for tool, text in catalog.tools.agent.items()
        for name, parameter in text.parameters.items()
        if is_main() or tool != "get_item_details"
    ]


def _canonicalize(localizer: Any, tool: str, name: str, value: Any) -> Any:
    return localizer.canonicalize_arguments(tool, {name: value})[0][name]


def test_every_parameter_of_the_installed_tools_has_a_kind(english: Any, catalog: Any) -> None:
    installed = {
        (tool.name, name)
        for tool in english.get_tools()
        for name in tool.openai_schema["function"]["parameters"].get("properties", {})
    }

    assert {(tool, name) for tool, name, _ in _parameters(catalog)} == installed


def test_every_value_comes_back_from_every_form(localizer: Any, catalog: Any) -> None:
    tried = 0
    for tool, name, parameter in _parameters(catalog):
        table = table_of(catalog, parameter)
        for value in table.display if table else ():
            shown = table.localize(value)
            for form in {value, shown, *forms_of(table, value)}:
                for written in (form, widen(form), f" {form}　"):
                    # A place that is written in ASCII is taken as it stands, blanks and all.
                    if parameter.kind.startswith("address.") and form.isascii() and written != form:
                        continue
                    assert _canonicalize(localizer, tool, name, written) == value, (tool, name)
                    tried += 1

    assert tried > 1000


def test_every_quoted_choice_comes_back(localizer: Any, catalog: Any) -> None:
    for tool, name, parameter in _parameters(catalog):
        for form, value in (
            catalog.tables[parameter.table].forms if parameter.table else {}
        ).items():
            for opening, closing in ("「」", "『』", "“”", '""', "''"):
                written = f"{opening}{form}{closing}"
                assert _canonicalize(localizer, tool, name, written) == value


def test_display_is_one_to_one_in_every_scope(catalog: Any) -> None:
    for name, table in {**catalog.tables, **catalog.names}.items():
        shown = list(table.display.values())
        assert len(set(shown)) == len(shown), name
        folded = {
            form: {v for f, v in table.forms.items() if widen(f) == widen(form)}
            for form in table.forms
        }
        assert all(len(values) == 1 for values in folded.values()), name
        for canonical, form in table.display.items():
            assert table.forms[form] == canonical
            assert table.forms[canonical] == canonical


def _values_of_the_database(db: Any) -> Iterator[tuple[str, str, str]]:
    for order in db.orders.values():
        yield "get_order_details", "order_id", order.order_id
        for item in order.items:
            yield "return_delivered_order_items", "item_ids", item.item_id
        for payment in order.payment_history:
            yield "modify_pending_order_payment", "payment_method_id", payment.payment_method_id
    for product in db.products.values():
        yield "get_product_details", "product_id", product.product_id
    for user in db.users.values():
        yield "get_user_details", "user_id", user.user_id
        yield "find_user_id_by_email", "email", user.email
        yield "find_user_id_by_name_zip", "first_name", user.name.first_name
        yield "find_user_id_by_name_zip", "last_name", user.name.last_name
        yield "find_user_id_by_name_zip", "zip", user.address.zip
        for field, value in user.address.model_dump().items():
            yield "modify_user_address", field, value
            yield "modify_pending_order_address", field, value


def test_what_the_database_holds_is_a_fixed_point(localizer: Any, pristine_db: Any) -> None:
    values = set(_values_of_the_database(pristine_db))

    changed = [
        found
        for found in values
        if localizer.canonicalize_arguments(
            found[0], {found[1]: [found[2]] if found[1] == "item_ids" else found[2]}
        )[1]
    ]

    assert len(values) > 5000
    assert changed == []


def test_every_name_of_the_database_can_be_written_in_katakana(
    localizer: Any, catalog: Any, pristine_db: Any
) -> None:
    users = pristine_db.users.values()
    roles = {
        "given": ("first_name", {user.name.first_name for user in users}),
        "family": ("last_name", {user.name.last_name for user in users}),
    }
    for role, (parameter, names) in roles.items():
        assert len(names) == 30
        for name in names:
            for form in forms_of(catalog.names[role], name):
                for written in (form, f"{form}さん", f"{form} 様"):
                    got = _canonicalize(localizer, "find_user_id_by_name_zip", parameter, written)
                    assert got == name
            assert forms_of(catalog.names[role], name), f"{name} has no katakana"


def test_every_place_of_the_database_can_be_written_in_japanese(
    catalog: Any, pristine_db: Any
) -> None:
    addresses = [user.address for user in pristine_db.users.values()]
    addresses += [order.address for order in pristine_db.orders.values()]
    for role in ("city", "state", "country"):
        for value in {getattr(address, role) for address in addresses}:
            assert forms_of(catalog.names[role], value), f"{role} {value}"


def test_a_state_s_full_english_name_is_not_repaired(localizer: Any) -> None:
    for written in ("Illinois", "Ｉｌｌｉｎｏｉｓ"):
        assert _canonicalize(localizer, "modify_user_address", "state", written) == "Illinois"


def test_what_is_stored_is_not_trimmed_more_than_the_english(localizer: Any, catalog: Any) -> None:
    """The address tools store what they are given: a blank that costs English its reward stays."""
    address = ["address1", "address2", "city", "state", "country", "zip"]
    for tool in ("modify_user_address", "modify_pending_order_address"):
        for name in address:
            for written in (" 60601", "60601 ", "'60601'", '"60601"'):
                assert _canonicalize(localizer, tool, name, written) == written, (tool, name)


@settings(max_examples=400)
@given(_TEXT)
def test_canonicalizing_twice_changes_nothing_more(text: str) -> None:
    env = _environment()
    for tool, name, parameter in _parameters(env.jtau_localizer.catalog):
        once = _canonicalize(env.jtau_localizer, tool, name, text)
        assert _canonicalize(env.jtau_localizer, tool, name, once) == once, (name, parameter.kind)


@given(_JSON)
def test_a_wrong_type_never_raises_and_is_left_alone(value: Any) -> None:
    env = _environment()
    for tool, name, _ in _parameters(env.jtau_localizer.catalog):
        got = _canonicalize(env.jtau_localizer, tool, name, value)
        if not isinstance(value, (str, list)):
            assert got is value
        else:
            assert type(got) is type(value)


@given(st.dictionaries(_TEXT, _JSON, max_size=4))
def test_unknown_tools_and_parameters_are_left_alone(arguments: dict[str, Any]) -> None:
    localizer = _environment().jtau_localizer
    assert localizer.canonicalize_arguments("no_such_tool", arguments) == (arguments, [])
    got, changes = localizer.canonicalize_arguments("calculate", arguments)
    assert {k: v for k, v in got.items() if k != "expression"} == {
        k: v for k, v in arguments.items() if k != "expression"
    }
    assert all(change.path == "expression" for change in changes)


_kept: list[Any] = []


def _environment() -> Any:
    """One environment for the properties, which Hypothesis gives no fixtures."""
    if not _kept:
        _kept.append(registry().get_env_constructor("ja_retail")())
    return _kept[0]


def test_strict_arguments_switch_the_layer_off(
    monkeypatch: pytest.MonkeyPatch, reading: Any, pristine_db: Any
) -> None:
    order_id = next(iter(pristine_db.orders))
    assert not call(reading, "get_order_details", {"order_id": widen(order_id)}).error

    monkeypatch.setenv("JTAU_STRICT_ARGS", "1")

    assert call(reading, "get_order_details", {"order_id": widen(order_id)}).error
