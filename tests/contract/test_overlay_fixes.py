"""``jtau check --fix`` gives back the shipped texts, byte for byte, and touches nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from jtau_plugin import resources
from jtau_plugin.cli import main as cli
from jtau_plugin.errors import SettingError
from jtau_plugin.models.translation import LedgerEntry
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.translation.checking import check_overlays
from jtau_plugin.translation.fixing import FixReport, fix_overlays
from jtau_plugin.translation.ledger import load_ledger, save_ledger

from .overlay_copy import OverlayCopy, copy_overlay

#: What a person's hand does to a text, and what can be derived again.
MENDABLE = [
    # (file, what stands there, what it becomes, the check that says so)
    ("airline/policy.md", "過去24時間以内", "過去２４時間以内", "width"),
    ("airline/policy.md", "減らすことはできません", "減らすことは できません", "script-spacing"),
    ("airline/policy.md", "無料受託手荷物4個", "無料受託手荷物\u200b4個", "invisible"),
    ("airline/policy.md", "- 便名\n", "- 便名  \n", "whitespace"),
    ("airline/tools.yaml", "搭乗者", "搭乗\u200d者", "invisible"),
    ("airline/tools.yaml", "予約全体をキャンセルします", "予約全体をキャンセします", "spelling"),
    ("airline/tasks.yaml", "搭乗者は3名です。", "搭乗者は ３名です.", "punctuation"),
    ("airline/tasks.yaml", "座席クラス", "座席ｸﾗｽ", "width"),
    ("airline/messages.yaml", "予約の件数が多すぎます", "予約 の件数が多すぎます", "script-spacing"),
    ("airline/values.yaml", "delayed: {display: 遅延}", "delayed: {display: 遅れ}", "term-values"),
    ("airline/say.yaml", "町を離れていたので", "町を 離れていたので", "script-spacing"),
    ("prompts.yaml", "###TRANSFER###", "###TRANSFER##", "tags"),
    ("prompts.yaml", "###STOP###", "＃＃＃STOP＃＃＃", "tags"),
    ("messages.yaml", "呼び出し元「{requestor}」は", "呼び出し元\u201c{requestor}\u201dは", "punctuation"),
    ("airline/policy.md", "**シルバー会員**", "**シルバー 会員**", "script-spacing"),
]  # fmt: skip


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OverlayCopy:
    return copy_overlay(tmp_path, monkeypatch)


def _shipped(name: str) -> bytes:
    return (resources.data_root() / "overlays" / "ja" / name).read_bytes()


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _fix(*, writes: bool = True) -> FixReport:
    [report] = fix_overlays("ja", "airline", writes=writes)
    return report


def test_what_can_be_derived_is_mended_byte_for_byte(copy: OverlayCopy) -> None:
    before = _contents(copy.folder)
    for file, old, new, _ in MENDABLE:
        copy.replace(file, old, new)
    raw = copy.path("airline/policy.md")
    raw.write_bytes(b"\xef\xbb\xbf" + raw.read_bytes().replace(b"\n", b"\r\n"))
    spoilt = _contents(copy.folder)

    shown = _fix(writes=False)
    assert _contents(copy.folder) == spoilt
    assert not shown.is_written

    report = _fix()
    assert report.is_written
    assert _contents(copy.folder) == before
    assert not [fix for fix in report.fixes if fix.kept]
    mended = {
        (fix.path.relative_to(copy.folder).as_posix(), c)
        for fix in report.fixes
        for c in fix.checks
    }
    assert {(file, check) for file, _, _, check in MENDABLE} | {
        ("airline/policy.md", "files")
    } <= mended

    again = _fix()
    assert again.fixes == []
    assert not again.is_written
    assert _contents(copy.folder) == before


def test_a_fix_is_shown_as_a_diff_and_the_exit_code_says_what_is_left(
    copy: OverlayCopy, capsys: pytest.CaptureFixture[str]
) -> None:
    copy.replace("airline/policy.md", "過去24時間以内", "過去２４時間以内")
    copy.replace("airline/policy.md", "2024-05-15 15:00:00", "2024-05-15 16:00:00")
    line = 1 + copy.path("airline/policy.md").read_text(encoding="utf-8").split("２４")[0].count(
        "\n"
    )
    assert cli.main(["check", "ja/airline", "--fix", "--dry-run"]) == 1
    shown = capsys.readouterr().out
    assert f"policy.md:{line}: [conditions, numbers, width]" in shown
    assert "Would be mended (1)" in shown
    assert (
        "    - - 予約が過去２４時間以内に行われた。\n    + - 予約が過去24時間以内に行われた。\n"
        in shown
    )
    assert "[width]" in shown  # nothing is mended, so the finding is there as well

    assert cli.main(["check", "ja/airline", "--fix", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    [fix] = data["fixes"]
    assert (fix["status"], fix["line"]) == ("mended", line)
    assert "２４時間" in fix["before"]
    assert "24時間" in fix["after"]
    assert {f["check"] for f in data["findings"] if f["severity"] == "error"} == {"numbers"}


@pytest.fixture
def in_ledger(copy: OverlayCopy) -> Any:
    """Spoil the descriptions of some tools; a ledger says who wrote them. Returns the entries."""
    tools = copy.path("airline/tools.yaml")
    text = tools.read_text(encoding="utf-8")
    entries = {}
    for name, status, origin, is_edited in (
        ("cancel_reservation", "translated", "machine", False),
        ("calculate", "reviewed", "machine", False),
        ("get_user_details", "translated", "machine", True),
        ("list_all_airports", "translated", "person", False),
    ):
        old = yaml.safe_load(text)["agent"][name]["description"]
        new = f"{old[:2]} {old[2:]}"
        assert text.count(old) == 1
        text = text.replace(old, new)
        entries[f"airline/tools.yaml#agent.{name}.description"] = LedgerEntry(
            address=f"airline/tools.yaml#agent.{name}.description",
            source="0" * 64,
            text=fingerprint_text(old if is_edited else new),
            origin=origin,
            status=status,
        )
    tools.write_text(text, encoding="utf-8")
    save_ledger(copy.folder / "airline", entries)
    return entries


def test_a_persons_text_is_listed_and_a_machines_stays_a_machines(
    copy: OverlayCopy, in_ledger: dict[str, LedgerEntry]
) -> None:
    report = _fix()
    mended, *others = in_ledger
    assert {fix.address: bool(fix.kept) for fix in report.fixes} == {
        mended: False,
        **dict.fromkeys(others, True),
    }
    assert all("a person" in fix.kept for fix in report.fixes if fix.kept)
    data = yaml.safe_load(copy.path("airline/tools.yaml").read_text(encoding="utf-8"))["agent"]
    texts = {address: data[address.split(".")[2]]["description"] for address in in_ledger}
    assert [address for address, text in texts.items() if text[2] == " "] == others
    ledger = load_ledger(copy.folder / "airline")
    assert ledger[mended].text == fingerprint_text(texts[mended]) != in_ledger[mended].text
    assert ledger[mended].origin == "machine"
    assert {address: ledger[address] for address in others} == {
        address: in_ledger[address] for address in others
    }


def test_a_file_that_a_person_has_reviewed_is_left(copy: OverlayCopy) -> None:
    copy.replace("airline/policy.md", "過去24時間以内", "過去２４時間以内")
    manifest = yaml.safe_load(copy.path("airline/manifest.yaml").read_text(encoding="utf-8"))
    assert manifest["artefacts"]["policy.md"]["human_review"] == "none"
    copy.replace("airline/manifest.yaml", "human_review: none", "human_review: a reviewer")
    before = _contents(copy.folder)
    [fix] = _fix().fixes
    assert fix.kept
    assert fix.path.name == "policy.md"
    assert _contents(copy.folder) == before


def test_counts_are_renewed_and_fingerprints_of_sources_are_not(
    copy: OverlayCopy, in_ledger: dict[str, LedgerEntry]
) -> None:
    copy.path("airline/tools.yaml").write_bytes(_shipped("airline/tools.yaml"))
    copy.replace("airline/tools.yaml", "source: [934e71fa", "source: [034e71fa")
    counts = "    counts: {segments: 75, machine: 7, reviewed: 1}  # by hand\n"
    copy.replace("airline/manifest.yaml", "  tools.yaml:\n", f"  tools.yaml:\n{counts}")
    before = _contents(copy.folder)
    report = _fix()
    assert [(fix.before, fix.after, fix.checks) for fix in report.fixes] == [
        ("7", "3", ("record",))
    ]
    after = _contents(copy.folder)
    name = "airline/manifest.yaml"
    assert after.pop(name) == before.pop(name).replace(b"machine: 7", b"machine: 3")
    assert after == before
    [report_left] = check_overlays("ja", "airline")
    assert {finding.check for finding in report_left.findings} == {"fit"}


def test_the_overlay_of_an_installed_package_is_not_edited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "jtau_plugin" / "_data"
    shutil.copytree(resources.data_root() / "overlays" / "ja", root / "overlays" / "ja")
    OverlayCopy(root / "overlays" / "ja").replace("locale.yaml", "locale: ja\n", "locale: ja\r\n")
    monkeypatch.setenv("JTAU_OVERLAY_PATH", str(root / "overlays"))
    monkeypatch.setattr(resources, "data_root", lambda: root)
    before = _contents(root)
    assert [fix.checks for fix in _fix(writes=False).fixes] == [("files",)]
    with pytest.raises(SettingError, match="lies inside the installed package"):
        _fix()
    assert _contents(root) == before
