"""``jtau check`` finds nothing in the shipped overlays, and finds every fault planted into a copy."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from jtau_plugin import resources
from jtau_plugin.checks.model import ERROR, WARNING, Finding
from jtau_plugin.checks.runner import NEUTRAL
from jtau_plugin.cli import main as cli
from jtau_plugin.errors import OverlayError
from jtau_plugin.translation.checking import Report, check_domain, check_overlays
from jtau_plugin.translation.context import load_exemptions

from .overlay_copy import OverlayCopy, copy_overlay
from .planted_faults import FAULTS, Planted

MOST_WARNINGS = 5


@pytest.fixture(scope="module")
def report() -> Report:
    """What the shipped Japanese overlays look like on the installed layout."""
    [report] = check_overlays("ja")
    return report


def test_the_shipped_overlays_have_no_error(report: Report) -> None:
    assert report.overlays == ("ja/airline", "ja/retail", "ja/telecom")
    assert [
        f"{f.where}: [{f.check}] {f.message}" for f in report.findings if f.severity is ERROR
    ] == []
    assert report.count(WARNING) <= MOST_WARNINGS


def test_every_exemption_is_used_and_has_a_reason(report: Report) -> None:
    exemptions, _ = load_exemptions(resources.data_root() / "overlays" / "ja")
    used = [use.exemption for use in report.exemptions]
    assert [e for e in exemptions if e not in used and not e.optional] == []
    for use in report.exemptions:
        assert use.count > 0
        assert len(use.exemption.reason) > 10


class Spoilt:
    """The findings in a copy of a domain's overlay with all of its faults planted."""

    def __init__(self, copy: OverlayCopy, domain: str) -> None:
        for fault in FAULTS[domain]:
            copy.replace(fault.file, fault.old, fault.new)
        self.findings = check_domain("ja", domain)

    def find(self, fault: Planted) -> list[Finding]:
        """Return the findings of the fault's check in texts that hold it."""
        mark = _mark(fault)
        return [
            f
            for f in self.findings
            if f.check == fault.check
            and f.segment.file.endswith(fault.file)
            and mark in f.segment.target
        ]


def _mark(fault: Planted) -> str:
    """Return what the planted text looks like once the file is read."""
    new = fault.new.strip("\n")
    if fault.file.endswith("values.yaml"):
        return new.partition("{display: ")[2].partition(",")[0].rstrip("}")
    for opening in ("description: ", '"'):
        new = new.removeprefix(opening)
    return new.removesuffix('"')


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> Any:
    made: dict[str, Spoilt] = {}

    def make(domain: str) -> Spoilt:
        if domain not in made:
            with pytest.MonkeyPatch.context() as patch:
                made[domain] = Spoilt(copy_overlay(tmp_path_factory.mktemp(domain), patch), domain)
        return made[domain]

    return make


ALL = [(domain, fault) for domain, faults in FAULTS.items() for fault in faults]


def test_there_are_enough_faults() -> None:
    assert len(ALL) >= 60


@pytest.mark.parametrize(
    ("domain", "fault"), ALL, ids=[f"{f.file}-{f.check}-{i}" for i, (_, f) in enumerate(ALL)]
)
def test_each_planted_fault_is_found(domain: str, fault: Planted, spoilt: Any) -> None:
    found = spoilt(domain).find(fault)
    near = [f for f in spoilt(domain).findings if _mark(fault) in f.segment.target]
    assert found, [f"[{f.check}] {f.message}" for f in near]


def test_a_finding_names_the_line_of_a_document(spoilt: Any) -> None:
    fault = next(f for f in FAULTS["airline"] if "48時間" in f.new)
    [finding, *_] = spoilt("airline").find(fault)
    line = (
        Path(finding.segment.file)
        .read_text(encoding="utf-8")
        .splitlines()[finding.segment.line - 1]
    )
    assert fault.new in line


@pytest.fixture
def overlay_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OverlayCopy:
    return copy_overlay(tmp_path, monkeypatch)


def _checks(domain: str | None = "airline") -> set[str]:
    [report] = check_overlays("ja", domain)
    return {finding.check for finding in report.findings}


