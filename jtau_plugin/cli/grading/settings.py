"""Whether simulations were run under the same settings, so that one figure may hold them all."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from jtau_plugin.compat.results_file import ResultsFile
from jtau_plugin.domains import localized_domains
from jtau_plugin.errors import Problem
from jtau_plugin.models.results import RecordedTask
from jtau_plugin.patching.catalogue import all_repairs, describe_repairs

_SCORER = "scorer"
_NAMED = 3


def check_settings(files: Sequence[ResultsFile], protocol: str | None) -> Iterator[Problem]:
    """Yield what keeps simulations of these files from being graded together.

    Args:
        files: what was read.
        protocol: the protocol that all are graded by; ``None`` if each keeps its own.
    """
    for file in files:
        yield from _check_stamps(file, protocol)
    if protocol is None:
        yield from _check_one(files, "protocol", _protocols, "--protocol grades all of them by one")
    yield from _check_one(files, "repairs", _choices, "grade them apart")
    for file in files:
        yield from _check_current(file)


def _names(file: ResultsFile, positions: Sequence[int]) -> str:
    simulations = [file.results.simulations[position] for position in positions[:_NAMED]]
    names = ", ".join(f"task {s.task_id}, trial {s.trial}" for s in simulations)
    rest = len(positions) - len(simulations)
    return f"{names} and {rest} more" if rest else names


def _groups(file: ResultsFile, key: str) -> dict[str, list[int]]:
    """Return the positions of the file's simulations by what they record under a key."""
    groups: dict[str, list[int]] = {}
    for position, simulation in enumerate(file.results.simulations):
        stamp = simulation.stamp
        if stamp and not _is_ungraded(stamp):
            groups.setdefault(json.dumps(stamp.get(key), sort_keys=True), []).append(position)
    return groups


def _is_ungraded(stamp: Mapping[str, Any]) -> bool:
    """Tell whether a stamp says nothing of the run: one that was never graded."""
    return "domain" not in stamp


def _check_stamps(file: ResultsFile, protocol: str | None) -> Iterator[Problem]:
    keys = ("domain", "locale", "scenario", "repairs")
    for key in keys if protocol is not None else (*keys, "protocol"):
        groups = _groups(file, key)
        if len(groups) > 1:
            said = "; ".join(f"{_shown(v)} ({_names(file, at)})" for v, at in groups.items())
            yield Problem(str(file.path), f"mixes simulations by {key}: {said}", "grade them apart")
    yield from _check_facts(file)


def _check_facts(file: ResultsFile) -> Iterator[Problem]:
    """Compare the facts that simulations were graded on with those of their tasks."""
    facts: dict[tuple[str, str], list[int]] = {}
    expected = {task.id: _mark_of(task).get("facts") for task in file.results.tasks}
    for position, simulation in enumerate(file.results.simulations):
        found = simulation.stamp.get("facts")
        if isinstance(found, str) and found != expected.get(simulation.task_id):
            facts.setdefault((simulation.task_id, found), []).append(position)
    for (task, found), positions in facts.items():
        wanted = str(expected.get(task) or "none")
        what = (
            f"holds simulations of other facts: {found[:12]} ({_names(file, positions)}), the task "
            f"in the file has {wanted[:12]}"
        )
        yield Problem(f"{file.path}: task {task}", what, "grade them apart")


def _shown(value: str, width: int = 60) -> str:
    return value if len(value) <= width else f"{value[:width]}…"


def _mark_of(task: RecordedTask) -> dict[str, Any]:
    """Return what a task's mark says, without any check; nothing for a task without one."""
    notes = (task.description.notes if task.description else None) or ""
    try:
        mark = json.loads(notes.partition("\n")[0].removeprefix("jtau: "))
    except ValueError:
        return {}
    return mark if isinstance(mark, dict) else {}


def _protocols(file: ResultsFile) -> Iterable[str]:
    found = {_mark_of(task).get("protocol") for task in file.results.tasks}
    return sorted(str(protocol) for protocol in found if protocol)


def _choices(file: ResultsFile) -> Iterable[str]:
    """Return the choices of repairs that a file's simulations were played under, as text."""
    stamps = [simulation.stamp for simulation in file.results.simulations]
    found = (stamp["repairs"] for stamp in stamps if isinstance(stamp.get("repairs"), dict))
    return sorted({_choice(repairs) for repairs in found})


def _choice(repairs: Mapping[str, Any]) -> str:
    """Return the choice without the scorer's part, which grading decides anew."""
    scorers = {repair.id for repair in all_repairs() if repair.class_ == _SCORER}
    classes = [name for name in repairs.get("classes") or () if name != _SCORER]
    changes = [change for change in repairs.get("changes") or () if change[1:] not in scorers]
    said = f"classes {', '.join(classes) or 'none'}"
    return f"{said}, changes {', '.join(changes)}" if changes else said


def _check_one(files: Sequence[ResultsFile], what: str, read: Any, hint: str) -> Iterator[Problem]:
    by_value: dict[str, list[str]] = {}
    for file in files:
        for value in read(file):
            by_value.setdefault(value, []).append(str(file.path))
    if len(by_value) > 1:
        said = "; ".join(f"{value} in {', '.join(paths)}" for value, paths in by_value.items())
        yield Problem("all files", f"more than one choice of {what}: {said}", hint)


def _check_current(file: ResultsFile) -> Iterator[Problem]:
    domain = localized_domains().get(file.results.domain)
    if domain is None:
        return
    current = _choice(describe_repairs(domain.overlay))
    for recorded in _choices(file):
        if recorded != current:
            what = f"was run with the repairs {recorded}, but set are {current}"
            yield Problem(str(file.path), what, "set JTAU_PATCHES as it was for the run")
