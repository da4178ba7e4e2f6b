"""Metrics of the installed tau2: upstream's figure and ours, for every way a trial can be lost."""

from __future__ import annotations

import io
import json
import math
from copy import deepcopy
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from result_runs import LETTERS, run_data, simulation, task
from rich.console import Console
from tau2.data_model.simulation import Results
from tau2.metrics import agent_metrics
from tau2.utils.display import ConsoleDisplay

from jtau_plugin.compat.agent_metrics import installed_convention, lines_of
from jtau_plugin.compat.results_file import record_results
from jtau_plugin.compat.wrapping import original_of
from jtau_plugin.patching.engine import get_engine
from jtau_plugin.scoring.conventions import CONVENTIONS, score_as_upstream
from jtau_plugin.scoring.inventory import take_inventory
from jtau_plugin.scoring.pass_hat_k import score_strictly

from .support import is_main

IS_PANDAS_3 = int(pd.__version__.partition(".")[0]) >= 3
MARK = json.dumps({"domain": "ja_retail", "protocol": "deterministic", "facts": "f"})


@pytest.fixture(autouse=True)
def _patched() -> None:
    get_engine().ensure_applied()


def complete(data: dict[str, Any], *, ours: bool) -> Results:
    """What tau2's own models need besides; tasks of ours carry a mark."""
    data = deepcopy(data)
    data["info"] |= {"git_commit": "", "max_steps": 1, "max_errors": 1}
    for entry in data["tasks"]:
        entry["user_scenario"] = {"instructions": "x"}
        if ours:
            entry["description"] = {"notes": f"jtau: {MARK}"}
        criteria = entry["evaluation_criteria"]
        for i, action in enumerate(criteria["actions"] if criteria else ()):
            action |= {"action_id": str(i), "arguments": {}}
    for entry in data["simulations"]:
        entry |= {"start_time": "", "end_time": "", "duration": 1.0}
    return Results.model_validate(data)


def upstream(data: dict[str, Any]) -> Any:
    return agent_metrics.compute_metrics(complete(data, ours=False))


def ours(data: dict[str, Any]) -> Any:
    return agent_metrics.compute_metrics(complete(data, ours=True))


def figures(metrics: Any) -> list[float]:
    return [metrics.pass_hat_ks[k] for k in sorted(metrics.pass_hat_ks)]


def lost_run(trials: dict[str, str]) -> dict[str, Any]:
    """A run with lost trials: 1.0 keeps a record of them, 26.3 nothing."""
    if is_main():
        return run_data(trials)
    return run_data({name: letters.replace("I", ".") for name, letters in trials.items()})