BROKEN = [
    # two values with one form
    ("airline/values.yaml", "delayed: {display: 遅延}", "delayed: {display: 欠航}", "overlay"),
    ("airline/values.yaml", "往復}", "往復, accept: [片道]}", "overlay"),
    # files that cannot be read
    ("airline/tools.yaml", "  book_reservation:", "  book_reservation:\n  book_reservation:", "overlay"),
    ("airline/messages.yaml", "messages:", "mesages:", "overlay"),
    ("airline/values.yaml", "User.membership: membership", "User.membership: rank", "overlay"),
    ("termbase.tsv", "airline\tcabin\tbusiness\tビジネスクラス\tビジネス", "airline\tcabin\tbusiness", "overlay"),
    ("termbase.tsv", "airline\tterm\ttrip\t旅程", "airline\tterm\ttrip\t旅程\t\nairline\tterm\ttrip\t旅", "overlay"),
    ("checks.yaml", "spellings:", "speling:", "overlay"),
    ("checks.yaml", "'べき(です", "'べき((です", "overlay"),
    ("exemptions.yaml", "    reason: 原文の「if」", "    why: 原文の「if」", "overlay"),
    # an exemption that exempts nothing
    ("exemptions.yaml", "    about: \"'if'\"", "    about: \"'of'\"", "unused-exemption"),
    # what no longer fits the English
    ("airline/tools.yaml", "source: [934e71fa", "source: [034e71fa", "fit"),
    ("airline/messages.yaml", "source: 493412d5", "source: 093412d5", "fit"),
    ("airline/tasks.yaml", "'49':", "'490':", "fit"),
    ("airline/manifest.yaml", "- 10dc0525", "- 00dc0525", "fit"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "old", "new", "check"), BROKEN, ids=[f"{b[0]}-{i}" for i, b in enumerate(BROKEN)]
)
def test_a_broken_overlay_is_a_finding(
    file: str, old: str, new: str, check: str, overlay_copy: OverlayCopy
) -> None:
    overlay_copy.replace(file, old, new)
    assert check in _checks()


def test_an_exemption_of_another_domain_is_not_looked_for(overlay_copy: OverlayCopy) -> None:
    overlay_copy.replace("exemptions.yaml", "    about: \"'if'\"", "    about: \"'of'\"")
    assert "unused-exemption" not in _checks("retail")
    assert "unused-exemption" in _checks(None)


def test_a_fault_is_an_exit_code_and_a_line(
    overlay_copy: OverlayCopy, capsys: pytest.CaptureFixture[str]
) -> None:
    overlay_copy.replace("airline/policy.md", "過去24時間以内", "過去48時間以内")
    assert cli.main(["check", "ja/airline"]) == 1
    shown = capsys.readouterr().out
    assert "Errors (3)" in shown
    assert re.search(r"policy\.md:\d+: \[numbers\] not in the text: 24 ", shown)
    assert re.search(r"policy\.md:\d+: \[conditions\] nothing renders '24 hrs'", shown)
    assert shown.rstrip().endswith("Checked ja/airline: 3 errors, 0 warnings.")


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "ja/airline", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == 1
    assert data["ok"] is True
    assert data["overlays"] == ["ja/airline"]
    assert data["errors"] == 0 == len([f for f in data["findings"] if f["severity"] == "error"])
    assert {"numbers", "terms", "register", "fit"} <= set(data["checks"])
    for exemption in data["exemptions"]:
        assert exemption["reason"]


@pytest.mark.parametrize("name", ["xx", "ja/shop"])
def test_an_unknown_overlay_is_an_error(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", name]) == 1
    assert "no overlay" in capsys.readouterr().err
    locale, _, domain = name.partition("/")
    with pytest.raises(OverlayError):
        check_overlays(locale, domain or None)


def test_a_locale_without_words_of_its_own_has_the_neutral_checks(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        copy = copy_overlay(tmp_path, patch)
        folder = copy.folder.rename(copy.folder.with_name("yy"))
        for name in ("checks.yaml", "termbase.tsv", "exemptions.yaml"):
            (folder / name).unlink()
        other = OverlayCopy(folder)
        other.replace("locale.yaml", "locale: ja", "locale: yy")
        other.replace("airline/messages.yaml", "予約{reservation_id}が", "予約{reservation}が")
        [report] = check_overlays("yy", "airline")
    found = {finding.check for finding in report.findings}
    assert "placeholders" in found
    assert found <= {check.name for check in NEUTRAL} | {"fit", "record"}
