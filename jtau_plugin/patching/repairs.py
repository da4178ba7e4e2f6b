"""Repairs of task data: applied to the installed tasks when they are loaded, never to a file.

A repair whose guard fits is applied; one whose result already stands there is satisfied; anything
else is an error, since the installed tau2 then says something that nobody has looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from jtau_plugin import resources
from jtau_plugin.errors import Problem, RepairError
from jtau_plugin.models.patches import TaskRepair, TaskRepairsFile
from jtau_plugin.overlays.loader import load_model
from jtau_plugin.overlays.yamlfile import YamlFile
from jtau_plugin.patching.canonical import (
    MISSING,
    find_value,
    fingerprint_value,
    key_in,
    split_pointer,
)

ALL_TASKS = "*"
_HINT = "'jtau patches verify' shows every repair; JTAU_PATCHES=-{id} goes without this one"

#: How a repair stands to a value: it changes it, finds its result there, or does not fit.
Fit = Literal["applies", "satisfied", "unfit"]


@dataclass(frozen=True)
class RepairedTask:
    """A task after its repairs.

    Attributes:
        task: tau2's task; the very object that went in when nothing changed.
        repairs: ids of the repairs whose result it holds, in the file's order.
    """

    task: Any
    repairs: tuple[str, ...]


@cache
def _load(path: Path) -> tuple[TaskRepairsFile, YamlFile | None]:
    if not path.is_file():
        return TaskRepairsFile(domain=path.stem), None
    return load_model(path, TaskRepairsFile)


def task_repairs_path(domain: str) -> Path:
    """Return where the repairs of a domain's tasks are written."""
    return resources.data_root() / "patches" / "tasks" / f"{domain}.yaml"


def load_task_repairs(domain: str) -> TaskRepairsFile:
    """Return the repairs of a domain's tasks; a domain without a file has none.

    Raises:
        OverlayError: for a file that cannot be used.
        RepairError: for two repairs with one id, or two that write the same place of a task.
    """
    file, source = _load(task_repairs_path(domain))
    if source is not None:
        problems = list(_conflicts(file, source))
        if problems:
            raise RepairError(f"The repairs of {domain} contradict each other.", problems)
    return file


def is_wildcard(name: str) -> bool:
    """Return whether a task name of a repair stands for every task that the guard fits."""
    return name.startswith(ALL_TASKS)


def _named(repair: TaskRepair) -> set[str]:
    return {name for name in repair.tasks if not is_wildcard(name)}


def _overlap(left: str, right: str) -> bool:
    a, b = split_pointer(left), split_pointer(right)
    shorter = min(len(a), len(b))
    return a[:shorter] == b[:shorter]


def _conflicts(file: TaskRepairsFile, source: YamlFile) -> Iterable[Problem]:
    seen: dict[str, int] = {}
    for index, repair in enumerate(file.repairs):
        where = source.where(("repairs", index, "id"))
        if repair.id in seen:
            first = source.where(("repairs", seen[repair.id], "id"))
            yield Problem(where, f"repair {repair.id!r} stands twice (first at {first})", "")
        seen.setdefault(repair.id, index)
        for other in file.repairs[:index]:
            shared = _named(repair) & _named(other)
            if shared and other.id != repair.id and _overlap(repair.pointer, other.pointer):
                what = (
                    f"{repair.id!r} and {other.id!r} both write {repair.pointer} of task "
                    f"{', '.join(sorted(shared))}"
                )
                yield Problem(where, what, "make one repair of them")


def fit_of(repair: TaskRepair, document: Mapping[str, Any]) -> Fit:
    """Return how a repair stands to a task's plain data."""
    found = find_value(document, repair.pointer)
    if found is MISSING:
        by_op: dict[str, Fit] = {"add": "applies", "remove": "satisfied"}
        return by_op.get(repair.op, "unfit")
    fingerprint = fingerprint_value(found)
    if fingerprint in repair.guard and repair.op != "add":
        return "applies"
    if fingerprint in repair.accept:
        return "satisfied"
    if repair.op in ("replace", "add"):
        return "satisfied" if fingerprint == fingerprint_value(repair.value) else "unfit"
    if repair.op == "substitute" and isinstance(found, str):
        return "satisfied" if repair.find not in found and repair.value in found else "unfit"
    return "unfit"


