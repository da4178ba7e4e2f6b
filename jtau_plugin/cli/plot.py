"""``jtau plot``: the charts of the report as files, each with a caption that says what it is of."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from jtau_plugin.cli import output
from jtau_plugin.cli.comparing import common
from jtau_plugin.errors import SettingError
from jtau_plugin.reporting import charts
from jtau_plugin.reporting.charts.saving import FORMATS
from jtau_plugin.reporting.compare.comparison import Comparison

SUMMARY = "draws the charts of a comparison as PNG or SVG"
_FOLDER = Path("jtau-plots")
_WIDTH, _DPI = 7.2, 200


def _parser() -> argparse.ArgumentParser:
    names = [chart.name for chart in charts.CHARTS]
    parser = argparse.ArgumentParser(
        prog="jtau plot",
        description="Compares runs as 'jtau compare' does and draws the charts of its report. Each "
        "caption names the files and settings that the figure came from. Needs matplotlib: pip "
        "install 'jtau-plugin[report]'.",
    )
    common.add_arguments(parser)
    parser.add_argument(
        "-o", "--output", type=Path, default=_FOLDER, metavar="DIR", help=f"default: {_FOLDER}"
    )
    parser.add_argument(
        "--chart", action="append", choices=names, help="draw this one; may be given several times"
    )
    parser.add_argument(
        "--format", action="append", choices=FORMATS, help="png (default), svg, or both"
    )
    parser.add_argument(
        "--width", type=_inches, default=_WIDTH, metavar="INCHES", help=f"default: {_WIDTH}"
    )
    return parser


def _inches(text: str) -> float:
    least, most = 3.0, 30.0
    try:
        width = float(text)
    except ValueError:
        width = 0.0
    if not least <= width <= most:
        raise argparse.ArgumentTypeError(f"expected inches from {least:g} to {most:g}")
    return width


def main(arguments: Sequence[str]) -> int:
    """Draw the charts and say where they are.

    Raises:
        ResultsError: for files that cannot be read, or not be compared.
        SettingError: if matplotlib is missing, or a file cannot be written.
    """
    given = _parser().parse_args(arguments)
    charts.require_matplotlib()
    comparison = common.compare(given)
    common.print_mixed(comparison)
    rows = []
    try:
        given.output.mkdir(parents=True, exist_ok=True)
        for chart in charts.CHARTS:
            if given.chart is None or chart.name in given.chart:
                rows += _draw(chart, comparison, given)
    except OSError as error:
        raise SettingError(f"{error.filename} cannot be written: {error.strerror}") from error
    output.print_table(rows)
    _warn_of_fonts(comparison)
    return 0


def _draw(
    chart: charts.Chart, comparison: Comparison, given: argparse.Namespace
) -> list[list[str]]:
    rows = []
    for ending in given.format or FORMATS[:1]:
        path = given.output / f"{chart.name}.{ending}"
        if not charts.save(chart, comparison, path, given.width, _DPI):
            return [[f"no {chart.name}", f"Not drawn: {chart.missing}."]]
        rows.append([str(path), chart.title])
    return rows


def _warn_of_fonts(comparison: Comparison) -> None:
    """Say which characters no font has: matplotlib draws boxes in their place."""
    missing = charts.missing_characters([charts.caption(comparison, "")])
    if missing:
        print(
            f"jtau: no installed font can write {missing[:20]}; install one with Japanese, such as "
            "Noto Sans CJK JP or IPAexGothic, or use --format svg, which keeps text as text",
            file=sys.stderr,
        )
