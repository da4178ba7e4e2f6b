"""COMMUNICATE by numbers and words: ``scoring.communicate`` in the place of a substring test."""

from __future__ import annotations

from typing import Any

from jtau_plugin.compat.extension import EXTENSION
from jtau_plugin.compat.scope import is_task_in_scope
from jtau_plugin.scoring.communicate import is_communicated


def make(original: Any) -> Any:
    """Return the replacement for ``CommunicateEvaluator.calculate_reward``."""

    def calculate_reward(
        cls: Any, task: Any, full_trajectory: Any, *args: Any, **kwargs: Any
    ) -> Any:
        def upstream() -> Any:
            return original(cls, task, full_trajectory, *args, **kwargs)

        scorer = EXTENSION.scorer
        if scorer is None or not is_task_in_scope(task):
            return upstream()
        return scorer.grade_communication(task, full_trajectory, upstream)

    return calculate_reward


_VECTORS = (
    ("1628", "Your refund is $1,628.00.", True),
    ("10", "It belongs to order #W1006327.", False),
    ("1628", "返金額は１，６２８ドルです。", True),
    ("4", "2024年5月24日に14点をお届けします。", False),
)


def check() -> list[str]:
    """Return what the rule gets wrong in an English and a Japanese vector."""
    return [
        f"{info!r} in {text!r} is {'not ' if expected else ''}found"
        for info, text, expected in _VECTORS
        if is_communicated(info, text) is not expected
    ]
