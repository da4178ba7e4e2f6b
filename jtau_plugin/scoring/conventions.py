"""pass^k and the average reward as upstream's own ``compute_metrics`` would give them.

Each fault of upstream's is followed on purpose, without pandas, so that a report can show what a
run would have been said to score, whatever is installed where the report is made.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from jtau_plugin.models.results import RecordedResults, RecordedSimulation
from jtau_plugin.scoring.causes import is_success
from jtau_plugin.scoring.inventory import count_gold_actions
from jtau_plugin.scoring.pass_hat_k import (
    Figure,
    Scores,
    mean,
    pairwise_sum,
    pass_hat_k,
    sort_as_upstream,
)


@dataclass(frozen=True)
class Convention:
    """How one version of upstream's ``compute_metrics`` counts.

    Attributes:
        name: what a report calls it.
        drops_infrastructure: whether lost conversations are left out.
        needs_reward: whether a simulation without reward stops it with an error.
    """

    name: str
    drops_infrastructure: bool
    needs_reward: bool


#: tau2-bench 1.0's filter compares an enum with a column of text under pandas 3, and drops nothing.
CONVENTIONS = {
    "v0_2": Convention("v0_2", drops_infrastructure=False, needs_reward=True),
    "v1_0": Convention("v1_0", drops_infrastructure=True, needs_reward=False),
    "v1_0 (pandas 3)": Convention(
        "v1_0 (pandas 3)", drops_infrastructure=False, needs_reward=False
    ),
}
_LOST = "infrastructure_error"


def score_as_upstream(results: RecordedResults, convention: Convention) -> Scores:
    """Return what upstream's code makes of a file, its faults included.

    Every simulation in the file counts, also one that is there twice; tasks and trials that are not
    there do not; k goes as far as the task with the fewest simulations.
    """
    expected = len({task.id for task in results.tasks}) * results.info.num_trials
    blank = Scores(convention.name, (), None, 0, 0, expected)
    played = results.simulations
    is_lost = all(simulation.termination_reason == _LOST for simulation in played)
    if is_lost and (not convention.needs_reward):
        return replace(blank, average_reward=0.0)
    failure = _upstream_failure(results, convention)
    if failure:
        return replace(blank, failure=failure)
    if convention.drops_infrastructure:
        played = [simulation for simulation in played if simulation.termination_reason != _LOST]
    return _score_played(results, played, blank)


def _upstream_failure(results: RecordedResults, convention: Convention) -> str:
    if not results.simulations:
        return "AttributeError: there is no simulation"
    criteria = {task.id: task.evaluation_criteria for task in results.tasks}
    for simulation in results.simulations:
        if convention.needs_reward and simulation.reward_info is None:
            return f"AttributeError: simulation {simulation.id} has no reward_info"
        if simulation.task_id not in criteria:
            return f"StopIteration: task {simulation.task_id} is not in the file"
        if criteria[simulation.task_id] is None:
            return f"KeyError: task {simulation.task_id} has no criteria"
    if all(simulation.reward is None for simulation in results.simulations):
        return "TypeError: no simulation has a reward"
    return ""


def _score_played(
    results: RecordedResults, played: Sequence[RecordedSimulation], blank: Scores
) -> Scores:
    by_task: dict[str, list[RecordedSimulation]] = {}
    for simulation in played:
        by_task.setdefault(simulation.task_id, []).append(simulation)
    fewest = min(len(simulations) for simulations in by_task.values())
    numbers = {t.id: count_gold_actions(t) for t in reversed(results.tasks) if t.id in by_task}
    order = sort_as_upstream(numbers)
    figures = []
    for k in range(1, results.info.num_trials + 1):
        if k > fewest:
            figures.append(Figure(k, None, short=_shorter(by_task, k)))
            continue
        values = [pass_hat_k(len(by_task[task]), _successes(by_task[task]), k) for task in order]
        figures.append(Figure(k, mean(values)))
    rewards = [_number(simulation.reward) for simulation in played]
    known = [reward for reward in rewards if not math.isnan(reward)]
    # pandas adds a missing reward as 0 and leaves it out of the count.
    total = pairwise_sum([0.0 if math.isnan(reward) else reward for reward in rewards])
    return replace(
        blank,
        figures=tuple(figures),
        average_reward=total / len(known) if known else None,
        tasks=len(by_task),
        counted=len(played),
    )


def _shorter(by_task: Mapping[str, Sequence[RecordedSimulation]], k: int) -> tuple[str, ...]:
    return tuple(task for task, simulations in by_task.items() if len(simulations) < k)


def _successes(simulations: Sequence[RecordedSimulation]) -> int:
    return sum(is_success(_number(simulation.reward)) for simulation in simulations)


def _number(reward: float | None) -> float:
    return math.nan if reward is None else reward
