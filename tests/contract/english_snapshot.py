"""Everything that an English run shows, says and scores, as text by name.

Run as a script with ``JTAU_DISABLE=1`` it writes the snapshot of a tau2 without the plugin; imported,
it takes the same snapshot of the running interpreter. It knows nothing of the plugin.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tau2.registry  # noqa: F401  (imported for its place in sys.modules)
from tau2.agent.llm_agent import LLMAgent, LLMGTAgent, LLMSoloAgent
from tau2.data_model.message import AssistantMessage, ToolCall, ToolMessage, UserMessage
from tau2.data_model.simulation import SimulationRun
from tau2.environment.server import EnvironmentServer
from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation
from tau2.orchestrator import orchestrator
from tau2.user.user_simulator import UserSimulator
from tau2.utils.llm_utils import to_litellm_messages
from tau2.utils.pydantic_utils import get_pydantic_hash

DOMAINS = ("mock", "airline", "retail", "telecom")
_PLAYED = 3
_WHEN = "2024-05-15T15:00:00"


def _registry() -> Any:
    return sys.modules["tau2.registry"].registry


def _environment(domain: str) -> Any:
    return _registry().get_env_constructor(domain)()


def _shown(domain: str) -> Iterator[tuple[str, Any]]:
    """What the models and people are shown."""
    env = _environment(domain)
    tools = env.get_tools()
    user_tools = env.get_user_tools() if env.user_tools is not None else None
    yield "classes", [f"{type(o).__module__}.{type(o).__name__}" for o in (env, env.tools)]
    for name, side in (("tools", tools), ("user tools", user_tools or [])):
        yield name, [[tool.openai_schema, str(tool), tool.short_desc] for tool in side]
    yield "policy", env.get_policy()
    yield "info", env.get_info(include_tool_info=True).model_dump(mode="json")
    yield "description", env.get_tools_description("assistant")
    yield "documentation", EnvironmentServer(env).get_app().openapi()
    yield (
        "agent prompt",
        LLMAgent(tools=tools, domain_policy=env.get_policy(), llm="m").system_prompt,
    )
    tasks = _tasks(domain)
    hashes = [get_pydantic_hash(task) for task in tasks if not _has_history(task)]
    yield "task hashes", [len(hashes), hashlib.sha256("".join(hashes).encode()).hexdigest()]
    for task in tasks[:_PLAYED]:
        scenario = str(task.user_scenario)
        user = UserSimulator(instructions=scenario, llm="m", tools=user_tools)
        yield f"task {task.id} user prompt", user.system_prompt
        with_object = UserSimulator(instructions=task.user_scenario, llm="m")
        yield f"task {task.id} gym user prompt", with_object.system_prompt
        if LLMGTAgent.check_valid_task(task):
            for arguments in (True, False):
                agent = LLMGTAgent(
                    tools=tools,
                    domain_policy=env.get_policy(),
                    task=task,
                    llm="m",
                    provide_function_args=arguments,
                )
                yield f"task {task.id} gt prompt {arguments}", agent.system_prompt
        if LLMSoloAgent.check_valid_task(task) and task.ticket:
            solo = LLMSoloAgent(
                tools=list(tools), domain_policy=env.get_policy(), task=task, llm="m"
            )
            yield f"task {task.id} solo prompt", solo.system_prompt
            yield f"task {task.id} solo tools", [tool.openai_schema for tool in solo.tools]


def _has_history(task: Any) -> bool:
    # Upstream gives the messages of a history the time at which the file was read.
    return bool(task.initial_state and task.initial_state.message_history)


def _tasks(domain: str) -> list[Any]:
    return _registry().get_tasks_loader(domain)("base" if domain != "mock" else None)  # type: ignore[no-any-return]


def _answers(domain: str) -> Iterator[tuple[str, Any]]:
    """Results and errors of a fixed set of calls on one environment, and the state they leave."""
    env = _environment(domain)
    sides = [("assistant", env.tools)] + ([("user", env.user_tools)] if env.user_tools else [])
    for requestor, toolkit in sides:
        for name, tool in toolkit.get_tools().items():
            parameters = tool.openai_schema["function"]["parameters"].get("properties", {})
            for arguments in (
                {},
                {"extra": 1},
                dict.fromkeys(parameters, "「注文」"),
                dict.fromkeys(parameters, 7),
                {p: _example(p) for p in parameters},
            ):
                call = ToolCall(id="c", name=name, arguments=arguments, requestor=requestor)
                message = env.get_response(call)
                key = f"{requestor} {name} {json.dumps(arguments)}"
                yield key, [message.content, message.error, message.requestor]
    unknown = env.get_response(ToolCall(id="c", name="ツール", arguments={}))
    yield "unknown tool", [unknown.content, unknown.error]
    yield "state", [env.get_db_hash(), env.get_user_db_hash()]


def _example(parameter: str) -> Any:
    examples = {
        "order_id": "#W2378156",
        "user_id": "yusuf_rossi_9620",
        "product_id": "6086499569",
        "item_ids": ["1151293680"],
        "new_item_ids": ["7706410293"],
        "payment_method_id": "credit_card_9513926",
        "reason": "no longer needed",
        "expression": "(12.5 + 3) * 2",
        "origin": "JFK",
        "destination": "SEA",
        "date": "2024-05-20",
        "customer_id": "C1001",
        "line_id": "L1001",
        "phone_number": "555-123-2002",
    }
    return examples.get(parameter, "x")


def _play(domain: str, task: Any) -> list[Any]:
    """The gold trajectory through the environment's own door, and one sentence per information."""
    env = _environment(domain)
    state = task.initial_state
    if state is not None:
        history = state.message_history or []
        env.set_state(state.initialization_data, state.initialization_actions, history)
    else:
        history = []
    messages: list[Any] = [*history]
    messages.append(UserMessage(role="user", content="Hello", timestamp=_WHEN))
    criteria = task.evaluation_criteria
    for index, action in enumerate((criteria.actions if criteria else None) or []):
        call = ToolCall(
            id=f"c{index}",
            name=action.name,
            arguments=action.arguments,
            requestor=action.requestor,
        )
        cls, role = (
            (AssistantMessage, "assistant")
            if action.requestor == "assistant"
            else (UserMessage, "user")
        )
        messages.append(cls(role=role, tool_calls=[call], timestamp=_WHEN))
        answer = env.get_response(call)
        messages.append(answer.model_copy(update={"timestamp": _WHEN}))
    said = " ".join((criteria.communicate_info if criteria else None) or ["Done."])
    messages.append(AssistantMessage(role="assistant", content=said, timestamp=_WHEN))
    messages.append(UserMessage(role="user", content="###STOP###", timestamp=_WHEN))
    return messages


