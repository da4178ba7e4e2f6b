"""FIXES.md says what the cards and repairs say."""

from __future__ import annotations

from pathlib import Path

from jtau_plugin.upstream.entries import all_entries
from jtau_plugin.upstream.fixes_page import COMMAND, fixes_page

ROOT = Path(__file__).parents[3]


def test_the_page_is_up_to_date():
    written = (ROOT / "FIXES.md").read_text(encoding="utf-8")
    assert written == fixes_page(), f"FIXES.md is stale: {COMMAND}"


def test_contributing_names_the_command():
    assert COMMAND in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_every_repair_has_one_row():
    page = fixes_page()
    for entry in all_entries():
        assert page.count(f"| `{entry.id}` | ") >= 1
        assert entry.repair.title.replace("|", "\\|") in page


def test_rows_have_as_many_cells_as_their_table():
    head = 0
    for line in fixes_page().splitlines():
        cells = len(line.replace("\\|", "").split("|")) if line.startswith("|") else 0
        assert not (cells and head) or cells == head, line
        head = cells
