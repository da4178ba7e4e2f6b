"""The post-import hooks that let an unmodified tau2 find the localized domains.

Standard library only, and never raises into the host program: what goes wrong here is one line on
standard error, and tau2 goes on without this plugin.
"""

from __future__ import annotations

import os
import sys

# Every Python program pays for what stands here: typing, contextlib and importlib would cost
# several milliseconds, so they are imported where they are needed, and types only for the checker.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

#: Modules of tau2 that get exactly one post-import hook each; ``compat.hooks`` says what it does.
HOOKED_MODULES = frozenset(
    "tau2." + name
    for name in (
        "registry",
        "utils.llm_utils",
        "utils.display",
        "environment.server",
        "agent.llm_agent",
        "gym.gym_agent",
        "user.user_simulator",
        "orchestrator.orchestrator",
        "orchestrator.full_duplex_orchestrator",
        "run",
        "runner.helpers",
        "scripts.view_simulations",
        "evaluator.evaluator",
    )
)


def report(message: str) -> None:
    """Write one line to standard error; a closed stream is no reason to fail."""
    try:  # noqa: SIM105  (contextlib is too dear here)
        sys.stderr.write(f"jtau-plugin: {message}\n")
    except Exception:  # noqa: BLE001, S110  (there is nobody left to tell)
        pass


def _fire(name: str) -> None:
    try:
        import importlib  # noqa: PLC0415

        hooks = importlib.import_module("jtau_plugin.compat.hooks")
        hooks.run_hook(name, sys.modules[name])
    except BaseException as error:
        report(f"hook on {name} failed, tau2 goes on without it: {type(error).__name__}: {error}")
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise


class _HookLoader:
    """Delegates to the module's own loader and fires the hook once the module has been executed."""

    def __init__(self, loader: object) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> object:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> object:
        return self._loader.create_module(spec)  # type: ignore[attr-defined]

    def exec_module(self, module: object) -> None:
        self._loader.exec_module(module)  # type: ignore[attr-defined]
        spec = module.__spec__  # type: ignore[attr-defined]
        # inspect.getsource and importlib.reload look at the real loader.
        spec.loader = module.__loader__ = self._loader  # type: ignore[attr-defined]
        _fire(spec.name)


class HookFinder:
    """A meta path finder that answers only for the hooked modules, through the other finders."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the real spec of a hooked module with its loader wrapped, else ``None``."""
        if name not in HOOKED_MODULES:
            return None
        for finder in sys.meta_path:
            if getattr(finder, "jtau_hook", False) or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)  # type: ignore[arg-type]
            if spec is not None:
                if hasattr(spec.loader, "exec_module"):
                    spec.loader = _HookLoader(spec.loader)  # type: ignore[assignment]
                return spec
        return None

    jtau_hook = True


def is_disabled() -> bool:
    """Return whether ``JTAU_DISABLE=1`` switches the plugin off."""
    return os.environ.get("JTAU_DISABLE", "") not in ("", "0")


def install() -> bool:
    """Put the finder in front of ``sys.meta_path`` once; return whether it is there.

    Modules of tau2 that are imported already get their hooks by ``compat.hooks.activate``.
    """
    if is_disabled():
        return False
    if not any(getattr(finder, "jtau_hook", False) for finder in sys.meta_path):
        sys.meta_path.insert(0, HookFinder)
    return True
