"""``jtau analyze``: the tables of a comparison as CSV files, for papers and spreadsheets."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from jtau_plugin.cli import output
from jtau_plugin.cli.comparing import common
from jtau_plugin.errors import SettingError
from jtau_plugin.reporting.compare.csvfile import write_csv
from jtau_plugin.reporting.compare.tables import all_tables, wide_rows

SUMMARY = "writes the tables of a comparison as CSV"
_FOLDER = Path("jtau-analysis")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jtau analyze",
        description="Compares runs as 'jtau compare' does and writes every table as CSV: figures, "
        "differences, flips, lost checks, single trials, coverage, usage, language, settings. An "
        "empty cell is not available. Text that a spreadsheet would take for a formula gets an "
        "apostrophe in front.",
    )
    common.add_arguments(parser)
    parser.add_argument(
        "-o", "--output", type=Path, default=_FOLDER, metavar="DIR", help=f"default: {_FOLDER}"
    )
    return parser


def main(arguments: Sequence[str]) -> int:
    """Write the tables and say where they are.

    Raises:
        ResultsError: for files that cannot be read, or not be compared.
        SettingError: for a reference that is none of the arms, or a folder that cannot be written.
    """
    given = _parser().parse_args(arguments)
    comparison = common.compare(given)
    tables = [wide_rows(comparison), *all_tables(comparison)]
    rows = [["file", "rows", "what"]]
    try:
        given.output.mkdir(parents=True, exist_ok=True)
        for table in tables:
            path = given.output / f"{table.name}.csv"
            write_csv(path, table)
            rows.append([str(path), str(len(table.rows)), table.title])
    except OSError as error:
        raise SettingError(f"{error.filename} cannot be written: {error.strerror}") from error
    common.print_mixed(comparison)
    output.print_table(rows)
    return 0
