"""What upstream would have said of a simulation, next to what we say.

Reads RewardInfos and never grades: a component that ours graded has recorded upstream's verdict,
one that ran as upstream wrote it is upstream's verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

#: By kind of evaluation: where its component's notes stand, as tau2 calls it.
SECTIONS = {
    "env": "env",
    "action": "action",
    "communicate": "communicate",
    "nl_assertions": "nl",
}
#: By section: the reward types that the component decides.
TYPES: dict[str, tuple[str, ...]] = {
    "env": ("DB", "ENV_ASSERTION"),
    "action": ("ACTION",),
    "communicate": ("COMMUNICATE",),
    "nl": ("NL_ASSERTION",),
}


def sections_of(reward_info: Any, kind: str) -> dict[str, Any]:
    """Return the notes of each component that ran, by section.

    Args:
        reward_info: what ``evaluate_simulation`` returned.
        kind: the kind of evaluation: ``all``, ``env`` …
    """
    info = reward_info.info or {}
    if kind in SECTIONS:
        return {SECTIONS[kind]: info}
    ran = {name: info.get(name) or {} for name in TYPES}
    if info.get("nl") is None and reward_info.nl_assertions is None:
        del ran["nl"]
    return ran


def upstream_verdicts(reward_info: Any, sections: Mapping[str, Any]) -> dict[str, float | None]:
    """Return upstream's verdict by reward type; ``None`` where nobody knows it."""
    verdicts: dict[str, float | None] = {}
    for section, names in TYPES.items():
        recorded = (sections.get(section) or {}).get("jtau", {}).get("verdicts")
        for name in names:
            if section not in sections:
                verdicts[name] = None
            elif recorded is not None:
                verdicts[name] = recorded.get(name)
            else:
                verdicts[name] = _own_verdict(reward_info, name)
    return verdicts


def _own_verdict(reward_info: Any, name: str) -> float:
    """Return the verdict of a component that ran as upstream wrote it; nothing to check is met."""
    if name == "DB":
        check = reward_info.db_check
        return 1.0 if check is None else float(check.db_reward)
    fields = {
        "ENV_ASSERTION": ("env_assertions", "met"),
        "ACTION": ("action_checks", "action_match"),
        "COMMUNICATE": ("communicate_checks", "met"),
        "NL_ASSERTION": ("nl_assertions", "met"),
    }
    field, verdict = fields[name]
    return float(all(getattr(check, verdict) for check in getattr(reward_info, field) or ()))


def upstream_reward(basis: Sequence[str], verdicts: Mapping[str, float | None]) -> float | None:
    """Return the product over upstream's own basis; ``None`` if anything in it is unknown."""
    reward = 1.0
    for name in basis:
        verdict = verdicts.get(name)
        if verdict is None:
            return None
        reward *= verdict
    return reward if basis else None
