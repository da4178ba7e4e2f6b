"""Options of ``jtau review`` that mean nothing are refused before anything is read."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from jtau_plugin.cli import main as cli
from jtau_plugin.cli.reviewing.options import chosen_format, parser, plain_line
from jtau_plugin.errors import ReviewError, SettingError
from jtau_plugin.review.book import Answer, ReviewFile
from jtau_plugin.review.importing import file_locale

EXPORT = ["export", "--locale", "ja"]


def options(*arguments: str) -> argparse.Namespace:
    return parser().parse_args(arguments)


@pytest.mark.parametrize(
    ("name", "form", "chosen"),
    [
        ("a.xlsx", None, "xlsx"),
        ("a.PO", None, "po"),
        ("a.txt", "csv", "csv"),
        ("a.csv", "po", "po"),
    ],
)
def test_the_name_says_the_format_unless_it_is_named(name: str, form: str, chosen: str) -> None:
    named = ["--format", form] if form else []
    assert chosen_format(options(*EXPORT, "-o", name, *named)) == chosen


def test_a_name_that_says_no_format_is_refused() -> None:
    with pytest.raises(SettingError, match=r"a\.ods: ends with none of \.xlsx, \.po, \.csv"):
        chosen_format(options(*EXPORT, "-o", "a.ods"))


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\x00", "a\udc81"])
def test_a_reviewer_has_a_name_on_one_line(name: str) -> None:
    with pytest.raises(SettingError, match="--reviewer"):
        plain_line("--reviewer", name)
    assert plain_line("--reviewer", " 佐藤 花子 ") == "佐藤 花子"


@pytest.mark.parametrize("arguments", [["--sample", "0"], ["--sample", "x"], ["--format", "xls"]])
def test_wrong_usage(arguments: list[str]) -> None:
    with pytest.raises(SystemExit):
        options(*EXPORT, "-o", "a.xlsx", *arguments)
    with pytest.raises(SystemExit):
        options("import", "a.xlsx")


def test_a_file_that_is_there_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("somebody's", encoding="utf-8")
    assert cli.main(["review", *EXPORT, "-o", str(path)]) == 1
    assert "is there already (name another file, or use --force)" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == "somebody's"


@pytest.mark.parametrize(
    ("locales", "why"),
    [
        ((), "no locale"),
        (("ja", "th"), "rows of several locales: ja, th"),
        (("../ja",), "'../ja' is no locale"),
        (("ja/..",), "is no locale"),
    ],
)
def test_a_file_belongs_to_one_locale(locales: tuple[str, ...], why: str) -> None:
    answers = tuple(Answer("row", "a", locale, "", "") for locale in locales)
    with pytest.raises(ReviewError, match=why):
        file_locale(ReviewFile("csv", answers))
