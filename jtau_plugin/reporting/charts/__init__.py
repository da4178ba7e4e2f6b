"""The charts of a comparison, drawn by matplotlib: as files, and inside the report.

Each is drawn from the comparison alone. Nothing here reads a results file or computes a figure.
"""

from __future__ import annotations

from jtau_plugin.reporting.charts.captions import caption
from jtau_plugin.reporting.charts.catalogue import CHARTS, Chart, draw
from jtau_plugin.reporting.charts.saving import save
from jtau_plugin.reporting.charts.style import (
    is_available,
    missing_characters,
    require_matplotlib,
)

__all__ = [
    "CHARTS",
    "Chart",
    "caption",
    "draw",
    "is_available",
    "missing_characters",
    "require_matplotlib",
    "save",
]
