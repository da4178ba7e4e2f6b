"""Results files of arms at known rates: every task has a chance of its own to be passed."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

OVERLAY = "0" * 64
#: What a failed conversation has lost, by the name of its check.
LOST: dict[str, dict[str, Any]] = {
    "DB": {"db_check": {"db_match": False, "db_reward": 0.0}},
    "COMMUNICATE": {"communicate_checks": [{"info": "42", "met": False}]},
    "ACTION": {"action_checks": [{"action": {"name": "refund"}, "action_match": False}]},
    "ENV_ASSERTION": {"env_assertions": [{"env_assertion": {"func_name": "is_on"}, "met": False}]},
    "NL_ASSERTION": {"nl_assertions": [{"nl_assertion": "is polite", "met": False}]},
}
BASIS = ("DB", "COMMUNICATE")


def reward_of(*lost: str, basis: tuple[str, ...] = BASIS) -> dict[str, Any]:
    """A reward in which these checks are lost."""
    reward: dict[str, Any] = {
        "reward": float(not lost),
        "reward_basis": list(basis),
        "reward_breakdown": {kind: float(kind not in lost) for kind in basis},
        "db_check": {"db_match": True, "db_reward": 1.0},
    }
    for kind in lost:
        reward |= LOST[kind]
    return reward


def facts_of(task: str) -> str:
    return f"{task:0>64}"


@dataclass
class ArmFile:
    """One results file.

    Attributes:
        rates: the chance of each task to be passed.
        lost: what a failed trial has lost, drawn with even odds.
        infrastructure: the chance of a trial to be lost.
        caller: the chance of a trial to be spoiled by the user simulator.
        missing: the chance of a trial not to be in the file.
    """

    rates: Mapping[str, float]
    trials: int = 1
    domain: str = "en_retail"
    scenario: str = "control"
    locale: str = "en"
    model: str = "some/model"
    lost: tuple[str, ...] = ("DB",)
    infrastructure: float = 0.0
    caller: float = 0.0
    missing: float = 0.0
    stamp: dict[str, Any] = field(default_factory=dict)

    def stamped(self, task: str) -> dict[str, Any]:
        return {
            "domain": self.domain,
            "scenario": self.scenario,
            "locale": self.locale,
            "overlay": None if self.scenario == "control" else OVERLAY,
            "protocol": "deterministic",
            "facts": facts_of(task),
            "repairs": {"classes": ["scorer", "facts"], "changes": [], "fingerprint": "f" * 64},
            "layout": "v0_2",
            "plugin": "0.1.0",
            "status": "evaluated",
            **self.stamp,
        }

    def mark(self, task: str) -> str | None:
        """What a task of ours says of itself in its notes."""
        if not self.domain.startswith(("en_", "ja_")):
            return None
        stamp = self.stamped(task)
        return "jtau: " + json.dumps({key: stamp[key] for key in ("domain", "protocol", "facts")})

    def simulation(self, task: str, trial: int, chance: random.Random) -> dict[str, Any] | None:
        draw = chance.random()
        if draw < self.missing:
            return None
        base: dict[str, Any] = {
            "id": f"{task}-{trial}",
            "task_id": task,
            "trial": trial,
            "termination_reason": "user_stop",
            "agent_cost": 0.25,
            "messages": [
                {"role": "assistant", "content": "Hello"},
                {"role": "user", "content": "Hi"},
            ],
        }
        if draw < self.missing + self.infrastructure:
            return {**base, "termination_reason": "infrastructure_error", "reward_info": None}
        if draw < self.missing + self.infrastructure + self.caller:
            return {**base, "termination_reason": "user_error", "reward_info": {"reward": 0.0}}
        is_passed = chance.random() < self.rates[task]
        reward = (
            reward_of() if is_passed else reward_of(chance.choice(self.lost), basis=_basis(self))
        )
        return {**base, "reward_info": {**reward, "info": {"jtau": self.stamped(task)}}}

    def data(self, seed: int = 0) -> dict[str, Any]:
        chance = random.Random(seed)
        drawn = [
            self.simulation(task, trial, chance)
            for task in self.rates
            for trial in range(self.trials)
        ]
        return {
            "info": {
                "num_trials": self.trials,
                "environment_info": {"domain_name": self.domain},
                "agent_info": {"implementation": "llm_agent", "llm": self.model},
                "user_info": {"implementation": "user_simulator", "llm": "some/user"},
            },
            "tasks": [task_of(name, self.mark(name)) for name in self.rates],
            "simulations": [simulation for simulation in drawn if simulation is not None],
        }

    def write(self, path: Path, seed: int = 0) -> Path:
        path.write_text(json.dumps(self.data(seed), ensure_ascii=False), encoding="utf-8")
        return path


def _basis(arm: ArmFile) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*BASIS, *arm.lost)))


def task_of(name: str, notes: str | None) -> dict[str, Any]:
    return {
        "id": name,
        "description": {"notes": notes},
        "evaluation_criteria": {"actions": [{"name": "refund"}], "reward_basis": list(BASIS)},
    }


def japanese(rates: Mapping[str, float], **settings: Any) -> ArmFile:
    return ArmFile(rates, domain="ja_retail", scenario="domain", locale="ja", **settings)
