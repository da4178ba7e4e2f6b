"""The options of ``jtau review``."""

from __future__ import annotations

import argparse
from pathlib import Path

from jtau_plugin.cli.extract import add_choice
from jtau_plugin.errors import SettingError
from jtau_plugin.review.cells import forbidden
from jtau_plugin.review.exporting import FORMATS
from jtau_plugin.translation.extraction.segment import COMPONENTS


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def parser() -> argparse.ArgumentParser:
    """Return the parser of ``jtau review``."""
    whole = argparse.ArgumentParser(
        prog="jtau review",
        description="Hands a locale's texts out for review and takes the review back in.",
    )
    actions = whole.add_subparsers(dest="action", required=True, metavar="ACTION")
    _add_export(actions.add_parser("export", help="write a workbook, a table or PO"))
    _add_import(actions.add_parser("import", help="take a reviewed file into the overlay"))
    return whole


def _add_export(own: argparse.ArgumentParser) -> None:
    own.description = (
        "Writes every text beside its English as it is installed, for a reviewer to correct. "
        "Documents and prompts are always whole."
    )
    own.add_argument("--locale", required=True, metavar="LOCALE", help="such as 'ja'")
    add_choice(own, tuple(COMPONENTS))
    own.add_argument("--format", choices=FORMATS, help="by default as the file's name ends")
    own.add_argument("-o", "--output", required=True, type=Path, metavar="FILE")
    own.add_argument("--force", action="store_true", help="write over a file that is there")
    own.add_argument(
        "--sample", type=_positive, metavar="N", help="so many texts of each large file"
    )
    own.add_argument("--seed", default="0", metavar="SEED", help="draws another sample")
    _add_places(own)


def _add_import(own: argparse.ArgumentParser) -> None:
    own.description = (
        "Takes corrections and approvals into the overlay, all or none. Shows what changes and "
        "asks first. What cannot be taken is kept in a rejects file beside the one that came. "
        "Exits with 1 if there is any."
    )
    own.add_argument("file", type=Path, metavar="FILE", help="workbook, table or PO")
    own.add_argument("--reviewer", required=True, metavar="NAME", help="who has read")
    own.add_argument("--round", metavar="ROUND", help="by default the one after the last")
    own.add_argument(
        "--rejects", type=Path, metavar="DIR", help="folder for the rejects; default: beside FILE"
    )
    own.add_argument("--yes", action="store_true", help="do not ask")
    own.add_argument("--dry-run", action="store_true", help="only show what would be done")
    _add_places(own)


def _add_places(own: argparse.ArgumentParser) -> None:
    own.add_argument("--out", type=Path, metavar="DIR", help="folder in which the locale lies")
    own.add_argument(
        "--structure",
        metavar="LOCALE",
        help="whose overlay gives the facts that are the same in every language; default ja",
    )
    own.add_argument("--json", action="store_true", help="print JSON")


def chosen_format(given: argparse.Namespace) -> str:
    """Return the format of an export.

    Raises:
        SettingError: if the file's name does not say it.
    """
    ending = given.output.suffix.lower().lstrip(".")
    form: str = given.format or ending
    if form not in FORMATS:
        known = ", ".join(f".{name}" for name in FORMATS)
        raise SettingError(f"-o {given.output}: ends with none of {known} (or name one: --format)")
    return form


def plain_line(name: str, text: str) -> str:
    """Return an option's text without the blanks around it.

    Raises:
        SettingError: if it is empty, or holds what no manifest may hold.
    """
    line = text.strip()
    if not line or "\n" in line or forbidden(line):
        raise SettingError(f"{name} {text!r}: one line of plain text is expected")
    return line
