"""Texts come out of cells as they went in, and nothing in a cell is ever computed."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from review_rows import make_book, make_row

from jtau_plugin.errors import ReviewError
from jtau_plugin.review import cells
from jtau_plugin.review.book import Answer, Book, ReviewFile
from jtau_plugin.review.exporting import dump_book
from jtau_plugin.review.reading import read_review
from jtau_plugin.review.words import Reader, Words

FORMS = ["xlsx", "csv", "po"]
#: Texts as a spreadsheet takes them for something else, or as programs lose them.
TRAPS = [
    *("=1+1", "+81 3", "-項目\n- 次", "@x", "'引用", "'=書いてある", "''", "＝１", "\t=1", "\r"),
    *("_x000D_", "_x0041_", "_x005F_x0041_", "a\tb", "  前後  ", "#N/A", "#VALUE!", "TRUE", "007"),
    *("1,000", "2026-12-02", "1/2", "50%", "12345678901234567890", "𠮷野家 🍣", "\u2028", "\x85x"),
    *("行1\n\n行3", 'say "no"', "a;b,c", "\\n", "e\x01x", "\ufeffx", "# heading", "null", "{name}"),
]
readable = st.text(st.characters(codec="utf-8", exclude_characters="\r\0\u2400"), max_size=40)


def written(book: Book, form: str, folder: Path) -> ReviewFile:
    path = folder / f"review.{form}"
    path.write_bytes(dump_book(book, form))
    return read_review(path, Reader((Words(),)))


def said(answer: Answer) -> Answer:
    return replace(answer, where="", context="")


@given(st.text(max_size=20))
def test_what_is_guarded_is_unguarded(text: str) -> None:
    assert cells.unguard(cells.guard(text)) == text
    assert not cells.guard(text).startswith(
        ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")
    )


@given(st.text(st.sampled_from("_x0041FD5\x00\x1f\ufffeaあ\n"), max_size=30) | st.text(max_size=20))
def test_what_is_escaped_for_xml_is_unescaped(text: str) -> None:
    assert cells.unescape_xml(cells.escape_xml(text)) == text


@pytest.mark.parametrize("form", FORMS)
def test_no_trap_catches_a_text(form: str, tmp_path: Path) -> None:
    texts = [text for text in TRAPS if text.strip("\r\n")]
    rows = [make_row(str(i), text, text[::-1]) for i, text in enumerate(texts)]
    file = written(make_book(rows), form, tmp_path)
    for row, answer in zip(rows, file.answers, strict=True):
        assert answer.english == row.english.strip("\n"), form
        assert answer.translation == row.translation.strip("\n"), form
        assert answer.is_blank
        assert answer.key == row.key


@settings(max_examples=12)
@given(st.lists(st.tuples(readable, readable), min_size=1, max_size=4))
def test_every_format_says_the_same(tmp_path_factory: pytest.TempPathFactory, texts: list) -> None:
    folder = tmp_path_factory.mktemp("formats")
    rows = [make_row(str(i), f"e{english}", f"t{text}") for i, (english, text) in enumerate(texts)]
    files = [written(make_book(rows), form, folder) for form in FORMS]
    for other in files[1:]:
        assert [*map(said, other.answers)] == [*map(said, files[0].answers)]
    for row, answer in zip(rows, files[0].answers, strict=True):
        assert (answer.english, answer.translation) == (
            row.english.strip("\n"),
            row.translation.strip("\n"),
        )


def test_no_cell_of_a_workbook_is_a_formula(tmp_path: Path) -> None:
    rows = [make_row(str(i), text, text) for i, text in enumerate(TRAPS)]
    path = tmp_path / "review.xlsx"
    path.write_bytes(dump_book(make_book(rows), "xlsx"))
    sheet = openpyxl.load_workbook(path).worksheets[1]
    kinds = {cell.data_type for line in sheet.iter_rows(min_row=3) for cell in line}
    assert kinds <= {"s", "n"}  # n: an empty cell
    assert sheet["C3"].value == "=1+1"
    assert sheet["C3"].quotePrefix
    assert sheet["E3"].number_format == "@"


def test_no_cell_of_a_table_begins_as_a_formula() -> None:
    rows = [make_row(str(i), text, text) for i, text in enumerate(TRAPS)]
    text = dump_book(make_book(rows), "csv").decode("utf-8")
    assert text.startswith("\ufeff")
    found = [cell for line in csv.reader(io.StringIO(text[1:], newline="")) for cell in line]
    assert not [cell for cell in found if cell[:1] in tuple("=+-@\t\r")]


def test_equal_reviews_are_equal_files() -> None:
    book = make_book([make_row("a", "one", "一")])
    for form in FORMS:
        assert dump_book(book, form) == dump_book(book, form)


def test_a_text_that_fits_into_no_cell_is_refused_and_a_table_takes_it(tmp_path: Path) -> None:
    longest = make_row("a", "one", "あ" * 32_767)
    longer = make_row("b", "one", "あ" * 40_000)
    assert written(make_book([longest]), "xlsx", tmp_path).answers[0].translation == "あ" * 32_767
    with pytest.raises(ReviewError, match=r"#b: 40,000 characters.*export as csv"):
        dump_book(make_book([longest, longer]), "xlsx")
    for form in ("csv", "po"):
        file = written(make_book([longer]), form, tmp_path)
        assert file.answers[0].translation == longer.translation


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a\x00b", "U+0000"),
        ("\x0b", "U+000B"),
        ("\ud800x", "U+D800"),
        ("\ufffe\ufffd", "U+FFFE, U+FFFD"),
        ("タブ\tと改行\n、ゼロ幅\u200b、\u3000", ""),
    ],
)
def test_characters_that_no_text_may_have(text: str, found: str) -> None:
    assert cells.forbidden(text) == found


@given(st.text(max_size=20), st.text(max_size=20))
def test_the_blanks_around_a_text_stay(old: str, new: str) -> None:
    text = cells.with_blanks_of(old, new)
    assert text.strip() == new.strip()
    if new.strip():
        assert cells.outer_blanks(text) == cells.outer_blanks(old) or not old.strip()
