"""Grades the conversations of files again, one by one or in several processes.

What cannot be graded is an evaluator error that says why; the conversation itself is never changed.
"""

from __future__ import annotations

import contextlib
import importlib
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from loguru import logger
from pydantic import ValidationError

from jtau_plugin.cli.grading.plan import Plan
from jtau_plugin.cli.grading.protocols import without_judge
from jtau_plugin.cli.progress import Progress
from jtau_plugin.cli.quiet import quiet_tau2
from jtau_plugin.compat import hooks, layout
from jtau_plugin.compat.refusal import refuse, tool_kinds
from jtau_plugin.compat.results_file import (
    build_simulation,
    build_task,
    dump_reward,
    evaluate,
    format_location,
)
from jtau_plugin.errors import JtauError, SettingError
from jtau_plugin.models.results import RecordedResults, RecordedSimulation
from jtau_plugin.patching.engine import get_engine
from jtau_plugin.scoring.causes import NORMAL_STOPS, UNGRADED_STATES
from jtau_plugin.scoring.floor import REFUSAL, Floor, decide, find_floor
from jtau_plugin.scoring.verdicts import upstream_reward

_FAILURE = "The evaluation failed; the conversation is kept and can be graded again."


@dataclass(frozen=True)
class Job:
    """One conversation to grade.

    Attributes:
        task: the task as plain data.
        simulation: the conversation as plain data; ``None`` for a refusal.
        protocol: what a task of tau2's own domains is graded by.
        basis: what upstream grades it by; ``None`` for our domains, whose marks say it.
    """

    task: dict[str, Any]
    simulation: dict[str, Any] | None
    domain: str
    is_solo: bool
    protocol: str
    basis: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Regraded:
    """A file after grading.

    Attributes:
        raw: a copy of everything in the file, with the new rewards.
        results: what the metrics read of it.
        graded: how many conversations were graded.
    """

    plan: Plan
    raw: dict[str, Any]
    results: RecordedResults
    graded: int
    floor: Floor | None


def regrade(plans: Sequence[Plan], *, workers: int = 1, with_floor: bool = True) -> list[Regraded]:
    """Grade every conversation that ended normally; the others keep what they have.

    Args:
        plans: the files.
        workers: how many processes.
        with_floor: whether refusals are graded too.

    Raises:
        SettingError: if there are to be several processes and joblib is not installed.
        JtauError: for what is set wrong.
    """
    positions = [_gradable(plan) for plan in plans]
    refused = [_undecided(plan) if with_floor else [] for plan in plans]
    jobs = [
        job
        for plan, chosen, tasks in zip(plans, positions, refused, strict=True)
        for job in (*(_job(plan, at) for at in chosen), *(_refusal(plan, t) for t in tasks))
    ]
    rewards = iter(_run(jobs, workers))
    regraded = []
    for plan, chosen, tasks in zip(plans, positions, refused, strict=True):
        graded = {at: next(rewards) for at in chosen}
        floors = {task: _verdict(next(rewards)) for task in tasks}
        floor = _floor(plan, floors) if with_floor else None
        raw = _with_rewards(plan, graded)
        results = RecordedResults.model_validate(raw)
        regraded.append(Regraded(plan, raw, results, len(graded), floor))
    return regraded


def _gradable(plan: Plan) -> list[int]:
    return [
        position
        for position, simulation in enumerate(plan.file.results.simulations)
        if is_gradable(simulation) and simulation.task_id in plan.tasks
    ]


def is_gradable(simulation: RecordedSimulation) -> bool:
    """Tell whether grading decides what became of a conversation."""
    return simulation.termination_reason in NORMAL_STOPS and not simulation.skipped


def _job(plan: Plan, position: int) -> Job:
    simulation = plan.file.raw["simulations"][position]
    name = str(simulation["task_id"])
    task = plan.tasks[name].model_dump(mode="json")
    is_solo = plan.file.results.info.is_solo
    basis = plan.upstream_basis.get(name)
    return Job(task, simulation, plan.domain, is_solo, plan.protocol, basis)


def _refusal(plan: Plan, name: str) -> Job:
    task = without_judge(plan.tasks[name]).model_dump(mode="json")
    return Job(task, None, plan.domain, plan.file.results.info.is_solo, plan.protocol)


@lru_cache(maxsize=8)
def _kinds(domain: str) -> Callable[[str, str], str | None]:
    return tool_kinds(layout.registry().get_env_constructor(domain)())


def _undecided(plan: Plan) -> list[str]:
    kinds = _kinds(plan.domain)
    return [name for name, task in plan.tasks.items() if decide(task, kinds) is None]


