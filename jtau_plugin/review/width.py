"""How much room a text takes in a cell. An estimate: no font is read."""

from __future__ import annotations

import math
import unicodedata

#: Characters in a line of the columns that hold texts; a full-width one counts as two.
COLUMN = 46
_WIDE = ("W", "F")
#: In a proportional typeface the other letters are narrower on average.
_NARROW = 0.9


def width(text: str) -> float:
    """Return the width of a line in half-width characters."""
    return sum(2.0 if unicodedata.east_asian_width(c) in _WIDE else _NARROW for c in text)


def visual_lines(text: str, column: int = COLUMN) -> int:
    """Return how many lines a text takes in a column that wraps it."""
    return sum(max(1, math.ceil(width(line) / column)) for line in text.split("\n"))
