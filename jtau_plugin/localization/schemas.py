"""Localized tool schemas: what a model reads about each tool.

Names, types, required parameters and their order stay upstream's; descriptions and the choices of
enumerations are replaced. Built once per tool and process, handed out as fresh copies.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from typing import Any

from jtau_plugin.models.overlay import Parameter, ToolText
from jtau_plugin.overlays.tables import Table

Schema = dict[str, Any]


def resolve(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema that a ``$ref`` points to, or the schema itself."""
    reference = schema.get("$ref")
    if reference is None:
        return schema
    return resolve(definitions[reference.rsplit("/", 1)[-1]], definitions)


def alternatives(
    schema: Mapping[str, Any], definitions: Mapping[str, Any]
) -> Iterator[Mapping[str, Any]]:
    """Yield the schema or each leaf of its ``anyOf``/``oneOf``/``allOf``, references resolved."""
    schema = resolve(schema, definitions)
    branches = [b for key in ("anyOf", "oneOf", "allOf") for b in schema.get(key, ())]
    if not branches:
        yield schema
    for branch in branches:
        yield from alternatives(branch, definitions)


def _localize_choices(schema: Schema, table: Table | None) -> None:
    if table is None:
        return
    if "enum" in schema:
        schema["enum"] = [table.localize(v) if isinstance(v, str) else v for v in schema["enum"]]
    for key in ("const", "default"):
        if isinstance(schema.get(key), str):
            schema[key] = table.localize(schema[key])


class _Localizer:
    def __init__(self, definitions: Mapping[str, Any], tables: Mapping[str, Table]) -> None:
        self.definitions = definitions
        self.tables = tables

    def parameter(self, schema: Schema, parameter: Parameter) -> None:
        if parameter.description is not None:
            schema["description"] = parameter.description
        table = self.tables[parameter.table] if parameter.table else None
        for branch in alternatives(schema, self.definitions):
            self._branch(branch, parameter, table)
        _localize_choices(schema, table)

    def _branch(self, branch: Any, parameter: Parameter, table: Table | None) -> None:
        _localize_choices(branch, table)
        if parameter.description is not None and "description" in branch:
            branch["description"] = parameter.description  # a data model's own
        if parameter.items is not None and isinstance(branch.get("items"), dict):
            self.parameter(branch["items"], parameter.items)
        elif isinstance(branch.get("items"), dict) and table is not None:
            _localize_choices(branch["items"], table)
        for name, child in branch.get("properties", {}).items():
            if name in parameter.parameters:
                self.parameter(child, parameter.parameters[name])


def localize_parameters_schema(
    schema: Schema, tool: ToolText, tables: Mapping[str, Table]
) -> Schema:
    """Return a localized copy of a tool's parameters schema.

    Args:
        schema: what upstream's ``params.model_json_schema()`` gives; left as it is.
        tool: the tool's localized text.
        tables: one-to-one value tables by name.
    """
    copy: Schema = pickle.loads(pickle.dumps(schema))  # noqa: S301  (own bytes)
    localizer = _Localizer(copy.get("$defs", {}), tables)
    for name, child in copy.get("properties", {}).items():
        if name in tool.parameters:
            localizer.parameter(child, tool.parameters[name])
    return copy


def render_docstring(tool: ToolText) -> str:
    """Return the localized docstring in upstream's layout (description, Args, Returns)."""
    lines = [tool.description]
    described = {name: p.description for name, p in tool.parameters.items() if p.description}
    if described:
        lines += ["", "Args:"]
        lines += [f"    {name}: {description}" for name, description in described.items()]
    if tool.returns:
        lines += ["", "Returns:", f"    {tool.returns}"]
    return "\n".join(lines)
