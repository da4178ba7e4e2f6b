"""What the models of a simulation are really sent, taken down where tau2 hands it to litellm."""

from __future__ import annotations

import json
import os
import re
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from tau2.agent import llm_agent
from tau2.agent.llm_agent import LLMAgent, LLMGTAgent, LLMSoloAgent
from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation
from tau2.orchestrator.orchestrator import Orchestrator
from tau2.user import user_simulator
from tau2.user.user_simulator import DummyUser, UserSimulator
from tau2.utils import llm_utils

from jtau_plugin.oracle.script import write_script

from .support import registry

AGENT, USER = "assistant", "user"
#: A call of a tool as it is written: name and arguments.
Call = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Sent:
    """One request to a model: who was asked, and everything that it was sent."""

    side: str
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]]


@dataclass
class Played:
    """One simulation with everything that its models were sent.

    Attributes:
        domain: the registered name.
        task: the task.
        environment: the environment in which it was played.
        sent: every request, in order.
        replies: (side, message) of every answer of a model, as litellm has it.
        simulation: what tau2 made of it.
    """

    domain: str
    task: Any
    environment: Any
    sent: list[Sent] = field(default_factory=list)
    replies: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    simulation: Any = None

    @property
    def is_solo(self) -> bool:
        return bool(self.environment.solo_mode)

    def said(self, side: str | None = None) -> list[str]:
        """Return the texts that the models have written."""
        own = [reply for who, reply in self.replies if side in (None, who)]
        return [reply["content"] for reply in own if reply.get("content")]

    def calls(self) -> list[tuple[str, str, Any]]:
        """Return (side, tool, arguments) of every call that the models have written."""
        return [
            (side, call["function"]["name"], json.loads(call["function"]["arguments"]))
            for side, reply in self.replies
            for call in reply.get("tool_calls") or ()
        ]

    def prompts(self) -> Iterator[tuple[str, str]]:
        """Yield (side, system prompt), each different one once."""
        yield from dict.fromkeys(
            (sent.side, message["content"])
            for sent in self.sent
            for message in sent.messages
            if message["role"] == "system"
        )

    def tools(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield (side, schema) of every tool as it was sent, each different one once."""
        seen = {}
        for sent in self.sent:
            for tool in sent.tools:
                seen[sent.side, json.dumps(tool)] = (sent.side, tool)
        yield from seen.values()

    def messages(self) -> Iterator[tuple[str, dict[str, Any], str]]:
        """Yield (side, message, tool that it answers) of the histories, each message once."""
        seen = set()
        for sent in self.sent:
            names: dict[str, str] = {}
            for message in sent.messages:
                for call in message.get("tool_calls") or ():
                    names[call["id"]] = call["function"]["name"]
                key = (sent.side, json.dumps(message))
                if message["role"] != "system" and key not in seen:
                    seen.add(key)
                    yield sent.side, message, names.get(message.get("tool_call_id", ""), "")


class _Recorder:
    """Stands between tau2 and litellm; what is asked of the embedded models is passed on."""

    def __init__(self, played: Played, replies: Mapping[str, Iterable[Any]] | None) -> None:
        self._played = played
        self._replies = {side: list(own) for side, own in (replies or {}).items()}
        self._passed_on = llm_utils.completion
        self.orchestrator: Any = None

    def __call__(self, *, model: str, messages: Any, tools: Any = None, **more: Any) -> Any:
        role = self.orchestrator.to_role
        side = USER if getattr(role, "value", role) == USER else AGENT
        # As a provider would put it on the wire: nothing but JSON.
        text = json.dumps([messages, tools or []], ensure_ascii=False)
        self._played.sent.append(Sent(side, *json.loads(text)))
        if self._replies:
            message = self._next(side)
        else:
            response = self._passed_on(model=model, messages=messages, tools=tools, **more)
            message = response.choices[0].message.model_dump()
        self._played.replies.append((side, message))
        if not self._replies:
            return response
        from litellm import ModelResponse

        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return ModelResponse(model=model, choices=[choice], usage=usage)

    def _next(self, side: str) -> dict[str, Any]:
        reply = self._replies[side].pop(0)
        if isinstance(reply, str):
            return {"role": "assistant", "content": reply}
        name, arguments = reply
        function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
        call = {"id": f"c{len(self._played.sent)}", "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}


def _agent(played: Played, model: str, kind: str) -> Any:
    env = played.environment
    tools, policy = env.get_tools(), env.get_policy()
    given: dict[str, Any] = {"domain_policy": policy, "llm": model, "llm_args": {}}
    if kind == "solo":
        tools = tools + env.get_user_tools()
        return LLMSoloAgent(tools=tools, task=played.task, **given)
    if kind == "gt":
        return LLMGTAgent(tools=tools, task=played.task, **given)
    return LLMAgent(tools=tools, **given)


def _user(played: Played, model: str) -> Any:
    tools = None if played.environment.user_tools is None else played.environment.get_user_tools()
    return UserSimulator(
        tools=tools or None, instructions=str(played.task.user_scenario), llm=model, llm_args={}
    )


@cache
def _tasks(domain: str, repairs: str) -> dict[str, Any]:
    del repairs  # another setting gives other tasks
    return {task.id: task for task in registry().get_tasks_loader(domain)("base")}


def tasks_of(domain: str) -> dict[str, Any]:
    """Return the base tasks of a registered domain by id, under the repairs that are on."""
    return _tasks(domain, os.environ.get("JTAU_PATCHES", ""))


def play(
    monkeypatch: pytest.MonkeyPatch,
    domain: str,
    task: Any,
    *,
    model: str = "oracle",
    kind: str = "",
    stumbles: Mapping[str, Iterable[Call]] | None = None,
) -> Played:
    """Play one simulation and return it with everything that its models were sent.

    Args:
        monkeypatch: takes litellm's place back afterwards.
        domain: the registered name.
        task: one of its tasks.
        model: an embedded model that plays both sides.
        kind: ``gt`` for the agent that knows gold, ``solo`` for the one without a caller.
        stumbles: calls that a side makes before its first own move, by side; whatever comes of
            them, both sides go on with their script.
    """
    is_solo = kind == "solo"
    env = registry().get_env_constructor(domain)(**({"solo_mode": True} if is_solo else {}))
    played = Played(domain, task, env)
    replies = None
    if stumbles is not None:
        script = write_script(task, env, model)
        replies = {
            side: [*stumbles.get(side, ()), *_moves(script, beats)]
            for side, beats in ((AGENT, "agent"), (USER, "user"))
        }
    recorder = _Recorder(played, replies)
    name = f"jtau/{model}"
    agent = _agent(played, name, kind)
    user = DummyUser() if is_solo else _user(played, name)
    limits = {"max_steps": 10_000, "max_errors": 10_000}
    more = {"solo_mode": True} if is_solo else {}
    orchestrator = Orchestrator(domain, agent, user, env, task, **limits, **more)
    recorder.orchestrator = orchestrator
    with monkeypatch.context() as patch:
        patch.setattr(llm_utils, "completion", recorder)
        played.simulation = orchestrator.run()
    return played


def _moves(script: Any, side: str) -> Iterator[Any]:
    for beat in script.of(side):
        yield (beat.tool, beat.arguments) if beat.tool else beat.text


def reward_of(played: Played) -> float:
    info = evaluate_simulation(
        simulation=played.simulation,
        task=played.task,
        evaluation_type=EvaluationType.ALL,
        solo_mode=played.is_solo,
        domain=played.domain,
    )
    return float(info.reward)


# --- tau2's frames ---------------------------------------------------------------------------

_TAG = re.compile(r"</?\w+>")


@dataclass(frozen=True)
class Frame:
    """A prompt of tau2's with places in it: what stands between the places is tags only."""

    name: str
    pieces: tuple[str, ...]
    fields: tuple[str, ...]

    @property
    def words(self) -> str:
        """What of the frame is more than tags; nothing as far as is known."""
        return _TAG.sub("", "".join(self.pieces)).strip()

    def split(self, text: str) -> dict[str, str] | None:
        """Return what stands in each place, or ``None`` if the text is none of this frame.

        What stands behind the frame is the ``directive``.
        """
        pattern = re.escape(self.pieces[0])
        for name, piece in zip(self.fields, self.pieces[1:], strict=True):
            pattern += f"(?P<{name}>.*)" + re.escape(piece)
        match = re.fullmatch(pattern + r"(?P<directive>(?:\n\n.*)?)", text, re.DOTALL)
        return None if match is None else {k: v for k, v in match.groupdict().items() if v}


def _frame(name: str, template: str) -> Frame:
    pieces, fields = [""], []
    for literal, place, _, _ in string.Formatter().parse(template):
        pieces[-1] += literal
        if place is not None:
            fields.append(place)
            pieces.append("")
    return Frame(name, tuple(pieces), tuple(fields))


def frames() -> dict[str, list[Frame]]:
    """Return the frames of system prompts by side, the most particular first."""
    agent = [
        _frame(name, getattr(llm_agent, name))
        for name in ("SYSTEM_PROMPT_GT", "SYSTEM_PROMPT_SOLO", "SYSTEM_PROMPT")
    ]
    return {AGENT: agent, USER: [_frame("SYSTEM_PROMPT", user_simulator.SYSTEM_PROMPT)]}


def split_prompt(side: str, text: str) -> tuple[str, dict[str, str]]:
    """Return the frame's name and what stands in its places.

    Raises:
        AssertionError: for a prompt of no known frame.
    """
    for frame in frames()[side]:
        fields = frame.split(text)
        if fields is not None:
            assert frame.words == "", frame
            return frame.name, fields
    raise AssertionError(f"a system prompt of the {side} has no known frame: {text[:200]!r}")
