"""The file that ``jtau extract`` writes: one form or the other, or a sentence that says why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jtau_plugin.cli import extract
from jtau_plugin.errors import SettingError

_SEGMENTS = [{"address": "a", "english": "é"}, {"address": "b", "english": "x"}]
_DATA = extract.as_data(_SEGMENTS, [], "tau2 1")


def test_one_document_or_a_line_for_each(tmp_path: Path) -> None:
    extract._write(tmp_path / "new" / "a.json", _SEGMENTS, _DATA, is_lines=False)
    extract._write(tmp_path / "a.jsonl", _SEGMENTS, _DATA, is_lines=True)
    assert json.loads((tmp_path / "new" / "a.json").read_text(encoding="utf-8")) == _DATA
    lines = (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == _SEGMENTS


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=f"^{tmp_path} cannot be written: Is a directory"):
        extract._write(tmp_path, _SEGMENTS, _DATA, is_lines=False)
    (tmp_path / "file").touch()
    with pytest.raises(SettingError, match="cannot be written"):
        extract._write(tmp_path / "file" / "a.json", _SEGMENTS, _DATA, is_lines=False)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
