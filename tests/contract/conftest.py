"""Fixtures on the installed tau2. Everything here needs tau2; nothing here is skipped without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .overlay_copy import OverlayCopy, copy_overlay
from .support import install_network_guard, registry


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    install_network_guard(monkeypatch)


@pytest.fixture(scope="session")
def pristine_db() -> Any:
    """The retail database as it is installed; never handed to a tool."""
    return registry().get_env_constructor("retail")().tools.db


@pytest.fixture(scope="session")
def fresh(pristine_db: Any) -> Callable[[str], Any]:
    """Return a fresh environment of a retail domain by name, on its own copy of the database."""
    text = pristine_db.model_dump_json()  # reading it back is five times faster than a deep copy

    def make(domain: str) -> Any:
        db = type(pristine_db).model_validate_json(text)
        return registry().get_env_constructor(domain)(db=db)

    return make


@pytest.fixture(scope="session")
def reading(fresh: Callable[[str], Any]) -> Any:
    """One Japanese environment for tests that change nothing in it."""
    return fresh("ja_retail")


@pytest.fixture(scope="session")
def english(fresh: Callable[[str], Any]) -> Any:
    """One English environment for tests that change nothing in it."""
    return fresh("retail")


@pytest.fixture(scope="session")
def localizer(reading: Any) -> Any:
    return reading.jtau_localizer


@pytest.fixture(scope="session")
def catalog(reading: Any) -> Any:
    return reading.jtau_localizer.catalog


@pytest.fixture(scope="session")
def tasks() -> dict[str, Any]:
    """All Japanese retail tasks by id."""
    return {task.id: task for task in registry().get_tasks_loader("ja_retail")(None)}


@pytest.fixture
def misses(reading: Any) -> Iterator[list[Any]]:
    """The misses that the shared Japanese environment counts during one test."""
    reading.jtau_records.misses.clear()
    yield reading.jtau_records.misses
    reading.jtau_records.misses.clear()


@pytest.fixture
def overlay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OverlayCopy:
    """A copy of the overlay in place of the real one, for domains that are built in the test."""
    return copy_overlay(tmp_path, monkeypatch)
