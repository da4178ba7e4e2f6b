"""``jtau extract``: what it prints and writes."""

from __future__ import annotations

import json

import pytest

from jtau_plugin.cli import extract
from jtau_plugin.compat.layout import Features, Layout
from jtau_plugin.errors import Problem

SEGMENT = {
    "address": "retail/tools.yaml#agent.think.description",
    "kind": "tool",
    "english": "word " * 30,
    "masked": [],
}


@pytest.fixture(autouse=True)
def listed(monkeypatch, tmp_path):
    asked = []

    def segments(domains, problems, components):
        asked.append((domains, tuple(components)))
        problems.append(Problem("task 3", "a repair does not fit"))
        yield SEGMENT
        yield {**SEGMENT, "kind": "value", "address": "retail/values.yaml#tables.a.b"}

    layout = Layout("v1_0", "tau2", "1.0.1", tmp_path, Features(True, True, True, True))
    monkeypatch.setattr(extract.layout, "require_tau2", lambda: None)
    monkeypatch.setattr(extract.layout, "detect_layout", lambda: layout)
    monkeypatch.setattr(extract, "require_domains", lambda names: names or ["retail"])
    monkeypatch.setattr(extract, "list_segments", segments)
    return asked


def test_the_list(capsys):
    assert extract.main([]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[0].startswith("retail/tools.yaml#agent.think.description  [tool]")
    assert "…" in shown.out
    assert shown.out.splitlines()[-1] == "2 segments: 1 tool, 1 value."
    assert "task 3: a repair does not fit" in shown.err


def test_json(capsys):
    extract.main(["--json"])
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == extract.SCHEMA
    assert data["tau2"] == "tau2 1.0.1"
    assert data["problems"] == ["task 3: a repair does not fit"]
    assert data["segments"][0] == SEGMENT


def test_lines(capsys):
    extract.main(["--jsonl"])
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["tool", "value"]


@pytest.mark.parametrize(
    ("name", "options", "is_lines"),
    [("a.jsonl", [], True), ("a.json", [], False), ("a", ["--jsonl"], True)],
)
def test_a_file(tmp_path, capsys, name, options, is_lines):
    path = tmp_path / name
    extract.main(["-o", str(path), *options])
    text = path.read_text(encoding="utf-8")
    segments = (
        [json.loads(line) for line in text.splitlines()]
        if is_lines
        else json.loads(text)["segments"]
    )
    assert segments[0] == SEGMENT
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"written to {path}" in shown.err


def test_the_choice(listed):
    extract.main(["--domain", "airline", "--domain", "retail", "--component", "tools"])
    assert listed == [(["airline", "retail"], ("tools",))]


@pytest.mark.parametrize("arguments", [["--json", "--jsonl"], ["--component", "names"], ["x"]])
def test_wrong_usage(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        extract.main(arguments)
    assert caught.value.code == 2
    capsys.readouterr()
