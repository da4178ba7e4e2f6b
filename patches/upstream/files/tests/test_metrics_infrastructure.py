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
from tau2.metrics.agent_metrics import compute_metrics, get_metrics_df


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


def test_infrastructure_errors_are_left_out():
    results = run(2, {"a": [1.0, None], "b": [0.0, 1.0]})
    df, max_k = get_metrics_df(results)
    assert len(df) == 3
    assert max_k == 1
    metrics = compute_metrics(results)
    assert metrics.infra_error_count == 1
    assert metrics.avg_reward == pytest.approx(2 / 3)
    assert metrics.pass_hat_ks == {1: pytest.approx(0.75)}


def test_a_run_without_errors_is_left_whole():
    df, max_k = get_metrics_df(run(2, {"a": [1.0, 0.0], "b": [0.0, 1.0]}))
    assert (len(df), max_k) == (4, 2)
