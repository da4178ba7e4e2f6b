"""How a workbook looks: typeface, widths, heights, colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jtau_plugin.review import extra
from jtau_plugin.review.book import OPEN
from jtau_plugin.review.width import COLUMN, visual_lines
from jtau_plugin.review.words import Words

#: Widths of the columns, in characters.
WIDTHS: Mapping[str, float] = {
    "address": 17,
    "context": 19,
    "english": COLUMN,
    "translation": COLUMN,
    "correction": COLUMN,
    "note": 22,
    "status": 10,
    "locale": 8,
    "english_sha256": 10,
    "translation_sha256": 10,
    "reason": 34,
}
_LINE, _SMALL_LINE, _LOWEST, _HIGHEST = 15.2, 13.5, 32.0, 409.0
_TEXT = ("english", "translation", "correction")
_SIZES = {"title": 18, "heading": 12, "line": 10.5, "small": 9}
#: Characters in a line of the instructions.
_PAGE = 112


def row_height(cells: Mapping[str, str]) -> float:
    """Return how high a row has to be to show its texts."""
    lines = max(visual_lines(cells[name], COLUMN - 1) for name in _TEXT)
    beside = [
        visual_lines(cells[name], int(WIDTHS[name])) for name in ("note", "reason") if name in cells
    ]
    small = max(
        visual_lines(cells["address"], int(WIDTHS["address"] * 1.2)),
        visual_lines(cells["context"], int(WIDTHS["context"] * 1.1)),
    )
    wanted = max(max(lines, *beside) * _LINE, small * _SMALL_LINE) + 6
    return min(_HIGHEST, max(_LOWEST, wanted))


class Styles:
    """The named styles of one workbook.

    Args:
        workbook: openpyxl's workbook; the styles are made in it.
        words: has the typeface.
    """

    def __init__(self, workbook: Any, words: Words) -> None:
        self._styles = extra.require("xlsx").styles
        self._font = words.font
        self._workbook = workbook
        self._made: dict[str, str] = {}
        self._shared: dict[str, dict[str, Any]] = {}

    def fill(self, color: str) -> Any:
        """Return a plain background."""
        return self._styles.PatternFill("solid", start_color=color, end_color=color)

    def line_height(self, style: str, text: str) -> float:
        """Return how high a line of the instructions is."""
        size = _SIZES[style]
        above = {"heading": 14.0, "title": 8.0}.get(style, 3.0)
        return visual_lines(text, _PAGE) * size * 1.5 + above

    def of(self, name: str, *, is_locked: bool = False) -> str:
        """Return the name of a style.

        Args:
            name: a column, or one of the parts of a sheet.
            is_locked: the row cannot be reviewed.
        """
        own = f"review {name}{' locked' if is_locked else ''}"
        if own not in self._made:
            self._workbook.add_named_style(self._make(own, name, is_locked=is_locked))
            self._made[own] = own
        return own

    def _make(self, own: str, name: str, *, is_locked: bool) -> Any:
        parts = _PARTS.get(name) or _column_parts(name, is_locked=is_locked)
        styles = self._styles
        style = styles.NamedStyle(name=own)
        style.font = styles.Font(
            name=self._font,
            size=parts.get("size", 10),
            bold=parts.get("bold", False),
            color=parts.get("color", "222222"),
            underline="single" if parts.get("link") else None,
        )
        style.alignment = styles.Alignment(
            wrap_text=parts.get("wrap", True),
            vertical=parts.get("vertical", "top"),
            horizontal=parts.get("horizontal", "left"),
        )
        style.protection = styles.Protection(locked=parts.get("locked", True))
        style.number_format = "@"
        if "fill" in parts:
            style.fill = self.fill(parts["fill"])
        if parts.get("border", False):
            side = styles.Side(style="thin", color="BFC5CC")
            style.border = styles.Border(left=side, right=side, top=side, bottom=side)
        return style


_PARTS: Mapping[str, dict[str, Any]] = {
    "title": {"size": _SIZES["title"], "bold": True, "vertical": "center", "color": "1F3A5F"},
    "small": {"size": _SIZES["small"], "color": "666666"},
    "heading": {"size": _SIZES["heading"], "bold": True, "vertical": "bottom", "color": "1F3A5F"},
    "line": {"size": _SIZES["line"]},
    "link": {"color": "0B57A4", "link": True, "border": True, "vertical": "center"},
    "entry": {"border": True, "vertical": "center"},
    "sheet title": {"size": 11, "bold": True, "wrap": False, "vertical": "center"},
    "header": {
        "bold": True,
        "color": "FFFFFF",
        "fill": "44546A",
        "border": True,
        "vertical": "center",
    },
    "header open": {
        "bold": True,
        "color": "FFFFFF",
        "fill": "2E75B6",
        "border": True,
        "vertical": "center",
    },
}


def _column_parts(name: str, *, is_locked: bool) -> dict[str, Any]:
    parts: dict[str, Any] = {"border": True}
    if name in ("address", "context"):
        parts |= {"size": 8 if name == "address" else 9, "color": "555555"}
    if name in OPEN and not is_locked:
        parts |= {"locked": False}
    else:
        parts |= {"fill": "F3F4F6"}
    if is_locked:
        parts |= {"fill": "D0D0D0", "color": "555555"}
    if name == "status":
        parts |= {"horizontal": "center", "vertical": "center"}
    return parts
