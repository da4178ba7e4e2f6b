"""What must be equal between arms before a difference means anything, and what is only told.

Compares what the files record; nothing is loaded or run to find out more.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jtau_plugin.errors import Problem, ResultsError
from jtau_plugin.reporting.compare.arms import UPSTREAM, Arm, Run
from jtau_plugin.reporting.reading import as_list, as_mapping

_SHOWN = 5
_SHORT = 12
_MARK = "jtau: "
_NOT_RECORDED = "not recorded"


@dataclass(frozen=True)
class Mixture:
    """Something that differs between runs that are compared.

    Attributes:
        key: ``facts``, ``protocol``, ``repairs``, ``overlay``; or what is only told.
        where: the domain, or the domain and the task.
        values: what was found, with the arms that have it.
        is_refused: whether a comparison needs ``--allow-mixed``.
    """

    key: str
    where: str
    values: tuple[tuple[str, tuple[str, ...]], ...]
    is_refused: bool

    def __str__(self) -> str:
        said = "; ".join(f"{value} ({', '.join(arms)})" for value, arms in self.values)
        return f"{self.where}: different {self.key}: {said}"


def find_mixtures(arms: Sequence[Arm]) -> list[Mixture]:
    """Return everything that differs, what is refused first."""
    found = list(_find(arms))
    return sorted(found, key=lambda mixture: not mixture.is_refused)


def check_mixtures(mixtures: Sequence[Mixture]) -> None:
    """Refuse what must not be compared.

    Raises:
        ResultsError: all of it.
    """
    refused = [mixture for mixture in mixtures if mixture.is_refused]
    if refused:
        hint = "--allow-mixed compares them all the same, and the report says so"
        problems = []
        for mixture in refused:
            where, _, what = str(mixture).partition(": ")
            problems.append(Problem(where, what, hint if mixture is refused[-1] else ""))
        raise ResultsError("These arms were not run under the same conditions.", problems)


def _find(arms: Sequence[Arm]) -> Iterator[Mixture]:
    for base in dict.fromkeys(base for arm in arms for base in arm.runs):
        runs = {arm.name: arm.runs[base] for arm in arms if base in arm.runs}
        yield from _compare(runs, "protocol", base, protocols)
        yield from _compare(runs, "repairs", base, _repairs)
        yield from _compare_facts(runs, base)
        for locale in dict.fromkeys(run.locale for run in runs.values()):
            same = {name: run for name, run in runs.items() if run.locale == locale}
            yield from _compare(same, "overlay", f"{base} in {locale}", _overlays)
        for key, read in _TOLD.items():
            yield from _compare(runs, key, base, read, is_refused=False)


def _compare(
    runs: Mapping[str, Run],
    key: str,
    where: str,
    read: Callable[[Run], Sequence[str]],
    *,
    is_refused: bool = True,
) -> Iterator[Mixture]:
    found: dict[str, list[str]] = {}
    for name, run in runs.items():
        for value in read(run):
            found.setdefault(value, []).append(name)
    if len(found) > 1:
        values = tuple((value, tuple(names)) for value, names in found.items())
        yield Mixture(key, where, values, is_refused)


def _stamped(run: Run, key: str) -> list[Any]:
    """Return the different values that the simulations record under a key."""
    found = {json.dumps(stamp.get(key), sort_keys=True): stamp.get(key) for stamp in run.stamps}
    return [value for value in found.values() if value is not None]


def mark_of(task: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a task's mark says, without any check; nothing for a task without one."""
    notes = as_mapping(task.get("description")).get("notes")
    if not isinstance(notes, str) or not notes.startswith(_MARK):
        return {}
    try:
        mark = json.loads(notes.partition("\n")[0].removeprefix(_MARK))
    except ValueError:
        return {}
    return mark if isinstance(mark, dict) else {}


def protocols(run: Run) -> list[str]:
    """Return by which protocols a run was graded."""
    stamped = [str(value) for value in _stamped(run, "protocol")]
    marked = [str(m["protocol"]) for m in map(mark_of, run.tasks.values()) if m.get("protocol")]
    found = stamped or list(dict.fromkeys(marked))
    if found:
        return found
    bases = {tuple(sorted(_basis(task))) for task in run.tasks.values()}
    return [f"upstream's ({'; '.join(' and '.join(basis) for basis in sorted(bases) if basis)})"]


