"""Reviews as a workbook: a sheet of instructions, then one for each file of the overlay.

Equal reviews give equal files. No cell is ever written as a formula.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from jtau_plugin.errors import Problem, ReviewError
from jtau_plugin.review import extra
from jtau_plugin.review.book import (
    COLUMNS,
    HIDDEN,
    OPEN,
    REASON,
    Answer,
    Book,
    answer_cells,
    cells_of,
)
from jtau_plugin.review.cells import LONGEST_CELL, escape_xml, printable
from jtau_plugin.review.rows import Row
from jtau_plugin.review.styles import WIDTHS, Styles, row_height
from jtau_plugin.review.words import APPROVED, CORRECTED, QUESTION, STATUSES, Words

_HEADER_ROW = 2
_LONGEST_TITLE = 31
_NOT_IN_TITLE = re.compile(r"[\[\]:*?/\\]")
#: What begins so is shown as a text only when the cell says so.
_COMPUTED = tuple("=+-@")
_EPOCH = (1980, 1, 1, 0, 0, 0)
_MARKS = {APPROVED: "C6E7CE", CORRECTED: "FFE9A8", QUESTION: "F8CBAD"}


def length(text: str) -> int:
    """Return how long a spreadsheet takes a text to be."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def fits(texts: Iterable[str]) -> bool:
    """Return whether texts fit into the cells of a workbook."""
    return all(length(escape_xml(text)) <= LONGEST_CELL for text in texts)


def put_text(cell: Any, text: str) -> None:
    """Write a text into a cell, as a text whatever it looks like.

    Args:
        cell: openpyxl's cell.
        text: not longer than a cell may hold.
    """
    cell.value = escape_xml(printable(text)) or None
    if text:
        cell.data_type = "s"
    if text.startswith(_COMPUTED):
        cell.quotePrefix = True


def _unique_title(wanted: str, taken: set[str]) -> str:
    base = _NOT_IN_TITLE.sub(" ", wanted).strip("' ") or "-"
    title, number = base[:_LONGEST_TITLE], 1
    while title.casefold() in taken:
        number += 1
        ending = f" ({number})"
        title = base[: _LONGEST_TITLE - len(ending)] + ending
    taken.add(title.casefold())
    return title


def sheet_titles(book: Book) -> dict[str, str]:
    """Return the title of each file's sheet."""
    taken = {book.words.label("instructions").casefold()}
    titles = {}
    for file in book.files():
        folder, _, name = file.rpartition("/")
        domain = book.titles.get(folder, folder) if folder else book.words.label("shared")
        wanted = f"{domain} {book.words.sheet(name.rpartition('.')[0] or name)}"
        titles[file] = _unique_title(wanted, taken)
    return titles


def write_workbook(book: Book) -> bytes:
    """Return a review as a workbook.

    Raises:
        ReviewError: for a text that fits into no cell.
        SettingError: if openpyxl is not installed.
    """
    openpyxl = extra.require("xlsx")
    _require_fit(book)
    workbook = openpyxl.Workbook()
    styles = Styles(workbook, book.words)
    titles = sheet_titles(book)
    _instructions(workbook.active, book, titles, styles)
    for file, rows in book.files().items():
        sheet = workbook.create_sheet(titles[file])
        note = _extent(book, file, len({row.address for row in rows}))
        _fill(sheet, f"{titles[file]}   {note}", book, rows, styles)
    return _save(workbook, book.date)


def _require_fit(book: Book) -> None:
    problems = [
        Problem(
            row.key,
            f"{max(length(row.english), length(row.translation)):,} characters, and a cell of a "
            f"workbook holds {LONGEST_CELL:,}",
            "export as csv or po",
        )
        for row in book.rows
        if not fits((row.english, row.translation))
    ]
    if problems:
        raise ReviewError("Some texts do not fit into a workbook.", problems)


def _extent(book: Book, file: str, count: int) -> str:
    total = book.totals.get(file, count)
    if book.is_sample(file):
        return book.words.label("sample", count=count, total=total, seed=book.seed)
    return book.words.label("whole", total=total)


# --- sheets of texts


