"""Summaries: no figure without coverage, interval and what upstream would have said."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from result_runs import read, run, run_data

from jtau_plugin.scoring.agent_metrics import describe, describe_scores, differs
from jtau_plugin.scoring.bootstrap import Bootstrap
from jtau_plugin.scoring.floor import Floor
from jtau_plugin.scoring.summary import (
    OVERALL,
    RunSummary,
    as_data,
    overall_data,
    summarize_overall,
    summarize_run,
)

FAST = Bootstrap(repetitions=50)


def summarize(trials: dict[str, str], domain: str = "retail") -> RunSummary:
    return summarize_run(read(run_data(trials, domain=domain)), f"{domain}.json", settings=FAST)


@given(
    st.dictionaries(
        st.text("ab", min_size=1, max_size=3),
        st.text("PFEIUAS.", min_size=3, max_size=3),
        min_size=1,
    )
)
def test_the_summary_is_plain_data_and_complete(trials: dict[str, str]) -> None:
    data = as_data(summarize(trials))
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert [figure["k"] for figure in data["pass_hat_k"]] == [1, 2, 3]
    assert sum(data["inventory"].values()) == data["coverage"]["expected"] == 3 * len(trials)
    for figure in data["pass_hat_k"]:
        assert (figure["strict"] is None) == (figure["interval"] is None)
        assert (figure["strict"] is None) == bool(figure["short_tasks"])
    named = sum(n for name, n in data["inventory"].items() if name not in {"passed", "failed"})
    assert len(data["cells"]) == named


def test_seed_and_repetitions_are_said() -> None:
    lines = "\n".join(describe(summarize({"0": "PF", "1": "PP"}), "v0_2"))
    assert "bootstrap over tasks, 50 repetitions, seed 20260101" in lines


def test_costs_are_counted_apart_from_what_is_unknown() -> None:
    data = run_data({"0": "PPP."})
    data["simulations"][1]["agent_cost"] = None
    data["simulations"][2]["agent_cost"] = 1.5
    costs = summarize_run(read(data), "r", settings=FAST).costs
    assert (costs.mean, costs.known, costs.unknown) == (1.0, 2, 1)
    assert summarize({"0": "."}).costs.mean is None


def with_upstream(rewards: list[float | None]) -> RunSummary:
    data = run_data({"0": "PPFF"})
    for entry, reward in zip(data["simulations"], rewards, strict=True):
        entry["reward_info"]["info"] = {"jtau": {"upstream": {"reward": reward}}}
    return summarize_run(read(data), "r", settings=FAST)


def test_upstream_s_scorer_is_compared_where_its_verdict_is_known() -> None:
    scorer = with_upstream([1.0, 0.0, 1.0, None]).scorer
    assert (scorer.compared, scorer.ours, scorer.theirs, scorer.unknown) == (3, 2, 2, 1)
    assert [cell.trial for cell in scorer.differing] == [1, 2]
    assert summarize({"0": "PF"}).scorer.compared == 0


def test_overall_is_the_mean_over_domains() -> None:
    runs = [summarize({str(i): "PP" for i in range(9)}, "airline"), summarize({"0": "FF"})]
    overall = summarize_overall(runs)
    assert overall is not None
    assert dict(overall.values) == {1: 0.5, 2: 0.5}
    data = overall_data(overall)
    assert data["mean"] == OVERALL == "macro over domains"
    assert data["domains"] == ["airline", "retail"]


def test_one_domain_has_no_overall_and_unequal_trials_go_as_far_as_the_shorter() -> None:
    assert summarize_overall([summarize({"0": "P"})]) is None
    overall = summarize_overall([summarize({"0": "PPP"}), summarize({"0": "P"}, "airline")])
    assert overall is not None
    assert list(overall.values) == [1]


def test_a_domain_without_a_value_leaves_overall_without_one() -> None:
    overall = summarize_overall([summarize({"0": "PU"}), summarize({"0": "PP"}, "airline")])
    assert overall is not None
    assert dict(overall.values) == {1: 1.0, 2: None}
    assert list(overall.intervals) == [1]


def test_the_floor_goes_with_the_run() -> None:
    floor = Floor("retail", 4, ("0",), ("1",))
    summary = summarize_run(run({"0": "P"}), "r", settings=FAST, floor=floor)
    assert as_data(summary)["floor"] == {
        "tasks": 4,
        "passing": ["0"],
        "judged": ["1"],
        "unknown": [],
        "rate": 0.25,
    }
    assert Floor("retail", 0, ()).rate == 0


@pytest.mark.parametrize(
    ("trials", "convention", "expected"),
    [
        ({"0": "PF", "1": "PP"}, "v1_0", False),
        ({"0": "PF", "1": "PI"}, "v1_0", True),
        ({"0": "PF", "1": "PI"}, "v1_0 (pandas 3)", True),
        ({"0": "PE"}, "v0_2", True),
    ],
)
def test_what_upstream_would_say_is_said_where_it_differs(
    trials: dict[str, str], convention: str, expected: bool
) -> None:
    summary = summarize(trials)
    theirs = next(scores for scores in summary.upstream if scores.name == convention)
    assert differs(summary.strict, theirs) is expected
    lines = "\n".join(describe(summary, convention))
    assert (describe_scores(theirs) in lines) is expected
