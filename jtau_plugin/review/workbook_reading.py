"""Reads a workbook that came back, from whatever program wrote it."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree.ElementTree import ParseError

from jtau_plugin.errors import Problem, ReviewError
from jtau_plugin.review import extra
from jtau_plugin.review.book import OPEN, SHOWN, Answer, ReviewFile, answer_of
from jtau_plugin.review.cells import normalize, unescape_xml
from jtau_plugin.review.table import find_header
from jtau_plugin.review.words import Reader

#: So many rows may stand above the header.
_MOST_ABOVE = 20
_TEXT_FORMAT = "@"
_STRING = re.compile(r"\}?si$")
#: What openpyxl raises for files that are no proper workbooks.
_BROKEN = (
    zipfile.BadZipFile,
    ParseError,
    KeyError,
    ValueError,
    TypeError,
    IndexError,
    AttributeError,
    EOFError,
    OSError,
    SyntaxError,
)


def _load(data: bytes, *, computed: bool) -> Any:
    """Return openpyxl's workbook, with shared strings as the file has them.

    openpyxl takes half of an escape away from some strings and none from others.
    """
    openpyxl = extra.require("xlsx")

    base: Any = openpyxl.reader.excel.ExcelReader

    class _Reader(base):  # type: ignore[misc]
        def read_strings(self) -> None:
            super().read_strings()
            for override in self.package.Override:
                if override.ContentType.endswith("sharedStrings+xml"):
                    raw = self.archive.read(override.PartName.lstrip("/"))
                    self.shared_strings = _strings(raw)

    reader = _Reader(io.BytesIO(data), data_only=computed, keep_links=False)
    reader.read()
    return reader.wb


def _strings(raw: bytes) -> list[str]:
    openpyxl = extra.require("xlsx")
    tree = openpyxl.xml.functions.fromstring(raw)
    text = openpyxl.cell.text.Text
    return [text.from_tree(node).content for node in tree if _STRING.search(str(node.tag))]


def parse_workbook(data: bytes, name: str, reader: Reader) -> ReviewFile:
    """Return what a workbook says.

    Args:
        data: the file.
        name: its name, for messages.
        reader: finds columns by their titles.

    Raises:
        ReviewError: if it is damaged or no review, or if a column is missing.
        SettingError: if openpyxl is not installed.
    """
    try:
        workbook = _load(data, computed=False)
        sheets = [sheet for sheet in workbook.worksheets if sheet.max_row]
        cached = _load(data, computed=True) if _has_formula(sheets) else None
    except _BROKEN as error:
        what = f"a damaged workbook, or none: {type(error).__name__}: {error}"
        problem = Problem(name, what, "open it in a spreadsheet and save it again as .xlsx")
        raise ReviewError("The file cannot be read.", [problem]) from None
    answers: list[Answer] = []
    ignored: list[str] = []
    is_review = False
    for sheet in sheets:
        found = _find_header(sheet, name, reader)
        if found is None and sheet.title not in reader.unread:
            ignored.append(f"sheet {sheet.title}")
        if found is None:
            continue
        is_review = True
        row, header = found
        titles = [cell.value for cell in sheet[row]]
        ignored += [
            f"{sheet.title}: column {title}"
            for title in titles
            if isinstance(title, str) and title.strip() and reader.column(title) is None
        ]
        values = cached[sheet.title] if cached is not None else None
        answers += _answers(sheet, values, row, header)
    if not is_review:
        what = "no sheet has the columns of a review"
        problem = Problem(name, what, "export it with jtau review export")
        raise ReviewError("The file is no review.", [problem])
    return ReviewFile("xlsx", tuple(answers), tuple(ignored))


def _has_formula(sheets: Sequence[Any]) -> bool:
    return any(cell.data_type == "f" for sheet in sheets for row in sheet.rows for cell in row)


def _find_header(sheet: Any, name: str, reader: Reader) -> tuple[int, dict[str, int]] | None:
    for cells in sheet.iter_rows(min_row=1, max_row=_MOST_ABOVE):
        titles = [_plain(cell.value) for cell in cells]
        where = f"{name}, sheet {sheet.title}, row {cells[0].row}"
        header = find_header(titles, reader, where)
        if header is not None:
            return cells[0].row, header
    return None


def _plain(value: object) -> str:
    return unescape_xml(value) if isinstance(value, str) else "" if value is None else str(value)


def _answers(sheet: Any, values: Any, head: int, header: dict[str, int]) -> Iterator[Answer]:
    for cells in sheet.iter_rows(min_row=head + 1):
        texts: dict[str, str] = {}
        faults: list[tuple[str, str]] = []
        for column, index in header.items():
            if index >= len(cells):
                continue
            cached = values.cell(cells[index].row, index + 1).value if values is not None else None
            texts[column], fault = read_cell(cells[index], cached)
            if fault is not None and column in OPEN:
                faults.append((fault, texts[column]))
            elif fault is not None and column in SHOWN:
                del texts[column]  # 60% has become 0.6; nothing can be told by it
        if any(text.strip() for text in texts.values()):
            where = f"{sheet.title}, row {cells[0].row}"
            yield answer_of(texts, where, normalize, next(iter(faults), None)).unguarded()


def read_cell(cell: Any, cached: object) -> tuple[str, str | None]:
    """Return what was written into a cell, and why that is not certain.

    Args:
        cell: openpyxl's cell.
        cached: what the spreadsheet showed for a formula; ``None`` if it never computed it.
    """
    value = cell.value
    if value is None:
        return "", None
    if cell.data_type == "f":
        text = unescape_xml(str(getattr(value, "text", value)))
        # A formula that no spreadsheet has computed is a text that a program wrote.
        is_text = cached is None or str(cached) == text
        return text, None if is_text else "formula"
    if isinstance(value, str):
        # An error such as #N/A was computed; as a text it would be a string.
        return unescape_xml(value), "formula" if cell.data_type == "e" else None
    if cell.number_format == _TEXT_FORMAT and type(value) is int:
        return str(value), None
    return str(value), "number"
