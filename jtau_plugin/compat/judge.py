"""tau2's own call of a judge model, and how upstream reads the answer."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from typing import Any

from jtau_plugin.compat.layout import module

_EVALUATOR = "tau2.evaluator.evaluator_nl_assertions"


def installed_judge() -> tuple[str, dict[str, Any]]:
    """Return model and arguments of the installed tau2's judge."""
    evaluator = module(_EVALUATOR)
    return evaluator.DEFAULT_LLM_NL_ASSERTIONS, dict(evaluator.DEFAULT_LLM_NL_ASSERTIONS_ARGS)


def ask_judge(
    model: str, arguments: Mapping[str, Any], messages: Sequence[tuple[str, str]]
) -> tuple[str | None, float | None]:
    """Return a model's answer and its cost, by tau2's ``generate`` with its retries and its log.

    Args:
        model: the judge.
        arguments: further arguments of the call.
        messages: (role, text) in order.
    """
    classes = module("tau2.data_model.message")
    kinds = {
        "system": classes.SystemMessage,
        "user": classes.UserMessage,
        "assistant": classes.AssistantMessage,
    }
    generate = module(_EVALUATOR).generate
    named = "call_name" in inspect.signature(generate).parameters
    answer = generate(
        model=model,
        messages=[kinds[role](role=role, content=text) for role, text in messages],
        **({"call_name": "nl_assertions_eval"} if named else {}),
        **arguments,
    )
    return answer.content, answer.cost


def read_as_upstream(answer: str | None) -> bool | None:
    """Return upstream's verdict on a judge's answer, or ``None`` where upstream would have raised.

    Upstream reads strict JSON and combines whatever verdicts are in it.
    """
    check = module("tau2.data_model.simulation").NLAssertionCheck
    try:
        data = json.loads(answer)  # type: ignore[arg-type]
        checks = [
            check(
                nl_assertion=result["expectedOutcome"],
                met=result["metExpectation"],
                justification=result["reasoning"],
            )
            for result in data.get("results", [])
        ]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return all(found.met for found in checks)
