"""One conversation as the report shows it: turn by turn, calls with what reached the tool.

Everything is plain data; it becomes a page only when a person opens the task.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jtau_plugin.reporting.compare.arms import Run
from jtau_plugin.reporting.compare.checks import (
    KINDS,
    counted_kinds,
    describe_check,
    lost_checks,
)
from jtau_plugin.reporting.compare.measured import Measured
from jtau_plugin.reporting.compare.usage import AGENT, TOOL, USER, calls_of, messages_of
from jtau_plugin.reporting.reading import as_list, as_mapping, as_mappings
from jtau_plugin.scoring.inventory import Cell

#: Returns a call's arguments as they reached the tool; ``None`` where that is not known.
Canonicalize = Callable[[str, Mapping[str, Any], str], Mapping[str, Any] | None]
_NAMES = {
    "DB": "database",
    "COMMUNICATE": "facts communicated",
    "ACTION": "gold's calls",
    "ENV_ASSERTION": "environment",
    "NL_ASSERTION": "assertions",
}
#: Told by the rules that the caller broke.
_CALLER = "user-simulator-fault"
_WHO = {AGENT: "agent", USER: "caller", TOOL: "tool"}
_FIELDS = {
    "ACTION": ("action_checks", "action_match"),
    "COMMUNICATE": ("communicate_checks", "met"),
    "ENV_ASSERTION": ("env_assertions", "met"),
    "NL_ASSERTION": ("nl_assertions", "met"),
}


def conversation_data(
    run: Run, cell: Cell, canonicalize: Canonicalize, measured: Measured | None = None
) -> dict[str, Any]:
    """Return a conversation as plain data.

    Args:
        run: the run.
        cell: which conversation.
        canonicalize: finds what reached a tool.
        measured: what was measured of it.
    """
    simulation = run.simulation(cell) or {}
    reward = simulation.get("reward_info")
    met = _met_of(reward)
    builder = _Builder(simulation, _gold_of(run, cell), met, canonicalize, measured)
    return {
        "outcome": cell.outcome.value,
        "reason": cell.reason,
        "ending": str(simulation.get("termination_reason") or ""),
        "lost": [
            {"name": check.name, "detail": check.detail, "loss": check.blame.value}
            for check in lost_checks(cell, simulation)
        ],
        "checks": list(_checks(reward)) if isinstance(reward, Mapping) else [],
        "tags": [
            {"title": one.title, "side": one.side, "detail": one.detail}
            for one in ((measured.tags or ()) if measured else ())
            if one.id != _CALLER
        ],
        "faults": list(measured.fault_details or measured.faults or ()) if measured else [],
        "turns": builder.build(),
        "unmade": builder.unmade(),
    }


def _checks(reward: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every check that was recorded, with whether it counts and what of it is met."""
    counted = counted_kinds(reward)
    for kind in KINDS:
        items = list(_items(reward, kind))
        if items:
            yield {
                "name": _NAMES[kind],
                "counts": kind in counted,
                "items": [{"text": text, "met": met} for text, met in items],
            }


def _items(reward: Mapping[str, Any], kind: str) -> Iterator[tuple[str, bool]]:
    if kind == "DB":
        check = as_mapping(reward.get("db_check"))
        if isinstance(check.get("db_match"), bool):
            yield "ends in the state that gold leads to", check["db_match"]
        return
    field, verdict = _FIELDS[kind]
    for check in as_mappings(reward.get(field)):
        yield describe_check(kind, check), bool(check.get(verdict))


def _gold_of(run: Run, cell: Cell) -> list[Mapping[str, Any]]:
    criteria = as_mapping(run.tasks.get(cell.task_id, {}).get("evaluation_criteria"))
    return as_mappings(criteria.get("actions"))


def _met_of(reward: Any) -> list[bool]:
    """Return which of gold's calls the scorer found, in gold's order, as far as it is recorded."""
    checks = as_mappings(as_mapping(reward).get("action_checks"))
    return [check.get("action_match") is True for check in checks]


