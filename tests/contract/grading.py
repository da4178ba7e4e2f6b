"""Conversations written by hand, a judge that says what it is told to, and both ways of grading."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from litellm import ModelResponse
from tau2.data_model.message import AssistantMessage, ToolCall, ToolMessage, UserMessage
from tau2.data_model.simulation import SimulationRun
from tau2.data_model.tasks import Task
from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation
from tau2.evaluator.evaluator_action import ActionEvaluator
from tau2.evaluator.evaluator_communicate import CommunicateEvaluator
from tau2.evaluator.evaluator_env import EnvironmentEvaluator
from tau2.evaluator.evaluator_nl_assertions import NLAssertionsEvaluator

WHEN = "2026-01-01T00:00:00"
_number = itertools.count()


def says(text: str) -> AssistantMessage:
    return AssistantMessage(role="assistant", content=text)


def hears(text: str) -> UserMessage:
    return UserMessage(role="user", content=text)


def calls(
    name: str, arguments: dict[str, Any], requestor: str = "assistant", result: str = "ok"
) -> list[Any]:
    """A call and what it returned."""
    call_id = f"c{next(_number)}"
    call = ToolCall(id=call_id, name=name, arguments=arguments, requestor=requestor)
    cls = AssistantMessage if requestor == "assistant" else UserMessage
    answer = ToolMessage(id=call_id, role="tool", content=result, requestor=requestor)
    return [cls(role=requestor, tool_calls=[call]), answer]


def plays(environment: Any, name: str, arguments: dict[str, Any], requestor: str) -> list[Any]:
    """A call that an environment answers."""
    call, answer = calls(name, arguments, requestor)
    return [call, environment.get_response(call.tool_calls[0]).model_copy(update={"id": answer.id})]


def initialize(environment: Any, task: Any) -> list[Any]:
    """Bring an environment into a task's initial state; return the history."""
    state = task.initial_state
    history = list((state.message_history if state else None) or ())
    environment.set_state(
        initialization_data=state.initialization_data if state else None,
        initialization_actions=state.initialization_actions if state else None,
        message_history=history,
    )
    return history


def play(environment: Any, task: Any, actions: list[Any] | None = None) -> list[Any]:
    """The conversation in which exactly these actions are done; gold's when left out."""
    chosen = (task.evaluation_criteria.actions or []) if actions is None else actions
    messages = [*initialize(environment, task), hears("お願いします。")]
    for action in chosen:
        messages += plays(environment, action.name, action.arguments, action.requestor)
    return [*messages, says("完了しました。")]


def make_task(**criteria: Any) -> Task:
    """A task of tau2's own with these criteria."""
    return Task.model_validate(
        {
            "id": "t1",
            "user_scenario": {"instructions": "x"},
            "evaluation_criteria": {"actions": None, "reward_basis": ["DB"], **criteria},
        }
    )


def gold(name: str, arguments: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"action_id": f"a{next(_number)}", "name": name, "arguments": arguments, **fields}


def simulate(task: Any, messages: list[Any], reason: str = "user_stop") -> SimulationRun:
    return SimulationRun(
        id=f"s{next(_number)}",
        task_id=task.id,
        timestamp=WHEN,
        start_time=WHEN,
        end_time=WHEN,
        duration=0.0,
        termination_reason=reason,
        messages=messages,
    )


def evaluate(
    task: Any, messages: list[Any], domain: str, kind: str = "all", reason: str = "user_stop"
) -> Any:
    """The whole evaluation, as tau2's runner asks for it."""
    return evaluate_simulation(
        simulation=simulate(task, messages, reason),
        task=task,
        evaluation_type=EvaluationType(kind),
        solo_mode=False,
        domain=domain,
    )


class Grading:
    """One component's verdict on one conversation, by upstream and by ours."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def _switch(self, *, ours: bool) -> None:
        self._monkeypatch.setenv("JTAU_PATCH_UPSTREAM", "1" if ours else "")

    def communicate(self, task: Any, messages: list[Any], *, ours: bool) -> Any:
        self._switch(ours=ours)
        return CommunicateEvaluator.calculate_reward(task=task, full_trajectory=messages)

    def action(self, task: Any, messages: list[Any], *, ours: bool) -> Any:
        self._switch(ours=ours)
        return ActionEvaluator.calculate_reward(task=task, full_trajectory=messages)

    def assertions(self, task: Any, messages: list[Any], *, ours: bool) -> Any:
        self._switch(ours=ours)
        return NLAssertionsEvaluator.calculate_reward(task=task, full_trajectory=messages)

    def environment(self, task: Any, messages: list[Any], build: Any, *, ours: bool) -> Any:
        self._switch(ours=ours)
        return EnvironmentEvaluator.calculate_reward(
            environment_constructor=build, task=task, full_trajectory=messages
        )


class FakeJudge:
    """Stands for ``litellm.completion``: gives its answers in turn, raises those that are errors.

    The last answer is given for ever: one layout asks again by itself when an answer is empty.
    """

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers)
        self.asked: list[dict[str, Any]] = []

    def __call__(self, **sent: Any) -> ModelResponse:
        self.asked.append(sent)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        message = {"role": "assistant", "content": answer}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return ModelResponse(model=sent["model"], choices=[choice], usage=usage)

    def install(self, monkeypatch: pytest.MonkeyPatch) -> FakeJudge:
        monkeypatch.setattr("tau2.utils.llm_utils.completion", self)
        return self

    @property
    def prompt(self) -> str:
        """Everything that the first call was sent."""
        return "\n".join(message["content"] for message in self.asked[0]["messages"])