def _basis(task: Mapping[str, Any]) -> list[str]:
    criteria = as_mapping(task.get("evaluation_criteria"))
    return [str(name) for name in as_list(criteria.get("reward_basis"))]


def _repairs(run: Run) -> list[str]:
    found = []
    for repairs in _stamped(run, "repairs"):
        if isinstance(repairs, Mapping):
            classes = ", ".join(map(str, as_list(repairs.get("classes")))) or "none"
            changes = ", ".join(map(str, as_list(repairs.get("changes"))))
            said = f"classes {classes}{f', changed {changes}' if changes else ''}"
            found.append(f"{said}, fingerprint {str(repairs.get('fingerprint'))[:_SHORT]}")
    # A run of ours in which nothing was graded does not say; one of tau2's own domains has none.
    return found or (["none recorded"] if run.scenario == UPSTREAM else [])


def _overlays(run: Run) -> list[str]:
    return [str(overlay)[:_SHORT] for overlay in _stamped(run, "overlay")]


def facts_of(run: Run) -> dict[str, set[str]]:
    """Return the fingerprint of each task's facts; two or more where a file is mixed in itself."""
    found: dict[str, set[str]] = {}
    for simulation in run.file.results.simulations:
        facts = simulation.stamp.get("facts")
        if facts:
            found.setdefault(simulation.task_id, set()).add(str(facts))
    for name, task in run.tasks.items():
        mark = mark_of(task).get("facts")
        found.setdefault(name, {str(mark)} if mark else {fingerprint_raw_facts(task)})
    return found


def fingerprint_raw_facts(task: Mapping[str, Any]) -> str:
    """Return the fingerprint of a task's facts as ``localization.tasks`` takes it, from a file."""
    keys = ("id", "initial_state", "evaluation_criteria")
    facts = json.loads(json.dumps({key: task.get(key) for key in keys}))
    facts["id"] = str(facts["id"])
    criteria = facts["evaluation_criteria"]
    if isinstance(criteria, dict):
        for name in ("nl_assertions", "reward_basis"):
            criteria.pop(name, None)
        for action in criteria["actions"] if isinstance(criteria.get("actions"), list) else ():
            if isinstance(action, dict):
                action.pop("info", None)
    text = json.dumps(facts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _compare_facts(runs: Mapping[str, Run], base: str) -> Iterator[Mixture]:
    facts = {name: facts_of(run) for name, run in runs.items()}
    tasks = dict.fromkeys(task for found in facts.values() for task in found)
    different: list[Mixture] = []
    for task in tasks:
        by_value: dict[str, list[str]] = {}
        for name, found in facts.items():
            for value in sorted(found.get(task, ())):
                by_value.setdefault(value[:_SHORT], []).append(name)
        if len(by_value) > 1:
            values = tuple((value, tuple(names)) for value, names in by_value.items())
            different.append(Mixture("facts", f"{base}, task {task}", values, is_refused=True))
    yield from different[:_SHOWN]
    if len(different) > _SHOWN:
        names = ", ".join(one.where.rpartition(" ")[2] for one in different[_SHOWN:])
        rest = ((f"tasks {names}", tuple(runs)),)
        yield Mixture("facts", f"{base}, {len(different) - _SHOWN} more tasks", rest, True)


def _joined(run: Run, key: str) -> list[str]:
    return [str(value) for value in _stamped(run, key)] or [_NOT_RECORDED]


def _patches(run: Run) -> list[str]:
    found = [", ".join(map(str, as_list(v))) or "none" for v in _stamped(run, "patches")]
    return found or [_NOT_RECORDED]


#: What may differ, and is told.
_TOLD: dict[str, Callable[[Run], Sequence[str]]] = {
    "user simulators": lambda run: [run.user_model],
    "numbers of trials": lambda run: [str(run.inventory.num_trials)],
    "plugin versions": lambda run: _joined(run, "plugin"),
    "versions of tau2": lambda run: _joined(run, "tau2"),
    "code patches": _patches,
    "settings of argument reading": lambda run: [
        f"strict arguments {value}" for value in _stamped(run, "strict_arguments")
    ],
    "stale texts": lambda run: [f"{len(as_list(value))} stale" for value in _stamped(run, "stale")],
}
