"""Texts in cells and back: what a spreadsheet would take for something else than a text.

Pure functions, each the inverse of its partner.
"""

from __future__ import annotations

import re
import unicodedata

#: More characters fit into no cell of a workbook.
LONGEST_CELL = 32_767
# A table has no type: what begins so is computed when a spreadsheet opens it.
_COMPUTED = re.compile(r"'*[=+\-@＝＋－＠\t\r]")
_GUARDED = re.compile(r"'+[=+\-@＝＋－＠\t\r]")
#: Characters that XML cannot have; workbooks write them, and what looks so, as ``_xHHHH_``.
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_LOOKS_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
#: Characters that no text of an overlay may have. U+FFFD and U+2400 stand for lost ones.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u2400\ufffd\ufffe\uffff\ud800-\udfff]"
)

#: Ideographs that a composed form would replace by another variant of the character.
_VARIANTS = re.compile("([\uf900-\ufaff\U0002f800-\U0002fa1f]+)")


def compose(text: str) -> str:
    """Return a text with each letter and its marks as one character, as keyboards write it.

    Some systems take them apart when a text is copied; nobody sees that.
    """
    parts = _VARIANTS.split(text)
    return "".join(p if i % 2 else unicodedata.normalize("NFC", p) for i, p in enumerate(parts))


def normalize(text: str) -> str:
    """Return a text with line feeds for every line ending; what stands in the lines is kept."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def guard(text: str) -> str:
    """Return a text for a table, with an apostrophe before what would be computed."""
    return f"'{text}" if _COMPUTED.match(text) else text


def unguard(text: str) -> str:
    """Return what ``guard`` was given."""
    return text[1:] if _GUARDED.match(text) else text


def escape_xml(text: str) -> str:
    """Return a text as a workbook writes it."""
    plain = _LOOKS_ESCAPED.sub("_x005F_", text)
    return _NOT_IN_XML.sub(lambda m: f"_x{ord(m[0]):04X}_", plain)


def unescape_xml(text: str) -> str:
    """Return what a workbook means by a text."""
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)), text)


def forbidden(text: str) -> str:
    """Return the characters of a text that no overlay may have, by their numbers."""
    found = dict.fromkeys(_FORBIDDEN.findall(text))
    return ", ".join(f"U+{ord(c):04X}" for c in found)


def printable(text: str) -> str:
    """Return a text that any file can hold: lone surrogates as their numbers."""
    return re.sub("[\ud800-\udfff]", lambda m: f"\\u{ord(m[0]):04x}", text)


def outer_blanks(text: str) -> tuple[str, str]:
    """Return the blanks before and behind a text."""
    start = len(text) - len(text.lstrip())
    return text[:start], text[max(start, len(text.rstrip())) :]


def with_blanks_of(old: str, new: str) -> str:
    """Return a text with the blanks that another one has around it: nobody sees those in a cell."""
    before, after = outer_blanks(old)
    return f"{before}{new.strip()}{after}"
