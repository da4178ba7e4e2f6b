"""How commands print: JSON, and plain text in aligned columns."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Sequence
from pathlib import Path

_GAP = "  "
_WIDE = ("W", "F")


def print_json(data: object) -> None:
    """Print ``data`` as JSON, with escapes only where the terminal cannot show Japanese."""
    readable = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf8")
    print(json.dumps(data, indent=2, ensure_ascii=not readable))


def shown_path(path: str | Path) -> str:
    """Return a path as a person here would write it: relative where it lies below this folder."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def width(text: str) -> int:
    """Return how many columns a terminal needs for ``text``."""
    return sum(2 if unicodedata.east_asian_width(c) in _WIDE else 1 for c in text)


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows of equal length in aligned columns."""
    if not rows:
        return
    widths = [max(width(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [cell + " " * (w - width(cell)) for cell, w in zip(row, widths, strict=True)]
        print(_GAP.join(cells).rstrip())
