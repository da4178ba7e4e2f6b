"""Does every table that an overlay's files name exist?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jtau_plugin.errors import Problem
from jtau_plugin.models.overlay import DictField, Parameter, Shown, ToolsFile, ValuesFile
from jtau_plugin.overlays.yamlfile import Key, YamlFile

#: Stands where a table's name may stand: the value is a sentence of its own.
PROSE = "@prose"


def _field_tables(spec: str | DictField | Shown) -> tuple[str | None, ...]:
    if isinstance(spec, str):
        return (spec,)
    if isinstance(spec, DictField):
        return (spec.keys, spec.values)
    return (spec.table, spec.else_)


def _value_references(values: ValuesFile) -> Iterator[tuple[str | None, Key]]:
    for name, spec in values.fields.items():
        for table in _field_tables(spec):
            yield table, ("fields", name)
    for name, result in values.results.items():
        json_tables = _field_tables(result.json_) if result.json_ is not None else ()
        for table in (result.text, *result.fields.values(), *json_tables):
            yield table, ("results", name)


def _parameters(parameters: Mapping[str, Parameter], key: Key) -> Iterator[tuple[Parameter, Key]]:
    for name, parameter in parameters.items():
        place: Key = (*key, name)
        yield parameter, place
        yield from _parameters(parameter.parameters, place)
        if parameter.items is not None:
            yield from _parameters({"items": parameter.items}, place)


def _tool_parameters(tools: ToolsFile) -> Iterator[tuple[Parameter, Key]]:
    for side in ("agent", "user"):
        for name, tool in getattr(tools, side).items():
            yield from _parameters(tool.parameters, (side, name, "parameters"))


def check_references(
    values: ValuesFile, tools: ToolsFile, values_file: YamlFile, tools_file: YamlFile
) -> list[Problem]:
    """Return a problem for each table that is named but not there, and each choice without one."""
    references = [(table, values_file, key) for table, key in _value_references(values)]
    problems = []
    for parameter, key in _tool_parameters(tools):
        references.append((parameter.table, tools_file, key))
        if parameter.kind in ("enum", "pseudo_enum") and parameter.table is None:
            what = f"kind {parameter.kind} needs a table"
            problems.append(Problem(tools_file.where(key), what, "add table:"))
    for table, file, key in references:
        if table is None or table == PROSE or "{key}" in table or table in values.tables:
            continue
        problems.append(Problem(file.where(key), f"no table {table!r} in values.yaml", ""))
    return problems
