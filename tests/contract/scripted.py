"""Simulations through tau2's own orchestrator and litellm path, with scripted models."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from litellm import ModelResponse
from tau2.agent.llm_agent import LLMAgent
from tau2.data_model.simulation import SimulationRun
from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation
from tau2.orchestrator.orchestrator import Orchestrator
from tau2.user.user_simulator import UserSimulator

from .japanese_writing import write_arguments
from .support import registry

Reply = "str | tuple[str, dict[str, Any]]"


class ScriptedModels:
    """Stands for ``litellm.completion``: gives each model its next reply and keeps what it was sent."""

    def __init__(self, agent: Iterable[Any], user: Iterable[Any]) -> None:
        self._replies = {"agent": list(agent), "user": list(user)}
        self.seen: dict[str, list[dict[str, Any]]] = {"agent": [], "user": []}

    def __call__(self, *, model: str, **sent: Any) -> ModelResponse:
        self.seen[model].append(json.loads(json.dumps(sent, default=str)))
        reply = self._replies[model].pop(0)
        message: dict[str, Any] = {"role": "assistant", "content": None}
        if isinstance(reply, str):
            message["content"] = reply
        else:
            name, arguments = reply
            # Providers send UTF-8 as it is or escaped; both are the same JSON.
            function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
            number = len(self.seen[model])
            call = {"id": f"c{number}", "type": "function", "function": function}
            message["tool_calls"] = [call]
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return ModelResponse(model=model, choices=[choice], usage=usage)

    def install(self, monkeypatch: pytest.MonkeyPatch) -> ScriptedModels:
        monkeypatch.setattr("tau2.utils.llm_utils.completion", self)
        return self


def gold_replies(task: Any) -> list[Any]:
    """The gold actions as a Japanese agent writes them, then everything to be communicated."""
    env = registry().get_env_constructor("ja_retail")()
    catalog = env.jtau_localizer.catalog
    criteria = task.evaluation_criteria
    calls = [
        (action.name, write_arguments(catalog, action.name, action.arguments))
        for action in criteria.actions or []
    ]
    facts = "、".join(f"{info}ドル" for info in criteria.communicate_info or [])
    return [*calls, f"承知いたしました。{facts}です。手続きが完了しました。"]


def orchestrate(task: Any, domain: str = "ja_retail", **settings: Any) -> Orchestrator:
    env = registry().get_env_constructor(domain)()
    tools, policy = env.get_tools(), env.get_policy()
    agent = LLMAgent(tools=tools, domain_policy=policy, llm="agent", llm_args={})
    user = UserSimulator(instructions=str(task.user_scenario), llm="user", llm_args={})
    return Orchestrator(
        domain=domain, agent=agent, user=user, environment=env, task=task, **settings
    )


def evaluate(task: Any, simulation: SimulationRun, domain: str = "ja_retail") -> Any:
    return evaluate_simulation(
        simulation=simulation,
        task=task,
        evaluation_type=EvaluationType.ALL,
        solo_mode=False,
        domain=domain,
    )
