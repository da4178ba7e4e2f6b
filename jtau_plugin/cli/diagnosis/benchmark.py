"""The installed tau2: which one it is, and whether the hooks on it fired."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
from dataclasses import asdict
from pathlib import Path

from jtau_plugin._bootstrap import HOOKED_MODULES
from jtau_plugin.cli.diagnosis.section import Section
from jtau_plugin.compat import hooks, layout
from jtau_plugin.domains import localized_domains
from jtau_plugin.errors import Problem

_ABSENT = "not in this tau2"


def _installed_distributions() -> list[str]:
    found = []
    for name, title in layout.DISTRIBUTIONS.items():
        try:
            found.append(f"{name} {importlib.metadata.version(name)} ({title})")
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def ask_tau2(section: Section) -> None:
    """Say which tau2 is installed, and whether it is one that can be localized."""
    distributions = _installed_distributions()
    section.facts = {"distributions": distributions}
    if len(distributions) > 1:
        what = f"several distributions bring a package named tau2: {', '.join(distributions)}"
        section.problems.append(Problem("this Python", what, "uninstall all, then install one"))
    spec = importlib.util.find_spec("tau2")
    section.facts["package"] = str(spec.origin or "") if spec else None
    section.facts["impostor"] = layout.is_impostor()
    layout.require_tau2()
    found = layout.detect_layout()
    section.facts |= {
        "distribution": found.distribution,
        "version": found.version,
        "layout": found.name,
        "data_directory": str(found.data_dir),
        "features": asdict(found.features),
    }
    if not found.data_dir.is_dir():
        what = "tau2's data directory does not exist"
        section.problems.append(Problem(str(found.data_dir), what, "set TAU2_DATA_DIR"))
    wanted = os.environ.get("TAU2_DATA_DIR")
    if wanted and Path(wanted).resolve() != found.data_dir.resolve():
        what = "the installed tau2 does not heed it"
        section.notes.append(Problem(f"TAU2_DATA_DIR={wanted}", what))


def _state(name: str) -> str:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if name == missing or name.startswith(f"{missing}."):
            return _ABSENT
        return f"cannot be imported: {error}"
    except Exception as error:  # noqa: BLE001  (whatever an unknown tau2 does is a finding)
        return f"cannot be imported: {type(error).__name__}: {error}"
    state = hooks.hook_states()[name]
    return "did not fire" if state == "not imported" else state


def ask_hooks(section: Section) -> None:
    """Import each hooked module and say whether its hook fired."""
    layout.require_tau2()
    hooks.activate()
    states = {name: _state(name) for name in sorted(HOOKED_MODULES)}
    section.facts = dict(states)
    for name, state in states.items():
        is_fine = state == "ok" or (state == _ABSENT and name not in hooks.REQUIRED)
        if not is_fine:
            hint = "a localized run refuses to start" if name in hooks.REQUIRED else ""
            section.problems.append(Problem(f"hook on {name}", state, hint))


def ask_domains(section: Section) -> None:
    """Say which localized domains and task sets tau2 now knows."""
    layout.require_tau2()
    registry = layout.registry()
    offered = sorted(localized_domains())
    section.facts = {
        "registered": [name for name in offered if name in registry.get_domains()],
        "task_sets": [name for name in offered if name in registry.get_task_sets()],
    }
    if not section.facts["registered"]:
        section.problems.append(Problem("tau2's registry", "no localized domain is registered"))