def shown(metrics: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    console = Console(file=io.StringIO(), width=200)
    monkeypatch.setattr(ConsoleDisplay, "console", console)
    ConsoleDisplay.display_agent_metrics(metrics)
    return console.file.getvalue()


# --- where nothing is lost, nothing differs -------------------------------------------------------


@st.composite
def complete_runs(draw: st.DrawFn) -> dict[str, Any]:
    tasks, trials = draw(st.integers(1, 150)), draw(st.integers(1, 7))
    chance = draw(st.randoms(use_true_random=False))
    is_partial = draw(st.booleans())
    names = [str(i) for i in range(tasks)]
    data = run_data(dict.fromkeys(names, "F" * trials))
    for entry in data["simulations"]:
        reward = chance.random() if is_partial and chance.random() < 0.3 else chance.randint(0, 1)
        entry["reward_info"] = {"reward": float(reward)}
        entry["agent_cost"] = chance.random()
        entry.pop("messages")
        entry["messages"] = []
    actions = [["get"] * chance.randint(0, 8) or ["transfer_to_human"] for _ in names]
    data["tasks"] = [task(name, own) for name, own in zip(names, actions, strict=True)]
    chance.shuffle(data["simulations"])
    return data


@given(complete_runs())
@settings(max_examples=15)
def test_a_complete_run_has_upstream_s_figures_to_the_last_digit(data: dict[str, Any]) -> None:
    theirs, mine = upstream(data), ours(data)
    assert mine.pass_hat_ks == theirs.pass_hat_ks
    assert mine.avg_reward == theirs.avg_reward
    assert mine.avg_agent_cost == pytest.approx(theirs.avg_agent_cost)
    assert mine.model_dump(exclude={"avg_agent_cost"}) == theirs.model_dump(
        exclude={"avg_agent_cost"}
    )
    recorded = record_results(complete(data, ours=False))
    for convention in CONVENTIONS.values():
        scores = score_as_upstream(recorded, convention)
        assert [figure.value for figure in scores.figures] == figures(theirs)
        assert scores.average_reward == theirs.avg_reward


PLAYED = "PFEIUA." if is_main() else "PFUAS."


@given(
    st.dictionaries(
        st.text("abcdef", min_size=1, max_size=3),
        st.text(PLAYED, min_size=3, max_size=3),
        min_size=1,
        max_size=9,
    ).filter(lambda trials: set("".join(trials.values())) != {"."})
)
@settings(max_examples=60)
def test_the_installed_convention_is_reproduced(trials: dict[str, str]) -> None:
    data = run_data(trials)
    results = complete(data, ours=False)
    scores = score_as_upstream(record_results(results), CONVENTIONS[installed_convention()])
    if scores.failure:
        with pytest.raises((AttributeError, KeyError, TypeError)) as caught:
            agent_metrics.compute_metrics(results)
        assert type(caught.value).__name__ == scores.failure.partition(":")[0]
        return
    theirs = agent_metrics.compute_metrics(results)
    assert {f.k: f.value for f in scores.figures if f.value is not None} == theirs.pass_hat_ks
    assert scores.average_reward == (None if math.isnan(theirs.avg_reward) else theirs.avg_reward)


@given(
    st.dictionaries(
        st.text("abcdef", min_size=1, max_size=3),
        st.text(PLAYED, min_size=3, max_size=3),
        min_size=1,
        max_size=5,
    )
)
@settings(max_examples=60)
def test_ours_never_stops(trials: dict[str, str]) -> None:
    data = run_data(trials)
    data["tasks"][0]["evaluation_criteria"] = None
    for entry in data["simulations"][::2]:
        entry["agent_cost"] = None
    metrics = ours(data)
    results = complete(data, ours=True)
    strict = score_strictly(take_inventory(record_results(results)))
    assert metrics.pass_hat_ks == {f.k: f.value for f in strict.figures if f.value is not None}
    table = agent_metrics.get_tasks_pass_hat_k(results)
    assert list(table.index) == sorted(trials)
    for k, value in metrics.pass_hat_ks.items():
        assert table[f"pass^{k}"].mean() == pytest.approx(value)


# --- each fault, upstream's figure and ours -------------------------------------------------------


def test_thirty_nine_lost_conversations_and_one_success() -> None:
    data = lost_run({"0": "PIII", **{str(i): "IIII" for i in range(1, 10)}})
    theirs = upstream(data)
    if is_main() and IS_PANDAS_3:
        # The same file, scored by the installed version of pandas.
        assert figures(theirs) == pytest.approx([0.025, 0, 0, 0])
    else:
        assert figures(theirs) == [1.0]
    assert figures(ours(data)) == pytest.approx([0.025, 0, 0, 0])


def test_one_lost_trial_drops_a_k_for_the_whole_run() -> None:
    data = run_data({"0": "PPPP", "1": "PPP."})
    assert figures(upstream(data)) == [1.0, 1.0, 1.0]
    assert figures(ours(data)) == [0.875, 0.75, 0.625, 0.5]


def test_a_task_that_lost_all_its_trials_vanishes() -> None:
    data = lost_run({"0": "PP", "1": "II"})
    expected = [0.5, 0.5] if is_main() and IS_PANDAS_3 else [1.0, 1.0]
    assert figures(upstream(data)) == expected
    assert figures(ours(data)) == [0.5, 0.5]


def test_a_task_that_was_never_simulated_vanishes() -> None:
    data = run_data({"0": "PP", "1": ".."})
    assert figures(upstream(data)) == [1.0, 1.0]
    assert figures(ours(data)) == [0.5, 0.5]


def test_unequal_trials_make_average_reward_and_pass_1_disagree() -> None:
    data = run_data({"0": "PPPP", "1": "F..."})
    theirs, mine = upstream(data), ours(data)
    assert (theirs.avg_reward, theirs.pass_hat_ks[1]) == (0.8, 0.5)
    assert (mine.avg_reward, mine.pass_hat_ks[1]) == (0.5, 0.5)


def test_a_duplicated_trial_inflates_n() -> None:
    data = run_data({"0": "PF"})
    data["simulations"] += [simulation("0", 0, "P")]
    assert upstream(data).pass_hat_ks[1] == pytest.approx(2 / 3)
    assert ours(data).pass_hat_ks[1] == 0.5


def test_a_normal_stop_without_a_reward_crashes_or_is_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = run_data({"0": "PE"})
    if is_main():
        # Left out of the average, a failure in pass^1.
        assert (upstream(data).avg_reward, upstream(data).pass_hat_ks[1]) == (1.0, 0.5)
    else:
        with pytest.raises(AttributeError):
            upstream(data)
    mine = ours(data)
    assert (mine.avg_reward, mine.pass_hat_ks[1]) == (0.5, 0.5)
    assert "Evaluator errors (task/trial): 0/1" in shown(mine, monkeypatch)


def test_a_missing_cost_is_averaged_away(monkeypatch: pytest.MonkeyPatch) -> None:
    data = run_data({"0": "PPPP"})
    for entry in data["simulations"][1:]:
        entry["agent_cost"] = None
    assert upstream(data).avg_agent_cost == 0.5
    mine = ours(data)
    assert mine.avg_agent_cost == 0.5
    assert "cost is unknown for 3 of 4 conversations" in shown(mine, monkeypatch)


def test_no_known_cost_is_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    data = run_data({"0": "P"})
    data["simulations"][0]["agent_cost"] = None
    mine = ours(data)
    assert math.isnan(mine.avg_agent_cost)
    assert "so there is no average" in shown(mine, monkeypatch)


def test_a_task_without_criteria_raises_a_key_error() -> None:
    data = run_data({"0": "P", "1": "F"})
    data["tasks"][1] = task("1", None)
    with pytest.raises(KeyError):
        upstream(data)
    assert figures(ours(data)) == [0.5]


def test_a_run_in_which_everything_was_lost() -> None:
    data = lost_run({"0": "II", "1": "II"})
    if is_main():
        assert upstream(data).avg_reward == 0.0
        assert upstream(data).pass_hat_ks == {}
    else:
        with pytest.raises(AttributeError):
            upstream(data)
    assert figures(ours(data)) == [0.0, 0.0]


def test_user_simulator_failures_are_excluded_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    data = run_data({"0": "PPPP", "1": "PPPU"})
    assert figures(upstream(data)) == [0.875, 0.75, 0.625, 0.5]
    mine = ours(data)
    assert figures(mine) == [1.0, 1.0, 1.0]
    text = shown(mine, monkeypatch)
    assert "pass^4 has no value: task 1: fewer than 4 trials without user-simulator errors" in text
    assert "between 0.500 if those had failed and 1.000 if they had passed" in text
    assert "User-simulator errors (task/trial): 1/3" in text


# --- the display ----------------------------------------------------------------------------------


def test_the_display_says_what_the_figures_are_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(ours(run_data({"0": "PPP.", "1": "PFFA"})), monkeypatch)
    assert (
        "Strict figures over 2 tasks × 4 trials = 8 cells: 4 passed, 3 failed, 1 missing." in text
    )
    assert "95% intervals: pass^1 " in text
    assert f"Upstream's convention ({installed_convention()}) on the same verdicts" in text
    assert "(over 7 simulations of 2 tasks)" in text


def test_where_upstream_agrees_nothing_is_said_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "convention" not in shown(ours(run_data({"0": "PF", "1": "PP"})), monkeypatch)


def test_english_metrics_are_upstream_s_to_the_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    results = complete(lost_run({"0": "PFAI", "1": "PPPP"}), ours=False)
    patched = agent_metrics.compute_metrics(results)
    own = original_of(agent_metrics.compute_metrics)(results)
    assert type(patched) is agent_metrics.AgentMetrics
    assert lines_of(patched) == ()
    text = shown(patched, monkeypatch)
    console = Console(file=io.StringIO(), width=200)
    monkeypatch.setattr(ConsoleDisplay, "console", console)
    original_of(ConsoleDisplay.__dict__["display_agent_metrics"].__func__)(ConsoleDisplay, own)
    assert console.file.getvalue() == text
    table = agent_metrics.get_tasks_pass_hat_k(results)
    assert table.equals(original_of(agent_metrics.get_tasks_pass_hat_k)(results))


def test_upstream_s_domains_can_be_opted_in(monkeypatch: pytest.MonkeyPatch) -> None:
    data = run_data({"0": "PP", "1": ".."})
    monkeypatch.setenv("JTAU_PATCH_UPSTREAM", "1")
    assert figures(upstream(data)) == [0.5, 0.5]


def test_every_letter_is_a_simulation_that_some_layout_can_hold() -> None:
    for letter in LETTERS:
        if letter == "I" and not is_main():
            continue
        assert complete(run_data({"0": letter}), ours=True).simulations