def _fill(sheet: Any, title: str, book: Book, rows: Sequence[Row], styles: Styles) -> None:
    words = book.words
    _head(sheet, title, COLUMNS, words, styles)
    for number, row in enumerate(rows, start=_HEADER_ROW + 1):
        cells = cells_of(row, words, book.locale)
        for column, name in enumerate(COLUMNS, start=1):
            cell = sheet.cell(number, column)
            cell.style = styles.of(name, is_locked=row.is_locked)
            put_text(cell, cells[name])
        sheet.row_dimensions[number].height = row_height(cells)
    last = _HEADER_ROW + len(rows)
    _choose_status(sheet, last, words, styles)
    _lay_out(sheet, last)
    _protect(sheet)


def _head(sheet: Any, title: str, names: Sequence[str], words: Words, styles: Styles) -> None:
    put_text(sheet.cell(1, 1), title)
    sheet.cell(1, 1).style = styles.of("sheet title")
    sheet.row_dimensions[1].height = 22
    for column, name in enumerate(names, start=1):
        cell = sheet.cell(_HEADER_ROW, column)
        cell.style = styles.of("header open" if name in OPEN else "header")
        put_text(cell, words.columns[name])
    sheet.row_dimensions[_HEADER_ROW].height = 22
    for column, name in enumerate(names, start=1):
        dimension = sheet.column_dimensions[_letter(column)]
        dimension.width = WIDTHS[name]
        dimension.hidden = name in HIDDEN


def _letter(column: int) -> str:
    return chr(ord("A") + column - 1)


def _column(name: str) -> str:
    return _letter(COLUMNS.index(name) + 1)


def _choose_status(sheet: Any, last: int, words: Words, styles: Styles) -> None:
    openpyxl = extra.require("xlsx")
    column = _column("status")
    cells = f"{column}{_HEADER_ROW + 1}:{column}{last}"
    chosen = ",".join(words.statuses[name] for name in STATUSES)
    validation = openpyxl.worksheet.datavalidation.DataValidation(
        type="list", formula1=f'"{chosen}"', allow_blank=True, showErrorMessage=True
    )
    validation.error = words.label("choose")
    validation.errorTitle = words.columns["status"]
    validation.add(cells)
    sheet.add_data_validation(validation)
    area = f"{_column('correction')}{_HEADER_ROW + 1}:{column}{last}"
    for name, color in _MARKS.items():
        formula = f'${column}{_HEADER_ROW + 1}="{words.statuses[name]}"'
        rule = openpyxl.formatting.rule.FormulaRule(formula=[formula], fill=styles.fill(color))
        sheet.conditional_formatting.add(area, rule)


def _lay_out(sheet: Any, last: int) -> None:
    visible = _column("status")
    sheet.freeze_panes = f"B{_HEADER_ROW + 1}"
    sheet.auto_filter.ref = f"A{_HEADER_ROW}:{visible}{last}"
    sheet.sheet_view.zoomScale = 85
    sheet.sheet_view.showGridLines = False
    setup = sheet.page_setup
    setup.orientation, setup.paperSize = "landscape", sheet.PAPERSIZE_A4
    setup.fitToWidth, setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.print_title_rows = f"1:{_HEADER_ROW}"
    sheet.print_area = f"A1:{visible}{last}"
    margins = sheet.page_margins
    margins.left = margins.right = 0.4
    margins.top = margins.bottom = 0.5
    sheet.oddFooter.left.text = "&A"
    sheet.oddFooter.right.text = "&P / &N"


def _protect(sheet: Any) -> None:
    protection = sheet.protection
    protection.sheet = True
    # ``False`` allows it.
    protection.autoFilter = protection.sort = False
    protection.formatColumns = protection.formatRows = False


# --- the first sheet


