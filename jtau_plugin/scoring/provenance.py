"""What travels with every result, so that it can be read and graded without the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Protocol

from jtau_plugin import __version__
from jtau_plugin.compat import layout
from jtau_plugin.compat.simulation import recall_misses
from jtau_plugin.compat.tasks import TaskMark
from jtau_plugin.scoring.calls import Localizer

#: The protocol of tau2's own domains: upstream's basis, whatever it is.
UPSTREAM_PROTOCOL = "upstream"


class Domain(Protocol):
    """What the scorer asks of a registered domain."""

    def surface(self) -> Any:
        """Return the domain's surface, ``None`` if it has none."""

    def localizer(self) -> Localizer:
        """Return what makes arguments canonical."""

    def provenance(self) -> Mapping[str, Any]:
        """Return what results say of the domain: locale, scenario, overlay, settings."""


def build_provenance(
    mark: TaskMark | None, name: str, domain: Domain, patches: Sequence[str] = ()
) -> dict[str, Any]:
    """Return what a result says of its task, domain and installation.

    Args:
        mark: the task's mark; ``None`` for tasks of tau2's own domains.
        name: the registered domain.
        domain: the same, as an object.
        patches: ids of the code patches that are applied.
    """
    installed = layout.detect_layout()
    own = domain.provenance()
    stale = [*own.get("stale", ()), *(mark.stale if mark else ())]
    return {
        "plugin": __version__,
        "domain": name,
        **own,
        "protocol": mark.protocol if mark else UPSTREAM_PROTOCOL,
        "facts": mark.facts if mark else None,
        "task_repairs": list(mark.repairs) if mark else [],
        "patches": list(patches),
        "stale": stale,
        "tau2": f"{installed.distribution} {installed.version}",
        "layout": installed.name,
    }


def recorded_misses(simulation: Any) -> list[dict[str, str]] | None:
    """Return what stayed unlocalized: of the run in this process, else what its file records.

    ``None`` means unknown: the file records nothing, and only the run itself could tell.
    """
    misses = recall_misses(simulation.id)
    if misses is not None:
        return [asdict(miss) for miss in misses]
    earlier = getattr(simulation.reward_info, "info", None) or {}
    recorded: list[dict[str, str]] | None = earlier.get("jtau", {}).get("misses")
    return recorded
