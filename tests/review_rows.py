"""Texts of an overlay and what reviewers say of them, without an overlay or tau2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from jtau_plugin.models.translation import LedgerEntry
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.review.book import Answer, Book
from jtau_plugin.review.rows import Row, rows_of
from jtau_plugin.review.words import Words
from jtau_plugin.translation.extraction.segment import SourceSegment
from jtau_plugin.translation.items import Item, State
from jtau_plugin.translation.overlay_texts import Held

FILE = "shop/tasks.yaml"


def make_item(
    name: str = "a",
    english: str = "Good morning",
    text: str = "おはよう",
    *,
    kind: str = "task",
    state: State = State.CURRENT,
    entry: LedgerEntry | None = None,
    place: str | None = None,
    file: str = FILE,
) -> Item:
    """Return a text of an overlay beside its English."""
    source = fingerprint_text(english)
    segment = SourceSegment(
        address=f"{file}#{name}",
        kind=kind,
        english=english,
        component="policy" if kind == "policy" else "tasks",
        file=file,
        key=(name,),
        sources=(source,),
        context={"task": name},
    )
    held = Held(text, (source,), Path("xx") / file, 1, (place or name, "text"))
    return Item(segment, state, held, entry)


def answers_of(item: Item, **said: str) -> list[Answer]:
    """Return what a file has of a text's rows, each with the same things said."""
    return [answer_to(row, **said) for row in rows_of(item)]


def answer_to(row: Row, **said: str) -> Answer:
    """Return what a file has of a row that a reviewer wrote into."""
    answer = Answer(
        where="row 1",
        key=row.key,
        locale="xx",
        english_sha256=row.english_sha256,
        translation_sha256=row.translation_sha256,
        english=row.english,
        translation=row.translation,
    )
    return replace(answer, **said)


def make_book(rows: Sequence[Row], words: Words | None = None) -> Book:
    """Return a review of some rows."""
    totals: dict[str, set[str]] = {}
    for row in rows:
        totals.setdefault(row.file, set()).add(row.address)
    return Book(
        locale="xx",
        language="Test",
        words=words or Words(),
        rows=rows,
        totals={file: len(own) for file, own in totals.items()},
        titles={"shop": "店"},
        version="1",
        tau2="tau2 1",
        date="2026-12-01",
    )


def make_row(name: str, english: str, translation: str, **more: object) -> Row:
    """Return a row."""
    return Row(f"{FILE}#{name}", FILE, "task", english, translation, **more)  # type: ignore[arg-type]
