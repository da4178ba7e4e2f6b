"""What the Japanese texts tell the agent to pass is accepted by the tool, really called."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from .shop import Shop
from .support import call, registry

_QUOTED = re.compile("「([^「」]+)」")
_BOLD = re.compile(r"\*\*([^*]+)\*\*")


def _quotes(text: str | None) -> list[str]:
    return _QUOTED.findall(text or "")


def _choice_parameters(catalog: Any) -> Iterator[tuple[str, str, Any]]:
    for tool, text in catalog.tools.agent.items():
        for name, parameter in text.parameters.items():
            if parameter.kind in ("enum", "pseudo_enum"):
                yield tool, name, parameter


def _told(catalog: Any, table: Any) -> dict[str, set[str]]:
    """Return each literal of a table that some text tells, with the texts that tell it."""
    texts: dict[str, str] = {f"document {n}": t for n, t in catalog.documents.items()}
    texts |= {f"prompt {n}": p.text for n, p in catalog.prompts.prompts.items()}
    texts |= {f"message {i}": m.text or "" for i, m in enumerate(catalog.messages)}
    for tool, text in catalog.tools.agent.items():
        texts[f"tool {tool}"] = text.description
        for name, parameter in text.parameters.items():
            texts[f"parameter {tool}.{name}"] = parameter.description or ""
    found: dict[str, set[str]] = {}
    for where, text in texts.items():
        for literal in _quotes(text):
            if literal in table.forms:
                found.setdefault(literal, set()).add(where)
    return found


def _try_choice(environment: Any, tool: str, name: str, literal: str) -> tuple[Any, Any]:
    """Call a tool with a literal in place of one choice; return the answer and the order."""
    order = Shop(environment.tools.db).order("pending")
    answer = call(environment, tool, {"order_id": order.order_id, name: literal})
    return answer, environment.tools.db.orders[order.order_id]


def test_the_only_choice_of_the_retail_agent_is_the_cancel_reason(catalog: Any) -> None:
    """Guards this file: another parameter with a table needs a way to be tried."""
    assert [(tool, name) for tool, name, _ in _choice_parameters(catalog)] == [
        ("cancel_pending_order", "reason")
    ]


def test_every_told_literal_is_accepted(catalog: Any, fresh: Callable[[str], Any]) -> None:
    for tool, name, parameter in _choice_parameters(catalog):
        table = catalog.tables[parameter.table]
        told = _told(catalog, table)
        assert {table.forms[literal] for literal in told} == set(table.display)
        for literal in told:
            for written in (literal, f"「{literal}」"):
                answer, order = _try_choice(fresh("ja_retail"), tool, name, written)
                assert not answer.error, answer.content
                assert order.cancel_reason == table.forms[literal]


def test_the_policy_and_the_parameter_tell_the_same_choices(catalog: Any) -> None:
    told = _told(catalog, catalog.tables["cancel_reason"])

    assert {literal: sorted(where) for literal, where in told.items()} == {
        literal: ["document policy", "parameter cancel_pending_order.reason"]
        for literal in ("不要になった", "誤って注文した")
    }


def test_each_quoted_choice_of_a_description_is_a_choice(catalog: Any) -> None:
    for tool, name, parameter in _choice_parameters(catalog):
        table = catalog.tables[parameter.table]
        assert sorted(_quotes(parameter.description)) == sorted(table.display.values()), (
            tool,
            name,
        )


def test_each_accepted_form_is_accepted_by_the_tool(
    catalog: Any, fresh: Callable[[str], Any]
) -> None:
    for tool, name, parameter in _choice_parameters(catalog):
        for form, canonical in catalog.tables[parameter.table].forms.items():
            answer, order = _try_choice(fresh("ja_retail"), tool, name, form)
            assert not answer.error
            assert order.cancel_reason == canonical


@pytest.mark.parametrize(
    "written", ["気が変わった", "キャンセル済み", "不要", "no longer", "誤注文"]
)
def test_what_is_no_choice_is_refused(written: str, fresh: Callable[[str], Any]) -> None:
    environment = fresh("ja_retail")
    before = environment.get_db_hash()

    answer, _ = _try_choice(environment, "cancel_pending_order", "reason", written)

    assert answer.content == "Error: 理由が無効です。"
    assert environment.get_db_hash() == before


def test_each_example_of_a_parameter_passes_unchanged(localizer: Any, catalog: Any) -> None:
    """「#W0000000」 and the like: an agent that copies the example's form is not rewritten."""
    examples = 0
    for (tool, name, parameter), literal in (
        (place, literal)
        for place in _all_parameters(catalog)
        for literal in _quotes(place[2].description)
    ):
        if parameter.kind in ("enum", "pseudo_enum") or literal in ("#", "!"):
            continue
        value = [literal] if name in ("item_ids", "new_item_ids") else literal
        assert localizer.canonicalize_arguments(tool, {name: value})[1] == [], (tool, name)
        examples += 1

    assert examples > 20


