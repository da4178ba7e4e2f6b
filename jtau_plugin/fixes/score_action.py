"""ACTION one to one: ``scoring.actions`` in the place of a search for any call that fits."""

from __future__ import annotations

from typing import Any

from jtau_plugin.compat.extension import EXTENSION
from jtau_plugin.compat.scope import is_task_in_scope
from jtau_plugin.scoring.actions import Call, GoldAction, match_actions


def make(original: Any) -> Any:
    """Return the replacement for ``ActionEvaluator.calculate_reward``."""

    def calculate_reward(
        cls: Any, task: Any, full_trajectory: Any, *args: Any, **kwargs: Any
    ) -> Any:
        def upstream(trajectory: Any) -> Any:
            return original(cls, task, trajectory, *args, **kwargs)

        scorer = EXTENSION.scorer
        if scorer is None or not is_task_in_scope(task):
            return upstream(full_trajectory)
        return scorer.grade_actions(task, full_trajectory, upstream)

    return calculate_reward


_GOLD = GoldAction("cancel", {"id": "A1", "reason": "mistake"})
_VECTORS = (
    ("a call without the reason", [_GOLD], [Call("cancel", {"id": "A1"})], [None]),
    ("one call for two gold actions", [_GOLD] * 2, [Call("cancel", _GOLD.arguments)], [0, None]),
    ("a call of the user's", [_GOLD], [Call("cancel", _GOLD.arguments, "user")], [None]),
    (
        "住所の異なる呼び出し",
        [GoldAction("move", {"city": "大阪市"}), GoldAction("move", {}, keys=())],
        [Call("move", {"city": "大阪市"}), Call("move", {"city": "京都市"})],
        [0, 1],
    ),
)


def check() -> list[str]:
    """Return what the matching gets wrong in an English and a Japanese vector."""
    return [
        f"{name}: gold actions are matched with {found}, expected {expected}"
        for name, golds, calls, expected in _VECTORS
        if (found := match_actions(golds, calls)) != expected
    ]
