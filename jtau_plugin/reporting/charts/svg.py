"""A chart inside a page: matplotlib's SVG without style attributes, so that the page can theme it.

A page that lets nothing run also refuses style attributes. Colours of the palette become classes,
everything else becomes plain attributes of SVG.
"""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from typing import Any

from jtau_plugin.reporting.charts.style import PALETTE

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_ROLES = {colour: role for role, colour in PALETTE.items()}
_KINDS = {"fill": "f", "stroke": "k"}
_SIZE = re.compile(r"([\d.]+)px")
_KEPT = frozenset(
    {
        "fill",
        "fill-opacity",
        "fill-rule",
        "opacity",
        "stroke",
        "stroke-dasharray",
        "stroke-dashoffset",
        "stroke-linecap",
        "stroke-linejoin",
        "stroke-opacity",
        "stroke-width",
        "stroke-miterlimit",
        "text-anchor",
    }
)


def inline_svg(figure: Any, label: str) -> str:
    """Return a figure as SVG for a page.

    Args:
        figure: of matplotlib.
        label: what a screen reader says of it.
    """
    stream = io.StringIO()
    figure.savefig(stream, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    ET.register_namespace("", _SVG)
    ET.register_namespace("xlink", _XLINK)
    root = ET.fromstring(stream.getvalue())  # noqa: S314
    _drop(root)
    for element in root.iter():
        _convert(element)
    for name in ("width", "height"):
        root.attrib.pop(name, None)
    root.set("role", "img")
    root.set("aria-label", label)
    return ET.tostring(root, encoding="unicode")


def _drop(element: ET.Element) -> None:
    for child in list(element):
        if child.tag in {f"{{{_SVG}}}style", f"{{{_SVG}}}metadata"}:
            element.remove(child)
        else:
            _drop(child)


def _convert(element: ET.Element) -> None:
    style = element.attrib.pop("style", "")
    classes = []
    for part in style.split(";"):
        name, _, value = (text.strip() for text in part.partition(":"))
        role = _ROLES.get(value.lower())
        if name in _KINDS and role is not None:
            classes.append(f"{_KINDS[name]}-{role}")
        elif name in {"font", "font-size"} and (size := _SIZE.search(value)):
            element.set("font-size", size[1])
            if re.search(r"\b(bold|700)\b", value):
                element.set("font-weight", "bold")
        elif name == "font-weight":
            element.set("font-weight", value)
        elif name in _KEPT:
            element.set(name, value)
    if element.tag == f"{{{_SVG}}}text" and not any(c.startswith("f-") for c in classes):
        classes.append("f-ink")
    if classes:
        element.set("class", " ".join(classes))