def _verdict(reward: Mapping[str, Any]) -> float | None:
    stamp = (reward.get("info") or {}).get("jtau") or {}
    return None if stamp.get("status") in UNGRADED_STATES else float(reward["reward"])


def _floor(plan: Plan, rewards: Mapping[str, float | None]) -> Floor:
    tasks = plan.tasks.values()
    return find_floor(plan.domain, tasks, _kinds(plan.domain), lambda task: rewards[task.id])


def _run(jobs: Sequence[Job], workers: int) -> Iterator[dict[str, Any]]:
    results = map(grade, jobs) if workers == 1 else _run_parallel(jobs, workers)
    with Progress("conversations graded", len(jobs)) as progress:
        for result in results:
            yield result
            progress.step()


def _run_parallel(jobs: Sequence[Job], workers: int) -> Iterator[dict[str, Any]]:
    joblib = import_joblib()
    parallel = joblib.Parallel(n_jobs=workers, return_as="generator")
    found: Iterator[dict[str, Any]] = parallel(joblib.delayed(grade)(job) for job in jobs)
    return found


def import_joblib() -> Any:
    """Return joblib.

    Raises:
        SettingError: if it is not installed.
    """
    try:
        return importlib.import_module("joblib")
    except ImportError as error:
        raise SettingError(
            "--jobs needs joblib, which is not installed; pip install 'jtau-plugin[scale]'"
        ) from error


@lru_cache(maxsize=1)
def _prepare() -> None:
    """Make this process ready to grade; a process that joblib started has nothing yet."""
    with quiet_tau2():
        hooks.activate()
        get_engine().ensure_applied()


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Keep away what tools of tau2 print and log while a conversation is replayed."""
    names = ("tau2", "jtau_plugin.scoring")
    for name in names:
        logger.disable(name)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        for name in names:
            logger.enable(name)


def grade(job: Job) -> dict[str, Any]:
    """Return the reward of one conversation, as it stands in a results file.

    Raises:
        JtauError: for what is set wrong; any other failure is a reward that says so.
    """
    _prepare()
    with _silence():
        try:
            task = build_task(job.task)
            if job.simulation is None:
                simulation = refuse(task, REFUSAL, is_solo=job.is_solo)
            else:
                simulation = build_simulation(job.simulation)
            if not simulation.messages:
                return _failed(job, "the conversation is not recorded as messages")
            reward = dump_reward(evaluate(simulation, task, job.domain, is_solo=job.is_solo))
        except JtauError:
            raise
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = format_location(first["loc"])
            return _failed(job, f"the installed tau2 cannot read {where}: {first['msg']}")
        except Exception as error:  # noqa: BLE001  (whatever a replay raises must not stop the others)
            return _failed(job, f"{type(error).__name__}: {error}")
    return _with_upstream(job, reward)


def _failed(job: Job, why: str) -> dict[str, Any]:
    earlier = ((job.simulation or {}).get("reward_info") or {}).get("info") or {}
    stamp = {
        **(earlier.get("jtau") or {}),
        "status": "evaluator_error",
        "error": why,
        "upstream": {"reward": None},
    }
    info = {"note": _FAILURE, "jtau": stamp}
    return {"reward": 0.0, "reward_basis": None, "info": info}


def _with_upstream(job: Job, reward: dict[str, Any]) -> dict[str, Any]:
    """Say of a task of tau2's own which protocol graded it, and what its own basis would say."""
    stamp = (reward.get("info") or {}).get("jtau")
    if job.basis is None or stamp is None:
        return reward
    stamp["protocol"] = job.protocol
    verdicts = {key: value for key, value in stamp["upstream"].items() if key != "reward"}
    if verdicts:
        stamp["upstream"]["reward"] = upstream_reward(job.basis, verdicts)
    return reward


def _with_rewards(plan: Plan, rewards: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
    raw = {**plan.file.raw, "simulations": list(plan.file.raw["simulations"])}
    for position, reward in rewards.items():
        raw["simulations"][position] = {
            **raw["simulations"][position],
            "reward_info": reward,
        }
    raw["tasks"] = [_with_protocol(deepcopy(task), plan) for task in raw["tasks"]]
    return raw


def _with_protocol(raw: dict[str, Any], plan: Plan) -> dict[str, Any]:
    """Say in a task's plain data which protocol it was graded by; nothing else of it changes."""
    task = plan.tasks[str(raw["id"])]
    if task.evaluation_criteria is not None:
        dumped = task.evaluation_criteria.model_dump(mode="json")
        raw["evaluation_criteria"]["reward_basis"] = dumped["reward_basis"]
    if str(raw["id"]) not in plan.upstream_basis:
        raw["description"]["notes"] = task.description.notes
    return raw
