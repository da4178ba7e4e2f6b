"""A conversation as it was played: turns and calls, from a results file or from tau2's own objects.

Never judges. A turn is everything that one side does until the other does something; what it says
to the other side is its text. Text beside a tool call reaches nobody and is no speech.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Side = Literal["agent", "user"]
_SIDES: dict[str, Side] = {"assistant": "agent", "user": "user"}


@dataclass(frozen=True)
class Call:
    """A tool call and what came of it.

    Attributes:
        position: of its message in the conversation.
        result: what the tool returned; ``None`` if nothing is recorded.
        is_error: whether the tool refused it.
    """

    side: Side
    name: str
    arguments: Mapping[str, Any]
    position: int
    result: str | None = None
    is_error: bool = False


@dataclass(frozen=True)
class Turn:
    """What one side does until the other does something.

    Attributes:
        number: from 0; an agent's turn answers the caller's turn of the same number.
        position: of the message in which it speaks, else of its first.
        text: what it says to the other side; empty if it says nothing.
        calls: its tool calls.
        is_scripted: the model did not write it: a greeting, or a history that the task brings.
    """

    side: Side
    number: int
    position: int
    text: str
    calls: tuple[Call, ...] = ()
    is_scripted: bool = False


@dataclass(frozen=True)
class Conversation:
    """A conversation.

    Attributes:
        turns: in order.
        is_solo: there is no caller.
    """

    turns: tuple[Turn, ...]
    is_solo: bool = False

    @property
    def calls(self) -> tuple[Call, ...]:
        """Every call, in order."""
        return tuple(call for turn in self.turns for call in turn.calls)

    def of(self, side: Side) -> list[Turn]:
        """Return the turns of one side that its model wrote."""
        return [turn for turn in self.turns if turn.side == side and not turn.is_scripted]


@dataclass
class _Draft:
    side: Side
    position: int
    texts: list[str] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)


def _get(message: Any, name: str) -> Any:
    return message.get(name) if isinstance(message, Mapping) else getattr(message, name, None)


def _flat(messages: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """Yield each message with its position; several results in one message become several."""
    for position, message in enumerate(messages):
        several = _get(message, "tool_messages")
        if isinstance(several, list | tuple):
            yield from ((position, one) for one in several)
        else:
            yield position, message


def read_conversation(messages: Iterable[Any], scripted: int = 0) -> Conversation:
    """Return a conversation.

    Args:
        messages: as they stand in a results file, or tau2's own objects.
        scripted: how many messages at the start the task brings as a history.
    """
    drafts: list[_Draft] = []
    open_calls: list[dict[str, Any]] = []
    for position, message in _flat(messages):
        role = _get(message, "role")
        if role == "tool":
            _answer(open_calls, message)
        elif role in _SIDES:
            side = _SIDES[role]
            if not drafts or drafts[-1].side != side:
                drafts.append(_Draft(side, position))
            open_calls += _add(drafts[-1], position, message)
    is_solo = not any(draft.side == "user" for draft in drafts)
    return Conversation(tuple(_number(drafts, scripted, is_solo=is_solo)), is_solo)


def _add(draft: _Draft, position: int, message: Any) -> list[dict[str, Any]]:
    """Add a message to a turn, and return the calls that wait for a result."""
    calls = []
    made = _get(message, "tool_calls")
    for call in made if isinstance(made, list | tuple) else ():
        arguments = _get(call, "arguments")
        calls.append(
            {
                "id": _get(call, "id"),
                "side": _SIDES.get(str(_get(call, "requestor")), draft.side),
                "name": str(_get(call, "name")),
                "arguments": arguments if isinstance(arguments, Mapping) else {},
                "position": position,
            }
        )
    content = _get(message, "content")
    if isinstance(content, str) and not calls:
        if not any(text.strip() for text in draft.texts):
            draft.position = position
        draft.texts.append(content)
    draft.calls += calls
    return calls


def _answer(open_calls: list[dict[str, Any]], message: Any) -> None:
    """Give a result to its call: the one with its id, else the first that waits."""
    name = _get(message, "id")
    found = next((call for call in open_calls if call["id"] == name), None)
    found = found or next(iter(open_calls), None)
    if found is None:
        return
    open_calls.remove(found)
    content = _get(message, "content")
    found["result"] = content if isinstance(content, str) else None
    found["is_error"] = bool(_get(message, "error"))


def _number(drafts: list[_Draft], scripted: int, *, is_solo: bool) -> Iterator[Turn]:
    numbers = {"agent": 0, "user": 0}
    has_spoken = is_solo
    for draft in drafts:
        is_scripted = draft.position < scripted or (draft.side == "agent" and not has_spoken)
        has_spoken = has_spoken or draft.side == "user"
        number = numbers[draft.side]
        if not is_scripted:
            numbers[draft.side] += 1
        calls = tuple(
            Call(**{key: value for key, value in call.items() if key != "id"})
            for call in draft.calls
        )
        text = "\n".join(text for text in draft.texts if text.strip())
        yield Turn(draft.side, number, draft.position, text, calls, is_scripted)
