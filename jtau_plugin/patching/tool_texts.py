"""Repairs of what a tool and its parameters are described as: texts in, texts out.

A parameter is named as ``tools.yaml`` writes it, without the word ``parameters`` between levels:
``payment_methods.items.payment_id``; the empty name is the tool's own description.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from jtau_plugin.errors import Problem, RepairError
from jtau_plugin.models.overlay import Parameter, ToolText
from jtau_plugin.models.patches import ToolTextRepair
from jtau_plugin.overlays.fingerprint import fingerprint_text

#: (requestor, tool, parameter)
Key = tuple[str, str, str]


def repaired_tool_texts(
    repairs: Iterable[ToolTextRepair], locale: str | None = None
) -> dict[Key, str]:
    """Return the new descriptions by (requestor, tool, parameter).

    Args:
        repairs: the repairs that are on.
        locale: whose wording is returned; ``None`` is English.

    Raises:
        RepairError: for two repairs of one text, and for a repair without a wording in the locale.
    """
    texts: dict[Key, str] = {}
    owners: dict[Key, str] = {}
    problems = []
    for repair in repairs:
        key = (repair.requestor, repair.tool, repair.parameter)
        where = f"repair {repair.id}: {_name(key)}"
        text = repair.value if locale is None else repair.localized.get(locale)
        if key in owners:
            what = f"describes the same as repair {owners[key]}"
            problems.append(Problem(where, what, "switch one of them off, or let one do both"))
        elif text is None:
            problems.append(Problem(where, f"no wording for the locale {locale!r}", "add it"))
        else:
            texts[key], owners[key] = text, repair.id
    if problems:
        raise RepairError("The tools' texts cannot be repaired.", problems)
    return texts


def check_tool_texts(
    repairs: Iterable[ToolTextRepair], english: Mapping[Key, str]
) -> list[Problem]:
    """Return a problem for each repair that does not fit the installed English descriptions.

    A tool that is not installed needs no repair; a text that is right already is satisfied.

    Args:
        repairs: the repairs that are on.
        english: the installed descriptions, as ``read_descriptions`` gives them for each tool.
    """
    tools = {(requestor, tool) for requestor, tool, _ in english}
    problems = []
    for repair in repairs:
        if (repair.requestor, repair.tool) not in tools:
            continue
        key = (repair.requestor, repair.tool, repair.parameter)
        where, text = f"repair {repair.id}: {_name(key)}", english.get(key)
        if text is None:
            problems.append(Problem(where, "the installed tool has no such text", "renew it"))
        elif fingerprint_text(text) not in repair.guard and text != repair.value:
            what = "the English has changed: none of the guards fits"
            problems.append(Problem(where, what, "read it again and renew the repair"))
    return problems


def _name(key: Key) -> str:
    requestor, tool, parameter = key
    return ".".join(filter(None, ("user" if requestor == "user" else "agent", tool, parameter)))


def read_descriptions(description: str, schema: Mapping[str, Any]) -> dict[str, str]:
    """Return a tool's descriptions by parameter.

    Args:
        description: what the model reads about the tool itself.
        schema: the parameters' JSON schema.
    """
    found = {"": description}
    for path, property_ in _walk(schema, schema.get("$defs", {})):
        if isinstance(property_.get("description"), str):
            found[path] = property_["description"]
    return found


def repair_tool_text(tool: ToolText, texts: Mapping[str, str]) -> ToolText:
    """Return the localized text of a tool with new descriptions by parameter."""
    parameters = {
        name: _repair_parameter(parameter, name, texts)
        for name, parameter in tool.parameters.items()
    }
    description = texts.get("", tool.description)
    return tool.model_copy(update={"description": description, "parameters": parameters})


def _repair_parameter(parameter: Parameter, path: str, texts: Mapping[str, str]) -> Parameter:
    update: dict[str, Any] = {
        "parameters": {
            name: _repair_parameter(child, f"{path}.{name}", texts)
            for name, child in parameter.parameters.items()
        }
    }
    if parameter.items is not None:
        update["items"] = _repair_parameter(parameter.items, f"{path}.items", texts)
    if path in texts:
        update["description"] = texts[path]
    return parameter.model_copy(update=update)


def _walk(
    schema: Mapping[str, Any], definitions: Mapping[str, Any], path: str = ""
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every property of a schema and of what it refers to, with its path."""
    prefix = f"{path}." if path else ""
    for key in ("anyOf", "oneOf", "allOf"):
        for branch in schema.get(key, ()):
            yield from _walk(branch, definitions, path)
    if "$ref" in schema:
        yield from _walk(definitions[schema["$ref"].rsplit("/", 1)[-1]], definitions, path)
    for name, child in schema.get("properties", {}).items():
        yield f"{prefix}{name}", child
        yield from _walk(child, definitions, f"{prefix}{name}")
    if isinstance(schema.get("items"), dict):
        yield from _walk(schema["items"], definitions, f"{prefix}items")