def _scores(domain: str) -> Iterator[tuple[str, Any]]:
    """Rewards of gold, of nothing done, and of a simulation that broke off."""
    kinds = (EvaluationType.ENV, EvaluationType.ACTION, EvaluationType.COMMUNICATE)
    for task in _tasks(domain)[:_PLAYED]:
        gold = _play(domain, task)
        nothing = [*gold[:1], *gold[-2:]]
        for name, messages in (("gold", gold), ("nothing", nothing)):
            yield f"{name} {task.id}", [_evaluate(domain, task, messages, kind) for kind in kinds]
        yield f"history {task.id}", to_litellm_messages(gold)
        yield f"broken off {task.id}", _evaluate(domain, task, gold, kinds[0], reason="max_steps")


def _evaluate(
    domain: str, task: Any, messages: list[Any], kind: Any, reason: str = "user_stop"
) -> Any:
    simulation = SimulationRun(
        id="s",
        task_id=task.id,
        timestamp=_WHEN,
        start_time=_WHEN,
        end_time=_WHEN,
        duration=0.0,
        termination_reason=reason,
        messages=messages,
    )
    try:
        info = evaluate_simulation(
            simulation=simulation, task=task, evaluation_type=kind, solo_mode=False, domain=domain
        )
    except ValueError as error:  # upstream's own failure is part of what must not change
        return f"ValueError: {error}"
    return info.model_dump(mode="json")


def _history() -> Any:
    call = ToolCall(id="c", name="f", arguments={"x": "日本語", "y": ["é", {"z": "😀"}]})
    return to_litellm_messages(
        [
            UserMessage(role="user", content="こんにちは"),
            AssistantMessage(role="assistant", tool_calls=[call]),
            ToolMessage(id="c", role="tool", content="結果", requestor="assistant"),
        ]
    )


def take_snapshot() -> dict[str, str]:
    """Return the snapshot: JSON text by name."""
    found: dict[str, Any] = {"history": _history()}
    found["greeting"] = orchestrator.DEFAULT_FIRST_AGENT_MESSAGE.content
    for domain in DOMAINS:
        for part in (_shown, _answers, _scores):
            found |= {f"{domain}: {part.__name__}: {name}": value for name, value in part(domain)}
    return {name: json.dumps(value, default=str) for name, value in found.items()}


if __name__ == "__main__":
    from loguru import logger

    logger.remove()
    snapshot = take_snapshot()
    loaded = sorted(name for name in sys.modules if name.startswith("jtau_plugin."))
    result = {"snapshot": snapshot, "loaded": loaded}
    Path(sys.argv[1]).write_text(json.dumps(result), encoding="utf-8")
