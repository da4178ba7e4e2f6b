"""The post-import hooks: each patches exactly one module of tau2, once.

Every wrapper asks first whether what it was given is localized and otherwise calls upstream's own
function with upstream's own arguments, so English runs stay byte-identical.
"""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable
from typing import Any

from jtau_plugin._bootstrap import HOOKED_MODULES, install, is_disabled
from jtau_plugin.compat import (
    patches_display,
    patches_evaluator,
    patches_llm,
    patches_prompts,
    patches_simulation,
)
from jtau_plugin.errors import HookError, Problem

Hook = Callable[[Any], None]


def _on_registry(module: Any) -> None:
    # The composition root lies above this layer and is found by name, not by import.
    importlib.import_module("jtau_plugin.domains").register_domains(module.registry)


HOOKS: dict[str, Hook] = {
    "tau2.registry": _on_registry,
    "tau2.utils.llm_utils": patches_llm.patch_llm_utils,
    "tau2.utils.display": patches_display.patch_display,
    "tau2.environment.server": patches_display.patch_display,
    "tau2.agent.llm_agent": patches_prompts.patch_agent,
    "tau2.gym.gym_agent": patches_prompts.patch_gym,
    "tau2.user.user_simulator": patches_prompts.patch_user,
    "tau2.orchestrator.orchestrator": patches_simulation.patch_orchestrator,
    "tau2.orchestrator.full_duplex_orchestrator": patches_simulation.patch_full_duplex,
    "tau2.scripts.view_simulations": patches_display.patch_view,
    "tau2.run": patches_simulation.patch_run_info,
    "tau2.runner.helpers": patches_simulation.patch_run_info,
    "tau2.evaluator.evaluator": patches_evaluator.patch_evaluator,
}
#: A localized run without one of these would silently be half English or wrongly scored.
REQUIRED = frozenset(
    "tau2." + name
    for name in (
        "registry",
        "utils.llm_utils",
        "agent.llm_agent",
        "user.user_simulator",
        "orchestrator.orchestrator",
        "evaluator.evaluator",
    )
)

_fired: dict[str, str] = {}
_lock = threading.RLock()


def run_hook(name: str, module: Any) -> None:
    """Run the hook of a module unless it has run already; remember how it went."""
    with _lock:
        if _fired.get(name) == "ok":
            return
        try:
            HOOKS[name](module)
        except BaseException as error:
            _fired[name] = f"{type(error).__name__}: {error}"
            raise
        _fired[name] = "ok"


def hook_states() -> dict[str, str]:
    """Return ``ok``, the error, or ``not imported`` for each hooked module."""
    return {name: _fired.get(name, "not imported") for name in sorted(HOOKED_MODULES)}


def _is_executed(module: Any) -> bool:
    return not getattr(getattr(module, "__spec__", None), "_initializing", False)


def activate() -> None:
    """Install the hooks and run those of modules that are imported already.

    The entry point ``tau2.plugins`` and ``jtau run`` call this; calling it again changes nothing.
    """
    if is_disabled():
        return
    install()
    for name in HOOKED_MODULES:
        module = sys.modules.get(name)
        if module is not None and _is_executed(module):
            run_hook(name, module)


_required_seen = False


def require_hooks() -> None:
    """Make sure that every required hook has fired; imports what has not been imported yet.

    Raises:
        HookError: names each hook that did not fire.
    """
    global _required_seen  # noqa: PLW0603  (one flag, so that each environment asks once)
    if _required_seen:
        return
    problems = []
    for name in sorted(REQUIRED):
        try:
            importlib.import_module(name)
        except Exception as error:  # noqa: BLE001  (any failure is the finding)
            problems.append(Problem(name, f"cannot be imported: {error}"))
            continue
        state = _fired.get(name, "did not fire")
        if state != "ok":
            problems.append(Problem(name, state, "run 'jtau doctor'"))
    if problems:
        raise HookError("Hooks on the installed tau2 did not fire.", problems)
    _required_seen = True
