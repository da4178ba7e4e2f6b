"""Reviews as a table of comma-separated values, which every spreadsheet opens.

UTF-8 with a mark at its beginning, so that Excel shows every script. What would be computed has an
apostrophe before it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from jtau_plugin.errors import Problem, ReviewError
from jtau_plugin.review.book import (
    COLUMNS,
    REASON,
    REQUIRED,
    Answer,
    Book,
    ReviewFile,
    answer_cells,
    answer_of,
    cells_of,
)
from jtau_plugin.review.cells import guard, normalize, printable, unguard
from jtau_plugin.review.words import Reader, Words

_DELIMITERS = ",\t;"
#: A field may be as long as a whole document.
_LONGEST_FIELD = 1 << 27
#: Fewer of our titles may stand in a table of somebody's own.
_FEWEST = 4
#: Stands for a character that a table cannot have.
_NUL = "\u2400"


def _dump(rows: Iterable[Sequence[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows([guard(printable(cell)) for cell in row] for row in rows)
    return "\ufeff" + out.getvalue()


def dump_table(book: Book) -> str:
    """Return a review as a table."""
    header = [book.words.columns[name] for name in COLUMNS]
    rows = (cells_of(row, book.words, book.locale) for row in book.rows)
    return _dump([header, *([cells[name] for name in COLUMNS] for cells in rows)])


def dump_rejects(rejects: Iterable[tuple[Answer, str]], words: Words) -> str:
    """Return rows that were not taken as a table, each with the reason."""
    header = [words.columns[name] for name in (*COLUMNS, REASON)]
    rows = [
        [*(answer_cells(answer)[name] for name in COLUMNS), reason] for answer, reason in rejects
    ]
    return _dump([header, *rows])


def find_header(cells: Sequence[str], reader: Reader, where: str) -> dict[str, int] | None:
    """Return where each column stands if a row is the header of a review, else ``None``.

    Raises:
        ReviewError: if it is one and lacks a column, or has one twice.
    """
    found: dict[str, int] = {}
    twice = []
    for index, cell in enumerate(cells):
        name = reader.column(cell)
        if name in found:
            twice.append(cell)
        elif name is not None:
            found[name] = index
    if "address" not in found or len(found) < _FEWEST:
        return None
    missing = [name for name in REQUIRED if name not in found]
    problems = []
    if missing:
        what = f"columns are missing: {', '.join(missing)}"
        problems.append(Problem(where, what, "restore them from the exported file"))
    if twice:
        what = f"columns stand there twice: {', '.join(twice)}"
        problems.append(Problem(where, what, "remove one of each"))
    if problems:
        raise ReviewError("The file has not the columns of a review.", problems)
    return found


def _rows(text: str, delimiter: str) -> list[list[str]]:
    before = csv.field_size_limit(_LONGEST_FIELD)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    finally:
        csv.field_size_limit(before)


def parse_table(text: str, name: str, reader: Reader) -> ReviewFile:
    """Return what a table says.

    Args:
        text: the decoded file.
        name: the file's name, for messages.
        reader: finds columns by their titles.

    Raises:
        ReviewError: if it is no review, or a column is missing.
    """
    text = text.removeprefix("\ufeff").replace("\0", _NUL)
    first, problem = text.split("\n", 1)[0], None
    for delimiter in sorted(_DELIMITERS, key=first.count, reverse=True):
        try:
            rows = _rows(text, delimiter)
            header = find_header(rows[0] if rows else [], reader, f"{name}, line 1")
        except csv.Error as error:
            problem = Problem(name, f"no table: {error}", "save it as CSV")
            continue
        if header is not None:
            ignored = [c for c in rows[0] if c.strip() and reader.column(c) is None]
            return ReviewFile("csv", tuple(_answers(rows, header, name)), tuple(ignored))
    problem = problem or Problem(
        name, "its first line has not the columns of a review", "export it with jtau review export"
    )
    raise ReviewError("The file is no review.", [problem])


def _answers(rows: list[list[str]], header: dict[str, int], name: str) -> Iterable[Answer]:
    for number, row in enumerate(rows[1:], start=2):
        if any(cell.strip() for cell in row):
            cells = {n: row[i] for n, i in header.items() if i < len(row)}
            yield answer_of(cells, f"{name}, row {number}", _clean)


def _clean(text: str) -> str:
    return normalize(unguard(text))
