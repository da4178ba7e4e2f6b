"""Calls that go wrong, for any domain: what tools refuse and complain of is shown to models too."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from .japanese_writing import write_arguments
from .shown import AGENT, USER, Call, tasks_of
from .support import registry

_WRONG = (None, 7, 2.5, True, [], ["x"], [7], {}, {"x": 1}, "", "x_1")
#: What a caller may press on a telephone, in canonical words.
_CHOICES: dict[str, list[dict[str, Any]]] = {
    "set_network_mode_preference": [{"mode": m} for m in ("4g_only", "2g_only", "9g")],
    "set_apn_settings": [{"apn_settings": {"apn_name": n}} for n in ("internet", "broken", "x")],
    "check_app_status": [{"app_name": n} for n in ("messaging", "browser", "maps")],
    "check_app_permissions": [{"app_name": n} for n in ("messaging", "maps")],
    "grant_app_permission": [
        {"app_name": a, "permission": p}
        for a, p in (("messaging", "sms"), ("messaging", "camera"), ("maps", "sms"))
    ],
}


def _broken(name: str, schema: dict[str, Any], chance: random.Random) -> Iterator[Call]:
    """Yield calls of one tool that its signature or the interpreter refuses."""
    names = list(schema.get("properties", {}))
    yield name, {}
    yield name, {**dict.fromkeys(names, "x_1"), "extra": 1}
    yield name, dict.fromkeys(names, "x_1")
    for wrong in chance.sample(_WRONG, 4) if names else ():
        yield name, dict.fromkeys(names, wrong)
    if len(names) > 1:
        yield name, {names[0]: "x_1"}


def stumbles(
    domain: str, seed: int, *, golds: int = 8, tools: int = 99, is_localized: bool = True
) -> dict[str, list[Call]]:
    """Return calls of both sides that are refused, or that come at the wrong time.

    Args:
        domain: the registered name.
        seed: chooses what is broken how.
        golds: of how many tasks the gold calls are made twice: whatever is done already is refused
            the second time.
        tools: how many tools are called wrongly.
        is_localized: whether the arguments are written in the locale.
    """
    chance = random.Random(seed)
    env = registry().get_env_constructor(domain)()
    calls: dict[str, list[Call]] = {AGENT: [], USER: []}
    for side, toolkit in ((AGENT, env.tools), (USER, env.user_tools)):
        if toolkit is None:
            continue
        own = sorted(toolkit.get_tools().items())
        for name, tool in chance.sample(own, min(tools, len(own))):
            schema = tool.openai_schema["function"]["parameters"]
            calls[side] += _broken(name, schema, chance)
        calls[side].append(("no_such_tool", {"x": 1}))
    if env.user_tools is not None:
        pressed = [(n, c) for n in env.user_tools.get_tools() for c in _CHOICES.get(n, [{}])]
        calls[USER] += chance.sample(pressed, len(pressed))
    tasks = tasks_of(domain)
    for task_id in chance.sample(sorted(tasks), golds):
        actions = tasks[task_id].evaluation_criteria.actions or []
        own = [(a.requestor, (a.name, a.arguments)) for a in actions]
        for side, call in [*own, *own]:
            calls[side].append(call)
    if is_localized and domain.startswith("ja_"):
        return {side: [_in_japanese(env, side, c) for c in own] for side, own in calls.items()}
    return calls


def _in_japanese(env: Any, side: str, call: Call) -> Call:
    name, arguments = call
    catalog = env.jtau_localizer.catalog
    try:
        return name, write_arguments(catalog, name, arguments, side)
    except (AttributeError, KeyError):
        return call  # no such tool, no such parameter
