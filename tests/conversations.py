"""Hand-made conversations, tasks and results files for tests of the measures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

GREETING = "こんにちは。本日はどのようなご用件でしょうか。"
SURFACES = (
    "user", "agent", "greeting", "policy", "tools", "arguments", "values", "results", "tasks",
)  # fmt: skip


def agent(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def user(text: str | None) -> dict[str, Any]:
    return {"role": "user", "content": text}


def call(
    name: str,
    /,
    result: Any = "ok",
    *,
    side: str = "assistant",
    error: bool = False,
    **arguments: Any,
) -> list[dict[str, Any]]:
    """A call and what the tool returned."""
    content = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    made = {"id": "c", "name": name, "arguments": arguments, "requestor": side}
    return [
        {"role": side, "content": None, "tool_calls": [made]},
        {"role": "tool", "id": "c", "content": content, "requestor": side, "error": error},
    ]


def stamp(scenario: str = "domain", locale: str = "ja", **settings: Any) -> dict[str, Any]:
    return {
        "domain": "ja_retail",
        "locale": locale,
        "scenario": scenario,
        "surfaces": list(SURFACES) if locale != "en" else [],
        **settings,
    }


def simulation(
    *messages: Any,
    reward: float = 1.0,
    reason: str = "user_stop",
    checks: Mapping[str, Any] | None = None,
    **stamped: Any,
) -> dict[str, Any]:
    """A simulation; lists among the messages are spliced in."""
    flat: list[Any] = []
    for message in messages:
        flat += message if isinstance(message, list) else [message]
    return {
        "id": "s0",
        "task_id": "0",
        "trial": 0,
        "termination_reason": reason,
        "messages": flat,
        "reward_info": {"reward": reward, **(checks or {}), "info": {"jtau": stamp(**stamped)}},
    }


def task(
    *gold: Mapping[str, Any],
    reason: str = "あなたは注文#W1111111のヘッドホンを返品したいと考えています。",
    known: str = "あなたの名前はYusuf Rossiで、郵便番号は19122です。",
    **criteria: Any,
) -> dict[str, Any]:
    return {
        "id": "0",
        "user_scenario": {
            "persona": None,
            "instructions": {
                "domain": "retail",
                "reason_for_call": reason,
                "known_info": known,
                "unknown_info": None,
                "task_instructions": "あなたは急いでいます。",
            },
        },
        "evaluation_criteria": {
            "actions": [{"requestor": "assistant", **action} for action in gold],
            "reward_basis": ["DB", "COMMUNICATE"],
            **criteria,
        },
    }


def results(
    *simulations: Mapping[str, Any], tasks: Any = (), domain: str = "ja_retail"
) -> dict[str, Any]:
    return {
        "info": {
            "num_trials": 1,
            "environment_info": {"domain_name": domain},
            "agent_info": {"implementation": "llm_agent", "llm": "some/model"},
            "user_info": {"implementation": "user_simulator", "llm": "some/user"},
        },
        "tasks": list(tasks),
        "simulations": list(simulations),
    }


LOOK_UP = {
    "name": "find_user_id_by_name_zip",
    "arguments": {"first_name": "Yusuf", "last_name": "Rossi", "zip": "19122"},
}
RETURN = {
    "name": "return_delivered_order_items",
    "arguments": {
        "order_id": "#W1111111",
        "item_ids": ["4202497723"],
        "payment_method_id": "credit_card_9513926",
    },
}
