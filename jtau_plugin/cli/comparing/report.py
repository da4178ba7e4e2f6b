"""Writes the report of ``jtau compare``."""

from __future__ import annotations

import sys
from pathlib import Path

from jtau_plugin.cli.quiet import quiet_tau2
from jtau_plugin.reporting.charts import is_available
from jtau_plugin.reporting.compare.comparison import Comparison
from jtau_plugin.reporting.html import render_page


def write_report(path: Path, comparison: Comparison) -> None:
    """Write the report as one HTML file.

    Raises:
        OSError: if it cannot be written.
    """
    if not is_available():
        said = "charts are left out; pip install 'jtau-plugin[report]' draws them"
        print(f"jtau: matplotlib is not installed, so {said}", file=sys.stderr)
    with quiet_tau2():
        page = render_page(comparison)
    path.write_text(page, encoding="utf-8", newline="\n")
