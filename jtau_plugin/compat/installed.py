"""The English of the installed tau2: prompts, tool texts, sentences. Read, never written."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jtau_plugin.compat.layout import module
from jtau_plugin.compat.sources import SourceTemplate, extract_fragments, extract_templates


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


def installed_documents(paths: Mapping[str, str]) -> dict[str, str]:
    """Return the English documents by name; a document that is not installed is empty.

    Args:
        paths: path below ``tau2/`` in the data directory, by name.
    """
    root = Path(module("tau2.utils.utils").DATA_DIR) / "tau2"
    return {
        name: _read(root / path) if (root / path).is_file() else "" for name, path in paths.items()
    }


def find_documents(domain: str) -> dict[str, str]:
    """Return the documents that lie beside a domain's data, by path below ``tau2/``."""
    root = Path(module("tau2.utils.utils").DATA_DIR) / "tau2"
    return {
        path.relative_to(root).as_posix(): _read(path)
        for path in sorted((root / "domains" / domain).glob("*.md"))
    }


_DATA = ("tasks.json", "db.json", "db.toml", "user_db.json", "user_db.toml")
_CODE = ("tools.py", "user_tools.py", "data_model.py", "user_data_model.py")


def source_files(environment: Any, documents: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of the files that a domain's texts come from, by path below ``tau2/``.

    Args:
        environment: an environment of the domain.
        documents: paths of the documents that its policies are made of.
    """
    root = Path(module("tau2.utils.utils").DATA_DIR) / "tau2"
    package = type(environment.tools).__module__.rpartition(".")[0]
    domain = package.rpartition(".")[2]
    paths = {name: root / name for name in documents}
    paths |= {f"domains/{domain}/{n}": root / "domains" / domain / n for n in _DATA}
    code = Path(str(sys.modules[package].__file__)).parent
    paths |= {f"domains/{domain}/{n}": code / n for n in _CODE}
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in paths.items()
        if path.is_file()
    }


def shared_classes(environment: Any) -> frozenset[str]:
    """Return the names of the classes that this environment shares with those of all domains."""
    kinds = [type(x) for x in (environment, environment.tools, environment.user_tools) if x]
    return frozenset(
        base.__name__
        for kind in kinds
        for base in kind.__mro__
        if base.__module__.startswith("tau2.environment.")
    )


@cache
def _module_templates(name: str, *, with_fragments: bool) -> tuple[SourceTemplate, ...]:
    source = inspect.getsource(sys.modules[name])
    found = extract_templates(source)
    return tuple(found + extract_fragments(source) if with_fragments else found)


#: In the classes that every domain shares, only these functions run when a tool is called.
_CALL_PATH = frozenset(
    {
        "ToolKitBase.use_tool",
        "Environment.make_tool_call",
        "Environment.use_tool",
        "Environment.use_user_tool",
    }
)


def _class_templates(cls: type, *, with_fragments: bool = False) -> list[SourceTemplate]:
    found = []
    for base in cls.__mro__:
        if base.__module__.startswith("tau2."):
            is_shared = base.__module__.startswith("tau2.environment.")
            templates = _module_templates(
                base.__module__, with_fragments=with_fragments and not is_shared
            )
            own = [t for t in templates if t.cls == base.__name__]
            if is_shared:
                own = [t for t in own if t.at in _CALL_PATH]
            found += own
    return found


def installed_templates(environment: Any, *, with_fragments: bool) -> list[SourceTemplate]:
    """Return every sentence that a call on this environment's tools can return or raise.

    Args:
        environment: an environment of tau2.
        with_fragments: also the pieces that longer results are assembled from, for domains whose
            tools answer in prose.
    """
    found = _class_templates(type(environment))
    for toolkit in (environment.tools, environment.user_tools):
        if toolkit is not None:
            found += _class_templates(type(toolkit), with_fragments=with_fragments)
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
