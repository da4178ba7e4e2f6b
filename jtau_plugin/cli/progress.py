"""Where long work stands, on standard error: one line that is rewritten, or a few that are not."""

from __future__ import annotations

import sys
from types import TracebackType

_STEPS = 10


class Progress:
    """Counts what is done.

    Args:
        what: what is counted, ``simulations graded``.
        total: how many there are; fewer than a handful are not worth a line.
    """

    def __init__(self, what: str, total: int) -> None:
        self._what, self._total, self._done = what, total, 0
        self._is_rewritten = sys.stderr.isatty()

    def __enter__(self) -> Progress:
        return self

    def step(self) -> None:
        """Count one more."""
        self._done += 1
        if self._total < _STEPS:
            return
        if self._is_rewritten:
            self._print("\r", end="")
        elif self._done * _STEPS // self._total > (self._done - 1) * _STEPS // self._total:
            self._print("", end="\n")

    def _print(self, start: str, end: str) -> None:
        line = f"{start}jtau: {self._done} of {self._total} {self._what}"
        print(line, end=end, file=sys.stderr, flush=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._is_rewritten and self._total >= _STEPS:
            print(file=sys.stderr)
