"""Reviews pass through the tools of others: gettext, and LibreOffice where there is one."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from jtau_plugin import resources
from jtau_plugin.review.book import Answer
from jtau_plugin.review.exporting import Sample, dump_book, make_book
from jtau_plugin.review.reading import read_review
from jtau_plugin.review.words import APPROVED
from jtau_plugin.translation.english import read_english
from jtau_plugin.translation.extraction.structure import find_structure
from jtau_plugin.translation.ledger import Ledgers
from jtau_plugin.translation.planning import make_plan

needs_gettext = pytest.mark.skipif(shutil.which("msgcat") is None, reason="gettext is not there")
needs_office = pytest.mark.skipif(shutil.which("soffice") is None, reason="no LibreOffice")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A review of retail as PO and as a workbook."""
    locale = resources.data_root() / "overlays" / "ja"
    ledgers = Ledgers(locale, ["retail"])
    plan = make_plan(locale, read_english("retail"), find_structure("retail"), ledgers)
    book = make_book("ja", locale, [plan], Sample(40), "2026-12-02")
    root = tmp_path_factory.mktemp("tools")
    for form in ("po", "xlsx"):
        (root / f"review.{form}").write_bytes(dump_book(book, form))
    return root


def said(path: Path) -> list[Answer]:
    """Return what a file says, whatever the order and the line ends around texts."""
    answers = [
        replace(
            answer,
            where="",
            context="",
            english=(answer.english or "").strip("\n"),
            translation=(answer.translation or "").strip("\n"),
        )
        for answer in read_review(path).answers
    ]
    return sorted(answers, key=lambda answer: answer.key)


def tool(folder: Path, *command: str) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)


@needs_gettext
def test_gettext_finds_nothing_wrong(folder: Path) -> None:
    tool(folder, "msgfmt", "--check", "-o", "/dev/null", "review.po")
    # With the mark of unread work its checks of placeholders would be left out.
    tool(folder, "msgattrib", "--clear-fuzzy", "review.po", "-o", "clear.po")
    tool(folder, "msgfmt", "--check", "-o", "/dev/null", "clear.po")
    assert {answer.status for answer in said(folder / "clear.po")} == {APPROVED}


@needs_gettext
@pytest.mark.parametrize(
    "command",
    [
        ["msgcat", "review.po"],
        ["msgcat", "--sort-output", "--width=30", "review.po"],
        ["msgattrib", "--only-fuzzy", "review.po"],
        ["msgmerge", "--quiet", "review.po", "review.po"],
        ["msgconv", "--to-code=UTF-8", "review.po"],
    ],
    ids=lambda command: command[0],
)
def test_a_review_passes_through_gettext(folder: Path, command: list[str]) -> None:
    tool(folder, *command, "-o", "out.po")
    assert said(folder / "out.po") == said(folder / "review.po")


@needs_office
@pytest.mark.exhaustive
@pytest.mark.parametrize("way", [["xlsx"], ["ods", "xlsx"]])
def test_a_review_passes_through_libreoffice(folder: Path, way: list[str]) -> None:
    path = folder / "review.xlsx"
    for number, form in enumerate(way):
        out = folder / f"{'-'.join(way)}-{number}"
        tool(folder, "soffice", "--headless", "--convert-to", form, "--outdir", str(out), str(path))
        path = out / f"review.{form}"
    assert said(path) == said(folder / "review.xlsx")
