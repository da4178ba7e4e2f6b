"""Helpers of the tests on repaired tasks: what is installed, what it becomes, what gold does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from jtau_plugin.localization.tasks import choose_renderings, choose_shared
from jtau_plugin.overlays.catalog import get_catalog
from jtau_plugin.patching.repairs import load_task_repairs, repair_tasks

from .support import registry


def load_tasks(task_set: str) -> dict[str, Any]:
    """Return all installed tasks of a task set by id."""
    return {task.id: task for task in registry().get_tasks_loader(task_set)()}


def default_ids(domain: str) -> frozenset[str]:
    """Return the ids of the repairs that are on without a setting."""
    repairs = load_task_repairs(domain).repairs
    return frozenset(repair.id for repair in repairs if repair.is_default)


def repair(tasks: Iterable[Any], domain: str, enabled: frozenset[str]) -> dict[str, Any]:
    """Return the tasks with the enabled repairs by id."""
    entries = repair_tasks(list(tasks), domain, enabled)
    return {entry.task.id: entry.task for entry in entries}


def choices(ids: Iterable[str], default: frozenset[str]) -> list[frozenset[str]]:
    """Return: nothing on, everything, all but one, one alone."""
    own = list(ids)
    all_but_one = [default - {name} for name in own]
    return [frozenset(), default, *all_but_one, *(frozenset({name}) for name in own)]


def unrendered(tasks: Iterable[Any], domain: str) -> list[Any]:
    """Return what the Japanese overlay says nothing to, or something else."""
    texts, file = get_catalog("ja", domain).tasks
    problems: list[Any] = []
    for task in tasks:
        if texts.tasks:
            choose_renderings(task, texts.tasks[task.id], file, problems, problems)
        else:
            choose_shared(task, texts.shared, file, problems, problems)
    return problems


def replay(env: Any, task: Any) -> list[str]:
    """Run gold as the evaluator does, in step with the user's phone; return the ids that raise."""
    raised = []
    for action in task.evaluation_criteria.actions or []:
        try:
            env.make_tool_call(action.name, requestor=action.requestor, **action.arguments)
            env.sync_tools()
        except Exception:
            raised.append(action.action_id)
    return raised


def runs(text: str, length: int = 8) -> Iterator[str]:
    """Yield each run of so many words; figures count as words and as none."""
    for pattern in (r"[a-z']+", r"[a-z0-9]+"):
        words = re.findall(pattern, text.lower())
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])


def written(domain: str) -> Iterator[tuple[str, str]]:
    """Yield (id, text) for each English text that the file of repairs holds."""
    file = load_task_repairs(domain)
    for own in file.repairs:
        values = own.value if isinstance(own.value, list) else [own.value]
        for text in (own.title, own.why, own.evidence, own.find, *values):
            if isinstance(text, str):
                yield own.id, text
    for decision in file.decisions:
        yield decision.findings[0], decision.why
