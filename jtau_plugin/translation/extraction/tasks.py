"""Segments of ``tasks.yaml``: every wording that some model reads of a task, repaired or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from jtau_plugin.errors import Problem, RepairError
from jtau_plugin.localization.tasks import task_texts
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.patching.catalogue import all_repairs
from jtau_plugin.patching.repairs import TaskRepairer, load_task_repairs
from jtau_plugin.patching.selection import select
from jtau_plugin.translation.english import English
from jtau_plugin.translation.extraction.segment import (
    LABEL,
    TASK,
    SourceSegment,
    join_address,
    short,
)
from jtau_plugin.translation.extraction.structure import Structure

#: Settings of the repairs whose wordings are all rendered, the default first; then tau2's own.
_SETTINGS = ("", "+facts,+text,+rules,+tools")
#: Where more tasks than this share a text, it is written once for all of them.
_SHARED_BY = 10
_PARTS = {
    "persona": "who the caller is",
    "instructions": "what the caller is told",
    "reason_for_call": "why the caller calls",
    "known_info": "what the caller knows",
    "unknown_info": "what the caller does not know",
    "task_instructions": "how the caller behaves",
    "ticket": "the ticket that an agent without a caller is given",
    "nl_assertions": "what a judge looks for afterwards",
}


@lru_cache(maxsize=16)
def _repairers(domain: str) -> tuple[TaskRepairer, ...]:
    file, catalogue = load_task_repairs(domain), all_repairs()
    return tuple(TaskRepairer(file, select(catalogue, s).enabled) for s in _SETTINGS)


def _distinct(english: English) -> dict[str, Any]:
    """Return the tasks of all sets by id; sets share their tasks."""
    return {task.id: task for tasks in english.tasks.values() for task in tasks}


def _variants(task: Any, domain: str, problems: list[Problem]) -> list[Any]:
    """Return the task as it is run by default, with every repair, and as it is installed."""
    variants = []
    for repairer in _repairers(domain):
        try:
            variants.append(repairer.repair([task])[0].task)
        except RepairError as error:
            problems += error.problems
    return [*variants, task]


@dataclass
class Wordings:
    """The wordings of one text of a task.

    Attributes:
        texts: the one that is run by default first.
        is_optional: the text is not there under every setting of the repairs.
    """

    texts: list[str] = field(default_factory=list)
    is_optional: bool = False


def task_wordings(
    english: English, problems: list[Problem] | None = None
) -> dict[tuple[str, str], Wordings]:
    """Return the wordings of each text of each task by (task, pointer).

    Args:
        english: the installed domain.
        problems: takes what repairs do not fit; such a task is read as it is installed.
    """
    found: dict[tuple[str, str], Wordings] = {}
    ignored: list[Problem] = []
    for task in _distinct(english).values():
        variants = _variants(task, english.domain, ignored)
        counts: Counter[str] = Counter()
        for variant in variants:
            for pointer, text in task_texts(variant):
                counts[pointer] += 1
                own = found.setdefault((task.id, pointer), Wordings())
                if text not in own.texts:
                    own.texts.append(text)
        for pointer, count in counts.items():
            found[task.id, pointer].is_optional = count < len(variants)
    if problems is not None:
        problems += dict.fromkeys(ignored)
    return found


def _is_shared(task_id: str, pointer: str, structure: Structure, uses: Mapping[str, float]) -> bool:
    if task_id in structure.own_tasks:
        return False
    if structure.own_tasks or structure.shared_tasks:
        return bool(structure.shared_tasks)
    return uses.get(pointer, 0) > _SHARED_BY


def _uses(wordings: Mapping[tuple[str, str], Wordings]) -> dict[str, float]:
    """Return how many tasks share a text on average, by pointer."""
    tasks: dict[str, int] = {}
    texts: dict[str, set[str]] = {}
    for (_, pointer), own in wordings.items():
        tasks[pointer] = tasks.get(pointer, 0) + 1
        texts.setdefault(pointer, set()).update(own.texts)
    return {pointer: count / len(texts[pointer]) for pointer, count in tasks.items()}


def _part(pointer: str) -> str:
    names = [name for name in pointer.split("/") if name in _PARTS]
    return _PARTS[names[-1]] if names else pointer


def extract_tasks(
    english: English, structure: Structure, problems: list[Problem] | None = None
) -> Iterator[SourceSegment]:
    """Yield every wording of every text of the domain's tasks, shared ones once."""
    file = f"{english.domain}/tasks.yaml"
    yield SourceSegment(
        address=join_address(file, "domain_label"),
        kind=LABEL,
        english=english.domain,
        component="tasks",
        file=file,
        key=("domain_label",),
        context={"is": "the name of the domain, as the caller's model reads it"},
    )
    wordings = task_wordings(english, problems)
    uses, seen = _uses(wordings), set()
    for (task_id, pointer), own in wordings.items():
        if not _is_shared(task_id, pointer, structure, uses):
            for index, text in enumerate(own.texts):
                segment = _own_segment(file, task_id, pointer, text, index)
                yield replace(segment, optional=own.is_optional)
            continue
        for text in own.texts:
            if (pointer, text) not in seen:
                seen.add((pointer, text))
                yield _shared_segment(file, pointer, text)


def _own_segment(file: str, task_id: str, pointer: str, text: str, index: int) -> SourceSegment:
    source = fingerprint_text(text)
    address = join_address(file, "tasks", task_id, pointer, "text")
    # The wording that is run by default keeps its address whatever it says.
    return SourceSegment(
        address=f"{address}@{short(source)}" if index else address,
        kind=TASK,
        english=text,
        component="tasks",
        file=file,
        key=("tasks", task_id, pointer, index),
        sources=(source,),
        context={"task": task_id, "is": _part(pointer), "wording": "other" if index else "run"},
    )


def _shared_segment(file: str, pointer: str, text: str) -> SourceSegment:
    source = fingerprint_text(text)
    return SourceSegment(
        address=join_address(file, "shared", pointer, short(source), "text"),
        kind=TASK,
        english=text,
        component="tasks",
        file=file,
        key=("shared", pointer),
        sources=(source,),
        context={"is": _part(pointer), "shared by": "many tasks"},
    )