def _instructions(sheet: Any, book: Book, titles: dict[str, str], styles: Styles) -> None:
    words = book.words
    sheet.title = words.label("instructions")[:_LONGEST_TITLE]
    lines: list[tuple[str, str]] = [
        ("title", words.label("title", language=book.language)),
        (
            "small",
            words.label("made", date=book.date, tau2=book.tau2, version=book.version),
        ),
    ]
    for passage in words.instructions:
        lines.append(("heading", passage.title))
        lines += [("line", f"・{line.format(**words.named())}") for line in passage.lines]
    lines.append(("heading", words.label("contents")))
    for number, (style, text) in enumerate(lines, start=1):
        _merged_line(sheet, number, style, text, styles)
    number = len(lines) + 1
    _contents(sheet, number, book, titles, styles)
    for letter, size in (("A", 34), ("B", 10), ("C", 76)):
        sheet.column_dimensions[letter].width = size
    sheet.sheet_view.showGridLines = False
    sheet.page_setup.orientation = "portrait"
    sheet.page_setup.paperSize = sheet.PAPERSIZE_A4
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.protection.sheet = True


def _merged_line(sheet: Any, number: int, style: str, text: str, styles: Styles) -> None:
    cell = sheet.cell(number, 1)
    cell.style = styles.of(style)
    put_text(cell, text)
    sheet.merge_cells(start_row=number, end_row=number, start_column=1, end_column=3)
    sheet.row_dimensions[number].height = styles.line_height(style, text)


def _contents(sheet: Any, number: int, book: Book, titles: dict[str, str], styles: Styles) -> None:
    words = book.words
    for column, name in enumerate(("sheet", "texts"), start=1):
        cell = sheet.cell(number, column)
        cell.style = styles.of("header")
        put_text(cell, words.label(name))
    sheet.cell(number, 3).style = styles.of("header")
    for offset, (file, rows) in enumerate(book.files().items(), start=1):
        count = len({row.address for row in rows})
        texts = (titles[file], str(count), _extent(book, file, count))
        for column, text in enumerate(texts, start=1):
            cell = sheet.cell(number + offset, column)
            cell.style = styles.of("link" if column == 1 else "entry")
            put_text(cell, text)
        quoted = titles[file].replace("'", "''")
        sheet.cell(number + offset, 1).hyperlink = _link(
            f"A{number + offset}", f"'{quoted}'!A1", titles[file]
        )
        sheet.row_dimensions[number + offset].height = 18


def _link(ref: str, location: str, display: str) -> Any:
    openpyxl = extra.require("xlsx")
    return openpyxl.worksheet.hyperlink.Hyperlink(ref=ref, location=location, display=display)


# --- rejects


def write_rejects(rejects: Sequence[tuple[Answer, str]], words: Words) -> bytes:
    """Return rows that were not taken as a workbook of one sheet, each with the reason."""
    openpyxl = extra.require("xlsx")
    workbook = openpyxl.Workbook()
    styles = Styles(workbook, words)
    sheet = workbook.active
    names = (*COLUMNS, REASON)
    _head(sheet, words.columns[REASON], names, words, styles)
    for number, (answer, reason) in enumerate(rejects, start=_HEADER_ROW + 1):
        cells = {**answer_cells(answer), REASON: reason}
        for column, name in enumerate(names, start=1):
            cell = sheet.cell(number, column)
            cell.style = styles.of(name, is_locked=False)
            put_text(cell, cells[name])
        sheet.row_dimensions[number].height = row_height(cells)
    last = _HEADER_ROW + len(rejects)
    _choose_status(sheet, last, words, styles)
    _lay_out(sheet, last)
    sheet.auto_filter.ref = f"A{_HEADER_ROW}:{_letter(len(names))}{last}"
    sheet.print_area = f"A1:{_letter(len(names))}{last}"
    _protect(sheet)
    return _save(workbook, "")


def _save(workbook: Any, date: str) -> bytes:
    """Return the bytes of a workbook, the same for the same content."""
    openpyxl = extra.require("xlsx")
    moment = datetime.fromisoformat(date) if date else datetime(1980, 1, 1)
    workbook.properties.creator = "jtau-plugin"
    workbook.properties.created = workbook.properties.modified = moment
    raw, packed = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        openpyxl.writer.excel.ExcelWriter(workbook, archive).save()
    with (
        zipfile.ZipFile(io.BytesIO(raw.getvalue())) as source,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for name in source.namelist():
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(info, source.read(name))
    return packed.getvalue()
