"""Scoring of localized tasks, handed to the scorer; every other task is graded by upstream."""

from __future__ import annotations

from typing import Any

from jtau_plugin.compat import wrapping
from jtau_plugin.compat.extension import EXTENSION, Scorer


def _scorer_for(task: Any) -> Scorer | None:
    scorer = EXTENSION.scorer
    return scorer if scorer is not None and scorer.is_ours(task) else None


def patch_evaluator(module: Any) -> None:
    """Stamp the provenance on every reward of a localized task."""
    wrapping.replace_function(module, "evaluate_simulation", _evaluate_simulation)


def _evaluate_simulation(original: Any) -> Any:
    def evaluate_simulation(simulation: Any, task: Any, *args: Any, **kwargs: Any) -> Any:
        reward_info = original(simulation, task, *args, **kwargs)
        scorer = _scorer_for(task)
        return reward_info if scorer is None else scorer.stamp(task, simulation, reward_info)

    return evaluate_simulation


def patch_action(module: Any) -> None:
    """Compare gold actions with canonical arguments."""
    wrapping.replace_classmethod(module.ActionEvaluator, "calculate_reward", _action)


def _action(original: Any) -> Any:
    def calculate_reward(
        cls: Any, task: Any, full_trajectory: Any, *args: Any, **kwargs: Any
    ) -> Any:
        scorer = _scorer_for(task)
        if scorer is not None:
            full_trajectory = scorer.canonicalize_trajectory(task, full_trajectory)
        return original(cls, task, full_trajectory, *args, **kwargs)

    return calculate_reward


def patch_communicate(module: Any) -> None:
    """Judge what was communicated by number and word, not by substring."""
    wrapping.replace_classmethod(module.CommunicateEvaluator, "calculate_reward", _communicate)


def _communicate(original: Any) -> Any:
    def calculate_reward(
        cls: Any, task: Any, full_trajectory: Any, *args: Any, **kwargs: Any
    ) -> Any:
        def upstream() -> Any:
            return original(cls, task, full_trajectory, *args, **kwargs)

        scorer = _scorer_for(task)
        if scorer is None:
            return upstream()
        return scorer.check_communicated(task, full_trajectory, upstream)

    return calculate_reward
