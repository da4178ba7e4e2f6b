"""Writes the report of ``jtau compare``."""

from __future__ import annotations

from pathlib import Path

from jtau_plugin.reporting.compare.comparison import Comparison


def write_report(path: Path, comparison: Comparison) -> None:
    """Write the report as one HTML file."""
    raise NotImplementedError(path, comparison)
