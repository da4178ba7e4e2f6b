"""Writes canonical arguments as a Japanese agent may write them, from the overlay's own tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
_OPERATORS = str.maketrans({"*": "×", "/": "÷"})


def widen(text: str) -> str:
    """Return ``text`` in full-width characters, blanks left as they are."""
    return text.translate(_WIDE)


def forms_of(table: Any, canonical: str) -> list[str]:
    """Return every accepted form of a canonical value that is not the value itself."""
    return [form for form, value in table.forms.items() if value == canonical != form]


def table_of(catalog: Any, parameter: Any) -> Any | None:
    """Return the table that a parameter's written values are looked up in, if there is one."""
    if parameter.table:
        return catalog.tables[parameter.table]
    prefix, _, role = parameter.kind.partition(".")
    return catalog.names.get(role) if prefix in ("name", "address") else None


def write(catalog: Any, parameter: Any, value: Any) -> Any:
    """Return one argument in Japanese, or in full width where it has no Japanese form."""
    if isinstance(value, list):
        item_parameter = parameter.items or parameter
        return [write(catalog, item_parameter, item) for item in value]
    if isinstance(value, dict):
        own = parameter.parameters
        return {k: write(catalog, own[k], v) if k in own else v for k, v in value.items()}
    if not isinstance(value, str):
        return value
    table = table_of(catalog, parameter)
    if table is not None and (forms := forms_of(table, value)):
        return forms[0]
    if parameter.kind == "expression":
        return widen(value.translate(_OPERATORS))
    return value if parameter.kind == "free_text" else widen(value)


def write_arguments(
    catalog: Any, tool: str, arguments: Mapping[str, Any], requestor: str = "assistant"
) -> dict[str, Any]:
    """Return the arguments of a call as a Japanese agent or caller may write them."""
    parameters = catalog.tool(tool, requestor).parameters
    return {name: write(catalog, parameters[name], value) for name, value in arguments.items()}