def _all_parameters(catalog: Any) -> Iterator[tuple[str, str, Any]]:
    for tool, text in catalog.tools.agent.items():
        for name, parameter in text.parameters.items():
            yield tool, name, parameter


def test_examples_are_the_english_ones(catalog: Any, english: Any) -> None:
    """The Japanese gives no example that the English does not give, and leaves none out."""
    for tool in english.get_tools():
        schema = tool.openai_schema["function"]["parameters"].get("properties", {})
        for name, parameter in catalog.tool(tool.name, "assistant").parameters.items():
            if parameter.kind in ("enum", "pseudo_enum"):
                continue
            english_examples = set(re.findall(r"'([^']*)'", schema[name].get("description", "")))
            assert set(_quotes(parameter.description)) == english_examples - {""}, (tool.name, name)


def test_statuses_in_the_policy_and_in_tools_are_those_that_results_show(catalog: Any) -> None:
    shown = set(catalog.tables["order_status"].display.values())
    policy = catalog.documents["policy"]
    known = {
        *shown,
        *catalog.tables["cancel_reason"].display.values(),
        *("はい", "02:30:00", "Tシャツ", "色: 青、サイズ: M", "色: 赤、サイズ: L"),
        "有人オペレーターにおつなぎします。そのままお待ちください。",
    }

    assert set(_quotes(policy)) <= known
    assert set(_quotes(policy)) & shown == shown - {"処理済み"}
    bold = next(line for line in policy.splitlines() if line.startswith("注文のステータスは"))
    assert set(_BOLD.findall(bold)) == shown
    for text in catalog.tools.agent.values():
        assert all(q in known for q in _quotes(text.description))


def test_sources_in_the_policy_are_those_that_results_show(catalog: Any) -> None:
    policy = catalog.documents["policy"]
    line = next(line for line in policy.splitlines() if line.startswith("支払い方法には"))
    bold = _BOLD.findall(line)

    assert len(bold) == 3
    for shown in catalog.tables["payment_source"].display.values():
        assert any(shown in word for word in bold)


def test_the_policy_s_example_is_shown_so_by_the_database(catalog: Any) -> None:
    assert catalog.tables["product"].display["T-Shirt"] == "Tシャツ"
    assert catalog.tables["option_name"].display["color"] == "色"
    assert catalog.tables["option_name"].display["size"] == "サイズ"
    assert catalog.tables["option/color"].display["blue"] == "青"
    assert catalog.tables["option/color"].display["red"] == "赤"


def test_every_tool_that_a_text_names_exists(catalog: Any) -> None:
    tools = {tool.name for tool in registry().get_env_constructor("ja_retail")().get_tools()}
    named = set(re.findall(r"[a-z]+(?:_[a-z]+)+", catalog.documents["policy"]))

    assert named == {"transfer_to_human_agents"}
    assert named <= tools
