"""DB by a synchronised gold environment, with sets compared as sets: ``scoring.environments``."""

from __future__ import annotations

import inspect
from typing import Any

from jtau_plugin.compat.extension import EXTENSION
from jtau_plugin.compat.scope import is_task_in_scope
from jtau_plugin.scoring.states import RULES, is_same_state

_OPTIONS = ("solo_mode", "env_kwargs", "strict_replay")


def make(original: Any) -> Any:
    """Return the replacement for ``EnvironmentEvaluator.calculate_reward``."""
    signature = inspect.signature(original)

    def calculate_reward(
        cls: Any,
        environment_constructor: Any,
        task: Any,
        full_trajectory: Any,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        call = (cls, environment_constructor, task, full_trajectory, *args)
        scorer = EXTENSION.scorer
        if scorer is None or not is_task_in_scope(task):
            return original(*call, **kwargs)
        given = signature.bind(*call, **kwargs).arguments
        # What a layout does not have, its evaluator does not take either.
        options = {name: given[name] for name in _OPTIONS if name in given}
        return scorer.grade_environment(
            task,
            full_trajectory,
            environment_constructor,
            lambda: original(*call, **kwargs),
            **options,
        )

    return calculate_reward


def _booking(*passengers: str, **further: Any) -> dict[str, Any]:
    entry = {"passengers": [{"first_name": name} for name in passengers], **further}
    return {"reservations": {"R1": entry}, "users": {}}


_VECTORS = (
    ("order of passengers", _booking("Sophia", "Kevin"), _booking("Kevin", "Sophia"), True),
    ("other passengers", _booking("Sophia", "Kevin"), _booking("Sophia", "Sophia"), False),
    ("搭乗者の順序", _booking("花子", "太郎"), _booking("太郎", "花子"), True),
    ("区間の順序", _booking("花子", flights=[1, 2]), _booking("花子", flights=[2, 1]), False),
)


def check() -> list[str]:
    """Return what the comparison gets wrong in an English and a Japanese vector."""
    return [
        f"{name}: the states are {'' if found else 'not '}found the same"
        for name, gold, predicted, expected in _VECTORS
        if (found := is_same_state(gold, predicted, RULES["FlightDB"])) is not expected
    ]
