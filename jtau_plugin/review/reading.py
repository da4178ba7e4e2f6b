"""Finds out what a file is and reads it; a file of another kind is told apart and named."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import Path

from jtau_plugin.errors import Problem, ReviewError
from jtau_plugin.review.book import ReviewFile
from jtau_plugin.review.po import parse_po
from jtau_plugin.review.table import parse_table
from jtau_plugin.review.words import Reader
from jtau_plugin.review.workbook_reading import parse_workbook

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_ZIP = b"PK"
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_CHARSET = re.compile(rb'charset=([A-Za-z0-9_.:-]+)\\n"')
_PO = re.compile(r"^(msgid|msgctxt)\s+\"", re.MULTILINE)
#: Bytes to which a workbook may unpack. All locales together need a hundredth of it; more is no
#: review, and reading it would take the machine's memory.
_MOST_UNPACKED = 256 * 2**20
_SAVE = "open it in a spreadsheet and save it as .xlsx"


def read_review(path: Path, reader: Reader | None = None) -> ReviewFile:
    """Return what a file says.

    Args:
        path: a workbook, a table or a PO file; its name does not matter.
        reader: finds columns by their titles.

    Raises:
        ReviewError: if it cannot be read, or is no review.
        SettingError: if a library for it is not installed.
    """
    reader = reader or Reader()
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _refused(str(path), f"cannot be read: {error.strerror}", "") from None
    if not data.strip(b"\0 \r\n\t"):
        raise _refused(str(path), "the file is empty", "copy it again")
    if data.startswith(_OLE):
        if _ENCRYPTED in data:
            raise _refused(str(path), "protected with a password", "save it without one")
        raise _refused(str(path), "an old workbook (.xls) or another Office file", _SAVE)
    if data.startswith(_ZIP):
        _refuse_other_archive(path, data)
        return parse_workbook(data, path.name, reader)
    text = decode(data, str(path), reader.encodings)
    if _PO.search(text):
        return parse_po(text, path.name)
    return parse_table(text, path.name, reader)


def _refused(where: str, what: str, hint: str) -> ReviewError:
    return ReviewError("The file cannot be read.", [Problem(where, what, hint)])


def _refuse_other_archive(path: Path, data: bytes) -> None:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = set(archive.namelist())
            size = sum(entry.file_size for entry in archive.infolist())
            kind = (
                archive.read("mimetype").decode("ascii", "replace") if "mimetype" in names else ""
            )
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, KeyError) as error:
        what = f"a damaged workbook: {error}"
        raise _refused(str(path), what, "copy or save it again") from None
    if size > _MOST_UNPACKED:
        what = f"unpacks to {size // 2**20} MB, expected at most {_MOST_UNPACKED // 2**20}"
        raise _refused(str(path), what, "delete what is not of the review, or export again")
    if "opendocument" in kind:
        raise _refused(str(path), "an OpenDocument file (.ods)", _SAVE)
    if not any(name.startswith("xl/") for name in names):
        raise _refused(str(path), "an archive that holds no workbook", _SAVE)
    if any(name.endswith("workbook.bin") for name in names):
        raise _refused(str(path), "a binary workbook (.xlsb)", _SAVE)


def decode(data: bytes, where: str, encodings: tuple[str, ...] = ()) -> str:
    """Return the text of a file.

    Args:
        data: the file.
        where: its name.
        encodings: what spreadsheets write where they do not write Unicode.

    Raises:
        ReviewError: if its encoding cannot be told.
    """
    declared = _CHARSET.search(data)
    tried = [encoding for mark, encoding in _MARKS if data.startswith(mark)]
    if not tried and b"\0" in data[:64]:
        tried = ["utf-16-le" if data[1:2] == b"\0" else "utf-16-be"]
    if not tried:
        tried = ["utf-8", *([declared[1].decode("ascii")] if declared else []), *encodings]
    first: UnicodeDecodeError | None = None
    for encoding in tried:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as error:
            first = first or error
        except LookupError:
            continue
    line = data.count(b"\n", 0, first.start) + 1 if first else 1
    what = f"neither {', nor '.join(tried)}" if len(tried) > 1 else f"no valid {tried[0]}"
    raise _refused(f"{where}:{line}", what, "save it as UTF-8")
