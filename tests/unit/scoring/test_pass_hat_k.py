"""pass^k: strict over the inventory, and each of upstream's conventions with its faults."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from result_runs import read, run, run_data, simulation, task

from jtau_plugin.models.results import RecordedResults
from jtau_plugin.scoring import pass_hat_k as module
from jtau_plugin.scoring.causes import Outcome
from jtau_plugin.scoring.conventions import CONVENTIONS, score_as_upstream
from jtau_plugin.scoring.inventory import take_inventory
from jtau_plugin.scoring.pass_hat_k import (
    Scores,
    mean,
    pairwise_sum,
    pass_hat_k,
    score_strictly,
    sort_as_upstream,
)

V0_2, V1_0, PANDAS_3 = CONVENTIONS.values()
LETTERS = st.text("PFEIUAS.", min_size=4, max_size=4)
RUNS = st.dictionaries(st.text("abcdef", min_size=1, max_size=2), LETTERS, min_size=1, max_size=6)


def strict(trials: dict[str, str], **settings: object) -> Scores:
    return score_strictly(take_inventory(run(trials)), **settings)


def values(scores: Scores) -> list[float | None]:
    return [figure.value for figure in scores.figures]


def upstream(results: RecordedResults) -> list[list[float | None] | str]:
    found = [score_as_upstream(results, convention) for convention in CONVENTIONS.values()]
    return [scores.failure.partition(":")[0] or values(scores) for scores in found]


@pytest.mark.parametrize(
    ("n", "c", "k", "expected"),
    [(4, 4, 4, 1.0), (4, 3, 4, 0.0), (4, 3, 1, 0.75), (4, 2, 2, 1 / 6), (1, 0, 1, 0.0)],
)
def test_the_formula(n: int, c: int, k: int, expected: float) -> None:
    assert pass_hat_k(n, c, k) == expected


def test_too_few_trials_are_refused() -> None:
    with pytest.raises(ValueError, match="needs 3 trials, found 2"):
        pass_hat_k(2, 2, 3)


@given(st.integers(1, 8), st.data())
def test_pass_hat_falls_with_k(n: int, data: st.DataObject) -> None:
    c = data.draw(st.integers(0, n))
    row = [pass_hat_k(n, c, k) for k in range(1, n + 1)]
    assert row[0] == c / n
    assert row == sorted(row, reverse=True)
    assert row[-1] == (c == n)


@given(st.lists(st.floats(0, 1), max_size=400))
def test_the_sum_is_a_sum(numbers: list[float]) -> None:
    assert pairwise_sum(numbers) == pytest.approx(math.fsum(numbers))


def test_the_mean_of_nothing_is_no_number() -> None:
    assert math.isnan(mean([]))


def test_the_order_without_numpy_is_by_gold_actions_then_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_numpy(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(module.importlib, "import_module", no_numpy)
    order = sort_as_upstream({"b": 2, "a": 2, "d": -1, "c": None})
    assert order == ["d", "c", "a", "b"]


# --- strict ---------------------------------------------------------------------------------------


def test_every_cell_that_has_not_passed_has_failed() -> None:
    scores = strict({"0": "PPPP", "1": "PFI.", "2": "ESA."})
    assert values(scores) == pytest.approx([5 / 12, 1 / 3, 1 / 3, 1 / 3])
    assert scores.average_reward == pytest.approx(5 / 12)
    assert (scores.expected, scores.counted, scores.excluded, scores.tasks) == (12, 12, 0, 3)


def test_user_errors_are_excluded_and_cut_no_k_silently() -> None:
    scores = strict({"0": "PPPP", "1": "PFUU"})
    assert values(scores) == [0.75, 0.5, None, None]
    assert [figure.short for figure in scores.figures] == [(), (), ("1",), ("1",)]
    assert scores.figures[2].bounds == (0.5, 0.625)
    assert (scores.counted, scores.excluded) == (6, 2)
    assert scores.average_reward == 0.75


def test_a_task_without_any_trial_left_has_no_value_and_does_not_vanish() -> None:
    scores = strict({"0": "PP", "1": "UU"})
    assert values(scores) == [None, None]
    assert scores.average_reward is None
    assert scores.figures[0].bounds == (0.5, 1.0)
    assert scores.tasks == 2


def test_nothing_need_be_excluded() -> None:
    scores = strict({"0": "PPPP", "1": "PFUU"}, excluded=frozenset())
    assert values(scores) == [0.625, 0.5, 0.5, 0.5]
    assert scores.figures[0].bounds is None


def test_more_can_be_excluded() -> None:
    scores = strict({"0": "PPPI"}, excluded={Outcome.INFRASTRUCTURE_ERROR})
    assert values(scores) == [1.0, 1.0, 1.0, None]


@given(RUNS)
def test_bounds_enclose_and_k_is_complete(trials: dict[str, str]) -> None:
    scores = strict(trials)
    assert [figure.k for figure in scores.figures] == [1, 2, 3, 4]
    for figure in scores.figures:
        assert (figure.value is None) == bool(figure.short)
        assert (figure.bounds is None) == (scores.excluded == 0)
        if figure.bounds is not None and figure.value is not None:
            low, high = figure.bounds
            assert low - 1e-12 <= figure.value <= high + 1e-12


@given(RUNS)
def test_average_reward_and_pass_1_agree(trials: dict[str, str]) -> None:
    scores = strict(trials)
    if scores.average_reward is None:
        assert scores.value(1) is None
    else:
        assert scores.average_reward == pytest.approx(scores.value(1))


@given(
    st.dictionaries(
        st.text("abcdef", min_size=1), st.text("PFA", min_size=3, max_size=3), min_size=1
    )
)
def test_on_a_complete_run_every_convention_agrees(trials: dict[str, str]) -> None:
    results = run(trials)
    ours = score_strictly(take_inventory(results))
    for convention in CONVENTIONS.values():
        theirs = score_as_upstream(results, convention)
        assert values(theirs) == values(ours)
        assert theirs.average_reward == ours.average_reward
        assert (theirs.counted, theirs.tasks) == (ours.counted, ours.tasks)


# --- what upstream would say ----------------------------------------------------------------------


def test_thirty_nine_lost_conversations_and_one_success() -> None:
    trials = {"0": "PIII", **{str(i): "IIII" for i in range(1, 10)}}
    results = run(trials)
    assert values(strict(trials)) == pytest.approx([0.025, 0, 0, 0])
    assert score_as_upstream(results, V1_0).value(1) == 1.0
    assert score_as_upstream(results, PANDAS_3).value(1) == pytest.approx(0.025)
    assert upstream(results)[0] == "AttributeError"


def test_one_lost_trial_drops_a_k_for_the_whole_run() -> None:
    trials = {"0": "PPPP", "1": "PPP."}
    assert values(strict(trials)) == [0.875, 0.75, 0.625, 0.5]
    for found in upstream(run(trials)):
        assert found == [1.0, 1.0, 1.0, None]


def test_a_task_that_lost_all_its_trials_vanishes() -> None:
    trials = {"0": "PP", "1": "II"}
    assert values(strict(trials)) == [0.5, 0.5]
    assert score_as_upstream(run(trials), V1_0).value(2) == 1.0
    assert score_as_upstream(run(trials), V1_0).tasks == 1


def test_a_task_that_was_never_simulated_vanishes() -> None:
    trials = {"0": "PP", "1": ".."}
    assert values(strict(trials)) == [0.5, 0.5]
    assert upstream(run(trials)) == [[1.0, 1.0]] * 3


def test_unequal_trials_make_upstream_s_average_and_pass_1_disagree() -> None:
    trials = {"0": "PPPP", "1": "F..."}
    for convention in CONVENTIONS.values():
        theirs = score_as_upstream(run(trials), convention)
        assert (theirs.average_reward, theirs.value(1)) == (0.8, 0.5)
    ours = strict(trials)
    assert (ours.average_reward, ours.value(1)) == (0.5, 0.5)


def test_a_duplicated_trial_inflates_n() -> None:
    data = run_data({"0": "PF"})
    data["simulations"] += [simulation("0", 0, "P")]
    results = read(data)
    assert score_strictly(take_inventory(results)).value(1) == 0.5
    for convention in CONVENTIONS.values():
        assert score_as_upstream(results, convention).value(1) == pytest.approx(2 / 3)


def test_a_normal_stop_without_a_reward_crashes_or_is_skipped() -> None:
    trials = {"0": "PE"}
    assert values(strict(trials)) == [0.5, 0.0]
    assert upstream(run(trials)) == ["AttributeError", [0.5, 0.0], [0.5, 0.0]]
    assert score_as_upstream(run(trials), V1_0).average_reward == 1.0
    assert strict(trials).average_reward == 0.5


def test_a_task_without_criteria_raises_a_key_error() -> None:
    data = run_data({"0": "P", "1": "P"})
    data["tasks"][1] = task("1", None)
    assert upstream(read(data)) == ["KeyError"] * 3
    assert score_strictly(take_inventory(read(data))).value(1) == 1.0


def test_a_simulation_of_no_task_crashes() -> None:
    data = run_data({"0": "P"})
    data["simulations"] += [simulation("9", 0)]
    assert upstream(read(data)) == ["StopIteration"] * 3


def test_a_run_without_simulations() -> None:
    trials = {"0": ".", "1": "."}
    assert values(strict(trials)) == [0.0]
    assert upstream(run(trials)) == ["AttributeError", [], []]
    assert score_as_upstream(run(trials), V1_0).average_reward == 0.0


def test_a_run_in_which_everything_was_lost() -> None:
    assert values(strict({"0": "II"})) == [0.0, 0.0]
    assert score_as_upstream(run({"0": "II"}), V1_0).average_reward == 0.0
    assert upstream(run({"0": "EE"}))[1:] == ["TypeError", "TypeError"]
