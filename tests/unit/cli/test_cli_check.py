"""``jtau check``: what it prints, what its JSON says, and how it exits."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from jtau_plugin.checks.model import ERROR, WARNING, Finding, Segment
from jtau_plugin.cli import check
from jtau_plugin.compat.layout import Features, Layout
from jtau_plugin.errors import OverlayError, Problem
from jtau_plugin.models.checks import Exemption
from jtau_plugin.translation.checking import ExemptionUse, Report
from jtau_plugin.translation.fixing import FixReport
from jtau_plugin.translation.writing.fixes import FixedText

TEXT = "保留中ではない注文はキャンセルできません。" * 4
SEGMENT = Segment("retail/a.yaml#m.1", "message", "English", TEXT, "/x/ja/retail/a.yaml", 7)
BAD = Finding("terms", ERROR, SEGMENT, "'order' is not rendered as '注文'", "termbase.tsv line 9")
ODD = Finding("length", WARNING, SEGMENT, "0.10 characters")
USE = ExemptionUse(Exemption(check="numbers", address="retail/*", about="5", reason="二つ"), 2)


@pytest.fixture
def reports(monkeypatch, tmp_path):
    """``reports(findings, uses)`` is what the checks find; returns what was asked for."""
    asked = []

    def put(findings=(), uses=()):
        def answer(locale, domain):
            asked.append((locale, domain))
            return [Report(("ja/retail",), tuple(findings), tuple(uses))]

        monkeypatch.setattr(check, "check_overlays", answer)
        return asked

    features = Features(
        user_tools_include=True, agent_factories=True, strict_replay=True, results_in_folder=True
    )
    installed = Layout("v1_0", "tau2", "1.0.1", tmp_path, features)
    monkeypatch.setattr(check.layout, "require_tau2", lambda: None)
    monkeypatch.setattr(check.layout, "detect_layout", lambda: installed)
    return put


def test_no_finding(reports, capsys):
    reports()
    assert check.main([]) == 0
    assert capsys.readouterr().out == "Checked ja/retail: 0 errors, 0 warnings.\n"


def test_findings_are_grouped_by_severity(reports, capsys):
    reports([BAD, ODD], [USE])
    assert check.main(["ja"]) == 1
    shown = capsys.readouterr().out
    assert shown.index("Errors (1)") < shown.index("Warnings (1)") < shown.index("Exemptions (1,")
    assert "  /x/ja/retail/a.yaml:7: [terms] 'order' is not rendered as '注文' (termbase" in shown
    assert f"      {TEXT[:60]}…\n" in shown
    assert "  [numbers] retail/*, 5\n      二つ\n" in shown
    assert shown.endswith("Checked ja/retail: 1 errors, 1 warnings.\n")


def test_paths_below_the_working_directory_are_short(reports, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    segment = Segment("a", "message", "", "", str(tmp_path / "ja" / "a.yaml"), 1)
    reports([Finding("terms", ERROR, segment, "wrong")])
    check.main([])
    assert "  ja/a.yaml:1: [terms] wrong\n" in capsys.readouterr().out


def test_warnings_do_not_fail(reports):
    reports([ODD])
    assert check.main(["ja/retail"]) == 0


@pytest.mark.parametrize(
    ("argument", "asked"),
    [
        ([], (None, None)),
        (["ja"], ("ja", None)),
        (["ja/"], ("ja", None)),
        (["ja/retail"], ("ja", "retail")),
    ],
)
def test_what_is_checked(reports, argument, asked):
    seen = reports()
    check.main(argument)
    assert seen == [asked]


def test_json(reports, capsys):
    reports([BAD, ODD], [USE])
    assert check.main(["--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert {key: data[key] for key in ("schema", "tau2", "ok", "errors", "warnings")} == {
        "schema": check.SCHEMA,
        "tau2": "tau2 1.0.1",
        "ok": False,
        "errors": 1,
        "warnings": 1,
    }
    assert data["overlays"] == ["ja/retail"]
    assert data["findings"][0] == {
        "check": "terms",
        "severity": "error",
        "address": "retail/a.yaml#m.1",
        "kind": "message",
        "file": "/x/ja/retail/a.yaml",
        "line": 7,
        "message": "'order' is not rendered as '注文'",
        "hint": "termbase.tsv line 9",
        "text": TEXT,
    }
    assert data["exemptions"] == [
        {"check": "numbers", "address": "retail/*", "about": "5", "reason": "二つ", "findings": 2}
    ]
    assert data["checks"]["fit"]
    assert data["checks"]["register"].startswith("Sentences")


@pytest.mark.parametrize("arguments", [["--mend"], ["--dry-run"], ["ja", "--list", "--fixx"]])
def test_wrong_usage(arguments, reports, capsys):
    asked = reports()
    with pytest.raises(SystemExit) as caught:
        check.main(arguments)
    assert caught.value.code == 2
    assert asked == []
    capsys.readouterr()


MENDED = FixedText("a#m", Path("/x/a.yaml"), 7, ("width",), "１\n二", "1\n二", key=("m",))
KEPT = FixedText("a#n", Path("/x/a.yaml"), 9, ("tags",), "a", "b", kept="a person has it")


@pytest.mark.parametrize("writes", [True, False])
def test_fixes(writes, reports, monkeypatch, capsys):
    arguments = ["--fix"] if writes else ["--fix", "--dry-run"]
    title, status = ("Mended", "mended") if writes else ("Would be mended", "mendable")

    def fix(locale, domain, *, writes):
        asked.append((locale, domain, writes))
        return [FixReport([MENDED, KEPT], is_written=writes)]

    asked = reports([ODD])
    monkeypatch.setattr(check, "fix_overlays", fix)
    assert check.main(["ja/retail", *arguments]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(
        f"{title} (1)\n  /x/a.yaml:7: [width]\n    - １\n    + 1\n\n"
        "Left to a person (1)\n  /x/a.yaml:9: [tags] a person has it\n    - a\n    + b\n\n"
    )
    assert shown.endswith("Checked ja/retail: 0 errors, 1 warnings.\n")
    # the overlays are checked as they are after the fixes
    assert asked == [("ja", "retail", writes), ("ja", "retail")]

    check.main(["--json", *arguments])
    fixes = json.loads(capsys.readouterr().out)["fixes"]
    assert [(f["status"], f["line"], f["reason"]) for f in fixes] == [
        (status, 7, ""),
        ("kept", 9, "a person has it"),
    ]
    assert fixes[0]["before"] == "１\n二"
    assert fixes[0]["checks"] == ["width"]


def test_without_a_fix_there_are_none_in_the_json(reports, capsys):
    reports()
    check.main(["--json"])
    assert "fixes" not in json.loads(capsys.readouterr().out)


def test_the_list_needs_no_tau2(monkeypatch, capsys):
    monkeypatch.setattr(check.layout, "require_tau2", lambda: pytest.fail("tau2 is asked for"))
    assert check.main(["ja", "--list"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert any(re.match(r"numbers +error +any +Numbers, ids", row) for row in rows)
    assert any(re.match(r"register +error +ja +Sentences", row) for row in rows)
    assert any(re.match(r"length +warning +any ", row) for row in rows)
    assert check.main(["th", "--list", "--json"]) == 0
    checks = json.loads(capsys.readouterr().out)["checks"]
    assert {c["language"] for c in checks} == {"any"}
    names = [c["name"] for c in checks]
    assert len(set(names)) == len(names) > 25


def test_an_error_of_the_overlays_passes(reports, monkeypatch):
    def fail(locale, domain):
        raise OverlayError("An overlay is missing.", [Problem("locale 'xx'", "no overlay")])

    reports()
    monkeypatch.setattr(check, "check_overlays", fail)
    with pytest.raises(OverlayError):
        check.main(["xx"])
