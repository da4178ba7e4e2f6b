"""How much room a text takes in a cell. An estimate: no font is read."""

from __future__ import annotations

import unicodedata

#: Characters in a line of the columns that hold texts; a full-width one counts as two.
COLUMN = 46
_WIDE = ("W", "F")


def width(text: str) -> int:
    """Return the width of a line in half-width characters."""
    return sum(2 if unicodedata.east_asian_width(c) in _WIDE else 1 for c in text)


def visual_lines(text: str, column: int = COLUMN) -> int:
    """Return how many lines a text takes in a column that wraps it."""
    return sum(max(1, -(-width(line) // column)) for line in text.split("\n"))
