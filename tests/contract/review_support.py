"""Reviews as people and programs leave them: workbooks edited cell by cell, tables, PO."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import yaml

from jtau_plugin import resources
from jtau_plugin.cli import main as cli

#: The columns of a Japanese review, by name.
TITLES = {
    "address": "場所",
    "english": "英語（原文）",
    "translation": "現在の訳",
    "correction": "修正後の訳",
    "note": "メモ",
    "status": "状態",
    "reason": "取り込めなかった理由",
    "locale": "locale",
    "english_sha256": "english_sha256",
    "translation_sha256": "translation_sha256",
}
HEADER = 2


#: Tasks and names that the copy keeps: the others only take time.
_TASKS = ("0", "1", "3", "4", "29")
_NAMES = ("Emma", "Noah", "Davis", "Lopez", "Austin", "TX", "USA")


def _cut(path: Path, change: Callable[[Any], None]) -> None:
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    change(data)
    text = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=1 << 30)
    path.write_text(text, encoding="utf-8")


def copy_retail(root: Path) -> Path:
    """Copy what the Japanese overlay has of retail, and return the locale's folder.

    Most tasks and names are left out, so the copy has errors of its own; they were there before.
    """
    skip = shutil.ignore_patterns("airline", "telecom", "__pycache__")
    shutil.copytree(resources.data_root() / "overlays" / "ja", root / "ja", ignore=skip)

    def names(data: Any) -> None:
        for role, own in data.items():
            data[role] = {name: own[name] for name in _NAMES if name in own}

    def tasks(data: Any) -> None:
        data["tasks"] = {name: data["tasks"][name] for name in _TASKS}

    _cut(root / "ja" / "names.yaml", names)
    _cut(root / "ja" / "retail" / "tasks.yaml", tasks)
    return root / "ja"


def files_of(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def run(*arguments: str) -> int:
    return cli.main(["review", *arguments])


class Sheets:
    """A workbook of a review that a reviewer edits."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.book = openpyxl.load_workbook(path)

    def __iter__(self) -> Iterator[tuple[Any, int]]:
        for sheet in self.book.worksheets:
            if any(cell.value == TITLES["address"] for cell in sheet[HEADER]):
                for row in range(HEADER + 1, sheet.max_row + 1):
                    yield sheet, row

    def column(self, sheet: Any, name: str) -> int:
        return next(c.column for c in sheet[HEADER] if c.value == TITLES[name])

    def find(self, key: str) -> tuple[Any, int]:
        for sheet, row in self:
            if sheet.cell(row, self.column(sheet, "address")).value == key:
                return sheet, row
        raise AssertionError(f"no row {key}")

    def cell(self, key: str, name: str) -> Any:
        sheet, row = self.find(key)
        return sheet.cell(row, self.column(sheet, name))

    @property
    def keys(self) -> list[str]:
        return [s.cell(row, self.column(s, "address")).value for s, row in self]

    def fill(self, key: str, **cells: object) -> None:
        for name, value in cells.items():
            self.cell(key, name).value = value

    def copy_row(self, key: str) -> int:
        """Append a row once more to its sheet and return where."""
        sheet, row = self.find(key)
        target = sheet.max_row + 1
        for cell in sheet[row]:
            sheet.cell(target, cell.column).value = cell.value
        return target

    def save(self, path: Path | None = None) -> Path:
        self.book.save(path or self.path)
        return path or self.path


def rows_of_workbook(path: Path) -> list[Mapping[str, Any]]:
    """Return the rows of a workbook by the names of their columns."""
    sheets = Sheets(path)
    return [
        {
            name: sheet.cell(row, cell.column).value
            for name, title in TITLES.items()
            for cell in sheet[HEADER]
            if cell.value == title
        }
        for sheet, row in sheets
    ]


def export(path: Path, *options: str) -> Path:
    assert run("export", "--locale", "ja", "--domain", "retail", "-o", str(path), *options) == 0
    return path


@pytest.fixture
def retail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the retail overlay in place of the real ones."""
    folder = copy_retail(tmp_path / "overlays")
    monkeypatch.setenv("JTAU_OVERLAY_PATH", str(folder.parent))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796169600")  # 2026-12-02
    return folder
