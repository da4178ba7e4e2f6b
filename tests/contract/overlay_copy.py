"""A copy of the Japanese overlay that a test may spoil, found by ``JTAU_OVERLAY_PATH``."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from jtau_plugin import resources


class OverlayCopy:
    """Files of a copied locale, by path below its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, name: str) -> Path:
        return self.folder / name

    def replace(self, name: str, old: str, new: str) -> None:
        """Replace a text that must occur in a file, in its first place."""
        text = self.path(name).read_text(encoding="utf-8")
        assert old in text, f"{old!r} is not in {name}"
        self.path(name).write_text(text.replace(old, new, 1), encoding="utf-8")

    def edit(self, name: str, change: Callable[[Any], None]) -> None:
        """Rewrite a YAML file after a change of its data."""
        data = yaml.safe_load(self.path(name).read_text(encoding="utf-8"))
        change(data)
        text = yaml.safe_dump(data, allow_unicode=True, sort_keys=False)
        self.path(name).write_text(text, encoding="utf-8")


def copy_overlay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OverlayCopy:
    root = tmp_path / "overlays"
    shutil.copytree(resources.data_root() / "overlays" / "ja", root / "ja")
    monkeypatch.setenv("JTAU_OVERLAY_PATH", str(root))
    return OverlayCopy(root / "ja")
