"""Makes a review of a locale's texts: which texts, in which format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jtau_plugin.compat import layout
from jtau_plugin.errors import Problem, ReviewError
from jtau_plugin.models.overlay import LocaleFile, ManifestFile
from jtau_plugin.overlays.loader import load_model
from jtau_plugin.review.book import Book
from jtau_plugin.review.po import dump_po
from jtau_plugin.review.rows import Row, build_rows
from jtau_plugin.review.sampling import sample
from jtau_plugin.review.table import dump_table
from jtau_plugin.review.words import load_words
from jtau_plugin.review.workbook import write_workbook
from jtau_plugin.translation.planning import Plan

FORMATS = ("xlsx", "po", "csv")
_LABELS = {"tau2": "tau2-bench"}


@dataclass(frozen=True)
class Sample:
    """How much of a large file is read.

    Attributes:
        count: how many texts; ``None`` for all.
        seed: another seed draws other ones.
    """

    count: int | None = None
    seed: str = "0"


def make_book(locale: str, folder: Path, plans: Sequence[Plan], drawn: Sample, date: str) -> Book:
    """Return a review of some domains of a locale.

    Args:
        locale: its id.
        folder: its folder.
        plans: how its texts stand.
        drawn: how much of large files.
        date: today.

    Raises:
        ReviewError: if there is nothing to review.
        OverlayError: if a file of the locale cannot be used.
    """
    every = build_rows(plans)
    if not every:
        problem = Problem(str(folder), "it has no text of these domains and components")
        raise ReviewError("There is nothing to review.", [problem])
    rows = every if drawn.count is None else sample(every, drawn.count, drawn.seed)
    about, _ = load_model(folder / "locale.yaml", LocaleFile)
    installed = layout.detect_layout()
    name = _LABELS.get(installed.distribution, installed.distribution)
    return Book(
        locale=locale,
        language=about.name,
        words=load_words(folder),
        rows=rows,
        totals=_totals(every),
        titles=_titles(folder, [plan.domain for plan in plans]),
        seed="" if drawn.count is None else drawn.seed,
        version=about.version,
        tau2=f"{name} {installed.version}",
        date=date,
    )


def _totals(rows: Sequence[Row]) -> dict[str, int]:
    texts: dict[str, set[str]] = {}
    for row in rows:
        texts.setdefault(row.file, set()).add(row.address)
    return {file: len(own) for file, own in texts.items()}


def _titles(folder: Path, domains: Sequence[str]) -> Mapping[str, str]:
    titles = {}
    for domain in domains:
        path = folder / domain / "manifest.yaml"
        if path.is_file():
            titles[domain] = load_model(path, ManifestFile)[0].title
    return titles


def dump_book(book: Book, form: str) -> bytes:
    """Return a review as a file of one of ``FORMATS``.

    Raises:
        ReviewError: for a text that the format cannot hold.
        SettingError: if a library for it is not installed.
    """
    if form == "xlsx":
        return write_workbook(book)
    return (dump_po(book) if form == "po" else dump_table(book)).encode("utf-8")
