"""The tool calls of a conversation, with canonical arguments.

Never changes a message: what is canonicalized is a copy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any, Protocol


class Localizer(Protocol):
    """What is asked of a domain's localizer."""

    def canonicalize_arguments(
        self, tool: str, arguments: dict[str, Any], requestor: str = "assistant"
    ) -> tuple[dict[str, Any], list[Any]]:
        """Return canonical arguments and what was changed."""


def is_solo(messages: Iterable[Any]) -> bool:
    """Tell whether there is no user: in solo mode the agent calls the user's tools as its own."""
    return not any(message.role == "user" for message in messages)


def iter_calls(messages: Iterable[Any]) -> Iterator[Any]:
    """Yield the tool calls of agent and user in order."""
    for message in messages:
        yield from getattr(message, "tool_calls", None) or ()


def canonical_arguments(
    localizer: Localizer, name: str, arguments: dict[str, Any], requestor: str, *, solo: bool
) -> tuple[dict[str, Any], list[Any]]:
    """Return a call's canonical arguments and what was changed, as its environment saw it."""
    canonical, changes = localizer.canonicalize_arguments(name, arguments, requestor)
    if solo and not changes and requestor == "assistant":
        # No tool of the agent's has the name of one of the user's in solo mode.
        return localizer.canonicalize_arguments(name, arguments, "user")
    return canonical, changes


def canonicalize_trajectory(localizer: Localizer, messages: list[Any]) -> list[Any]:
    """Return a copy of the conversation whose tool calls carry canonical arguments."""
    solo = is_solo(messages)

    def canonical(call: Any) -> Any:
        arguments, changes = canonical_arguments(
            localizer, call.name, call.arguments, call.requestor, solo=solo
        )
        return call.model_copy(update={"arguments": deepcopy(arguments)}) if changes else call

    return [
        message.model_copy(update={"tool_calls": [canonical(call) for call in calls]})
        if (calls := getattr(message, "tool_calls", None))
        else message
        for message in messages
    ]


def count_changes(localizer: Localizer, messages: list[Any]) -> dict[str, int]:
    """Return how many arguments of a conversation were canonicalized, by rule."""
    counts: Counter[str] = Counter()
    solo = is_solo(messages)
    for call in iter_calls(messages):
        _, changes = canonical_arguments(
            localizer, call.name, call.arguments, call.requestor, solo=solo
        )
        counts.update(change.rule for change in changes)
    return dict(sorted(counts.items()))
