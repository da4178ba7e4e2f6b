"""The English that the installed tau2 holds: prompts, tool texts, sentences. Read, never written."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from jtau_plugin.compat.layout import module
from jtau_plugin.compat.sources import SourceTemplate, extract_templates


def installed_prompts() -> dict[str, str]:
    """Return tau2's own prompts by the names that ``prompts.yaml`` uses."""
    agent = module("tau2.agent.llm_agent")
    user = module("tau2.user.user_simulator")
    orchestrator = module("tau2.orchestrator.orchestrator")
    return {
        "greeting": orchestrator.DEFAULT_FIRST_AGENT_MESSAGE.content,
        "agent_instruction": agent.AGENT_INSTRUCTION,
        "agent_instruction_gt": agent.AGENT_GT_INSTRUCTION,
        "agent_instruction_solo": agent.AGENT_SOLO_INSTRUCTION,
        "user_guidelines": _read(user.GLOBAL_USER_SIM_GUIDELINES_PATH),
        "user_guidelines_tools": _read(user.GLOBAL_USER_SIM_GUIDELINES_PATH_TOOLS),
    }


def _read(path: Any) -> str:
    return Path(path).read_text(encoding="utf-8")


@lru_cache(maxsize=None)
def _module_templates(name: str) -> tuple[SourceTemplate, ...]:
    return tuple(extract_templates(inspect.getsource(sys.modules[name])))


#: In the classes that every domain shares, only these functions run when a tool is called.
_CALL_PATH = frozenset(
    ("ToolKitBase.use_tool",)
    + tuple(f"Environment.{name}" for name in ("make_tool_call", "use_tool", "use_user_tool"))
)


def _class_templates(cls: type) -> list[SourceTemplate]:
    found = []
    for base in cls.__mro__:
        if base.__module__.startswith("tau2."):
            own = [t for t in _module_templates(base.__module__) if t.cls == base.__name__]
            if base.__module__.startswith("tau2.environment."):
                own = [t for t in own if t.at in _CALL_PATH]
            found += own
    return found


def installed_templates(environment: Any) -> list[SourceTemplate]:
    """Return every sentence that a call on this environment's tools can return or raise."""
    found = _class_templates(type(environment))
    for toolkit in (environment.tools, environment.user_tools):
        if toolkit is not None:
            found += _class_templates(type(toolkit))
    return found


def installed_tools(environment: Any) -> dict[tuple[str, str], Any]:
    """Return the English tools of an environment by (requestor, name)."""
    tools: dict[tuple[str, str], Any] = {}
    for requestor, toolkit in (("assistant", environment.tools), ("user", environment.user_tools)):
        if toolkit is not None:
            tools.update({(requestor, name): t for name, t in toolkit.get_tools().items()})
    return tools


def tool_schemas(tools: Mapping[tuple[str, str], Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the parameters schema of each tool."""
    return {key: tool.params.model_json_schema() for key, tool in tools.items()}