def apply_repair(repair: TaskRepair, document: Any) -> None:
    """Change a task's plain data in place; the caller has seen that the repair applies."""
    *parents, last = split_pointer(repair.pointer)
    container = document
    for segment in parents:
        container = container[key_in(container, segment)]
    key = key_in(container, last)
    if repair.op == "remove":
        if isinstance(container, list):
            del container[key]
        else:
            container[key] = None
    elif repair.op == "substitute":
        container[key] = container[key].replace(repair.find, repair.value)
    elif isinstance(container, list) and key is MISSING:
        container.append(deepcopy(repair.value))
    else:
        container[last if key is MISSING else key] = deepcopy(repair.value)


class TaskRepairer:
    """Applies one domain's repairs to its tasks.

    Args:
        file: the domain's repairs.
        enabled: ids of all repairs that are on.
    """

    def __init__(self, file: TaskRepairsFile, enabled: frozenset[str]) -> None:
        on = [repair for repair in file.repairs if repair.id in enabled]
        self._domain = file.domain
        self._wild = [repair for repair in on if any(map(is_wildcard, repair.tasks))]
        self._order = {repair.id: index for index, repair in enumerate(on)}
        self._named: dict[str, list[TaskRepair]] = {}
        for repair in on:
            for name in _named(repair):
                self._named.setdefault(name, []).append(repair)

    def repair(self, tasks: list[Any]) -> list[RepairedTask]:
        """Return the repaired tasks in the same order.

        Raises:
            RepairError: for each guard that does not fit, named with task and pointer.
        """
        problems: list[Problem] = []
        repaired = [self._repair(task, problems) for task in tasks]
        if problems:
            raise RepairError(f"Repairs of {self._domain} do not fit the installed tau2.", problems)
        return repaired

    def _repairs_for(self, task_id: str) -> list[TaskRepair]:
        own = self._named.get(task_id, [])
        wild = [
            repair
            for repair in self._wild
            if any(is_wildcard(name) and name[1:] in task_id for name in repair.tasks)
            and repair not in own
        ]
        return sorted(own + wild, key=lambda repair: self._order[repair.id])

    def _repair(self, task: Any, problems: list[Problem]) -> RepairedTask:
        repairs = self._repairs_for(task.id)
        if not repairs:
            return RepairedTask(task, ())
        document = task.model_dump(mode="json")
        held, has_changed = [], False
        for repair in repairs:
            fit = fit_of(repair, document)
            if fit == "unfit":
                if task.id in repair.tasks:
                    problems.append(_unfit(repair, task.id, document))
                continue
            held.append(repair.id)
            if fit == "applies":
                apply_repair(repair, document)
                has_changed = True
        new = type(task).model_validate(document) if has_changed else task
        return RepairedTask(new, tuple(held))


def _unfit(repair: TaskRepair, task_id: str, document: Any) -> Problem:
    found = find_value(document, repair.pointer)
    what = "nothing" if found is MISSING else f"a value with fingerprint {fingerprint_value(found)}"
    expected = ", ".join(repair.guard) or "nothing"
    return Problem(
        f"task {task_id} {repair.pointer}",
        f"repair {repair.id} found {what}, expected {expected}",
        _HINT.format(id=repair.id),
    )


def repair_tasks(tasks: list[Any], domain: str, enabled: frozenset[str]) -> list[RepairedTask]:
    """Return a domain's installed tasks with the enabled repairs applied.

    Args:
        tasks: tau2's tasks of the domain; they are left as they are.
        domain: tau2's name of the domain, ``retail``.
        enabled: ids of all repairs that are on.

    Raises:
        RepairError: for each guard that does not fit.
    """
    return TaskRepairer(load_task_repairs(domain), enabled).repair(tasks)
