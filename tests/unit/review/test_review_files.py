"""Whatever a spreadsheet or PO tool makes of a review is read, or refused with what to do."""

from __future__ import annotations

import csv
import io
import os
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from review_rows import answer_to, make_book, make_item, make_row

from jtau_plugin.errors import ReviewError, SettingError
from jtau_plugin.models.review import ReviewWords
from jtau_plugin.review import committing, extra, reading
from jtau_plugin.review.book import ReviewFile
from jtau_plugin.review.diff import color, diff_lines
from jtau_plugin.review.exporting import dump_book
from jtau_plugin.review.judging import Reading
from jtau_plugin.review.reading import read_review
from jtau_plugin.review.rejects import keep_rejects
from jtau_plugin.review.words import Reader, Words

READER = Reader((Words(), Words(ReviewWords(encodings=("cp932",)))))
ROWS = [make_row("a", "Good morning", "おはよう"), make_row("b", "Good night", "おやすみ")]


def make(folder: Path, form: str, rows: list | None = None) -> Path:
    path = folder / f"review.{form}"
    path.write_bytes(dump_book(make_book(rows or ROWS), form))
    return path


def read(path: Path) -> ReviewFile:
    return read_review(path, READER)


def refusal(path: Path) -> str:
    with pytest.raises(ReviewError) as caught:
        read(path)
    return str(caught.value)


def edit(path: Path, *cells: tuple[str, Any, str]) -> Path:
    """Set cells of the first sheet of texts: address, value, number format."""
    book = openpyxl.load_workbook(path)
    for place, value, form in cells:
        book.worksheets[1][place].value = value
        book.worksheets[1][place].number_format = form
    book.save(path)
    return path


# --- workbooks


def test_what_a_reviewer_types_is_read(tmp_path: Path) -> None:
    path = make(tmp_path, "xlsx")
    edit(
        path, ("E3", "おはようございます\r\n。", "@"), ("F3", "=メモ", "@"), ("G3", "approved", "@")
    )
    answer, other = read(path).answers
    assert answer.correction == "おはようございます\n。"
    assert answer.status == "approved"
    # A formula that nobody computed is the text that a program wrote.
    assert (answer.note, answer.fault) == ("=メモ", None)
    assert other.is_blank


@pytest.mark.parametrize(
    ("value", "form", "fault"),
    [
        (12, "@", None),
        (12, "General", "number"),
        (1.5, "@", "number"),
        (True, "@", "number"),
        (__import__("datetime").datetime(2026, 12, 1), "yyyy-mm-dd", "number"),
        ("#N/A", "General", "formula"),
        ("12", "General", None),
    ],
)
def test_a_text_that_became_something_else_is_told(
    tmp_path: Path, value: Any, form: str, fault: str | None
) -> None:
    path = edit(make(tmp_path, "xlsx"), ("E3", value, form))
    answer = read(path).answers[0]
    assert (answer.fault or (None,))[0] == fault
    assert answer.correction


def test_a_formula_that_a_spreadsheet_computed_is_told(tmp_path: Path) -> None:
    path = edit(make(tmp_path, "xlsx"), ("E3", "=1+1", "General"))
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = "xl/worksheets/sheet2.xml"
    parts[sheet] = parts[sheet].replace(b"<f>1+1</f><v />", b"<f>1+1</f><v>2</v>")
    parts[sheet] = parts[sheet].replace(b"<f>1+1</f><v></v>", b"<f>1+1</f><v>2</v>")
    assert b"<v>2</v>" in parts[sheet]
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    assert read(path).answers[0].fault == ("formula", "=1+1")


def test_moved_rows_and_columns_and_sheets_of_ones_own_do_no_harm(tmp_path: Path) -> None:
    path = make(tmp_path, "xlsx")
    before = read(path).answers
    book = openpyxl.load_workbook(path)
    sheet = book.worksheets[1]
    sheet.insert_cols(2)
    sheet["B2"].value = "my column"
    sheet["B3"].value = "=SUM(A1)"
    sheet.move_range("E2:F4", cols=12)
    own = book.create_sheet("mine")
    own.append(["Address", "Note", "my own table"])
    target = book.create_sheet("moved")
    for line in sheet.iter_rows(min_row=2):
        target.append([cell.value for cell in line])
    sheet.delete_rows(3, 2)
    book.save(path)
    file = read(path)
    assert [a.key for a in file.answers] == [a.key for a in before]
    assert [a.translation for a in file.answers] == [a.translation for a in before]
    assert "sheet mine" in file.ignored
    assert any("my column" in name for name in file.ignored)


