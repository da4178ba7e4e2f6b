"""Who has read what is said once, adds up, and leaves alone what people wrote by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from review_rows import FILE, answers_of, make_item

from jtau_plugin.models.overlay import LocaleFile, ManifestFile
from jtau_plugin.review.judging import Reading, Remark
from jtau_plugin.review.recording import Recorder, Reviewer
from jtau_plugin.review.words import Words
from jtau_plugin.translation.items import Item
from jtau_plugin.translation.ledger import Ledgers
from jtau_plugin.translation.provenance import reviewed_files

LOCALE = """\
locale: xx
name: Test
language: Test
register: plain
version: "1"
changelog: {"1": first}
review: No person has reviewed this locale yet.
artefacts: {}
"""
ARTEFACT = """\
    translated: by hand
    date: '2026-11-30'
    second_reading: none
    mechanical_checks: '2026-11-30'
"""
MANIFEST = f"""\
# by hand
base_domain: shop
title: Shop
documents: {{}}
sources: {{}}
artefacts:
  tasks.yaml:
{ARTEFACT}    human_review: none
  tools.yaml:
{ARTEFACT}    human_review: Noah has read all of it
"""
TOOLS = "shop/tools.yaml"
A, B = make_item("a"), make_item("b")
TOOL = make_item("t", kind="tool", file=TOOLS)


class Locale:
    """A locale on disk into which imports are recorded."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "shop").mkdir()
        (folder / "locale.yaml").write_text(LOCALE, encoding="utf-8")
        (folder / "shop" / "manifest.yaml").write_text(MANIFEST, encoding="utf-8")

    def items(self) -> list[Item]:
        """Return the texts with what is recorded of them."""
        ledgers = Ledgers(self.folder, ["shop"])
        return [replace(item, entry=ledgers.get(item.address)) for item in (A, B, TOOL)]

    def record(
        self,
        readings: Sequence[Reading] = (),
        remarks: Sequence[Remark] = (),
        name: str = "Emma",
        round_: str | None = None,
    ) -> dict[str, str]:
        """Record as an import does and return the files that changed."""
        ledgers = Ledgers(self.folder, ["shop"])
        plan: Any = SimpleNamespace(items=self.items(), domain="shop")
        who = Reviewer(name, round_, "2026-12-01", "tau2")
        recorder = Recorder(self.folder, {"shop": plan}, ledgers, who, Words())
        files, _ = recorder.record(readings, remarks, is_clean=True)
        for file, text in files.items():
            (self.folder / file).write_text(text, encoding="utf-8")
        return files

    def item(self, item: Item) -> Item:
        return next(own for own in self.items() if own.address == item.address)

    def artefact(self, name: str) -> dict[str, Any]:
        text = (self.folder / "shop" / "manifest.yaml").read_text(encoding="utf-8")
        data = yaml.safe_load(text)
        ManifestFile.model_validate(data)
        return dict(data["artefacts"][name])


@pytest.fixture
def locale(tmp_path: Path) -> Locale:
    return Locale(tmp_path)


def approved(item: Item, note: str = "") -> Reading:
    text = item.held.text if item.held is not None else ""
    return Reading(item, text, tuple(answers_of(item, status="approved")), note)


def test_the_same_again_changes_nothing(locale: Locale) -> None:
    asked = Remark(locale.item(A), answers_of(A, status="question", note="sure?")[0], True)
    assert locale.record([approved(A, "good")], [asked])
    entry = locale.item(A).entry
    assert entry is not None
    assert entry.note == "good / question (Emma): sure?"
    assert locale.record([approved(locale.item(A), "good")], [replace(asked)]) == {}
    assert locale.record([approved(locale.item(A))]) == {}


def test_rounds_count_up_and_a_named_one_stands(locale: Locale) -> None:
    locale.record([approved(A)])
    locale.record([approved(B)])
    locale.record([approved(locale.item(A))], name="Noah")
    locale.record([approved(locale.item(B))], name="Noah", round_="last")
    entry = locale.artefact("tasks.yaml")
    assert [(r["reviewer"], r["round"], r["segments"]) for r in entry["reviews"]] == [
        ("Emma", "1", 1),
        ("Emma", "2", 1),
        ("Noah", "3", 1),
        ("Noah", "last", 1),
    ]
    assert entry["human_review"] == "2 of 2 segments, by Noah; last: round last, 2026-12-01"
    assert entry["counts"] == {"segments": 2, "reviewed": 2}


def test_two_imports_of_one_round_add_up(locale: Locale) -> None:
    locale.record([approved(A)], round_="1")
    locale.record([approved(B)], round_="1")
    [review] = locale.artefact("tasks.yaml")["reviews"]
    assert review["segments"] == 2


def test_what_a_person_wrote_about_a_review_stays(locale: Locale) -> None:
    locale.record([approved(TOOL)])
    assert locale.artefact("tools.yaml")["human_review"] == "Noah has read all of it"
    text = (locale.folder / "locale.yaml").read_text(encoding="utf-8")
    assert "last in round 1" in text
    LocaleFile.model_validate(yaml.safe_load(text))
    own = text.replace(text.split("review: ")[1].split("\n")[0], "Ask Noah.")
    (locale.folder / "locale.yaml").write_text(own, encoding="utf-8")
    locale.record([approved(A)])
    assert (locale.folder / "locale.yaml").read_text(encoding="utf-8") == own


def test_a_file_is_protected_whole_only_if_it_was_read_whole(locale: Locale) -> None:
    locale.record([approved(A)])
    # The ledger says which of its texts were read; the note about the other is a person's.
    assert reviewed_files(locale.folder, "shop") == {TOOLS}


def test_a_correction_is_the_persons_and_an_approval_is_not(locale: Locale) -> None:
    locale.record([replace(approved(A), text="other"), approved(B)])
    a, b = locale.item(A).entry, locale.item(B).entry
    assert a is not None
    assert b is not None
    assert (a.origin, b.origin) == ("person", "written")
    assert a.source == b.source == A.segment.fingerprint
    assert locale.artefact("tasks.yaml")["reviews"][0]["corrections"] == 1
    assert FILE in a.address


def test_an_old_text_in_part_takes_no_review_back(locale: Locale) -> None:
    locale.record([approved(A)])
    part = replace(approved(locale.item(A)), is_complete=False)
    assert locale.record([part]) == {}


def test_questions_alone_leave_the_manifests_as_they_are(locale: Locale) -> None:
    asked = Remark(A, answers_of(A, note="nice")[0], False)
    assert set(locale.record(remarks=[asked])) == {"shop/ledger.jsonl"}
    entry = locale.item(A).entry
    assert entry is not None
    assert (entry.note, entry.status, entry.reviewer) == ("note (Emma): nice", "translated", None)
