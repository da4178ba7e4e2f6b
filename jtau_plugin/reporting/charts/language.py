"""The chart of language drift: it exists only where turns were measured."""

from __future__ import annotations

from typing import Any

from jtau_plugin.reporting.charts.style import (
    MARKERS,
    PALETTE,
    SERIES,
    clean_axes,
    make_figure,
    shorten,
)
from jtau_plugin.reporting.compare.comparison import Comparison
from jtau_plugin.reporting.compare.measured import target_share
from jtau_plugin.reporting.visible import visible

_NARROW = 5.0
#: A turn that fewer conversations reach says little about drift.
LEAST_TURNS = 5


def draw_drift(comparison: Comparison, width: float) -> Any:
    """Return the share of agent turns in the target language, by the turn's number."""
    lines = []
    for arm in comparison.arms:
        measured = comparison.of_arm(arm).language
        turns = measured.agent_by_turn if measured is not None else ()
        shares = [
            (number, share)
            for number, counts in enumerate(turns, 1)
            if sum(counts.values()) >= LEAST_TURNS and (share := target_share(counts)) is not None
        ]
        lines.append((arm.name, shares))
    if not any(shares for _, shares in lines):
        return None
    figure = make_figure(width, 3.4)
    axes = figure.subplots()
    for number, (name, shares) in enumerate(lines):
        if shares:
            axes.plot(
                [turn for turn, _ in shares],
                [share for _, share in shares],
                marker=MARKERS[number % len(MARKERS)],
                markersize=5,
                color=PALETTE[SERIES[number % len(SERIES)]],
                label=shorten(visible(name), 30),
            )
    ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
    axes.set_ylim(-0.03, 1.05)
    axes.set_yticks(ticks, [f"{tick:.0%}" for tick in ticks])
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel(f"agent turn (turns that at least {LEAST_TURNS} conversations reach)")
    clean_axes(axes, grid="y")
    columns = 1 if width < _NARROW else 3
    figure.legend(loc="outside upper left", ncols=columns, frameon=False, fontsize=9)
    return figure
