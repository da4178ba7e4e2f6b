"""Which tool call carries out which gold action.

Never sees a conversation or a database: gold actions and calls in, one verdict per gold action out.
Each call carries out at most one gold action, and the assignment that satisfies the most of them
is found, so that neither the order of calls nor that of gold decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Call:
    """A tool call with canonical arguments.

    Attributes:
        name: the tool.
        arguments: by parameter.
        requestor: who called, ``assistant`` or ``user``.
    """

    name: str
    arguments: Mapping[str, Any]
    requestor: str = "assistant"


@dataclass(frozen=True)
class GoldAction(Call):
    """An expected call.

    Attributes:
        keys: the arguments that count; ``None`` for all that gold names, empty for the name alone.
    """

    keys: tuple[str, ...] | None = None


class _Missing:
    """What an argument is that was left out: equal to nothing but itself."""


_MISSING = _Missing()


def is_same_value(left: Any, right: Any) -> bool:
    """Tell whether two arguments say the same: 2 and 2.0 do, 1 and ``True`` or ``"1"`` do not."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(
            is_same_value(value, right[key]) for key, value in left.items()
        )
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(is_same_value, left, right))
    return bool(left == right)


def carries_out(call: Call, gold: GoldAction, *, any_requestor: bool = False) -> bool:
    """Tell whether a call is the expected one: the same tool, caller and counting arguments.

    Args:
        call: what was called.
        gold: what was expected.
        any_requestor: in solo mode, where the agent calls the user's tools as its own.
    """
    if call.name != gold.name:
        return False
    if not any_requestor and call.requestor != gold.requestor:
        return False
    keys = gold.arguments.keys() if gold.keys is None else gold.keys
    return all(
        is_same_value(call.arguments.get(key, _MISSING), gold.arguments.get(key, _MISSING))
        for key in keys
    )


def match_actions(
    golds: Sequence[GoldAction], calls: Sequence[Call], *, any_requestor: bool = False
) -> list[int | None]:
    """Return for each gold action the index of the call that carries it out, or ``None``.

    No call is given twice. As many gold actions as possible are matched (a maximum matching in the
    bipartite graph of golds and calls).
    """
    fitting = [
        [i for i, call in enumerate(calls) if carries_out(call, gold, any_requestor=any_requestor)]
        for gold in golds
    ]
    owner: dict[int, int] = {}

    def place(gold: int, tried: set[int]) -> bool:
        """Give ``gold`` a call, moving the golds before it to other calls where needed."""
        free = next((call for call in fitting[gold] if call not in owner), None)
        if free is not None:
            owner[free] = gold
            return True
        for call in fitting[gold]:
            if call not in tried:
                tried.add(call)
                if place(owner[call], tried):
                    owner[call] = gold
                    return True
        return False

    for gold in range(len(golds)):
        place(gold, set())
    found = {gold: call for call, gold in owner.items()}
    return [found.get(gold) for gold in range(len(golds))]
