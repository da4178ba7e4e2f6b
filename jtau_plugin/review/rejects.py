"""Keeps what could not be taken: a file like the one that came, with the reasons beside it."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from jtau_plugin.errors import Problem, ReviewError
from jtau_plugin.review import po, table
from jtau_plugin.review.book import Answer, ReviewFile, answer_cells
from jtau_plugin.review.judging import Refusal
from jtau_plugin.review.reading import read_review
from jtau_plugin.review.words import Reader, Words
from jtau_plugin.review.workbook import fits, write_rejects

_NAME = "rejects"


def rejects_form(form: str, rejects: Sequence[Refusal]) -> str:
    """Return the format of the rejects: that of the file, unless it cannot hold them."""
    if form == "xlsx" and not all(
        fits((*answer_cells(answer).values(), reason)) for answer, reason in rejects
    ):
        return "csv"
    return form


def dump_rejects(form: str, rejects: Sequence[Refusal], words: Words, locale: str) -> bytes:
    """Return the content of a rejects file.

    Args:
        form: ``xlsx``, ``csv`` or ``po``.
        rejects: the rows, each with the reason.
        words: titles of columns.
        locale: the locale's id.
    """
    if form == "xlsx":
        return write_rejects(rejects, words)
    if form == "po":
        return po.dump_rejects(rejects, locale).encode("utf-8")
    return table.dump_rejects(rejects, words).encode("utf-8")


def keep_rejects(
    path: Path, rejects: Sequence[Refusal], file: ReviewFile, words: Words, reader: Reader
) -> Path:
    """Write the rejects of a file beside it and return where.

    An older rejects file is never written over; if it says the same already, it is that one.

    Args:
        path: the imported file.
        rejects: the rows, each with the reason.
        file: what was read.
        words: titles of columns.
        reader: finds columns by their titles.

    Raises:
        ReviewError: if the file cannot be written.
    """
    form = rejects_form(file.form, rejects)
    stem = path.name[: -len(path.suffix)] if path.suffix else path.name
    data = dump_rejects(form, rejects, words, next(answer.locale for answer, _ in rejects))
    for number in itertools.count(1):
        ending = "" if number == 1 else f"-{number}"
        target = path.with_name(f"{stem}.{_NAME}{ending}.{form}")
        is_known = target.exists() and _says_the_same(target, rejects, reader)
        if is_known or write_new(target, data):
            return target
    raise AssertionError  # the numbers never end


def write_new(target: Path, data: bytes, *, over: bool = False) -> bool:
    """Write a file that is not there yet, as a whole; return whether it was not.

    Args:
        target: the file.
        data: its content.
        over: also write over one that is there.

    Raises:
        ReviewError: if it cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o644)
            if over:
                Path(name).replace(target)
            return over or _link(Path(name), target)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        problem = Problem(
            str(target), f"cannot be written: {error.strerror}", "name another folder"
        )
        raise ReviewError("A file cannot be written.", [problem]) from error


def _link(source: Path, target: Path) -> bool:
    """Give a file its name unless there is one of that name."""
    try:
        os.link(source, target)
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        if target.exists():
            return False
        source.replace(target)
    return True


def _says_the_same(target: Path, rejects: Sequence[Refusal], reader: Reader) -> bool:
    try:
        found = read_review(target, reader).answers
    except ReviewError:
        return False
    return [_written(a) for a in found] == [_written(a) for a, _ in rejects]


def _written(answer: Answer) -> Answer:
    return replace(
        answer,
        where="",
        fault=None,
        context="",
        english=(answer.english or "").strip(),
        translation=(answer.translation or "").strip(),
        correction=answer.correction.strip(),
        note=answer.note.strip(),
    )