def test_a_missing_column_is_named_with_its_sheet(tmp_path: Path) -> None:
    path = make(tmp_path, "xlsx")
    book = openpyxl.load_workbook(path)
    book.worksheets[1].delete_cols(5)
    book.save(path)
    assert "sheet 店 tasks, row 2: columns are missing: correction" in refusal(path)
    path = make(tmp_path, "csv")
    text = path.read_text(encoding="utf-8-sig").replace("english_sha256", "x", 1)
    path.write_text(text, encoding="utf-8-sig")
    assert "columns are missing: english_sha256" in refusal(path)
    path.write_text(text.replace("Note", "Status", 1), encoding="utf-8-sig")
    assert "stand there twice: Status" in refusal(path)


def test_a_table_that_was_opened_and_saved_as_a_workbook_is_read(tmp_path: Path) -> None:
    rows = [make_row("a", "- one", "- 一"), make_row("b", "60%", "60%")]
    text = dump_book(make_book(rows), "csv").decode("utf-8-sig")
    book = openpyxl.Workbook()
    for line in csv.reader(io.StringIO(text, newline="")):
        book.active.append(line)
    assert book.active["D2"].value == "'- 一"
    book.active["D3"].value = 0.6
    book.active["E2"].value = "'- 壱"
    path = tmp_path / "review.xlsx"
    book.save(path)
    first, second = read(path).answers
    assert (first.english, first.translation, first.correction) == ("- one", "- 一", "- 壱")
    assert second.translation is None
    assert second.is_blank


def test_only_what_is_to_be_written_into_can_be(tmp_path: Path) -> None:
    locked = make_row("c", "x", "y", is_locked=True)
    book = openpyxl.load_workbook(make(tmp_path, "xlsx", [*ROWS, locked]))
    sheet = book.worksheets[1]
    assert sheet.protection.sheet
    assert not sheet.protection.autoFilter  # allowed
    titles = {cell.value: cell.column_letter for cell in sheet[2]}
    opened = {cell.column_letter for cell in sheet[3] if not cell.protection.locked}
    assert opened == {titles[name] for name in ("Correction", "Note", "Status")}
    assert all(cell.protection.locked for cell in sheet[5])
    assert sheet[f"{titles['Status']}5"].value == "locked: the English has changed"
    assert sheet.freeze_panes == "B3"
    assert sheet.auto_filter.ref == "A2:G5"
    assert sheet.column_dimensions[titles["english_sha256"]].hidden
    [choice] = sheet.data_validations.dataValidation
    assert choice.formula1 == '"approved,corrected,question"'
    assert all(cell.alignment.wrap_text for cell in sheet[3])
    assert sheet.print_title_rows == "$1:$2"


# --- tables


@pytest.mark.parametrize(
    ("encoding", "delimiter"),
    [("utf-8", ","), ("utf-8-sig", ";"), ("utf-16", "\t"), ("utf-16-le", ","), ("cp932", ",")],
)
def test_a_table_is_read_as_spreadsheets_save_it(
    tmp_path: Path, encoding: str, delimiter: str
) -> None:
    path = make(tmp_path, "csv")
    rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
    rows[1][4] = "おはよう\nございます"
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    path.write_bytes(out.getvalue().replace("\nござ", "\r\nござ").encode(encoding))
    assert read(path).answers[0].correction == "おはよう\nございます"
    assert read(path).answers[1].translation == "おやすみ"


def test_an_encoding_that_cannot_be_told_is_refused_with_the_line(tmp_path: Path) -> None:
    path = make(tmp_path, "csv")
    data = path.read_bytes()
    path.write_bytes(data.replace("おやすみ".encode(), b"\xff\xfe\xfa"))
    assert "review.csv:3: no valid utf-8-sig (save it as UTF-8)" in refusal(path)


