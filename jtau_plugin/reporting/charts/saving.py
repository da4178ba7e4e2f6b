"""A chart as a file of its own, with its caption below it."""

from __future__ import annotations

import textwrap
from pathlib import Path

from jtau_plugin.reporting.charts.captions import caption
from jtau_plugin.reporting.charts.catalogue import Chart, draw
from jtau_plugin.reporting.charts.style import PALETTE, styled
from jtau_plugin.reporting.compare.comparison import Comparison

FORMATS = ("png", "svg")
#: Characters of the caption that stand in one line for each inch.
_PER_INCH = 16


def save(chart: Chart, comparison: Comparison, path: Path, width: float, dpi: int) -> bool:
    """Write a chart as PNG or SVG, as the file is called.

    Args:
        chart: which chart.
        comparison: what it shows.
        path: the file; its ending says the format.
        width: in inches.
        dpi: dots per inch of a PNG.

    Returns:
        Whether there was anything to show.

    Raises:
        OSError: if the file cannot be written.
    """
    figure = draw(chart, comparison, width)
    if figure is None:
        return False
    text = textwrap.fill(caption(comparison, chart.title), int(width * _PER_INCH))
    with styled(chart.name):
        figure.text(
            0.0, -0.02, text, ha="left", va="top", fontsize=7, color=PALETTE["muted"], wrap=False
        )
        figure.savefig(
            path,
            dpi=dpi,
            facecolor="white",
            bbox_inches="tight",
            pad_inches=0.1,
            metadata={"Date": None} if path.suffix == ".svg" else None,
        )
    return True
