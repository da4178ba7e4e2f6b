"""Builds HTML in which every text is escaped, because only what was built here is not."""

from __future__ import annotations

import html
import json
from typing import Any

from jtau_plugin.reporting.visible import visible

_VOID = frozenset({"br", "input", "meta"})


class Markup(str):
    """HTML that was built by ``tag``, or that is part of this project."""

    __slots__ = ()


def escape(text: str) -> Markup:
    """Return a text as HTML, hidden characters written out."""
    return Markup(html.escape(visible(text)))


def join(*parts: str | None) -> Markup:
    """Return parts one after the other: text is escaped, markup is not."""
    found = (part for part in parts if part is not None)
    return Markup("".join(part if isinstance(part, Markup) else escape(part) for part in found))


def tag(name: str, /, *children: str | None, **attributes: str | int | bool | None) -> Markup:
    """Return an element.

    Args:
        name: of the element.
        children: text or markup; ``None`` is nothing.
        attributes: ``class_`` is ``class`` and ``data_task`` is ``data-task``; ``True`` is an
            attribute without value, ``None`` and ``False`` are none.
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}"
        + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{join(*children)}</{name}>")


def json_script(identifier: str, data: Any) -> Markup:
    """Return data as a block that is read but never run: nothing in it can end the block."""
    text = json.dumps(_visible(data), ensure_ascii=False, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(f'<script type="application/json" id="{escape(identifier)}">{text}</script>\n')


def _visible(data: Any) -> Any:
    if isinstance(data, str):
        return visible(data)
    if isinstance(data, dict):
        return {visible(str(key)): _visible(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_visible(value) for value in data]
    return data
