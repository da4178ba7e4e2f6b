"""Columns that line up also in Japanese, and JSON that any terminal can print."""

from __future__ import annotations

import io
import json
import sys

import pytest

from jtau_plugin.cli import output


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("abc", 3), ("小売", 4), ("Tシャツ", 7), ("ｶﾅ", 2), ("ＡＢ", 4), ("。", 2)],
)
def test_width(text, width):
    assert output.width(text) == width


def test_a_table_lines_up(capsys):
    output.print_table([["小売", "a", ""], ["x", "航空券", "last"], ["", "", ""]])
    assert capsys.readouterr().out == "小売  a\nx     航空券  last\n\n"


def test_an_empty_table_prints_nothing(capsys):
    output.print_table([])
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("encoding", "expected"), [("utf-8", "小売"), ("ascii", "\\u5c0f")])
def test_json_is_readable_where_it_can_be(monkeypatch, encoding, expected):
    buffer = io.BytesIO()
    stream = io.TextIOWrapper(buffer, encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    output.print_json({"title": "小売"})
    stream.flush()
    text = buffer.getvalue().decode(encoding)
    assert expected in text
    assert json.loads(text) == {"title": "小売"}
