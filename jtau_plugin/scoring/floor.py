"""The do-nothing floor: which tasks an agent passes that refuses in one line.

Decided from the task where that is exact, and graded like any other conversation where it is not.
Nothing is known by task id, so the floor is that of the tasks as they are repaired and installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from jtau_plugin.scoring.causes import is_success

#: Says nothing that any task could expect.
REFUSAL = "I am afraid I can do nothing for you."
#: Kinds of tools that leave every database as it is.
HARMLESS = frozenset({"read", "think"})
_JUDGED = "NL_ASSERTION"


class Refusal(str, Enum):
    """What becomes of a refusal."""

    PASSES = "passes"
    FAILS = "fails"
    JUDGED = "up to the judge"
    UNKNOWN = "could not be graded"


@dataclass(frozen=True)
class Floor:
    """The floor of one domain.

    Attributes:
        tasks: how many tasks were looked at.
        passing: ids of the tasks that a refusal passes.
        judged: ids of those that it passes if the judge agrees.
        unknown: ids of those on which it could not be graded.
    """

    domain: str
    tasks: int
    passing: tuple[str, ...]
    judged: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def rate(self) -> float:
        """The share of tasks that a refusal passes without asking a judge."""
        return len(self.passing) / self.tasks if self.tasks else 0.0


def basis_of(task: Any) -> tuple[str, ...]:
    """Return the names of what a task is graded by."""
    criteria = task.evaluation_criteria
    basis = criteria.reward_basis if criteria is not None else None
    return tuple(getattr(kind, "value", kind) for kind in basis or ())


def decide(task: Any, tool_kind: Callable[[str, str], str | None]) -> Refusal | None:
    """Return what becomes of a refusal, or ``None`` if only grading it can tell.

    Args:
        task: a task of tau2.
        tool_kind: the kind of a tool, by requestor and name; ``None`` for one that does not exist.
    """
    criteria, basis = task.evaluation_criteria, basis_of(task)
    if criteria is None:
        return Refusal.PASSES
    if "COMMUNICATE" in basis and criteria.communicate_info:
        return Refusal.FAILS
    if "ACTION" in basis and criteria.actions:
        return Refusal.FAILS
    has_world = (task.initial_state is not None) or bool(criteria.env_assertions)
    kinds = {tool_kind(action.requestor, action.name) for action in criteria.actions or ()}
    if has_world or not kinds <= HARMLESS:
        return None
    return Refusal.JUDGED if _JUDGED in basis and criteria.nl_assertions else Refusal.PASSES


def find_floor(
    domain: str,
    tasks: Iterable[Any],
    tool_kind: Callable[[str, str], str | None],
    grade: Callable[[Any], float | None],
) -> Floor:
    """Return the floor of a domain's tasks.

    Args:
        domain: its registered name.
        tasks: tasks of tau2.
        tool_kind: the kind of a tool, by requestor and name.
        grade: the reward of a refusal of a task, its judged assertions left out; ``None`` if it
            could not be graded.
    """
    found: dict[Refusal, list[str]] = {verdict: [] for verdict in Refusal}
    count = 0
    for task in tasks:
        verdict = decide(task, tool_kind) or _graded(task, grade(task))
        found[verdict].append(task.id)
        count += 1
    kinds = (Refusal.PASSES, Refusal.JUDGED, Refusal.UNKNOWN)
    return Floor(domain, count, *(tuple(found[kind]) for kind in kinds))


def _graded(task: Any, reward: float | None) -> Refusal:
    if reward is None:
        return Refusal.UNKNOWN
    if not is_success(reward):
        return Refusal.FAILS
    has_assertions = bool(task.evaluation_criteria.nl_assertions)
    return Refusal.JUDGED if _JUDGED in basis_of(task) and has_assertions else Refusal.PASSES
