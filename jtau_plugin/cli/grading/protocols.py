"""A task as another scoring protocol grades it. Facts and texts stay as they are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jtau_plugin.compat.tasks import read_mark, reward_basis, write_mark
from jtau_plugin.localization.tasks import JUDGED
from jtau_plugin.scoring.floor import basis_of

_ORDER = ("DB", "ENV_ASSERTION", "ACTION", "COMMUNICATE", "NL_ASSERTION")
_ASSERTIONS, _COMMUNICATE = "NL_ASSERTION", "COMMUNICATE"


def protocol_basis(task: Any, protocol: str) -> tuple[str, ...]:
    """Return the names of what a protocol grades a task by.

    Args:
        task: a task of tau2, under any protocol.
        protocol: ``deterministic`` or ``judged``.
    """
    if task.evaluation_criteria is None:
        return ()
    wanted = {*basis_of(task), _COMMUNICATE} - {_ASSERTIONS}
    if protocol == JUDGED and task.evaluation_criteria.nl_assertions:
        wanted.add(_ASSERTIONS)
    return tuple(name for name in _ORDER if name in wanted)


def with_basis(task: Any, names: tuple[str, ...]) -> Any:
    """Return a copy of a task that is graded by these things."""
    criteria = task.evaluation_criteria
    if criteria is None:
        return task
    changed = criteria.model_copy(update={"reward_basis": reward_basis(list(names))})
    return task.model_copy(update={"evaluation_criteria": changed})


def with_protocol(task: Any, protocol: str) -> Any:
    """Return a copy of a task under a protocol; a mark of ours says so."""
    changed = with_basis(task, protocol_basis(task, protocol))
    mark = read_mark(task)
    if mark is None:
        return changed
    own_notes = changed.description.notes.partition("\n")[2] or None
    plain = changed.description.model_copy(update={"notes": own_notes})
    unmarked = changed.model_copy(update={"description": plain})
    return write_mark(unmarked, replace(mark, protocol=protocol))


def without_judge(task: Any) -> Any:
    """Return a copy of a task that is graded without its assertions in natural language."""
    return with_basis(task, tuple(name for name in basis_of(task) if name != _ASSERTIONS))