def test_a_nul_in_a_table_reaches_the_judge(tmp_path: Path) -> None:
    path = make(tmp_path, "csv")
    # Behind the first bytes, where it would say something of the encoding.
    path.write_bytes(path.read_bytes().replace("おはよう,,".encode(), b"\xe3\x81\x8a,a\0b,", 1))
    assert read(path).answers[0].correction == "a\u2400b"


# --- PO


def po(folder: Path, old: str, new: str) -> Path:
    path = make(folder, "po")
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"おはよう"', '"おはよう"', ("", "", "")),
        ('"おはよう"', '"こんにちは"', ("corrected", "こんにちは", "")),
        ("#, fuzzy\n", "", ("approved", "", "")),
        ("#, fuzzy\n", "# なぜ?\n# status: question\n#, fuzzy\n", ("question", "", "なぜ?")),
        ("#, fuzzy\n", "# note: よい\n", ("approved", "", "よい")),
    ],
)
def test_po_says_what_a_workbook_says(
    tmp_path: Path, old: str, new: str, said: tuple[str, str, str]
) -> None:
    first = next(a for a in read(po(tmp_path, old, new)).answers if a.key.endswith("#a"))
    assert (first.status, first.correction, first.note) == said


def test_po_that_lost_something_is_refused(tmp_path: Path) -> None:
    assert "comments are missing: english-sha256" in refusal(
        po(tmp_path, "#. english-sha256", "#. x")
    )
    assert "is not one of ours" in refusal(po(tmp_path, "X-Jtau-Locale", "X-Other"))
    assert "no valid PO" in refusal(po(tmp_path, 'msgstr "おはよう"', "msgstr おはよう"))
    merged = po(tmp_path, 'msgstr "おはよう"', 'msgstr "#-#-#-#-#  a  #-#-#-#-#\\n"\n"おはよう"')
    assert read(merged).answers[0].fault == ("merged", "")


def test_po_in_another_encoding_is_read_as_it_says(tmp_path: Path) -> None:
    path = po(tmp_path, "charset=UTF-8", "charset=EUC-JP")
    path.write_bytes(path.read_text(encoding="utf-8").encode("euc-jp"))
    assert read(path).answers[0].translation == "おはよう"


# --- what is no review


def archive(*names: str, mimetype: str = "") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        if mimetype:
            made.writestr("mimetype", mimetype)
        for name in names:
            made.writestr(name, "x")
    return out.getvalue()


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
FOREIGN = [
    (b"", "the file is empty"),
    (b"\0" * 40, "the file is empty"),
    (OLE + b"x", "an old workbook (.xls)"),
    (OLE + "EncryptedPackage".encode("utf-16-le"), "protected with a password"),
    (b"PK\x03\x04 broken", "a damaged workbook"),
    (archive("content.xml", mimetype="application/vnd.oasis.opendocument.spreadsheet"), ".ods"),
    (archive("word/document.xml"), "holds no workbook"),
    (archive("xl/workbook.bin"), "binary workbook"),
    (archive("xl/workbook.xml"), "a damaged workbook"),
    (b"%PDF-1.7 \xff\xfe", "has not the columns of a review"),
    (b"a,b\n1,2\n", "has not the columns of a review"),
    (b'msgid ""\nmsgstr ""\n', "is not one of ours"),
    (b"<html></html>", "has not the columns of a review"),
]


@pytest.mark.parametrize(("data", "why"), FOREIGN, ids=[str(i) for i in range(len(FOREIGN))])
def test_other_files_are_told_apart(tmp_path: Path, data: bytes, why: str) -> None:
    path = tmp_path / "review.xlsx"
    path.write_bytes(data)
    assert why in refusal(path)


