"""Intervals: reproducible, covering as often as they say, and wide where nothing can be known."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.scoring.bootstrap import (
    Bootstrap,
    Interval,
    mean_intervals,
    paired_difference,
    paired_rates,
    percentile_interval,
    quantile,
)

FAST = Bootstrap(repetitions=300)


def interval(values: list[float], settings: Bootstrap = FAST) -> Interval:
    (found,) = mean_intervals([[(value,) for value in values]], settings)
    return found


def test_quantiles_interpolate() -> None:
    assert [quantile([0, 1, 2, 3], share) for share in (0, 0.5, 1)] == [0, 1.5, 3]
    assert quantile([7], 0.3) == 7
    assert percentile_interval(range(101), 0.5) == Interval(25, 75)


def test_a_seed_gives_the_same_interval_again() -> None:
    values = [0.0, 0.25, 0.5, 1.0] * 10
    assert interval(values) == interval(values)
    assert interval(values) != interval(values, Bootstrap(seed=2, repetitions=300))


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=60))
def test_the_interval_lies_between_0_and_1_and_holds_the_mean(values: list[float]) -> None:
    found = interval(values)
    mean = sum(values) / len(values)
    assert -1e-9 <= found.low <= mean + 0.05
    assert mean - 0.05 <= found.high <= 1 + 1e-9


def test_more_tasks_make_it_narrower() -> None:
    few, many = interval([0.0, 1.0] * 5), interval([0.0, 1.0] * 50)
    assert many.high - many.low < few.high - few.low


@pytest.mark.parametrize("tasks", [1, 5, 114])
def test_tasks_that_are_all_alike_prove_no_certainty(tasks: int) -> None:
    missed = 1 - 0.025 ** (1 / tasks)
    whole = interval([1.0] * tasks)
    assert (whole.low, whole.high) == pytest.approx((1 - missed, 1.0))
    assert interval([0.0] * tasks).high == pytest.approx(missed)
    half = interval([0.5] * tasks)
    assert (half.low, half.high) == pytest.approx((0.5 - missed / 2, 0.5 + missed / 2))


def test_columns_are_drawn_together_and_domains_weigh_the_same() -> None:
    small, large = [(1.0, 0.0), (0.0, 1.0)], [(0.0, 1.0), (1.0, 0.0)] * 100
    first, second = mean_intervals([small, large], FAST)
    assert first.low == pytest.approx(1 - second.high)
    # A quarter of the draws take one of the two tasks twice, so the small domain decides the width.
    assert first.high - first.low > 0.45


def test_intervals_cover_a_known_rate() -> None:
    """500 runs of 60 tasks with 4 trials, whose difficulty varies: the true pass^1 is 0.6."""
    chance = random.Random(7)
    covered = 0
    for _ in range(500):
        values = []
        for _ in range(60):
            rate = chance.betavariate(1.2, 0.8)
            values.append(sum(chance.random() < rate for _ in range(4)) / 4)
        covered += interval(
            values, Bootstrap(seed=chance.randrange(10**6), repetitions=300)
        ).contains(0.6)
    assert 0.92 <= covered / 500 <= 0.97


def test_a_difference_is_paired() -> None:
    """Each task is a little better in one arm; unpaired, the tasks' own spread would hide it."""
    first = {str(i): i / 40 + 0.1 for i in range(36)}
    second = {str(i): i / 40 + 0.1 * (i % 3 == 0) for i in range(36)}
    found = paired_difference(first, second, FAST)
    assert found.value == pytest.approx(0.1 * 24 / 36)
    assert not found.is_noise
    assert (found.tasks, found.changed, found.unpaired) == (36, 24, ())


def test_arms_swapped_swap_the_sign() -> None:
    first = {str(i): float(i % 2) for i in range(20)}
    second = {str(i): float(i % 3 == 0) for i in range(20)}
    one, other = paired_difference(first, second, FAST), paired_difference(second, first, FAST)
    assert one.value == pytest.approx(-other.value)
    assert one.is_noise
    assert other.is_noise


def test_equal_arms_differ_by_noise() -> None:
    arm = {"a": 1.0, "b": 0.0}
    found = paired_difference(arm, arm, FAST)
    assert found.value == 0
    assert found.is_noise


def test_a_handful_of_tasks_proves_nothing() -> None:
    for tasks, is_noise in ((1, True), (5, True), (6, False)):
        first = {str(i): 1.0 for i in range(tasks)}
        second = {str(i): 0.0 for i in range(tasks)}
        assert paired_difference(first, second, FAST).is_noise is is_noise


def test_tasks_of_one_arm_only_are_named() -> None:
    found = paired_difference({"a": 1.0, "b": 1.0}, {"a": 1.0, "c": 0.0}, FAST)
    assert found.unpaired == ("b", "c")
    with pytest.raises(ValueError, match="no task in common"):
        paired_difference({"a": 1.0}, {"b": 1.0})


def test_rates_are_taken_over_shared_trials() -> None:
    first = {("a", 0): 1.0, ("a", 1): 0.0, ("b", 0): 1.0}
    second = {("a", 0): 0.0, ("a", 2): 1.0, ("c", 0): 1.0}
    assert paired_rates(first, second) == ({"a": 1.0}, {"a": 0.0})
