"""pass^k and the average reward, strictly: over every cell that should be there.

pass^k is the mean over tasks of C(c, k) / C(n, k), for c successes in n trials. Nothing here uses
pandas, but adds up as it does: a complete run gives upstream's figure to the last digit.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jtau_plugin.scoring.causes import Outcome
from jtau_plugin.scoring.inventory import Cell, Inventory

#: What strict figures leave out, and name: nobody's success and not the agent's failure.
DEFAULT_EXCLUDED = frozenset({Outcome.USER_ERROR})
_BLOCK, _LANES = 128, 8


def pass_hat_k(trials: int, successes: int, k: int) -> float:
    """Return C(successes, k) / C(trials, k).

    Raises:
        ValueError: if there are fewer than ``k`` trials.
    """
    if trials < k:
        raise ValueError(f"pass^{k} needs {k} trials, found {trials}")
    return math.comb(successes, k) / math.comb(trials, k)


def pairwise_sum(values: Sequence[float]) -> float:
    """Return the sum in the order in which numpy, and so pandas, adds floats up."""
    count = len(values)
    if count < _LANES:
        total = 0.0
        for value in values:
            total += value
        return total
    if count <= _BLOCK:
        return _block_sum(values)
    half = count // 2
    half -= half % _LANES
    return pairwise_sum(values[:half]) + pairwise_sum(values[half:])


def _block_sum(values: Sequence[float]) -> float:
    lanes = list(values[:_LANES])
    end = len(values) - len(values) % _LANES
    for start in range(_LANES, end, _LANES):
        for lane in range(_LANES):
            lanes[lane] += values[start + lane]
    a, b, c, d, e, f, g, h = lanes
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for value in values[end:]:
        total += value
    return total


def mean(values: Sequence[float]) -> float:
    """Return the mean, to the last digit as pandas computes it; of nothing it is not a number."""
    return pairwise_sum(values) / len(values) if values else math.nan


def sort_as_upstream(gold_actions: Mapping[str, int | None]) -> list[str]:
    """Return the tasks in the order in which upstream adds them up.

    Upstream sorts by the number of gold actions with numpy's quicksort, which is not stable and
    differs between processors. The order decides nothing but a sum's last digit, so numpy is asked
    where tau2 has brought it along, and a stable sort does elsewhere.
    """
    tasks = sorted(gold_actions)
    numbers = [gold_actions[task] or 0 for task in tasks]
    try:
        numpy: Any = importlib.import_module("numpy")
    except ImportError:
        return [tasks[i] for i in sorted(range(len(tasks)), key=numbers.__getitem__)]
    return [tasks[i] for i in numpy.array(numbers, dtype="int64").argsort(kind="quicksort")]


@dataclass(frozen=True)
class Figure:
    """pass^k for one k.

    Attributes:
        value: ``None`` where it cannot be computed.
        bounds: the strict value if every excluded cell had failed, and if every one had passed.
        short: tasks that have fewer than k trials left.
    """

    k: int
    value: float | None
    bounds: tuple[float, float] | None = None
    short: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scores:
    """What one way of counting says about a run.

    Attributes:
        name: ``strict``, or the convention of upstream's.
        figures: one for each k from 1 to the number of trials.
        average_reward: ``None`` where it cannot be computed.
        tasks: how many tasks were counted.
        counted: how many simulations or cells were counted.
        expected: how many there should be.
        excluded: how many cells were left out.
        failure: why upstream's code would stop with an error instead.
    """

    name: str
    figures: tuple[Figure, ...]
    average_reward: float | None
    tasks: int
    counted: int
    expected: int
    excluded: int = 0
    failure: str = ""

    def value(self, k: int) -> float | None:
        """Return pass^k, ``None`` where it cannot be computed."""
        return next((figure.value for figure in self.figures if figure.k == k), None)


@dataclass(frozen=True)
class TaskTally:
    """A task's cells that count.

    Attributes:
        excluded: cells that were left out.
    """

    trials: int
    successes: int
    rewards: tuple[float, ...]
    excluded: int

    def pass_hat(self, k: int) -> float:
        """Return the task's pass^k."""
        return pass_hat_k(self.trials, self.successes, k)


def tally(
    inventory: Inventory, excluded: Collection[Outcome] = DEFAULT_EXCLUDED
) -> dict[str, TaskTally]:
    """Return each task's tally: a cell that has not passed has failed, unless it is excluded."""
    found = {}
    for task_id in inventory.tasks:
        cells = inventory.cells_of(task_id)
        counted = [cell for cell in cells if cell.outcome not in excluded]
        found[task_id] = TaskTally(
            trials=len(counted),
            successes=sum(cell.outcome is Outcome.PASSED for cell in counted),
            rewards=tuple(cell.reward for cell in counted),
            excluded=len(cells) - len(counted),
        )
    return found


def score_strictly(
    inventory: Inventory, excluded: Collection[Outcome] = DEFAULT_EXCLUDED
) -> Scores:
    """Return the strict figures of a run, for every k up to its number of trials.

    A k for which some task has too few trials left has no value: neither is the task dropped nor
    the k. Its bounds say what could have become of the excluded cells.
    """
    tallies = tally(inventory, excluded)
    order = sort_as_upstream(inventory.gold_actions)
    figures = []
    for k in range(1, inventory.num_trials + 1):
        short = tuple(task for task in inventory.tasks if tallies[task].trials < k)
        value = None if short else mean([tallies[task].pass_hat(k) for task in order])
        figures.append(Figure(k, _known(value), _bounds(tallies, order, k), short))
    left_out = sum(one.excluded for one in tallies.values())
    return Scores(
        name="strict",
        figures=tuple(figures),
        average_reward=_known(_average_reward(inventory, tallies, order, excluded)),
        tasks=len(inventory.tasks),
        counted=inventory.expected - left_out,
        expected=inventory.expected,
        excluded=left_out,
    )


def _known(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def _bounds(
    tallies: Mapping[str, TaskTally], order: Sequence[str], k: int
) -> tuple[float, float] | None:
    if not any(one.excluded for one in tallies.values()):
        return None
    rows = [tallies[task] for task in order]
    low = mean([pass_hat_k(t.trials + t.excluded, t.successes, k) for t in rows])
    high = mean([pass_hat_k(t.trials + t.excluded, t.successes + t.excluded, k) for t in rows])
    return low, high


def _average_reward(
    inventory: Inventory,
    tallies: Mapping[str, TaskTally],
    order: Sequence[str],
    excluded: Collection[Outcome],
) -> float | None:
    """Return the mean over tasks of a task's mean reward, so that it agrees with pass^1."""
    if any(one.trials == 0 for one in tallies.values()):
        return None
    if any(one.excluded for one in tallies.values()):
        return mean([mean(tallies[task].rewards) for task in order])
    # With equal trials the mean over cells is the same number, and adds up as upstream does.
    cells = [cell for cell in inventory.cells.values() if cell.outcome not in excluded]
    return mean([cell.reward for cell in sorted(cells, key=_by_position)])


def _by_position(cell: Cell) -> tuple[bool, int]:
    return cell.position < 0, cell.position
