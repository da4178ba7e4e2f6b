"""tau2's own reward objects, built as its evaluators build them."""

from __future__ import annotations

from typing import Any

from jtau_plugin.compat.layout import module

#: The reason for ending that tau2 grades; any other is a reward of 0.
NORMAL_STOPS = frozenset({"agent_stop", "user_stop"})


def _simulation() -> Any:
    return module("tau2.data_model.simulation")


def reward_info(reward: float, *, breakdown: dict[str, float] | None = None, **fields: Any) -> Any:
    """Return a RewardInfo.

    Args:
        reward: the reward.
        breakdown: rewards by name of their type.
        fields: its other fields.
    """
    if breakdown is not None:
        kind = module("tau2.data_model.tasks").RewardType
        fields["reward_breakdown"] = {kind(name): value for name, value in breakdown.items()}
    return _simulation().RewardInfo(reward=reward, **fields)


def db_check(*, is_match: bool) -> Any:
    """Return the check of the databases."""
    return _simulation().DBCheck(db_match=is_match, db_reward=float(is_match))


def env_assertion_check(assertion: Any, *, is_met: bool) -> Any:
    """Return the check of one assertion on the environment."""
    return _simulation().EnvAssertionCheck(
        env_assertion=assertion, met=is_met, reward=float(is_met)
    )


def nl_assertion_check(assertion: str, *, is_met: bool, reason: str) -> Any:
    """Return the check of one assertion in natural language."""
    return _simulation().NLAssertionCheck(nl_assertion=assertion, met=is_met, justification=reason)


def basis_names(criteria: Any) -> tuple[str, ...]:
    """Return the names of the reward types that a task's criteria count."""
    return tuple(kind.value for kind in criteria.reward_basis or ())


def needs_sync(environment: Any) -> bool:
    """Return whether an environment's two sides have to be synchronised at all."""
    plain = module("tau2.environment.environment").Environment.sync_tools
    return type(environment).sync_tools is not plain
