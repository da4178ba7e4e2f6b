"""Small results, made by hand: a run is told by what became of each trial of each task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from jtau_plugin.models.results import RecordedResults

#: One letter per trial: what the file holds for it.
LETTERS: dict[str, dict[str, Any]] = {
    "P": {"termination_reason": "user_stop", "reward_info": {"reward": 1.0}},
    "F": {"termination_reason": "user_stop", "reward_info": {"reward": 0.0}},
    "E": {"termination_reason": "user_stop", "reward_info": None},
    "I": {"termination_reason": "infrastructure_error", "reward_info": None},
    "U": {"termination_reason": "user_error", "reward_info": {"reward": 0.0}},
    "A": {"termination_reason": "agent_error", "reward_info": {"reward": 0.0}},
    "S": {"termination_reason": "agent_error", "reward_info": {"reward": 0.0}, "skipped": True},
}
MISSING = "."


def simulation(task: str, trial: int | None, letter: str = "P", **settings: Any) -> dict[str, Any]:
    return {
        "id": f"{task}-{trial}",
        "task_id": task,
        "trial": trial,
        "agent_cost": 0.5,
        "messages": [{"role": "assistant", "content": f"{task} {trial}"}],
        **deepcopy(LETTERS[letter]),
        **settings,
    }


def task(name: str, actions: Sequence[str] | None = ("get",), **settings: Any) -> dict[str, Any]:
    criteria = None if actions is None else {"actions": [{"name": action} for action in actions]}
    return {"id": name, "evaluation_criteria": criteria, **settings}


def run_data(
    trials: Mapping[str, str], num_trials: int | None = None, domain: str = "retail"
) -> dict[str, Any]:
    """A results file as plain data: ``{"0": "PPF."}`` is one task with four trials."""
    return {
        "info": {
            "num_trials": num_trials or max(len(letters) for letters in trials.values()),
            "environment_info": {"domain_name": domain, "policy": ""},
            "agent_info": {"implementation": "llm_agent", "llm": "some/model"},
            "user_info": {"implementation": "user_simulator", "llm": "some/user"},
        },
        "tasks": [task(name) for name in trials],
        "simulations": [
            simulation(name, trial, letter)
            for name, letters in trials.items()
            for trial, letter in enumerate(letters)
            if letter != MISSING
        ],
    }


def run(trials: Mapping[str, str], num_trials: int | None = None) -> RecordedResults:
    return RecordedResults.model_validate(run_data(trials, num_trials))


def read(data: dict[str, Any]) -> RecordedResults:
    return RecordedResults.model_validate(data)
