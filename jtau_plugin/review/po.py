"""Reviews as PO, for translators' own tools.

``msgctxt`` is the address, ``msgid`` the English, ``msgstr`` the translation. Every text goes out
as *fuzzy*, which PO tools show as work to be done: who takes the mark away approves, who changes
``msgstr`` corrects. A translator's comment is a note; ``status: question`` in it asks.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from jtau_plugin.errors import Problem, ReviewError
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.review import extra
from jtau_plugin.review.book import Answer, Book, ReviewFile, cells_of
from jtau_plugin.review.cells import normalize, printable
from jtau_plugin.review.words import APPROVED, CORRECTED, LOCKED
from jtau_plugin.translation.extraction.segment import TEMPLATE

_FUZZY = "fuzzy"
_MACHINE = {"english_sha256": "english-sha256", "translation_sha256": "translation-sha256"}
_SAID = re.compile(r"^(status|reason|note)\s*[:：]\s*(.*)$", re.IGNORECASE)
#: Lines that a PO file may have. polib takes others too, and eats letters at their ends.
_LINE = re.compile(
    r"""\s*(?:\#.*|(?:(?:msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?)\s*)?"(?:[^"\\]|\\.)*")?\s*"""
)
#: What ``msgcat`` writes between two texts that differ.
_CONFLICT = "#-#-#-#-#"


def _header(pofile: Any, locale: str, title: str, date: str) -> None:
    pofile.metadata = {
        "Project-Id-Version": "jtau-plugin",
        "POT-Creation-Date": f"{date or '1970-01-01'} 00:00+0000",
        "PO-Revision-Date": f"{date or '1970-01-01'} 00:00+0000",
        "Last-Translator": "",
        "Language-Team": title,
        "Language": locale.replace("-", "_"),
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "X-Jtau-Locale": locale,
    }
    pofile.metadata_is_fuzzy = False


def _machine_comment(context: str, cells: dict[str, str]) -> str:
    lines = [*context.splitlines(), *(f"{_MACHINE[n]}: {cells[n]}" for n in _MACHINE)]
    return "\n".join(lines)


def dump_po(book: Book) -> str:
    """Return a review as PO.

    Raises:
        SettingError: if polib is not installed.
    """
    polib = extra.require("po")
    pofile = polib.POFile(wrapwidth=100)
    _header(pofile, book.locale, book.language, book.date)
    for row in book.rows:
        cells = cells_of(row, book.words, book.locale)
        flags = [_FUZZY, *(["python-brace-format"] if row.kind == TEMPLATE else [])]
        pofile.append(
            polib.POEntry(
                msgctxt=cells["address"],
                msgid=printable(cells["english"]),
                msgstr=printable(cells["translation"]),
                comment=_machine_comment(cells["context"], cells),
                tcomment=f"status: {book.words.statuses[LOCKED]}" if row.is_locked else "",
                flags=flags,
            )
        )
    return f"{pofile}\n"


def dump_rejects(rejects: Iterable[tuple[Answer, str]], locale: str) -> str:
    """Return entries that were not taken as PO, each with the reason as a comment."""
    polib = extra.require("po")
    pofile = polib.POFile(wrapwidth=100)
    _header(pofile, locale, locale, "")
    for answer, reason in rejects:
        cells = {n: getattr(answer, n) for n in _MACHINE}
        is_approved = answer.status in (APPROVED, CORRECTED)
        said = [*answer.note.splitlines()]
        if answer.status and not is_approved:
            said.append(f"status: {answer.status}")
        said.append(f"reason: {' '.join(reason.split())}")
        pofile.append(
            polib.POEntry(
                msgctxt=answer.key,
                msgid=printable(answer.english or ""),
                msgstr=printable(answer.correction or answer.translation or ""),
                comment=_machine_comment(answer.context, cells),
                tcomment=printable("\n".join(said)),
                flags=[] if is_approved else [_FUZZY],
            )
        )
    return f"{pofile}\n"


def parse_po(text: str, name: str) -> ReviewFile:
    """Return what a PO file says.

    Args:
        text: the decoded file.
        name: the file's name, for messages.

    Raises:
        ReviewError: if it is no PO file, or not one of ours.
        SettingError: if polib is not installed.
    """
    polib = extra.require("po")
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not _LINE.fullmatch(line):
            problem = Problem(f"{name}:{number}", "no valid PO", "check it with msgfmt --check")
            raise ReviewError("The file cannot be read.", [problem])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "review.po"
        path.write_text(text.removeprefix("\ufeff"), encoding="utf-8", newline="\n")
        try:
            pofile = polib.pofile(str(path), encoding="utf-8")
        except (OSError, ValueError) as error:
            what = str(error).replace(str(path), name)
            problem = Problem(name, f"no valid PO: {what}", "check it with msgfmt --check")
            raise ReviewError("The file cannot be read.", [problem]) from None
    locale = pofile.metadata.get("X-Jtau-Locale", "")
    entries = [entry for entry in pofile if not entry.obsolete]
    ours = [entry for entry in entries if entry.msgctxt]
    if not locale or (entries and not ours):
        problem = Problem(name, "it is not one of ours", "export it with jtau review export")
        raise ReviewError("The file is no review.", [problem])
    ignored = tuple(f"entry without msgctxt, line {e.linenum}" for e in entries if not e.msgctxt)
    return ReviewFile("po", tuple(_answers(ours, locale, name)), ignored)


def _answers(entries: Iterable[Any], locale: str, name: str) -> Iterator[Answer]:
    problems = []
    for entry in entries:
        context, machine = _read_comment(entry.comment)
        where = f"{name}, line {entry.linenum}"
        if missing := [own for own in _MACHINE.values() if own not in machine]:
            what = f"comments are missing: {', '.join(missing)}"
            problems.append(Problem(where, what, "restore them from the exported file"))
            continue
        yield _answer(entry, locale, where, context, machine)
    if problems:
        raise ReviewError("The file has not the comments of a review.", problems)


def _read_comment(comment: str) -> tuple[str, dict[str, str]]:
    lines, machine = [], {}
    for line in comment.splitlines():
        name, _, value = line.partition(":")
        if name.strip() in _MACHINE.values():
            machine[name.strip()] = value.strip()
        else:
            lines.append(line)
    return "\n".join(lines), machine


def _read_note(tcomment: str) -> tuple[str, str]:
    """Return (status, note) of a translator's comment."""
    status, note = "", []
    for line in tcomment.splitlines():
        said = _SAID.match(line.strip())
        if said is None or said[1].lower() == "note":
            note.append(line if said is None else said[2])
        elif said[1].lower() == "status":
            status = said[2].strip()
    return status, "\n".join(note).strip()


def _answer(entry: Any, locale: str, where: str, context: str, machine: dict[str, str]) -> Answer:
    said, note = _read_note(entry.tcomment)
    msgstr = normalize(entry.msgstr)
    is_changed = fingerprint_text(msgstr) != machine["translation-sha256"]
    status = CORRECTED if is_changed else "" if _FUZZY in entry.flags else APPROVED
    return Answer(
        where=where,
        key=entry.msgctxt,
        locale=locale,
        english_sha256=machine["english-sha256"],
        translation_sha256=machine["translation-sha256"],
        english=normalize(entry.msgid),
        translation=None if is_changed else msgstr,
        correction=msgstr if is_changed else "",
        note=note,
        status=said or status,
        context=context,
        fault=("merged", "") if _CONFLICT in msgstr else None,
    )
