"""Tables as CSV that a spreadsheet opens as text and numbers, and never as formulas."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from jtau_plugin.reporting.compare.tables import Table, Value
from jtau_plugin.reporting.visible import visible

#: With these a spreadsheet takes a cell for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def cell_text(value: Value) -> str:
    """Return a cell as CSV holds it: numbers bare, text never the start of a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    text = visible(value)
    # Spreadsheets look past blanks before they decide.
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def to_csv(table: Table) -> str:
    """Return a table as CSV, with a line of column names."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([cell_text(value) for value in row] for row in table.rows)
    return stream.getvalue()


def write_csv(path: Path, table: Table) -> None:
    """Write a table as UTF-8 with the mark by which spreadsheets know it."""
    path.write_text(to_csv(table), encoding="utf-8-sig", newline="")
