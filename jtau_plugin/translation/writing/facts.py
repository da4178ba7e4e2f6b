"""Facts of a structure as an overlay's files write them, and guesses where it has none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from jtau_plugin.models.overlay import Kind, Message, ValueSpec
from jtau_plugin.translation.extraction.structure import Structure
from jtau_plugin.translation.extraction.tools import InstalledParameter, parameter_facts
from jtau_plugin.translation.extraction.values import choices_of, guess_table

_BY_TYPE: Mapping[str, Kind] = {
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "object": "object",
    "array": "list",
}
_BY_NAME: Mapping[str, Kind] = {
    "email": "email",
    "phone": "phone",
    "phone_number": "phone",
    "date": "date",
    "dob": "date",
    "zip": "zip",
    "expression": "expression",
    "id": "id",
}
_ORDER = ("kind", "table", "units", "source", "description", "parameters", "items")


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return value


def plain_fields(structure: Structure) -> dict[str, Any]:
    """Return how fields are shown."""
    return {name: _plain(spec) for name, spec in structure.fields.items()}


def plain_results(structure: Structure) -> dict[str, Any]:
    """Return what results are where their type does not say it."""
    return {name: _plain(spec) for name, spec in structure.results.items()}


def _neutral(spec: str | ValueSpec) -> Any:
    """Return how a placeholder is shown, without the separators of the structure's own language."""
    if isinstance(spec, str):
        return spec
    data = _plain(spec)
    return {name: value for name, value in data.items() if name not in ("join", "pair")}


def message_facts(fact: Message | None) -> dict[str, Any]:
    """Return what the structure says of a sentence, besides its text."""
    if fact is None:
        return {}
    facts: dict[str, Any] = {}
    if fact.values:
        facts["values"] = {name: _neutral(spec) for name, spec in fact.values.items()}
    if fact.optional:
        facts["optional"] = True
    return facts


def _guess_kind(parameter: InstalledParameter) -> Kind:
    name = str(parameter.key[-1])
    types = [str(branch.get("type")) for branch in parameter.branches]
    if choices_of(parameter):
        return "enum"
    for type_ in types:
        if type_ in _BY_TYPE and name != "items":
            return _BY_TYPE[type_]
    if name.endswith(("_id", "_ids")):
        return "id"
    return _BY_NAME.get(name, "object" if "object" in types else "free_text")


def parameter_entry(parameter: InstalledParameter, structure: Structure) -> dict[str, Any]:
    """Return kind and table of a parameter: the structure's, else guessed by its schema.

    A guess is on the safe side: an argument that nothing is known about goes to the tool as it is
    written.
    """
    facts = parameter_facts(structure, parameter.key)
    if facts is not None:
        return {"kind": facts.kind, **({"table": facts.table} if facts.table else {})}
    kind = _guess_kind(parameter)
    table = {"table": guess_table(parameter)} if kind == "enum" else {}
    return {"kind": kind, **table}


def ordered_parameter(entry: dict[str, Any]) -> dict[str, Any]:
    """Return a parameter's entry with its keys in the order in which overlays write them."""
    ordered = {name: entry[name] for name in _ORDER if name in entry}
    for name, child in ordered.get("parameters", {}).items():
        ordered["parameters"][name] = ordered_parameter(child)
    if "items" in ordered:
        ordered["items"] = ordered_parameter(ordered["items"])
    return ordered
