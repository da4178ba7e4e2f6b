"""Charts of what flipped: the matrix of trials, and the checks that were lost."""

from __future__ import annotations

import math
from typing import Any

from jtau_plugin.reporting.charts.style import (
    PALETTE,
    clean_axes,
    make_figure,
    rectangle,
    shorten,
)
from jtau_plugin.reporting.compare.checks import CHECK_NAMES, Blame
from jtau_plugin.reporting.compare.comparison import ArmPair, Comparison
from jtau_plugin.reporting.compare.flips import BOTH, GAINED, LOST, NEITHER, SPOILED, UNGRADED
from jtau_plugin.reporting.visible import visible

_NARROW = 5.0
#: By corner: column, row, colour.
_CORNERS = {
    BOTH: (0, 0, "nobody"),
    LOST: (1, 0, "loss"),
    GAINED: (0, 1, "gain"),
    NEITHER: (1, 1, "nobody"),
}
_BLAMES = {
    Blame.AGENT: ("loss", "the agent's loss"),
    Blame.UNCLEAR: ("s2", "agent's or caller's"),
    Blame.CALLER: ("caller", "the caller's fault"),
    Blame.NOBODY: ("nobody", "not graded"),
}


def draw_matrices(comparison: Comparison, width: float) -> Any:
    """Return one matrix for each pair of arms."""
    pairs = comparison.pairs
    if not pairs:
        return None
    columns = 1 if width < _NARROW else min(3, len(pairs))
    rows = math.ceil(len(pairs) / columns)
    figure = make_figure(width, rows * 2.7)
    found = figure.subplots(rows, columns, squeeze=False)
    for number, axes in enumerate(axes for row in found for axes in row):
        if number < len(pairs):
            _draw_matrix(axes, pairs[number])
        else:
            axes.set_visible(False)
    return figure


def _draw_matrix(axes: Any, pair: ArmPair) -> None:
    counted = sum(pair.matrix[corner] for corner in _CORNERS)
    for corner, (x, y, colour) in _CORNERS.items():
        count = pair.matrix[corner]
        strength = 0.12 + 0.5 * (count / counted if counted else 0)
        axes.add_patch(
            rectangle((x, y), 0.96, 0.96, facecolor=PALETTE[colour], alpha=strength, linewidth=0)
        )
        axes.text(x + 0.48, y + 0.42, str(count), ha="center", va="center", fontsize=15)
        axes.text(
            x + 0.48,
            y + 0.74,
            corner,
            ha="center",
            va="center",
            fontsize=8,
            color=PALETTE["ink"],
        )
    first, second = pair.pairing.first.name, pair.pairing.second.name
    axes.set_xlim(0, 2)
    axes.set_ylim(2, 0)
    axes.set_xticks([0.48, 1.48], ["passed", "not passed"], fontsize=9)
    axes.set_yticks([0.48, 1.48], ["passed", "not\npassed"], fontsize=9)
    axes.set_xlabel(_with_rest(pair, shorten(visible(second), 28)), color=PALETTE["ink"])
    axes.set_ylabel(shorten(visible(first), 20), color=PALETTE["ink"])
    axes.set_aspect("equal")
    clean_axes(axes)
    axes.grid(visible=False)


def _with_rest(pair: ArmPair, name: str) -> str:
    rest = [f"{pair.matrix[key]} {key}" for key in (UNGRADED, SPOILED) if pair.matrix[key]]
    return "\n".join([name, *rest])


def draw_checks(comparison: Comparison, width: float) -> Any:
    """Return how many flipped trials lost each kind of check, by whose loss it is."""
    panels = [pair for pair in comparison.pairs if any(pair.lost_checks.values())]
    if not panels:
        return None
    kinds = [_kinds(pair) for pair in panels]
    blames = [blame for blame in _BLAMES if any(pair.lost_checks[blame] for pair in panels)]
    columns = len(blames) if width >= _NARROW else 1
    heights = [len(names) * 0.36 + 0.75 for names in kinds]
    figure = make_figure(width, sum(heights) + 0.25 * len(blames) / columns + 0.15)
    found = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)
    for (axes,), pair, names in zip(found, panels, kinds, strict=True):
        _draw_bars(axes, pair, names, blames)
    # One scale for all pairs, so that lengths can be compared.
    most = max(axes.get_xlim()[1] for (axes,) in found)
    for (axes,) in found:
        axes.set_xlim(0, most)
    handles, labels = found[0][0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside upper left", ncols=columns, frameon=False, fontsize=9
    )
    return figure


def _kinds(pair: ArmPair) -> list[str]:
    totals: dict[str, int] = {}
    for counts in pair.lost_checks.values():
        for kind, count in counts.items():
            totals[kind] = totals.get(kind, 0) + count
    return sorted(totals, key=lambda kind: -totals[kind])


def _draw_bars(axes: Any, pair: ArmPair, kinds: list[str], blames: list[Blame]) -> None:
    ends = [0] * len(kinds)
    for blame in blames:
        colour, label = _BLAMES[blame]
        counts = [pair.lost_checks[blame].get(kind, 0) for kind in kinds]
        axes.barh(
            range(len(kinds)), counts, left=ends, height=0.6, color=PALETTE[colour], label=label
        )
        ends = [end + count for end, count in zip(ends, counts, strict=True)]
    for place, end in enumerate(ends):
        axes.annotate(
            str(end),
            (end, place),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
        )
    axes.set_yticks(range(len(kinds)), [CHECK_NAMES.get(kind, kind) for kind in kinds])
    axes.set_ylim(len(kinds) - 0.5, -0.5)
    axes.set_xlim(0, max(ends) * 1.12 + 0.5)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_title(shorten(visible(pair.name), 44), loc="left", fontsize=11, fontweight="bold")
    axes.set_xlabel("trials")
    clean_axes(axes)
