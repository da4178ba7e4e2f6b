"""Wrong conversations made from gold: each leaves out or changes exactly one thing.

A mutant counts when it leaves another final state than gold, or leaves out or changes a fact that
has to be communicated; whatever the scorer then thinks of it, it is not what the task asks for.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from tau2.data_model.message import AssistantMessage, ToolCall, UserMessage
from tau2.data_model.simulation import SimulationRun

from .scripted import evaluate
from .support import registry

_WHEN = "2026-01-01T00:00:00"
_PER_ARGUMENT = 2


@dataclass(frozen=True)
class Conversation:
    """What is done and said.

    Attributes:
        calls: (tool, canonical arguments, requestor) in order.
        facts: what the agent communicates.
    """

    calls: tuple[tuple[str, dict[str, Any], str], ...]
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Mutant:
    """A conversation with one fault.

    Attributes:
        kind: what was done to gold: ``drop``, ``argument``, ``fact left out``, ``fact changed``.
        at: where: the action's place and the argument's path, or the fact.
        conversation: the result.
    """

    kind: str
    at: str
    conversation: Conversation


def gold_of(task: Any) -> Conversation:
    criteria = task.evaluation_criteria
    calls = tuple((a.name, a.arguments, a.requestor) for a in criteria.actions or ())
    return Conversation(calls, tuple(criteria.communicate_info or ()))


def _initialize(env: Any, task: Any) -> None:
    state = task.initial_state
    env.set_state(
        initialization_data=state.initialization_data if state else None,
        initialization_actions=state.initialization_actions if state else None,
        message_history=[],
    )


class Stage:
    """Plays conversations of one domain."""

    def __init__(self, domain: str) -> None:
        self.domain = domain

    def play(self, task: Any, conversation: Conversation) -> tuple[list[Any], tuple[Any, Any]]:
        """Return the messages of a conversation and the databases that it ends with."""
        env = registry().get_env_constructor(self.domain)()
        _initialize(env, task)
        messages = [
            AssistantMessage(role="assistant", content="Hi! How can I help you today?"),
            UserMessage(role="user", content="1"),
        ]
        for number, (name, arguments, requestor) in enumerate(conversation.calls):
            call = ToolCall(
                id=f"c{number}", name=name, arguments=deepcopy(arguments), requestor=requestor
            )
            speaker = UserMessage if requestor == "user" else AssistantMessage
            messages += [speaker(role=requestor, content=None, tool_calls=[call])]
            messages += [env.get_response(call)]
        said = "\n".join(f"- {fact}" for fact in conversation.facts) or "-"
        messages += [
            AssistantMessage(role="assistant", content=said),
            UserMessage(role="user", content="###STOP###"),
        ]
        return messages, (env.tools.db, getattr(env.user_tools, "db", None))

    def grade(self, task: Any, messages: list[Any]) -> Any:
        """Return the RewardInfo of a conversation."""
        run = SimulationRun(
            id="s",
            task_id=task.id,
            timestamp=_WHEN,
            start_time=_WHEN,
            end_time=_WHEN,
            duration=0.0,
            termination_reason="user_stop",
            messages=messages,
        )
        return evaluate(task, run, self.domain)


@cache
def _pool(domain: str) -> dict[str, tuple[Any, ...]]:
    """Return every value that golds of a domain give to a key, by key."""
    found: dict[str, dict[str, Any]] = {}

    def collect(key: str, value: Any) -> None:
        if isinstance(value, dict):
            for name, child in value.items():
                collect(name, child)
        elif isinstance(value, list):
            for child in value:
                collect(key, child)
        else:
            found.setdefault(key, {})[repr(value)] = value

    for task in registry().get_tasks_loader(domain)():
        for action in task.evaluation_criteria.actions or ():
            collect("", action.arguments)
    return {key: tuple(values.values()) for key, values in found.items()}


def _others(domain: str, key: str, value: Any) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield value + 1
        yield max(value - 1, 0)
    else:
        pool = _pool(domain).get(key, ())
        start = next((i for i, other in enumerate(pool) if other == value), 0)
        yield from (pool[start + 1 :] + pool[:start])[:3]
        yield f"{value}0"


def _mutations(domain: str, key: str, value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield (path, value with one change)."""
    if isinstance(value, dict):
        for name, child in value.items():
            for where, new in _mutations(domain, name, child, f"{path}.{name}"):
                yield where, {**value, name: new}
    elif isinstance(value, list):
        for index, child in enumerate(value):
            for where, new in _mutations(domain, key, child, f"{path}[{index}]"):
                yield where, [*value[:index], new, *value[index + 1 :]]
        if value:
            yield f"{path}[-]", value[:-1]
    else:
        for other in _others(domain, key, value):
            if other != value:
                yield path, other


def _with_call(gold: Conversation, index: int, arguments: dict[str, Any] | None) -> Conversation:
    name, _, requestor = gold.calls[index]
    middle = () if arguments is None else ((name, arguments, requestor),)
    return Conversation((*gold.calls[:index], *middle, *gold.calls[index + 1 :]), gold.facts)


def _other_fact(fact: str) -> str:
    plain = fact.replace(",", "")
    try:
        return str(round(float(plain) + 1, 2)).removesuffix(".0")
    except ValueError:
        return "something else"


def candidates(domain: str, gold: Conversation) -> Iterator[Mutant]:
    """Yield every conversation that differs from gold in one thing, effective or not."""
    for index, (name, arguments, _) in enumerate(gold.calls):
        yield Mutant("drop", f"{index} {name}", _with_call(gold, index, None))
        for where, new in _mutations(domain, "", arguments, f"{index} {name}"):
            yield Mutant("argument", where, _with_call(gold, index, new))
    for index, fact in enumerate(gold.facts):
        rest = (*gold.facts[:index], *gold.facts[index + 1 :])
        yield Mutant("fact left out", fact, Conversation(gold.calls, rest))
        other = (*gold.facts[:index], _other_fact(fact), *gold.facts[index + 1 :])
        yield Mutant("fact changed", fact, Conversation(gold.calls, other))


def mutants(
    stage: Stage, task: Any, per_argument: int = _PER_ARGUMENT
) -> Iterator[tuple[Mutant, list[Any]]]:
    """Yield the mutants of a task that count, with their messages.

    A fact that another fact or a remaining one says as well is not dropped by leaving it out.
    """
    gold = gold_of(task)
    _, goal = stage.play(task, gold)
    taken: dict[str, int] = {}
    for mutant in candidates(stage.domain, gold):
        if mutant.kind.startswith("fact"):
            if mutant.at not in mutant.conversation.facts:
                yield mutant, stage.play(task, mutant.conversation)[0]
            continue
        if mutant.kind == "argument" and taken.get(mutant.at, 0) >= per_argument:
            continue
        messages, state = stage.play(task, mutant.conversation)
        if state != goal:
            taken[mutant.at] = taken.get(mutant.at, 0) + 1
            yield mutant, messages
