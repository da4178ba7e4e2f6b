"""Every chart by name, and how it becomes a figure with its caption."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jtau_plugin.reporting.charts import flipping, language, rates
from jtau_plugin.reporting.charts.style import styled
from jtau_plugin.reporting.compare.comparison import Comparison


@dataclass(frozen=True)
class Chart:
    """A chart.

    Attributes:
        name: short, also the name of its file.
        title: what it shows, in a sentence.
        missing: why there may be none.
        draw: draws it at a width in inches; ``None`` if the comparison has nothing to show.
        table: the table that holds its data.
    """

    name: str
    title: str
    missing: str
    draw: Callable[[Comparison, float], Any]
    table: str


CHARTS = (
    Chart(
        "ladder",
        "From English to everything localized: pass^1 of each model.",
        "no model has arms of two scenarios",
        rates.draw_ladder,
        "figures",
    ),
    Chart(
        "domains",
        "pass^1 of each arm by domain.",
        "no arm has a figure",
        rates.draw_domains,
        "figures",
    ),
    Chart(
        "reliability",
        "pass^k: how often a task is done k times in a row.",
        "each task was played once",
        rates.draw_reliability,
        "figures",
    ),
    Chart(
        "flips",
        "Flip matrix: trials by what became of them in both arms.",
        "no two arms are compared",
        flipping.draw_matrices,
        "matrix",
    ),
    Chart(
        "checks",
        "Checks that flipped trials lost, and whose loss it is.",
        "no trial was lost",
        flipping.draw_checks,
        "lost_checks",
    ),
    Chart(
        "drift",
        "Language drift: agent turns in the target language, by turn.",
        "language measures are not available",
        language.draw_drift,
        "drift",
    ),
)


def draw(chart: Chart, comparison: Comparison, width: float) -> Any:
    """Return a chart as a figure of matplotlib, or ``None`` if there is nothing to show."""
    with styled(f"{chart.name}-{width}"):
        return chart.draw(comparison, width)
