"""What a figure comes from: its files and settings, in the words of a caption."""

from __future__ import annotations

from jtau_plugin import __version__
from jtau_plugin.reporting.compare.comparison import Comparison
from jtau_plugin.reporting.compare.settings import protocols
from jtau_plugin.reporting.visible import visible


def caption(comparison: Comparison, title: str) -> str:
    """Return the caption of a chart."""
    files = "; ".join(
        f"{arm.name} = {', '.join(f'{run.name} ({run.domain})' for run in arm.runs.values())}"
        for arm in comparison.arms
    )
    return visible(f"{title} Files: {files}. {describe_settings(comparison)}".strip())


def describe_settings(comparison: Comparison) -> str:
    """Return how the figures of a comparison were made, in a few sentences."""
    settings = comparison.settings
    runs = [run for arm in comparison.arms for run in arm.runs.values()]
    found = dict.fromkeys(protocol for run in runs for protocol in protocols(run))
    excluded = ", ".join(sorted(one.value for one in comparison.excluded))
    left_out = f"left out: {excluded}" if excluded else "nothing left out"
    mixed = " MIXED CONDITIONS." if any(m.is_refused for m in comparison.mixtures) else ""
    return (
        f"Strict pass^k ({left_out}); {settings.level:.0%} intervals, bootstrap over tasks, "
        f"{settings.repetitions} repetitions, seed {settings.seed}; protocol: {', '.join(found)}; "
        f"jtau-plugin {__version__}.{mixed}"
    )
