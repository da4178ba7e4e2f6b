"""The inventory: every cell that should be there, and whose failure each one is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from result_runs import LETTERS, MISSING, read, run, run_data, simulation, task

from jtau_plugin.models.results import RecordedSimulation
from jtau_plugin.scoring.causes import GRADED, KNOWN_REASONS, Outcome, find_outcome
from jtau_plugin.scoring.inventory import Inventory, take_inventory

BY_LETTER = {
    "P": Outcome.PASSED,
    "F": Outcome.FAILED,
    "E": Outcome.EVALUATOR_ERROR,
    "I": Outcome.INFRASTRUCTURE_ERROR,
    "U": Outcome.USER_ERROR,
    "A": Outcome.FAILED,
    "S": Outcome.INFRASTRUCTURE_ERROR,
    MISSING: Outcome.MISSING,
}


def outcome(**recorded: Any) -> Outcome:
    return find_outcome(RecordedSimulation(task_id="0", **recorded))[0]


def reason(**recorded: Any) -> str:
    return find_outcome(RecordedSimulation(task_id="0", **recorded))[1]


def what_is_wrong(inventory: Inventory) -> list[str]:
    return [str(problem) for problem in inventory.problems]


@given(
    st.dictionaries(
        st.text("abc", min_size=1), st.text("PFEIUAS.", min_size=3, max_size=3), min_size=1
    )
)
def test_every_cell_is_counted_once(trials: dict[str, str]) -> None:
    inventory = take_inventory(run(trials))
    assert inventory.expected == 3 * len(trials) == sum(inventory.counts.values())
    assert inventory.present + inventory.counts[Outcome.MISSING] == inventory.expected
    assert inventory.problems == ()
    for name, letters in trials.items():
        assert [c.outcome for c in inventory.cells_of(name)] == [BY_LETTER[x] for x in letters]


def test_tasks_and_trials_come_from_the_run_and_not_from_what_was_played() -> None:
    inventory = take_inventory(run({"0": "P", "1": "."}, num_trials=2))
    assert inventory.expected == 4
    assert inventory.counts[Outcome.MISSING] == 3


@pytest.mark.parametrize("stop", ["user_stop", "agent_stop"])
def test_a_normal_stop_without_a_reward_is_an_evaluator_error(stop: str) -> None:
    assert outcome(termination_reason=stop) is Outcome.EVALUATOR_ERROR
    nothing = {"reward": None}
    assert outcome(termination_reason=stop, reward_info=nothing) is Outcome.EVALUATOR_ERROR
    no_number = {"reward": float("nan")}
    assert outcome(termination_reason=stop, reward_info=no_number) is Outcome.EVALUATOR_ERROR


@pytest.mark.parametrize("state", ["evaluator_error", "unevaluated"])
def test_what_the_scorer_could_not_grade_is_an_evaluator_error(state: str) -> None:
    info = {"jtau": {"status": state, "error": "the judge gave no verdict"}}
    recorded = {"termination_reason": "user_stop", "reward_info": {"reward": 0.0, "info": info}}
    assert outcome(**recorded) is Outcome.EVALUATOR_ERROR
    assert reason(**recorded) == "the judge gave no verdict"


@pytest.mark.parametrize(
    ("ending", "expected"),
    [
        ("max_steps", Outcome.FAILED),
        ("timeout", Outcome.FAILED),
        ("too_many_errors", Outcome.FAILED),
        ("agent_error", Outcome.FAILED),
        ("judge_stop", Outcome.FAILED),
        ("context_window_exceeded", Outcome.FAILED),
        ("user_error", Outcome.USER_ERROR),
        ("infrastructure_error", Outcome.INFRASTRUCTURE_ERROR),
        ("unexpected_error", Outcome.INFRASTRUCTURE_ERROR),
        ("aborted", Outcome.UNKNOWN),
        ("", Outcome.UNKNOWN),
    ],
)
@pytest.mark.parametrize("reward", [None, {"reward": 0.0}, {"reward": 1.0}])
def test_an_abnormal_end_decides_whatever_the_reward_says(
    ending: str, expected: Outcome, reward: Any
) -> None:
    assert outcome(termination_reason=ending, reward_info=reward) is expected
    assert reason(termination_reason=ending, reward_info=reward)


def test_a_failure_counts_nothing_in_an_average() -> None:
    data = run_data({"0": "P"})
    data["simulations"][0]["termination_reason"] = "max_steps"
    assert take_inventory(read(data)).cells["0", 0].reward == 0.0


def test_an_unknown_reason_is_named_and_not_guessed() -> None:
    data = run_data({"0": "P"})
    data["simulations"][0]["termination_reason"] = "aborted"
    inventory = take_inventory(read(data), "r.json")
    assert inventory.counts[Outcome.UNKNOWN] == 1
    assert what_is_wrong(inventory) == [
        (
            "r.json: task 0, trial 0: termination reason 'aborted' is not known "
            f"(known are {', '.join(sorted(KNOWN_REASONS))})"
        )
    ]


def traceback(*files: str, function: str = "f") -> str:
    frames = "\n".join(f'  File "/env/{f}", line 7, in {function}\n    pass' for f in files)
    return f"Traceback (most recent call last):\n{frames}\nError: x"


RUNNER = "site-packages/tau2/runner/progress.py"
AGENT = "site-packages/tau2/agent/llm_agent.py"
USER = "site-packages/tau2/user/user_simulator.py"
READING = "site-packages/tau2/utils/llm_utils.py"
DECODER = "lib/python3.12/json/decoder.py"


def lost(error_type: str, *files: str, error: str = "x", function: str = "f") -> Outcome:
    trace = traceback(RUNNER, *files, function=function)
    info = {"error_type": error_type, "error": error, "error_traceback": trace}
    return outcome(termination_reason="infrastructure_error", info=info)


def test_an_unreadable_output_is_its_speaker_s_failure() -> None:
    """An agent that writes broken arguments has failed; nothing was wrong with the infrastructure."""
    assert lost("JSONDecodeError", AGENT, READING, DECODER) is Outcome.FAILED
    assert lost("JSONDecodeError", USER, READING, DECODER) is Outcome.USER_ERROR
    assert lost("ValidationError", AGENT, READING, "pydantic/main.py") is Outcome.FAILED
    windows = AGENT.replace("/", "\\"), READING.replace("/", "\\")
    assert lost("JSONDecodeError", *windows) is Outcome.FAILED


def test_an_empty_message_is_its_speaker_s_failure() -> None:
    step = "site-packages/tau2/orchestrator/orchestrator.py"
    message = "site-packages/tau2/data_model/message.py"
    said = "{}Message must have either content or tool_calls. Got …"
    for speaker, expected in (("Assistant", Outcome.FAILED), ("User", Outcome.USER_ERROR)):
        error = said.format(speaker)
        assert lost("ValueError", step, message, error=error, function="validate") is expected
        assert lost("ValueError", step, error=error) is Outcome.INFRASTRUCTURE_ERROR


def test_a_failing_evaluator_is_no_infrastructure_error() -> None:
    judge = "site-packages/tau2/evaluator/evaluator_nl_assertions.py"
    assert lost("JSONDecodeError", judge, DECODER) is Outcome.EVALUATOR_ERROR
    assert lost("RateLimitError", judge, READING, "litellm/main.py") is Outcome.EVALUATOR_ERROR


def test_a_provider_that_fails_is_infrastructure() -> None:
    client = "litellm/main.py"
    for error_type in ("RateLimitError", "JSONDecodeError", "ValidationError"):
        assert lost(error_type, AGENT, READING, client) is Outcome.INFRASTRUCTURE_ERROR
    decoded_by_client = lost("JSONDecodeError", AGENT, READING, client, DECODER)
    assert decoded_by_client is Outcome.INFRASTRUCTURE_ERROR
    assert outcome(termination_reason="infrastructure_error") is Outcome.INFRASTRUCTURE_ERROR


def duplicated(*letters: str) -> Inventory:
    data = run_data({"0": letters[0]})
    data["simulations"] += [
        simulation("0", 0, letter, id=f"again-{i}", messages=[{"content": i}])
        for i, letter in enumerate(letters[1:])
    ]
    return take_inventory(read(data), "r.json")


def test_a_copy_counts_once_and_is_no_problem() -> None:
    data = run_data({"0": "F"})
    data["simulations"] += [simulation("0", 0, "F", id="copy")]
    inventory = take_inventory(read(data))
    assert inventory.counts[Outcome.FAILED] == 1
    assert inventory.problems == ()


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ("FP", Outcome.FAILED),
        ("PF", Outcome.PASSED),
        ("IP", Outcome.PASSED),
        ("UIFP", Outcome.FAILED),
        ("EP", Outcome.PASSED),
        ("IU", Outcome.INFRASTRUCTURE_ERROR),
    ],
)
def test_a_later_attempt_never_replaces_a_verdict(letters: str, expected: Outcome) -> None:
    inventory = duplicated(*letters)
    assert inventory.cells["0", 0].outcome is expected
    (problem,) = inventory.problems
    assert f"was played {len(letters)} times" in problem.what
    assert "counts, as the first that was graded" in problem.hint


def test_strays_are_named_and_not_counted() -> None:
    data = run_data({"0": "P"})
    data["simulations"] += [
        simulation("9", 0, "P", id="stray"),
        simulation("0", 4, "P", id="late"),
        simulation("0", None, "P", id="nameless"),
    ]
    inventory = take_inventory(read(data), "r.json")
    assert inventory.expected == inventory.counts[Outcome.PASSED] == 1
    assert what_is_wrong(inventory) == [
        (
            "r.json: simulation stray: is of task 9, which is none of the run's tasks; it is not "
            "counted"
        ),
        (
            "r.json: simulation late: is trial 4 of task 0, but info.num_trials is 1; it is not "
            "counted"
        ),
        "r.json: simulation nameless: of task 0 has no trial number; it is not counted",
    ]


def test_a_task_that_stands_twice_counts_once() -> None:
    data = run_data({"0": "P"})
    data["tasks"] += [task("0")]
    assert take_inventory(read(data)).problems == ()
    data["tasks"] += [task("0", ["get", "set"])]
    inventory = take_inventory(read(data), "r.json")
    assert inventory.expected == 1
    assert len(inventory.problems) == 1


def test_gold_actions_are_counted_as_upstream_counts_them() -> None:
    data = run_data({"0": "P"})
    data["tasks"] = [
        task("0", []),
        task("1", ["a", "b"]),
        task("2", ["transfer_to_human_agents"]),
        task("3", None),
        task("4", ["transfer", "get"]),
    ]
    counts = take_inventory(read(data)).gold_actions
    assert counts == {"0": 0, "1": 2, "2": -1, "3": None, "4": 2}


def test_graded_outcomes_are_those_that_say_something_about_the_agent() -> None:
    assert {BY_LETTER[x] for x in LETTERS} - GRADED == {
        Outcome.EVALUATOR_ERROR,
        Outcome.INFRASTRUCTURE_ERROR,
        Outcome.USER_ERROR,
    }
    assert take_inventory(run({"0": "PFA"})).is_complete
    assert not take_inventory(run({"0": "PFI"})).is_complete
