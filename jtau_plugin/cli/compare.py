"""``jtau compare``: what differs between runs of the same tasks, and how sure that is.

Calls no model, grades nothing again, and never changes a file that it reads.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from jtau_plugin import __version__
from jtau_plugin.cli import output
from jtau_plugin.cli.comparing import common, printing, report
from jtau_plugin.errors import SettingError
from jtau_plugin.reporting.compare.comparison import Comparison
from jtau_plugin.reporting.compare.csvfile import write_csv
from jtau_plugin.reporting.compare.sentences import summarize
from jtau_plugin.reporting.compare.tables import all_tables, wide_rows

SUMMARY = "compares runs by task and trial: what is lost, where, and whether it is noise"
#: Version of the JSON: raised when a key is renamed, removed or given another meaning.
SCHEMA = 1
_EPILOG = """figures:
  pass^k      strict: every trial that should have been played and has not passed has failed,
              except those that the user simulator spoiled, which are left out and counted
  upstream    as the code of the tau2 that made the file would have shown it
  rho^k       pass^k / pass^1: how much of what is done once is done k times in a row. A model that
              does little can have a high rho^k, so it is shown beside pass^k only
  retention   pass^k of an arm / pass^k of the arm it is compared with, on what both played
  difference  paired by task and trial, with a bootstrap interval over tasks. "Within noise" means
              that it stays plausible that there is no difference at all"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jtau compare",
        description="Compares runs of the same tasks, paired by task and trial: any number of "
        "arms, models and trials, files of either layout.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    common.add_arguments(parser)
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the report here")
    parser.add_argument(
        "--csv", type=Path, metavar="FILE", help="write one row for each arm and domain here"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def as_data(comparison: Comparison) -> dict[str, object]:
    """Return a comparison as plain data."""
    tables = all_tables(comparison)
    return {
        "schema": SCHEMA,
        "plugin": __version__,
        "mixed": [str(mixture) for mixture in comparison.mixtures if mixture.is_refused],
        "sentences": summarize(comparison),
        "tables": {
            table.name: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
            for table in tables
        },
    }


def main(arguments: Sequence[str]) -> int:
    """Compare runs and print what differs.

    Raises:
        ResultsError: for files that cannot be read, or not be compared.
        SettingError: for a reference that is none of the arms, or a file that cannot be written.
    """
    given = _parser().parse_args(arguments)
    comparison = common.compare(given)
    try:
        if given.html is not None:
            report.write_report(given.html, comparison)
        if given.csv is not None:
            write_csv(given.csv, wide_rows(comparison))
    except OSError as error:
        raise SettingError(f"{error.filename} cannot be written: {error.strerror}") from error
    if given.json:
        output.print_json(as_data(comparison))
    else:
        printing.print_comparison(comparison)
        for path in (given.html, given.csv):
            if path is not None:
                print(f"\nWritten: {path}")
    return 0
