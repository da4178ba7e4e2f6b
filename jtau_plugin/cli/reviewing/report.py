"""What came of an import, for people and as plain data."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from jtau_plugin.review.diff import color, diff_lines
from jtau_plugin.review.importing import Prepared
from jtau_plugin.review.judging import Remark

_MOST = 20


def shown(text: str) -> str:
    """Return what somebody wrote on one line, without what a terminal would obey."""
    return "".join(c if c.isprintable() else "\ufffd" for c in " ".join(text.split()))


def _some(lines: Sequence[str]) -> Iterator[str]:
    yield from (f"  {shown(line)}" for line in lines[:_MOST])
    if len(lines) > _MOST:
        yield f"  … and {len(lines) - _MOST} more (--json lists all)"


def _is_colored(stream: TextIO) -> bool:
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def print_diffs(prepared: Prepared, stream: TextIO) -> None:
    """Print what changes, text by text, and what the files beside them change with it."""
    for reading in prepared.corrected:
        lines: Iterable[str] = diff_lines(reading)
        print("\n".join(color(lines) if _is_colored(stream) else lines), file=stream)
        for other in prepared.beside.get(reading.address, ()):
            print(f"  this is also the text of {other}", file=stream)
        if reading.note:
            print(f"  note: {shown(reading.note)}", file=stream)


def _remarks(remarks: Iterable[Remark], *, questions: bool) -> list[str]:
    return [
        f"{remark.item.address}: {' '.join(remark.answer.note.split()) or '(no words)'}"
        for remark in remarks
        if remark.is_question is questions
    ]


def print_findings(prepared: Prepared, stream: TextIO) -> None:
    """Print what is not simply taken: refused, asked, noted, worth a look."""
    notes = [
        f"{reading.address}: {' '.join(reading.note.split())}"
        for reading in prepared.readings
        if reading.note and not reading.is_corrected
    ]
    for title, lines in (
        (
            "not taken",
            [f"{answer.where}: {answer.key}: {reason}" for answer, reason in prepared.refused],
        ),
        ("questions", _remarks(prepared.remarks, questions=True)),
        ("notes", [*_remarks(prepared.remarks, questions=False), *notes]),
        ("worth a look", [str(warning) for warning in prepared.warnings]),
        ("exemptions that exempt nothing any more", list(prepared.unused)),
    ):
        if lines:
            print(f"{len(lines)} {title}", file=stream)
            for line in _some(lines):
                print(line, file=stream)


def summary(prepared: Prepared) -> str:
    """Return in one sentence what would be taken."""
    corrected = len(prepared.corrected)
    approved = len(prepared.new) - corrected
    known = len(prepared.readings) - len(prepared.new)
    parts = [f"{corrected} corrected", f"{approved} approved"]
    if known:
        parts.append(f"{known} taken before")
    parts += [f"{len(prepared.refused)} not taken", f"{prepared.blank} rows left empty"]
    return ", ".join(parts)


def import_data(
    prepared: Prepared, files: Sequence[Path], rejects: Path | None, ignored: Sequence[str]
) -> dict[str, object]:
    """Return what came of an import as plain data."""
    return {
        "round": prepared.round,
        "corrected": [
            {
                "address": r.address,
                "diff": diff_lines(r),
                "note": r.note,
                "beside": prepared.beside.get(r.address, []),
            }
            for r in prepared.corrected
        ],
        "approved": [r.address for r in prepared.new if not r.is_corrected],
        "known": len(prepared.readings) - len(prepared.new),
        "questions": _remark_data(prepared.remarks, questions=True),
        "notes": _remark_data(prepared.remarks, questions=False),
        "rejected": [
            {"where": answer.where, "address": answer.key, "reason": reason}
            for answer, reason in prepared.refused
        ],
        "warnings": [str(warning) for warning in prepared.warnings],
        "unused_exemptions": list(prepared.unused),
        "empty": prepared.blank,
        "ignored": list(ignored),
        "files": [str(path) for path in files],
        "rejects": str(rejects) if rejects is not None else None,
    }


def _remark_data(remarks: Iterable[Remark], *, questions: bool) -> list[dict[str, str]]:
    return [
        {"address": remark.item.address, "note": remark.answer.note}
        for remark in remarks
        if remark.is_question is questions
    ]


def progress(text: str) -> None:
    """Say what takes long."""
    print(f"jtau: {text}", file=sys.stderr, flush=True)
