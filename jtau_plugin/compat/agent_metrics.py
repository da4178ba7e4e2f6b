"""tau2's own metrics objects, filled with figures that are not upstream's.

Whatever else upstream counts for its display is counted by upstream's code, on a copy of the
results on which that code does not fail.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pydantic import PrivateAttr

from jtau_plugin.compat.layout import detect_layout, module
from jtau_plugin.compat.scope import is_task_in_scope

_METRICS = "tau2.metrics.agent_metrics"
#: What every layout's metrics have; anything further is upstream's to count.
_FIGURES = frozenset({"avg_reward", "pass_hat_ks", "avg_agent_cost"})


def is_run_in_scope(results: Any) -> bool:
    """Return whether the metrics of a run are ours to compute."""
    return any(is_task_in_scope(task) for task in results.tasks)


def installed_convention() -> str:
    """Return how the installed upstream code counts; the version of pandas is part of it."""
    layout = detect_layout().name
    try:
        major = int(importlib.metadata.version("pandas").partition(".")[0])
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return layout
    is_filter_void = layout == "v1_0" and major >= 3  # noqa: PLR2004  (pandas 3)
    return f"{layout} (pandas 3)" if is_filter_void else layout


@lru_cache(maxsize=1)
def _metrics_class() -> Any:
    base = module(_METRICS).AgentMetrics

    class StrictMetrics(base):  # type: ignore[misc, valid-type]
        """tau2's metrics with strict figures, and lines that say what they are made of."""

        _jtau_lines: tuple[str, ...] = PrivateAttr(default=())

    return StrictMetrics


def lines_of(metrics: Any) -> tuple[str, ...]:
    """Return the lines that belong to metrics of ours; none for upstream's."""
    lines: tuple[str, ...] = getattr(metrics, "_jtau_lines", ())
    return lines


def strict_metrics(
    results: Any,
    original: Callable[[Any], Any],
    figures: Mapping[str, Any],
    *,
    positions: Collection[int],
    lines: Sequence[str],
) -> Any:
    """Return tau2's AgentMetrics with our figures.

    Args:
        results: tau2's Results.
        original: upstream's ``compute_metrics``.
        figures: ``avg_reward``, ``pass_hat_ks`` and ``avg_agent_cost``; ``None`` is not a number.
        positions: which of the simulations are counted.
        lines: what is to be said beside the figures.
    """
    cls = _metrics_class()
    values = {key: math.nan if value is None else value for key, value in figures.items()}
    if set(cls.model_fields) - _FIGURES:
        values = _counted(results, original, positions) | values
    metrics = cls(**values)
    metrics._jtau_lines = tuple(lines)
    return metrics


def _counted(
    results: Any, original: Callable[[Any], Any], positions: Collection[int]
) -> dict[str, Any]:
    chosen = [results.simulations[position] for position in sorted(positions)]
    counted: dict[str, Any] = original(_complete(results, chosen)).model_dump()
    lost = counted["infra_error_count"]
    # The display says of these that they are left out of the figures; from ours they are not.
    return counted | {
        "infra_error_count": 0,
        "termination_infrastructure_error": lost,
        "total_simulations": len(chosen),
        "total_tasks": len({task.id for task in results.tasks}),
    }


def _complete(results: Any, simulations: Sequence[Any]) -> Any:
    """Return a copy of the results in which no reward and no criteria are missing."""
    reward = module("tau2.data_model.simulation").RewardInfo(reward=0.0)
    criteria = module("tau2.data_model.tasks").EvaluationCriteria()
    return results.model_copy(
        update={
            "tasks": [
                task
                if task.evaluation_criteria is not None
                else task.model_copy(update={"evaluation_criteria": criteria})
                for task in results.tasks
            ],
            "simulations": [
                simulation
                if simulation.reward_info is not None
                else simulation.model_copy(update={"reward_info": reward})
                for simulation in simulations
            ],
        }
    )


def pass_hat_table(results: Any, rows: Mapping[str, Sequence[float]], ks: Sequence[int]) -> Any:
    """Return upstream's table of pass^k by task, with our figures.

    Args:
        results: tau2's Results.
        rows: the figures by task.
        ks: which k each of them is for.
    """
    frame: Any = importlib.import_module("pandas").DataFrame
    counts = {task.id: _action_counts(task) for task in results.tasks}
    data = {
        task: [*counts[task], *values] for task, values in sorted(rows.items()) if task in counts
    }
    columns = ["task_num_agent_actions", "task_num_user_actions", "task_num_actions"]
    table = frame.from_dict(data, orient="index", columns=[*columns, *(f"pass^{k}" for k in ks)])
    table.index.name = "task_id"
    return table


def _action_counts(task: Any) -> tuple[int, int, int]:
    criteria = task.evaluation_criteria
    actions = (criteria.actions if criteria is not None else None) or []
    agent = sum(action.requestor == "assistant" for action in actions)
    is_transfer = len(actions) == 1 and "transfer" in actions[0].name.lower()
    return agent, len(actions) - agent, -1 if is_transfer else len(actions)
