"""Does the overlay still render the English that is installed?

Compares fingerprints and names; reports every difference with the place in the overlay's files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jtau_plugin.compat.installed import installed_prompts
from jtau_plugin.errors import Problem
from jtau_plugin.localization.messages import MessageBook, placeholders
from jtau_plugin.localization.schemas import alternatives
from jtau_plugin.models.overlay import Parameter, ToolText
from jtau_plugin.overlays.catalog import Catalog, is_stale
from jtau_plugin.overlays.fingerprint import fingerprint_docstring

_RENEW = "translate it anew and renew the fingerprint"
_SIDES = {"assistant": "agent", "user": "user"}


def check_prompts(catalog: Catalog) -> Iterator[Problem]:
    """Yield a problem for each of tau2's prompts whose English has changed."""
    file = catalog.files["prompts.yaml"]
    for name, english in installed_prompts().items():
        prompt = catalog.prompts.prompts.get(name)
        if prompt is None:
            yield Problem(file.where(("prompts",)), f"no prompt {name!r}", "add it")
        elif is_stale(prompt.source, english):
            yield Problem(file.where(("prompts", name)), "the English has changed", _RENEW)


def check_tools(catalog: Catalog, tools: Mapping[tuple[str, str], Any]) -> Iterator[Problem]:
    """Yield a problem for each tool or parameter that is new, gone or changed."""
    file = catalog.files["tools.yaml"]
    for (requestor, name), tool in tools.items():
        side = _SIDES[requestor]
        text = catalog.tool(name, requestor)
        if text is None:
            yield Problem(file.where((side,)), f"tool {name!r} is not localized", "add it")
            continue
        if fingerprint_docstring(tool.__doc__ or "") not in text.source:
            yield Problem(file.where((side, name)), "the English has changed", _RENEW)
        yield from _check_parameters(tool, text, file, (side, name, "parameters"))
    for side in _SIDES.values():
        for name, text in getattr(catalog.tools, side).items():
            key = ("user" if side == "user" else "assistant", name)
            if key not in tools and not text.optional:
                yield Problem(file.where((side, name)), "the installed tau2 has no such tool", "")


def _check_parameters(
    tool: Any, text: ToolText, file: Any, key: tuple[str | int, ...]
) -> Iterator[Problem]:
    schema = tool.params.model_json_schema()
    yield from _check_level(
        schema.get("properties", {}), text.parameters, schema.get("$defs", {}), file, key
    )


def _check_level(
    properties: Mapping[str, Any],
    parameters: Mapping[str, Parameter],
    definitions: Mapping[str, Any],
    file: Any,
    key: tuple[str | int, ...],
) -> Iterator[Problem]:
    for name, schema in properties.items():
        if name not in parameters:
            yield Problem(file.where(key), f"parameter {name!r} has no kind", "add it")
            continue
        yield from _check_nested(schema, parameters[name], definitions, file, (*key, name))
    for name in parameters.keys() - properties.keys():
        yield Problem(file.where((*key, name)), "the installed tool has no such parameter", "")


def _check_nested(
    schema: Mapping[str, Any],
    parameter: Parameter,
    definitions: Mapping[str, Any],
    file: Any,
    key: tuple[str | int, ...],
) -> Iterator[Problem]:
    branches = list(alternatives(schema, definitions))
    if (
        parameter.source
        and "description" in schema
        and is_stale(parameter.source, schema["description"])
    ):
        yield Problem(file.where(key), "the English has changed", _RENEW)
    properties = {k: v for b in branches for k, v in b.get("properties", {}).items()}
    if properties:
        yield from _check_level(properties, parameter.parameters, definitions, file, key)
    if parameter.items is not None:
        for branch in branches:
            if "items" in branch:
                yield from _check_nested(
                    branch["items"], parameter.items, definitions, file, (*key, "items")
                )


def check_messages(catalog: Catalog, book: MessageBook) -> Iterator[Problem]:
    """Yield a problem for each sentence that is new or gone, or whose placeholders differ."""
    file = catalog.files["messages.yaml"]
    for template in book.missing:
        what = f"a sentence of {template.at} (its line {template.line}) is not localized"
        yield Problem(file.where(("messages",)), what, "add it")
    entries = file.data if isinstance(file.data, dict) else {}
    own = {
        entry["source"]: (section, index)
        for section in ("messages", "fragments")
        for index, entry in enumerate(entries.get(section, ()))
    }
    for message in book.unused:
        if message.source in own and not message.optional:
            where = file.where(own[message.source])
            yield Problem(where, "the installed tau2 has no such sentence", "remove it")
    for message, wanted in book.localized:
        if message.text is not None and placeholders(message.text) != wanted:
            where = file.where(own.get(message.source, ("messages",)))
            found = sorted(placeholders(message.text))
            yield Problem(where, f"placeholders {found}, expected {sorted(wanted)}", "")
