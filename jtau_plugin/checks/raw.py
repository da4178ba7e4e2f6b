"""A file as bytes: how it is encoded and how its lines end, before anybody reads what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jtau_plugin.checks.model import Fault

_MARK = b"\xef\xbb\xbf"
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1


def find_raw_faults(data: bytes) -> Iterator[tuple[int, Fault]]:
    """Yield (line, fault) of a text file: UTF-8 without a mark, lines that end in LF alone."""
    if data.startswith(_MARK):
        yield 1, Fault("begins with a byte order mark", "remove it")
    at = data.find(b"\r")
    if at >= 0:
        yield _line(data, at), Fault("lines end in CR LF", "end them in LF")
    match = _CONTROL.search(data)
    if match is not None:
        what = f"holds the control character U+{match[0][0]:04X}"
        yield _line(data, match.start()), Fault(what, "restore what stood there")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"not UTF-8: byte {error.start} is 0x{data[error.start]:02x}"
        yield _line(data, error.start), Fault(what, "save the file as UTF-8")


def mend_raw(data: bytes) -> bytes:
    """Return a file without its byte order mark, with LF at the ends of its lines."""
    return data.removeprefix(_MARK).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
