"""Segments of ``values.yaml``: words of the databases and schemas, by table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jtau_plugin.models.overlay import Shown
from jtau_plugin.translation.english import English
from jtau_plugin.translation.extraction.database import FoundValues, find_values
from jtau_plugin.translation.extraction.segment import (
    LITERAL,
    VALUE,
    SourceSegment,
    join_address,
)
from jtau_plugin.translation.extraction.structure import Structure
from jtau_plugin.translation.extraction.tools import (
    InstalledParameter,
    iter_parameters,
    parameter_facts,
    tool_key,
)


def guess_table(parameter: InstalledParameter) -> str:
    """Return the name of the table of a choice that no structure knows: tool and parameter."""
    _, tool, *path = parameter.key
    names = [str(step) for step in path if step not in ("parameters", "items")]
    return ".".join([str(tool), *names])


def choices_of(parameter: InstalledParameter) -> list[str]:
    """Return the literals that a parameter's schema lets a model choose from."""
    found: dict[str, None] = {}
    for branch in parameter.branches:
        items = branch.get("items")
        for schema in (branch, items if isinstance(items, Mapping) else {}):
            values = [*schema.get("enum", ()), schema.get("const")]
            found.update(dict.fromkeys(v for v in values if isinstance(v, str)))
    return list(found)


def _parameters(english: English) -> Iterator[InstalledParameter]:
    for (requestor, name), tool in english.tools.items():
        yield from iter_parameters(tool, tool_key(requestor, name))


def _place(parameter: InstalledParameter) -> str:
    return guess_table(parameter)


def _choices(english: English, structure: Structure) -> Iterator[tuple[str, str, str]]:
    """Yield (table, value, parameter) of each literal of a schema."""
    for parameter in _parameters(english):
        facts = parameter_facts(structure, parameter.key)
        table = facts.table if facts is not None and facts.table else guess_table(parameter)
        for value in choices_of(parameter):
            yield table, value, _place(parameter)


def _takers(english: English, structure: Structure) -> dict[str, dict[str, None]]:
    """Return the parameters that take a value of each table."""
    takers: dict[str, dict[str, None]] = {}
    for parameter in _parameters(english):
        facts = parameter_facts(structure, parameter.key)
        if facts is not None and facts.table:
            takers.setdefault(facts.table, {})[_place(parameter)] = None
    for table, _, place in _choices(english, structure):
        takers.setdefault(table, {})[place] = None
    return takers


def _fields(table: str, structure: Structure, found: FoundValues) -> list[str]:
    """Return the fields of models that are looked up in a table, stored in a database or not."""
    declared = (
        field
        for field, spec in structure.fields.items()
        if table == (spec.table if isinstance(spec, Shown) else spec)
    )
    return sorted({*declared, *found.fields.get(table, ())})


def _shown(
    table: str, place: str, fields: list[str], found: FoundValues, value: str
) -> dict[str, object]:
    context: dict[str, object] = {"table": table}
    if fields:
        context["fields"] = fields
    times = found.counts[table][value] if table in found.counts else 0
    if times:
        context["in the database"] = times
    if place:
        context["argument of"] = place.split("|")
    return context


def extract_values(english: English, structure: Structure) -> Iterator[SourceSegment]:
    """Yield every value that is localized: of the structure, of schemas and of databases."""
    found = find_values(english, structure.fields, structure.tables)
    tables: dict[str, dict[str, None]] = {
        name: dict.fromkeys(values) for name, values in structure.tables.items()
    }
    for name, counts in found.counts.items():
        tables.setdefault(name, {}).update(dict.fromkeys(sorted(counts)))
    for name, value, _ in _choices(english, structure):
        tables.setdefault(name, {})[value] = None
    takers, file = _takers(english, structure), f"{english.domain}/values.yaml"
    for name, values in tables.items():
        place = "|".join(takers.get(name, ()))
        fields = _fields(name, structure, found)
        for value in values:
            yield SourceSegment(
                address=join_address(file, "tables", name, value),
                kind=LITERAL if name in takers else VALUE,
                english=value,
                component="values",
                file=file,
                key=("tables", name, value),
                scope=f"table {name}",
                table=name,
                context=_shown(name, place, fields, found, value),
            )
