from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jtau_plugin.patching import cards as cards_module

from .shop import Shop


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    """A small world for the patch engine, with one fix that adds 100."""
    monkeypatch.delenv("JTAU_PATCHES", raising=False)
    arranged = Shop(tmp_path, monkeypatch)
    arranged.fix("plus")
    yield arranged
    cards_module._load.cache_clear()
