"""How far a translation is, on standard error: a bar with the cost, or a few plain lines."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

from jtau_plugin.translation.engine.client import Completion

_STEPS = 10


def _money(cost: float, *, is_priced: bool) -> str:
    return f"${cost:.4f}" if is_priced else "price unknown"


class TranslationProgress:
    """Counts texts, requests and cost.

    A terminal with ``rich`` installed gets a bar; anything else a line now and then.

    Args:
        is_quiet: nothing is shown.
    """

    def __init__(self, *, is_quiet: bool = False) -> None:
        self._is_quiet = is_quiet
        self._total = self._done = 0
        self._cost, self._is_priced = 0.0, True
        self._requests = 0
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> TranslationProgress:
        if not self._is_quiet and sys.stderr.isatty():
            self._bar = _make_bar()
            if self._bar is not None:
                self._bar.start()
                self._task = self._bar.add_task("texts", total=0, cost="$0.0000", requests=0)
        return self

    def start(self, total: int) -> None:
        """Take the texts of a run."""
        self._total += total
        self._show(0)

    def step(self, count: int) -> None:
        """Count units that are done."""
        self._done += count
        self._show(count)

    def spend(self, completion: Completion) -> None:
        """Count a request."""
        self._requests += 1
        self._cost += completion.cost or 0.0
        self._is_priced = self._is_priced and completion.cost is not None
        self._show(0)

    def say(self, sentence: str) -> None:
        """Say something in between."""
        if self._is_quiet:
            return
        if self._bar is not None:
            self._bar.console.print(f"jtau: {sentence}", markup=False, highlight=False)
        else:
            print(f"jtau: {sentence}", file=sys.stderr, flush=True)

    def _show(self, step: int) -> None:
        cost = _money(self._cost, is_priced=self._is_priced)
        if self._bar is not None:
            self._bar.update(
                self._task,
                total=self._total,
                completed=self._done,
                cost=cost,
                requests=self._requests,
            )
            return
        before = self._done - step
        has_passed = self._total and (
            self._done * _STEPS // self._total > before * _STEPS // self._total
        )
        if step and has_passed and not self._is_quiet:
            line = f"jtau: {self._done} of {self._total} texts, {self._requests} requests, {cost}"
            print(line, file=sys.stderr, flush=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


def _make_bar() -> Any:
    try:
        from rich.console import Console  # noqa: PLC0415  (optional: the extra "translate")
        from rich.progress import (  # noqa: PLC0415
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )
    except ImportError:
        return None
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[requests]} requests"),
        TextColumn("{task.fields[cost]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