def _positions(simulation: Mapping[str, Any]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield each message with the place of its entry in the file."""
    for position, entry in enumerate(as_list(simulation.get("messages"))):
        for message in messages_of({"messages": [entry]}):
            yield position, message


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class _Builder:
    """Walks through the messages once; a turn starts with each message of the caller."""

    def __init__(
        self,
        simulation: Mapping[str, Any],
        gold: Sequence[Mapping[str, Any]],
        met: Sequence[bool],
        canonicalize: Canonicalize,
        measured: Measured | None,
    ) -> None:
        self._messages = list(_positions(simulation))
        self._canonicalize = canonicalize
        self._open = list(gold)
        is_recorded = len(met) == len(gold)
        self._met = (
            [g for g, is_met in zip(gold, met, strict=True) if is_met] if is_recorded else []
        )
        self._results = {
            str(message.get("id")): message
            for _, message in self._messages
            if message.get("role") == TOOL
        }
        self._labels = measured.labels if measured else {}
        self._seen: set[str] = set()
        self._differing: list[tuple[dict[str, Any], Mapping[str, Any]]] = []

    def build(self) -> list[list[dict[str, Any]]]:
        turns: list[list[dict[str, Any]]] = [[]]
        for position, message in self._messages:
            role = str(message.get("role"))
            if role == TOOL and str(message.get("id")) in self._seen:
                continue
            if role == USER and turns[-1] and not self._is_between_calls(turns[-1]):
                turns.append([])
            turns[-1].append(self._item(role, message, position))
        self._explain()
        return turns

    @staticmethod
    def _is_between_calls(turn: Sequence[Mapping[str, Any]]) -> bool:
        """Tell whether the caller is still using its own tools in this turn."""
        last = turn[-1]
        return last["who"] == _WHO[USER] and bool(last["calls"])

    def _item(self, role: str, message: Mapping[str, Any], position: int) -> dict[str, Any]:
        content = message.get("content")
        calls = [self._call(call, role) for call in calls_of(message)]
        return {
            "who": _WHO.get(role, role),
            "text": content if isinstance(content, str) else "",
            "calls": calls,
            "label": self._labels.get(position) if role in (AGENT, USER) else None,
            "error": bool(message.get("error")) if role == TOOL else False,
        }

    def _call(self, call: Mapping[str, Any], role: str) -> dict[str, Any]:
        name = str(call.get("name"))
        requestor = str(call.get("requestor") or role)
        written = call.get("arguments")
        written = written if isinstance(written, Mapping) else {"arguments": written}
        reached = self._canonicalize(name, written, requestor)
        identifier = str(call.get("id"))
        result = self._results.get(identifier)
        self._seen.add(identifier)
        shown: dict[str, Any] = {
            "name": name,
            "arguments": [_argument(key, value, reached) for key, value in written.items()],
            "known": reached is not None,
            "result": None if result is None else _text(result.get("content") or ""),
            "error": bool(result.get("error")) if result is not None else False,
        }
        gold = self._find_gold(name, requestor, written if reached is None else reached)
        shown["gold"] = gold is not None
        if gold is None:
            self._differing.append((shown, written if reached is None else reached))
        return shown

    def _find_gold(
        self, name: str, requestor: str, arguments: Mapping[str, Any]
    ) -> Mapping[str, Any] | None:
        for action in self._open:
            if _is_as_gold(action, name, requestor, arguments):
                self._open.remove(action)
                return action
        return None

    def _explain(self) -> None:
        """Say of calls that differ from a call of gold's to the same tool what gold has.

        What the scorer found is as in gold, also where the arguments are only known as they were
        written.
        """
        for shown, arguments in self._differing:
            same = [action for action in self._open if action.get("name") == shown["name"]]
            found = next((action for action in same if self._is_met(action)), None)
            if found is not None and not shown["known"]:
                self._open.remove(found)
                shown["gold"] = True
                continue
            action = next((action for action in same if not self._is_met(action)), None)
            if action is not None:
                shown["expected"] = [
                    [str(key), _text(value)]
                    for key, value in as_mapping(action.get("arguments")).items()
                    if arguments.get(key) != value
                ]

    def _is_met(self, action: Mapping[str, Any]) -> bool:
        return any(action is met for met in self._met)

    def unmade(self) -> list[dict[str, Any]]:
        """Return gold's calls that were not made as gold has them."""
        return [
            {
                "name": str(action.get("name")),
                "arguments": [
                    [str(key), _text(value)]
                    for key, value in as_mapping(action.get("arguments")).items()
                ],
            }
            for action in self._open
            if not self._is_met(action)
        ]


def _argument(key: str, value: Any, reached: Mapping[str, Any] | None) -> list[str | None]:
    """Return name, what was written, and what reached the tool where that is something else."""
    written = _text(value)
    if reached is None or key not in reached:
        return [str(key), written, None]
    arrived = _text(reached[key])
    return [str(key), written, None if arrived == written else arrived]


def _is_as_gold(
    action: Mapping[str, Any], name: str, requestor: str, arguments: Mapping[str, Any]
) -> bool:
    if action.get("name") != name or (action.get("requestor") or AGENT) != requestor:
        return False
    expected = action.get("arguments")
    if not isinstance(expected, Mapping):
        return True
    compared = action.get("compare_args")
    keys = [key for key in expected if not isinstance(compared, list) or key in compared]
    return all(arguments.get(key) == expected[key] for key in keys)
