"""A conversation in which nothing is done, and what the tools of an environment may change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jtau_plugin.compat.layout import module

_STOP = "###STOP###"
#: tau2-bench 1.0 says of each tool whether it changes anything, apart from its kind.
_MUTATES = "__mutates_state__"


def refuse(task: Any, refusal: str, *, is_solo: bool = False) -> Any:
    """Return a simulation of a task in which the agent only refuses.

    Args:
        task: a task of tau2.
        refusal: what the agent says.
        is_solo: whether there is no user to refuse.
    """
    message = module("tau2.data_model.message")
    state = task.initial_state
    conversation = list((state.message_history if state else None) or ())
    if not is_solo:
        conversation.append(message.UserMessage(role="user", content="?"))
    conversation.append(message.AssistantMessage(role="assistant", content=refusal))
    if not is_solo:
        conversation.append(message.UserMessage(role="user", content=_STOP))
    return module("tau2.data_model.simulation").SimulationRun(
        id=f"refusal-{task.id}",
        task_id=task.id,
        start_time="",
        end_time="",
        duration=0.0,
        termination_reason="agent_stop" if is_solo else "user_stop",
        messages=conversation,
    )


def tool_kinds(environment: Any) -> Callable[[str, str], str | None]:
    """Return a function that names a tool's kind by requestor and name.

    Kinds are tau2's own (``read``, ``write``, ``think``, ``generic``); a tool that is declared to
    change nothing is ``read``, and one that does not exist has none.
    """
    toolkits: dict[str, Any] = {"assistant": environment.tools, "user": environment.user_tools}

    def kind(requestor: str, name: str) -> str | None:
        toolkit = toolkits.get(requestor)
        tool = None if toolkit is None else toolkit.tools.get(name)
        if toolkit is None or tool is None:
            return None
        if getattr(tool, _MUTATES, True) is False:
            return "read"
        return str(toolkit.tool_type(name).value)

    return kind