def test_a_workbook_cut_anywhere_is_refused(tmp_path: Path) -> None:
    path = make(tmp_path, "xlsx")
    data = path.read_bytes()
    for size in range(4, len(data) - 1, len(data) // 40):
        path.write_bytes(data[:size])
        assert "The file cannot be read." in refusal(path)


def test_a_small_file_that_unpacks_to_a_huge_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_MOST_UNPACKED", 2 * 2**20)
    path = tmp_path / "review.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        with archive.open("xl/worksheets/sheet1.xml", "w") as sheet:
            sheet.write(b" " * 3 * 2**20)
    with pytest.raises(ReviewError, match="unpacks to 3 MB, expected at most 2"):
        read_review(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert "cannot be read: No such file" in refusal(tmp_path / "none.xlsx")
    assert "cannot be read: Is a directory" in refusal(tmp_path)


@pytest.mark.parametrize(("form", "package"), [("xlsx", "openpyxl"), ("po", "polib")])
def test_a_library_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, form: str, package: str
) -> None:
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(SettingError, match=rf"{package}.*jtau-plugin\[review\].*use csv"):
        extra.require(form)
    assert dump_book(make_book(ROWS), "csv")


# --- rejects


@pytest.mark.parametrize("form", ["xlsx", "csv", "po"])
def test_rejects_keep_what_was_written_and_can_be_imported_themselves(
    tmp_path: Path, form: str
) -> None:
    path = make(tmp_path, form)
    rejects = [
        (answer_to(ROWS[0], correction="=おは\nよう", note="- なぜ", status="corrected"), "why"),
        (answer_to(ROWS[1], note="nice", status="approved"), "because"),
    ]
    if form == "po":  # which has no place for a text beside its correction
        rejects[0] = (replace(rejects[0][0], translation=None), "why")
    file = ReviewFile(form, ())
    first = keep_rejects(path, rejects, file, Words(), READER)
    assert first.name == f"review.rejects.{form}"
    found = read(first).answers
    assert [replace(a, where="", context="", fault=None) for a in found] == [
        replace(a, where="") for a, _ in rejects
    ]
    # The same again is that file; other rejects never write over it.
    assert keep_rejects(path, rejects, file, Words(), READER) == first
    second = keep_rejects(path, rejects[:1], file, Words(), READER)
    assert second.name == f"review.rejects-2.{form}"
    assert len(read(first).answers) == 2


def test_rejects_that_fit_into_no_cell_are_a_table(tmp_path: Path) -> None:
    path = make(tmp_path, "xlsx")
    rejects = [(answer_to(ROWS[0], correction="あ" * 40_000), "too long")]
    kept = keep_rejects(path, rejects, ReviewFile("xlsx", ()), Words(), READER)
    assert kept.suffix == ".csv"
    assert read(kept).answers[0].correction == "あ" * 40_000


# --- writing


def test_all_files_are_written_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old: dict[str, str | None] = {"a.txt": "a", "sub/b.txt": "b", "c.txt": None}
    (tmp_path / "sub").mkdir()
    for name, text in old.items():
        if text is not None:
            (tmp_path / name).write_text(text, encoding="utf-8")
    new = {name: f"new {name}" for name in old}

    def state() -> dict[str, str]:
        files = (path for path in tmp_path.rglob("*") if path.is_file())
        return {p.relative_to(tmp_path).as_posix(): p.read_text(encoding="utf-8") for p in files}

    before = state()
    replaced = Path.replace
    count = {"left": 2}

    def fails(self: Path, target: Path) -> Path:
        count["left"] -= 1
        if count["left"] == 0:
            raise OSError(28, "No space left on device", str(self))
        return replaced(self, target)

    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises(ReviewError, match="No space left"):
        committing.commit(tmp_path, new, old)
    monkeypatch.setattr(Path, "replace", replaced)
    assert state() == before
    (tmp_path / "a.txt").write_text("somebody's", encoding="utf-8")
    with pytest.raises(ReviewError, match="changed while the review was read"):
        committing.commit(tmp_path, new, old)
    (tmp_path / "a.txt").write_text("a", encoding="utf-8")
    committing.commit(tmp_path, new, old)
    assert state() == new


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_the_mode_of_a_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("a", encoding="utf-8")
    path.chmod(0o640)
    committing.commit(tmp_path, {"a.txt": "b"}, {"a.txt": "a"})
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_diff_shows_the_lines_that_change() -> None:
    item = make_item(text="一\n二\n三\n")
    reading = Reading(item, "一\n弐\n三\n", ())
    lines = diff_lines(reading)
    assert lines[:2] == ["--- shop/tasks.yaml#a (now)", "+++ shop/tasks.yaml#a (corrected)"]
    assert [line for line in lines[3:] if line[0] in "+-"] == ["-二", "+弐"]
    assert "\x1b[32m+弐\x1b[0m" in list(color(lines))
    assert diff_lines(Reading(item, item.held.text, ())) == []
