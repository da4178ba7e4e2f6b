"""Charts of pass^k: the ladder of scenarios, domains, reliability. Intervals are always drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jtau_plugin.reporting.charts.style import (
    MARKERS,
    PALETTE,
    SERIES,
    clean_axes,
    make_figure,
    percent_axis,
    shorten,
)
from jtau_plugin.reporting.compare.arms import SCENARIO_NAMES
from jtau_plugin.reporting.compare.comparison import Comparison, Ladder
from jtau_plugin.reporting.compare.figures import OVERALL, ArmFigures, PassHat
from jtau_plugin.reporting.compare.sentences import percent, points
from jtau_plugin.reporting.visible import visible

#: Below this width in inches labels stand above their rows.
_NARROW = 5.0
_LABEL = 30


@dataclass(frozen=True)
class _Row:
    label: str
    figure: PassHat
    colour: str
    marker: str
    note: str = ""


def _draw_rows(axes: Any, rows: list[_Row], *, narrow: bool) -> None:
    """Draw one figure with its interval on each row, the first row on top."""
    for place, row in enumerate(rows):
        value = row.figure.strict
        if value is None:
            continue
        interval = row.figure.interval
        if interval is not None:
            axes.plot(
                [interval.low, interval.high],
                [place, place],
                color=PALETTE[row.colour],
                linewidth=3,
                alpha=0.45,
                solid_capstyle="round",
            )
        axes.plot([value], [place], row.marker, color=PALETTE[row.colour], markersize=8)
        text = f"{percent(value)}{f'  {row.note}' if row.note else ''}"
        axes.annotate(
            text,
            (1.0, place),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
        )
        if narrow:
            axes.annotate(
                row.label,
                (0, place),
                xycoords=("axes fraction", "data"),
                xytext=(0, 11),
                textcoords="offset points",
                va="center",
                fontsize=9,
            )
    labels = [""] * len(rows) if narrow else [row.label for row in rows]
    axes.set_yticks(range(len(rows)), labels)
    axes.set_ylim(len(rows) - 0.5, -0.7)
    lows = [row.figure.interval.low for row in rows if row.figure.interval]
    percent_axis(axes, lows)
    clean_axes(axes)


def draw_ladder(comparison: Comparison, width: float) -> Any:
    """Return the ladder of each model, from English to everything localized."""
    ladders = comparison.ladders
    if not ladders:
        return None
    panels = [_ladder_rows(comparison, ladder) for ladder in ladders]
    narrow = width < _NARROW
    row_height = 0.55 if narrow else 0.4
    heights = [len(rows) * row_height + 0.75 for rows in panels]
    figure = make_figure(width, sum(heights))
    found = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)
    for (axes,), rows, ladder in zip(found, panels, ladders, strict=True):
        _draw_rows(axes, rows, narrow=narrow)
        title = shorten(visible(ladder.model), 60 if not narrow else 36)
        axes.set_title(title, loc="left", fontsize=11, fontweight="bold", pad=10)
    return figure


def _ladder_rows(comparison: Comparison, ladder: Ladder) -> list[_Row]:
    rows = []
    changes = {pair.pairing.second.name: pair.difference() for pair in ladder.pairs}
    for arm in ladder.steps:
        figure = comparison.of_arm(arm).figure(1)
        if figure is None or figure.strict is None:
            continue
        change = changes.get(arm.name)
        note = ""
        if change is not None and change.strict is not None:
            sign = "+" if change.strict.value > 0 else ""
            noise = ", noise" if change.strict.is_noise else ""
            note = f"({sign}{points(change.strict.value)}{noise})"
        label = f"{SCENARIO_NAMES[arm.scenario]} · {visible(arm.name)}"
        rows.append(_Row(shorten(label, 44), figure, "s1", "o", note))
    return rows


def draw_domains(comparison: Comparison, width: float) -> Any:
    """Return pass^1 of each arm in each domain, with intervals."""
    bases = [*comparison.bases]
    if any(one.base == OVERALL for one in comparison.figures):
        bases.append(OVERALL)
    narrow = width < _NARROW
    panels = [(base, _domain_rows(comparison, base)) for base in bases]
    panels = [(base, rows) for base, rows in panels if rows]
    if not panels:
        return None
    row_height = 0.55 if narrow else 0.34
    heights = [len(rows) * row_height + 0.7 for _, rows in panels]
    figure = make_figure(width, sum(heights))
    found = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)
    for (axes,), (base, rows) in zip(found, panels, strict=True):
        _draw_rows(axes, rows, narrow=narrow)
        axes.set_title(visible(base), loc="left", fontsize=11, fontweight="bold", pad=10)
        _draw_floor(axes, comparison, base)
    return figure


def _domain_rows(comparison: Comparison, base: str) -> list[_Row]:
    rows = []
    for number, arm in enumerate(comparison.arms):
        found = next((o for o in comparison.figures if o.arm is arm and o.base == base), None)
        figure = found.figure(1) if found else None
        if figure is not None and figure.strict is not None:
            colour, marker = SERIES[number % len(SERIES)], MARKERS[number % len(MARKERS)]
            rows.append(_Row(shorten(visible(arm.name), _LABEL), figure, colour, marker))
    return rows


def _draw_floor(axes: Any, comparison: Comparison, base: str) -> None:
    rates = {one.floor.rate for one in comparison.figures if one.floor and one.base == base}
    for rate in sorted(rates):
        axes.axvline(rate, color=PALETTE["muted"], linestyle=":", linewidth=1.2)
        axes.annotate(
            "does nothing",
            (rate, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(3, 2),
            textcoords="offset points",
            fontsize=8,
            color=PALETTE["muted"],
        )


def draw_reliability(comparison: Comparison, width: float) -> Any:
    """Return pass^k by k for each arm over all its domains."""
    if comparison.trials < 2:  # noqa: PLR2004  (one k is no line)
        return None
    figure = make_figure(width, 3.4)
    axes = figure.subplots()
    for number, arm in enumerate(comparison.arms):
        _draw_line(axes, comparison.of_arm(arm), number)
    axes.set_ylim(0, 1.03)
    ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
    axes.set_yticks(ticks, [f"{tick:.0%}" for tick in ticks])
    axes.set_xticks(range(1, comparison.trials + 1))
    axes.set_xlim(0.7, comparison.trials + 0.3)
    axes.set_xlabel("k trials in a row")
    clean_axes(axes, grid="y")
    columns = 1 if width < _NARROW else 3
    figure.legend(loc="outside upper left", ncols=columns, frameon=False, fontsize=9)
    return figure


def _draw_line(axes: Any, figures: ArmFigures, number: int) -> None:
    known = [figure for figure in figures.figures if figure.strict is not None]
    colour = PALETTE[SERIES[number % len(SERIES)]]
    shift = (number % 5 - 2) * 0.03
    places = [figure.k + shift for figure in known]
    axes.plot(
        places,
        [figure.strict for figure in known],
        marker=MARKERS[number % len(MARKERS)],
        color=colour,
        label=shorten(visible(figures.arm.name), _LABEL),
    )
    for place, figure in zip(places, known, strict=True):
        if figure.interval is not None:
            ends = [figure.interval.low, figure.interval.high]
            axes.plot([place, place], ends, color=colour, linewidth=2, alpha=0.45)
