"""The environment variables: those that exist, those that mean nothing, and what README says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import jtau_plugin
from jtau_plugin.cli.diagnosis.section import Section
from jtau_plugin.cli.diagnosis.settings import VARIABLES, ask_settings

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def asked() -> Section:
    section = Section("settings")
    ask_settings(section)
    return section


def test_nothing_set_is_nothing_said():
    section = asked()
    assert (section.facts, section.problems, section.notes) == ({}, [], [])


@pytest.mark.parametrize("name", ["JTAU_DISABLE", "JTAU_STRICT_ARGS", "JTAU_ALLOW_STALE"])
def test_a_switch_that_is_on_is_a_note(monkeypatch, name):
    monkeypatch.setenv(name, "1")
    section = asked()
    assert section.problems == []
    assert [str(note) for note in section.notes] == [f"{name}=1: {VARIABLES[name]}"]


@pytest.mark.parametrize("value", ["0", ""])
def test_a_switch_that_is_off_is_a_fact_only(monkeypatch, value):
    monkeypatch.setenv("JTAU_ALLOW_STALE", value)
    section = asked()
    assert section.facts == {"JTAU_ALLOW_STALE": value}
    assert section.notes == []


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("JTAU_ALLOWSTALE", "did you mean JTAU_ALLOW_STALE?"),
        ("JTAU_STRICT_ARG", "did you mean JTAU_STRICT_ARGS?"),
        ("JTAU_OVERLAYS_PATH", "did you mean JTAU_OVERLAY_PATH?"),
        ("JTAU_XYZ", f"known: {', '.join(VARIABLES)}"),
    ],
)
def test_an_unknown_variable_is_a_problem_with_a_hint(monkeypatch, name, hint):
    monkeypatch.setenv(name, "1")
    (problem,) = asked().problems
    assert (problem.where, problem.hint) == (f"environment variable {name}", hint)


def test_a_folder_that_does_not_exist_is_a_problem(monkeypatch, tmp_path):
    monkeypatch.setenv("JTAU_OVERLAY_PATH", str(tmp_path / "gone"))
    (problem,) = asked().problems
    assert str(tmp_path / "gone") in problem.what


def test_every_variable_that_the_code_reads_is_listed():
    package = Path(jtau_plugin.__file__).parent
    read = set()
    for file in package.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        read |= set(re.findall(r"""["'](JTAU_[A-Z_]+)["']""", text))
    assert read - {"JTAU_"} == set(VARIABLES)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("JTAU_PROTOCOL", "lenient", "expected deterministic or judged"),
        ("JTAU_PATCHES", "+nothing-of-the-kind", "is no class and no repair"),
        ("JTAU_TOOL_MIX", "xx:1", "no overlay for 'xx'"),
        ("JTAU_JUDGE_ARGS", "{", "no JSON"),
    ],
)
def test_a_value_that_means_nothing_is_a_problem(monkeypatch, name, value, said):
    monkeypatch.setenv(name, value)
    (problem,) = asked().problems
    assert said in problem.what


def test_the_judges_arguments_are_not_shown(monkeypatch):
    monkeypatch.setenv("JTAU_JUDGE_ARGS", '{"api_key": "geheim"}')
    section = asked()
    assert "geheim" not in repr(section)


def test_readme_has_every_variable():
    table = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`JTAU_.*?) \|", table, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"JTAU_\w+", row)} == set(VARIABLES)
