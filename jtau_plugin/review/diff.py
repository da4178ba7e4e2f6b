"""Shows what a review changes: a unified diff for each text."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator

from jtau_plugin.review.judging import Reading

_RED, _GREEN, _CYAN, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[0m"
_COLORS = {"-": _RED, "+": _GREEN, "@": _CYAN}


def diff_lines(reading: Reading) -> list[str]:
    """Return what changes in one text; nothing for a text that only was read."""
    old, new = reading.old.strip("\n").split("\n"), reading.text.strip("\n").split("\n")
    name = reading.address
    return list(difflib.unified_diff(old, new, f"{name} (now)", f"{name} (corrected)", lineterm=""))


def color(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a diff in the colours of a terminal."""
    for line in lines:
        mark = _COLORS.get(line[:1], "")
        yield f"{mark}{line}{_PLAIN}" if mark else line
