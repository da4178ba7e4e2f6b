import pytest

from tau2.data_model.simulation import (
    Info,
    Results,
    RewardInfo,
    SimulationRun,
    TerminationReason,
    UserInfo,
)
from tau2.data_model.tasks import EvaluationCriteria, Task, UserScenario
from tau2.environment.environment import EnvironmentInfo
from tau2.metrics.agent_metrics import compute_metrics, display_metrics


def simulation(task_id: str, trial: int, reward: float | None) -> SimulationRun:
    """A simulation with a reward; without one it never ran."""
    stop = TerminationReason.USER_STOP
    lost = TerminationReason.INFRASTRUCTURE_ERROR
    return SimulationRun(
        id=f"{task_id}-{trial}",
        task_id=task_id,
        trial=trial,
        start_time="2026-01-01T00:00:00",
        end_time="2026-01-01T00:01:00",
        duration=60.0,
        termination_reason=lost if reward is None else stop,
        reward_info=RewardInfo(reward=0.0 if reward is None else reward),
        messages=[],
    )


def run(num_trials: int, rewards: dict[str, list[float | None]]) -> Results:
    info = Info(
        git_commit="abc",
        num_trials=num_trials,
        max_steps=10,
        max_errors=10,
        user_info=UserInfo(implementation="user_simulator"),
        agent_info={"implementation": "llm_agent"},
        environment_info=EnvironmentInfo(domain_name="mock", policy="policy"),
    )
    tasks = [
        Task(
            id=task_id,
            user_scenario=UserScenario(instructions="instructions"),
            evaluation_criteria=EvaluationCriteria(),
        )
        for task_id in rewards
    ]
    simulations = [
        simulation(task_id, trial, reward)
        for task_id, given in rewards.items()
        for trial, reward in enumerate(given)
    ]
    return Results(info=info, tasks=tasks, simulations=simulations)


def test_a_complete_run():
    metrics = compute_metrics(run(2, {"a": [1.0, 1.0], "b": [0.0, 1.0]}))
    inventory = metrics.trial_inventory
    assert (inventory.expected, inventory.missing, inventory.duplicates) == (4, 0, 0)
    assert inventory.strict_pass_hat_ks == metrics.pass_hat_ks


def test_a_lost_task_counts_as_not_passed(capsys):
    metrics = compute_metrics(run(2, {"a": [1.0, 1.0], "b": []}))
    assert metrics.pass_hat_ks == {1: 1.0, 2: 1.0}
    assert metrics.trial_inventory.missing == 2
    assert metrics.trial_inventory.strict_pass_hat_ks == {1: 0.5, 2: 0.5}
    display_metrics(metrics)
    assert "Missing trials: 2 of 4" in capsys.readouterr().out


def test_a_lost_trial_counts_as_not_passed():
    metrics = compute_metrics(run(2, {"a": [1.0, None], "b": [1.0, 1.0]}))
    assert metrics.trial_inventory.missing == 1
    assert metrics.trial_inventory.strict_pass_hat_ks == {1: 0.75, 2: 0.5}


def test_a_repeated_trial_counts_once():
    results = run(1, {"a": [0.0]})
    results.simulations.append(simulation("a", 0, 1.0))
    inventory = compute_metrics(results).trial_inventory
    assert (inventory.missing, inventory.duplicates) == (0, 1)
    assert inventory.strict_pass_hat_ks == {1: 0.0}


@pytest.mark.parametrize("rewards", [[], [None, None]])
def test_a_run_without_results(rewards: list):
    inventory = compute_metrics(run(2, {"a": rewards})).trial_inventory
    assert (inventory.expected, inventory.missing) == (2, 2)
    assert inventory.strict_pass_hat_ks == {1: 0.0, 2: 0.0}
