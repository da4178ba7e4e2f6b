"""The simulation that the current thread is running.

The embedded model learns from it which task it plays. A context variable is enough: tau2 calls the
model synchronously, in the thread that steps the orchestrator.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_current: ContextVar[Any] = ContextVar("jtau_simulation", default=None)


def current_orchestrator() -> Any:
    """Return the orchestrator that is stepping in this thread, or ``None``."""
    return _current.get()


@contextmanager
def running(orchestrator: Any) -> Iterator[None]:
    """Name ``orchestrator`` the running one inside the block."""
    token = _current.set(orchestrator)
    try:
        yield
    finally:
        _current.reset(token)


_MISSES_KEPT = 4096
_misses: OrderedDict[str, list[Any]] = OrderedDict()


def remember_misses(simulation_id: str, environment: Any) -> None:
    """Keep what an environment could not localize until its simulation is graded."""
    _misses[simulation_id] = list(environment.jtau_records.misses)
    # A simulation that is never graded must not be kept for ever.
    while len(_misses) > _MISSES_KEPT:
        _misses.popitem(last=False)


def recall_misses(simulation_id: str) -> list[Any] | None:
    """Return the misses of a simulation that ran in this process, or ``None``."""
    return _misses.get(simulation_id)
