"""What conversations consisted of and cost, as far as the files say: turns, calls, tokens, money.

What is not recorded is counted as unknown and never as nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jtau_plugin.reporting.compare.arms import Run
from jtau_plugin.reporting.reading import as_mapping, as_mappings, as_number
from jtau_plugin.scoring.causes import Outcome

AGENT, USER, TOOL = "assistant", "user", "tool"


@dataclass(frozen=True)
class Average:
    """A mean over the conversations of which it is known.

    Attributes:
        value: ``None`` if it is known of none.
        known: of how many conversations it is known.
    """

    value: float | None
    known: int


@dataclass(frozen=True)
class Usage:
    """What the conversations of a run consisted of.

    Attributes:
        conversations: how many were played.
        averages: by what is counted; the keys of ``COUNTED``.
        endings: how many ended for each reason.
        refusals: how many tool calls of the agent were answered by an error, by tool.
    """

    conversations: int
    averages: Mapping[str, Average]
    endings: Mapping[str, int]
    refusals: Mapping[str, int]


#: What is counted of a conversation, and what reports call it.
COUNTED = {
    "agent_turns": "agent turns",
    "user_turns": "caller turns",
    "agent_calls": "agent tool calls",
    "refused_calls": "refused tool calls",
    "agent_tokens_in": "agent tokens in",
    "agent_tokens_out": "agent tokens out",
    "agent_cost": "agent cost ($)",
    "user_cost": "caller cost ($)",
    "duration": "duration (s)",
}


def messages_of(simulation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the messages of a simulation, those of a bundle of tool results one by one."""
    found: list[Mapping[str, Any]] = []
    for message in as_mappings(simulation.get("messages")):
        found += as_mappings(message.get("tool_messages")) or [message]
    return found


def calls_of(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the tool calls of a message."""
    return as_mappings(message.get("tool_calls"))


def has_text(message: Mapping[str, Any]) -> bool:
    """Tell whether a message says anything."""
    content = message.get("content")
    return isinstance(content, str) and bool(content.strip())


def is_refused(message: Mapping[str, Any]) -> bool:
    """Tell whether a tool answered the agent with an error."""
    return message.get("role") == TOOL and bool(message.get("error"))


def count_simulation(simulation: Mapping[str, Any]) -> dict[str, float | None]:
    """Return what is counted of one conversation; ``None`` for what is not recorded."""
    messages = messages_of(simulation)
    agent = [message for message in messages if message.get("role") == AGENT]
    refused = [m for m in messages if is_refused(m) and _requestor(m) == AGENT]
    return {
        "agent_turns": sum(map(has_text, agent)),
        "user_turns": sum(has_text(m) for m in messages if m.get("role") == USER),
        "agent_calls": sum(len(calls_of(message)) for message in agent),
        "refused_calls": len(refused),
        "agent_tokens_in": _tokens(agent, "prompt_tokens"),
        "agent_tokens_out": _tokens(agent, "completion_tokens"),
        "agent_cost": as_number(simulation.get("agent_cost")),
        "user_cost": as_number(simulation.get("user_cost")),
        "duration": as_number(simulation.get("duration")),
    }


def _requestor(message: Mapping[str, Any]) -> str:
    return str(message.get("requestor") or AGENT)


def _tokens(messages: Iterable[Mapping[str, Any]], key: str) -> float | None:
    usages = [as_mapping(message.get("usage")) for message in messages]
    numbers = [number for usage in usages if (number := as_number(usage.get(key))) is not None]
    return sum(numbers) if numbers else None


def find_usage(run: Run) -> Usage:
    """Return what the conversations of a run consisted of; a copy in the file counts once."""
    cells = [c for c in run.inventory.cells.values() if c.outcome is not Outcome.MISSING]
    simulations = [simulation for cell in cells if (simulation := run.simulation(cell))]
    counted = [count_simulation(simulation) for simulation in simulations]
    refusals: Counter[str] = Counter()
    for simulation in simulations:
        refusals.update(_refused_tools(simulation))
    return Usage(
        conversations=len(simulations),
        averages={key: _average([count[key] for count in counted]) for key in COUNTED},
        endings=Counter(str(s.get("termination_reason") or "?") for s in simulations),
        refusals=refusals,
    )


def _refused_tools(simulation: Mapping[str, Any]) -> Iterable[str]:
    messages = messages_of(simulation)
    names = {str(call.get("id")): str(call.get("name")) for m in messages for call in calls_of(m)}
    for message in messages:
        if is_refused(message) and _requestor(message) == AGENT:
            yield names.get(str(message.get("id")), "?")


def _average(values: Sequence[float | None]) -> Average:
    known = [value for value in values if value is not None]
    return Average(sum(known) / len(known) if known else None, len(known))


def join_usages(usages: Sequence[Usage]) -> Usage:
    """Return several runs' usage together, each conversation weighing the same."""
    averages = {}
    for key in COUNTED:
        parts = [usage.averages[key] for usage in usages]
        known = sum(part.known for part in parts)
        total = sum((part.value or 0.0) * part.known for part in parts)
        averages[key] = Average(total / known if known else None, known)
    endings: Counter[str] = Counter()
    refusals: Counter[str] = Counter()
    for usage in usages:
        endings.update(usage.endings)
        refusals.update(usage.refusals)
    return Usage(sum(usage.conversations for usage in usages), averages, endings, refusals)
