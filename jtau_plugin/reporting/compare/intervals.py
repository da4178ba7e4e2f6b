"""Bootstrap intervals for many columns over the same tasks, each draw made only once.

Draws exactly as ``scoring.bootstrap`` does, so a figure has the same interval in every command. The
interval of a difference is widened for few tasks (the expanded percentile interval): the plain one
covers 90 % instead of 95 % with 20 tasks, since drawing from few tasks shows too little spread.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist

from jtau_plugin.scoring.bootstrap import (
    Bootstrap,
    Difference,
    Interval,
    mean_intervals,
    percentile_interval,
)

#: One column: the figure of each task, by domain.
Column = Sequence[Sequence[float]]
_Draws = list[tuple["array[int]", ...]]


@dataclass
class Resampler:
    """Draws tasks with replacement, within their domain.

    Attributes:
        settings: how often, and with which seed.
    """

    settings: Bootstrap = field(default_factory=Bootstrap)
    _draws: dict[tuple[int, ...], _Draws] = field(default_factory=dict)

    def mean_interval(self, column: Column) -> Interval:
        """Return the interval of the mean over domains of a domain's mean."""
        if _is_constant(column):
            # No draw shows any spread; the rule for that needs no repetitions.
            groups = [[(value,) for value in values] for values in column]
            return mean_intervals(groups, replace(self.settings, repetitions=1))[0]
        return percentile_interval(self._means(column), self.settings.level)

    def difference(
        self, column: Column, unpaired: Sequence[str] = (), *, changed: int | None = None
    ) -> Difference:
        """Return the mean of paired differences, each domain weighing the same.

        Args:
            column: the difference of each task, by domain.
            unpaired: names of tasks that only one arm has.
            changed: how many tasks differ, if that is not how many differences are not 0.
        """
        values = [value for group in column for value in group]
        mean = sum(sum(group) / len(group) for group in column) / len(column)
        return Difference(
            value=mean,
            interval=self._difference_interval(column),
            tasks=len(values),
            changed=sum(value != 0 for value in values) if changed is None else changed,
            unpaired=tuple(unpaired),
            settings=self.settings,
        )

    def _difference_interval(self, column: Column) -> Interval:
        if not _is_constant(column):
            level = widened_level(self.settings.level, [len(group) for group in column])
            return percentile_interval(self._means(column), level)
        # As for a mean that is the same for every task: other tasks that so many draws can miss may
        # differ by as much as a task can.
        value = column[0][0]
        missed = 1 - ((1 - self.settings.level) / 2) ** (1 / min(map(len, column)))
        middle = value * (1 - missed)
        return Interval(max(-1.0, middle - missed), min(1.0, middle + missed))

    def _means(self, column: Column) -> list[float]:
        means = []
        for drawn in self._drawn(tuple(len(group) for group in column)):
            total = 0.0
            for group, places in zip(column, drawn, strict=True):
                total += sum(map(group.__getitem__, places)) / len(group)
            means.append(total / len(column))
        return means

    def _drawn(self, sizes: tuple[int, ...]) -> _Draws:
        if sizes not in self._draws:
            chance = random.Random(self.settings.seed)  # noqa: S311  (statistics, not secrets)
            ranges = [range(size) for size in sizes]
            self._draws[sizes] = [
                tuple(array("I", chance.choices(places, k=len(places))) for places in ranges)
                for _ in range(self.settings.repetitions)
            ]
        return self._draws[sizes]


def widened_level(level: float, sizes: Sequence[int]) -> float:
    """Return the level at which the percentile interval is as wide as Student's t makes it.

    Args:
        level: how often the interval should cover.
        sizes: how many tasks each domain has.
    """
    freedom = sum(sizes) - len(sizes)
    smallest = min(sizes)
    if freedom < 1 or smallest < 2:  # noqa: PLR2004  (one task has no spread)
        return level
    z = NormalDist().inv_cdf((1 + level) / 2)
    reach = _student(z, freedom) * (smallest / (smallest - 1)) ** 0.5
    return 2 * NormalDist().cdf(reach) - 1


def _student(z: float, freedom: int) -> float:
    """Return the quantile of Student's t that belongs to one of the normal distribution."""
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def _is_constant(column: Column) -> bool:
    return len({value for group in column for value in group}) == 1
