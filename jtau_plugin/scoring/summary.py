"""Everything that a report says about runs, as data: no figure without coverage and interval.

Reads recorded verdicts only. How it is printed is decided elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jtau_plugin.models.results import RecordedResults
from jtau_plugin.scoring.bootstrap import Bootstrap, Interval, mean_intervals
from jtau_plugin.scoring.causes import GRADED, Outcome, is_success
from jtau_plugin.scoring.conventions import CONVENTIONS, score_as_upstream
from jtau_plugin.scoring.floor import Floor
from jtau_plugin.scoring.inventory import Cell, Inventory, take_inventory
from jtau_plugin.scoring.pass_hat_k import (
    DEFAULT_EXCLUDED,
    Scores,
    TaskTally,
    mean,
    score_strictly,
    tally,
)

#: Which mean over domains the overall figures are.
OVERALL = "macro over domains"


@dataclass(frozen=True)
class Costs:
    """What the agent's side cost.

    Attributes:
        mean: over the conversations whose cost is known; ``None`` if it is known of none.
        known: how many those are.
        unknown: of how many conversations the cost is not recorded.
    """

    mean: float | None
    known: int
    unknown: int


@dataclass(frozen=True)
class ScorerComparison:
    """Our verdicts beside those that upstream's scorer came to, where both are known.

    Attributes:
        compared: how many conversations have both.
        ours: how many of them passed by our scorer.
        theirs: how many by upstream's.
        differing: the cells on which the two differ.
        unknown: graded conversations for which upstream's verdict is not known.
    """

    compared: int
    ours: int
    theirs: int
    differing: tuple[Cell, ...]
    unknown: int


@dataclass(frozen=True)
class RunSummary:
    """One run of one domain.

    Attributes:
        name: the file, or another name of the run.
        protocol: by which the verdicts were found.
        intervals: of strict pass^k, by k; without those ks that have no value.
        reward_interval: of the average reward.
        floor: what doing nothing scores; ``None`` if nobody asked.
    """

    name: str
    domain: str
    protocol: str
    inventory: Inventory
    strict: Scores
    upstream: tuple[Scores, ...]
    intervals: Mapping[int, Interval]
    reward_interval: Interval | None
    costs: Costs
    scorer: ScorerComparison
    excluded: frozenset[Outcome]
    settings: Bootstrap
    floor: Floor | None = None


@dataclass(frozen=True)
class Overall:
    """Several domains together: the mean of their figures, each domain weighing the same.

    Attributes:
        values: strict pass^k by k; ``None`` where some domain has none.
    """

    domains: tuple[str, ...]
    values: Mapping[int, float | None]
    intervals: Mapping[int, Interval]


def summarize_run(
    results: RecordedResults,
    name: str,
    protocol: str = "",
    *,
    excluded: Collection[Outcome] = DEFAULT_EXCLUDED,
    settings: Bootstrap | None = None,
    floor: Floor | None = None,
) -> RunSummary:
    """Return what a report says about one run."""
    chosen = settings or Bootstrap()
    inventory = take_inventory(results, name)
    strict = score_strictly(inventory, excluded)
    intervals, reward_interval = _intervals(inventory, strict, excluded, chosen)
    return RunSummary(
        name=name,
        domain=results.domain,
        protocol=protocol,
        inventory=inventory,
        strict=strict,
        upstream=tuple(score_as_upstream(results, one) for one in CONVENTIONS.values()),
        intervals=intervals,
        reward_interval=reward_interval,
        costs=find_costs(inventory),
        scorer=compare_scorers(results, inventory),
        excluded=frozenset(excluded),
        settings=chosen,
        floor=floor,
    )


def _ks(scores: Scores) -> list[int]:
    return [figure.k for figure in scores.figures if figure.value is not None]


def _rows(tallies: Iterable[TaskTally], ks: Sequence[int]) -> list[list[float]]:
    return [[one.pass_hat(k) for k in ks] for one in tallies]


def _intervals(
    inventory: Inventory, strict: Scores, excluded: Collection[Outcome], settings: Bootstrap
) -> tuple[dict[int, Interval], Interval | None]:
    ks, tallies = _ks(strict), tally(inventory, excluded)
    if not ks:
        return {}, None
    rows = _rows(tallies.values(), ks)
    for row, one in zip(rows, tallies.values(), strict=True):
        row.append(mean(one.rewards))
    *found, of_reward = mean_intervals([rows], settings)
    return dict(zip(ks, found, strict=True)), of_reward


def find_costs(inventory: Inventory) -> Costs:
    """Return what the agent's side of the conversations cost; what is unknown is counted apart."""
    played = [cell for cell in inventory.cells.values() if cell.outcome is not Outcome.MISSING]
    known = [cell.agent_cost for cell in played if _is_number(cell.agent_cost)]
    average = mean([cost for cost in known if cost is not None]) if known else None
    return Costs(average, len(known), len(played) - len(known))


