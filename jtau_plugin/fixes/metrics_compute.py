"""Strict metrics for runs of ours: ``scoring.agent_metrics`` in the place of a data frame."""

from __future__ import annotations

from typing import Any

from jtau_plugin.compat.agent_metrics import is_run_in_scope
from jtau_plugin.models.results import RecordedResults
from jtau_plugin.scoring import agent_metrics
from jtau_plugin.scoring.inventory import take_inventory
from jtau_plugin.scoring.pass_hat_k import score_strictly


def make(original: Any) -> Any:
    """Return the replacement for ``compute_metrics``."""

    def compute_metrics(results: Any) -> Any:
        if not is_run_in_scope(results):
            return original(results)
        return agent_metrics.compute(results, original)

    return compute_metrics


def _vector(domain: str, *rewards: float | None) -> RecordedResults:
    return RecordedResults.model_validate(
        {
            "info": {"num_trials": 2, "environment_info": {"domain_name": domain}},
            "tasks": [{"id": "住所変更" if domain.startswith("ja_") else "0"}, {"id": "1"}],
            "simulations": [
                {
                    "task_id": "住所変更" if domain.startswith("ja_") else "0",
                    "trial": trial,
                    "termination_reason": "user_stop",
                    "reward_info": None if reward is None else {"reward": reward},
                }
                for trial, reward in enumerate(rewards)
            ],
        }
    )


_VECTORS = (
    (_vector("retail", 1.0, 1.0), [0.5, 0.5]),
    (_vector("ja_retail", 1.0, None), [0.25, 0.0]),
)


def check() -> list[str]:
    """Return what is counted wrongly in an English and a Japanese vector with lost trials."""
    return [
        f"{vector.domain}: pass^k is {found}, expected {expected}"
        for vector, expected in _VECTORS
        if (found := [f.value for f in score_strictly(take_inventory(vector)).figures]) != expected
    ]
