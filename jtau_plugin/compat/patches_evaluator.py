"""Grading as a whole: what is in scope is handed to the scorer, the rest stays upstream's."""

from __future__ import annotations

import inspect
from typing import Any

from jtau_plugin.compat import wrapping
from jtau_plugin.compat.extension import EXTENSION, Scorer
from jtau_plugin.compat.layout import registry
from jtau_plugin.compat.scope import is_task_in_scope

_VOICE = "full_duplex"


def patch_evaluator(module: Any) -> None:
    """Grade by the scorer what is in scope: it keeps the conversation whatever happens."""
    wrapping.replace_function(
        module, "evaluate_simulation", lambda original: _evaluate_simulation(original, module)
    )


def _evaluate_simulation(original: Any, module: Any) -> Any:
    signature = inspect.signature(original)

    def evaluate_simulation(simulation: Any, task: Any, *args: Any, **kwargs: Any) -> Any:
        scorer = EXTENSION.scorer
        if scorer is None or not is_task_in_scope(task):
            return original(simulation, task, *args, **kwargs)
        call = signature.bind(simulation, task, *args, **kwargs)
        if _is_voice(call) and not scorer.is_ours(task):
            # The evaluators of voice runs are not patched: ours have no voice mode.
            return original(simulation, task, *args, **kwargs)
        return _grade(scorer, original, call, module.EvaluationType)

    return evaluate_simulation


def _is_voice(call: inspect.BoundArguments) -> bool:
    return getattr(call.arguments.get("mode"), "value", None) == _VOICE


def _grade(scorer: Scorer, original: Any, call: inspect.BoundArguments, kinds: Any) -> Any:
    if EXTENSION.ensure_patched is not None:
        EXTENSION.ensure_patched()
    task, domain = call.arguments["task"], call.arguments["domain"]
    # What is asked for wrongly is told at once: later it would look like a failed evaluation.
    registry().get_env_constructor(domain)
    kind = kinds(call.arguments["evaluation_type"])
    if kind == kinds.ALL and _counts_assertions(task):
        # One of the layouts grades assertions only when it is told to, and otherwise raises.
        call.arguments["evaluation_type"] = kinds.ALL_WITH_NL_ASSERTIONS
    return scorer.grade(
        task,
        call.arguments["simulation"],
        domain,
        kind.value,
        lambda: original(*call.args, **call.kwargs),
    )


def _counts_assertions(task: Any) -> bool:
    criteria = task.evaluation_criteria
    return criteria is not None and any(
        kind.value == "NL_ASSERTION" for kind in criteria.reward_basis or ()
    )