def _is_number(value: float | None) -> bool:
    return value is not None and not math.isnan(value)


def compare_scorers(results: RecordedResults, inventory: Inventory) -> ScorerComparison:
    """Return our verdicts beside upstream's, which the scorer recorded with each reward."""
    cells = inventory.named(GRADED)
    theirs: list[tuple[Cell, bool]] = []
    for cell in cells:
        verdicts = results.simulations[cell.position].stamp.get("upstream")
        reward = verdicts.get("reward") if isinstance(verdicts, dict) else None
        if isinstance(reward, int | float):
            theirs.append((cell, is_success(reward)))
    return ScorerComparison(
        compared=len(theirs),
        ours=sum(_passed(cell) for cell, _ in theirs),
        theirs=sum(verdict for _, verdict in theirs),
        differing=tuple(cell for cell, verdict in theirs if verdict != _passed(cell)),
        unknown=len(cells) - len(theirs),
    )


def _passed(cell: Cell) -> bool:
    return cell.outcome is Outcome.PASSED


def summarize_overall(runs: Sequence[RunSummary]) -> Overall | None:
    """Return the figures of several domains together, or ``None`` for fewer than two.

    They go as far as the domain with the fewest trials, which the runs' own figures show.
    """
    if len(runs) < 2:  # noqa: PLR2004  (one domain is no mean)
        return None
    trials = min(run.inventory.num_trials for run in runs)
    values = {k: _macro([run.strict.value(k) for run in runs]) for k in range(1, trials + 1)}
    ks = [k for k, value in values.items() if value is not None]
    groups = [_rows(tally(run.inventory, run.excluded).values(), ks) for run in runs]
    found = mean_intervals(groups, runs[0].settings) if ks else []
    names = tuple(run.domain for run in runs)
    return Overall(names, values, dict(zip(ks, found, strict=True)))


def _macro(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return mean(known) if known and len(known) == len(values) else None


def as_data(run: RunSummary) -> dict[str, Any]:
    """Return one run's summary as plain data."""
    inventory, scorer = run.inventory, run.scorer
    return {
        "name": run.name,
        "domain": run.domain,
        "protocol": run.protocol,
        "tasks": len(inventory.tasks),
        "trials": inventory.num_trials,
        "inventory": {outcome.value: count for outcome, count in inventory.counts.items()},
        "coverage": {
            "expected": inventory.expected,
            "present": inventory.present,
            "graded": sum(inventory.counts[outcome] for outcome in GRADED),
            "excluded": run.strict.excluded,
            "excluded_outcomes": sorted(outcome.value for outcome in run.excluded),
        },
        "pass_hat_k": [_figure_data(run, k) for k in range(1, inventory.num_trials + 1)],
        "average_reward": {
            "strict": run.strict.average_reward,
            "interval": _interval_data(run.reward_interval),
            "upstream": {scores.name: scores.average_reward for scores in run.upstream},
        },
        "upstream_failures": {s.name: s.failure for s in run.upstream if s.failure},
        "floor": None if run.floor is None else _floor_data(run.floor),
        "agent_cost": {
            "mean": run.costs.mean,
            "known": run.costs.known,
            "unknown": run.costs.unknown,
        },
        "upstream_scorer": {
            "compared": scorer.compared,
            "passed_ours": scorer.ours,
            "passed_theirs": scorer.theirs,
            "unknown": scorer.unknown,
            "differing": [_cell_data(cell) for cell in scorer.differing],
        },
        "cells": [_cell_data(cell) for cell in inventory.named(set(Outcome) - GRADED)],
        "problems": [str(problem) for problem in inventory.problems],
    }


def _figure_data(run: RunSummary, k: int) -> dict[str, Any]:
    figure = next(figure for figure in run.strict.figures if figure.k == k)
    return {
        "k": k,
        "strict": figure.value,
        "interval": _interval_data(run.intervals.get(k)),
        "bounds": None if figure.bounds is None else list(figure.bounds),
        "short_tasks": list(figure.short),
        "upstream": {scores.name: scores.value(k) for scores in run.upstream},
    }


def _floor_data(floor: Floor) -> dict[str, Any]:
    return {
        "tasks": floor.tasks,
        "passing": list(floor.passing),
        "judged": list(floor.judged),
        "unknown": list(floor.unknown),
        "rate": floor.rate,
    }


def _cell_data(cell: Cell) -> dict[str, Any]:
    return {
        "task": cell.task_id,
        "trial": cell.trial,
        "outcome": cell.outcome.value,
        "reason": cell.reason,
        "simulation": cell.simulation_id,
    }


def _interval_data(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def overall_data(overall: Overall) -> dict[str, Any]:
    """Return the figures over several domains as plain data."""
    return {
        "mean": OVERALL,
        "domains": list(overall.domains),
        "pass_hat_k": [
            {"k": k, "strict": value, "interval": _interval_data(overall.intervals.get(k))}
            for k, value in overall.values.items()
        ],
    }
