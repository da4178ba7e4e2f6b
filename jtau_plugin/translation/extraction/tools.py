"""Segments of ``tools.yaml``: what a model reads of each tool and parameter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from jtau_plugin.localization.schemas import alternatives
from jtau_plugin.models.overlay import Parameter
from jtau_plugin.overlays.fingerprint import fingerprint_docstring, fingerprint_text
from jtau_plugin.overlays.yamlfile import Key
from jtau_plugin.translation.english import English
from jtau_plugin.translation.extraction.segment import (
    PARAMETER,
    TOOL,
    SourceSegment,
    join_address,
)
from jtau_plugin.translation.extraction.structure import Structure

SIDES = {"assistant": "agent", "user": "user"}
Schema = Mapping[str, Any]
#: Keys of a schema that a translator is shown.
_SHOWN = ("type", "enum", "const", "default", "format")


@dataclass(frozen=True)
class InstalledParameter:
    """A parameter of an installed tool.

    Attributes:
        key: where it stands in ``tools.yaml``.
        schema: its schema.
        branches: the leaves of the schema, references resolved.
        is_own: its description comes from the tool's docstring and not from a data model.
    """

    key: Key
    schema: Schema
    branches: tuple[Schema, ...]
    is_own: bool = False

    @property
    def description(self) -> str:
        """What the schema says about it, or about the data model that it takes; may be empty."""
        own = (self.schema, *self.branches)
        return next((str(s["description"]) for s in own if s.get("description")), "")


def tool_key(requestor: str, name: str) -> tuple[str, str]:
    """Return the key of a tool in ``tools.yaml``."""
    return SIDES[requestor], name


def english_description(tool: Any) -> str:
    """Return what a model reads about a tool itself."""
    return "\n\n".join(filter(None, (tool.short_desc, tool.long_desc)))


def english_returns(tool: Any) -> str:
    """Return what the docstring says about the result; may be empty."""
    returned = tool.returns.model_json_schema().get("properties", {}).get("returns", {})
    return str(returned.get("description") or "")


def iter_parameters(tool: Any, key: Key) -> Iterator[InstalledParameter]:
    """Yield every parameter of a tool, those inside objects and lists included.

    Args:
        tool: an installed tool.
        key: the tool's key in ``tools.yaml``.
    """
    schema = tool.params.model_json_schema()
    definitions = schema.get("$defs", {})
    yield from _properties(schema.get("properties", {}), definitions, (*key, "parameters"), True)


def _properties(
    properties: Schema, definitions: Schema, key: Key, is_own: bool
) -> Iterator[InstalledParameter]:
    for name, schema in properties.items():
        yield from _parameter(schema, definitions, (*key, name), is_own)


def _parameter(
    schema: Schema, definitions: Schema, key: Key, is_own: bool
) -> Iterator[InstalledParameter]:
    branches = tuple(alternatives(schema, definitions))
    is_told = is_own and bool(schema.get("description"))
    yield InstalledParameter(key, schema, branches, is_told)
    inner = {k: v for branch in branches for k, v in branch.get("properties", {}).items()}
    yield from _properties(inner, definitions, (*key, "parameters"), False)
    for branch in branches:
        if isinstance(branch.get("items"), dict):
            # Items without anything of their own need no entry.
            items = list(_parameter(branch["items"], definitions, (*key, "items"), False))
            yield from items if len(items) > 1 or items[0].description else ()
            return


def parameter_facts(structure: Structure, key: Key) -> Parameter | None:
    """Return what the structure says of the parameter with this key of ``tools.yaml``."""
    side, name, _, *rest = key
    tool = structure.tools.get((str(side), str(name)))
    if tool is None:
        return None
    found: Parameter | None = None
    level: Mapping[str, Parameter] = tool.parameters
    for step in rest:
        if step == "items" and found is not None and found.items is not None:
            found = found.items
        elif step == "parameters" and found is not None:
            continue
        elif step in level:
            found = level[str(step)]
        else:
            return None
        level = found.parameters
    return found


def _schema_shown(parameter: InstalledParameter) -> dict[str, object]:
    shown: dict[str, object] = {}
    for branch in parameter.branches:
        for name in _SHOWN:
            if name in branch and name not in shown:
                shown[name] = branch[name]
    return shown


def extract_tools(english: English, structure: Structure) -> Iterator[SourceSegment]:
    """Yield what the models read of each installed tool and its parameters."""
    for (requestor, name), tool in english.tools.items():
        yield from _tool(english, structure, requestor, name, tool)


def _tool(
    english: English, structure: Structure, requestor: str, name: str, tool: Any
) -> Iterator[SourceSegment]:
    file, key = f"{english.domain}/tools.yaml", tool_key(requestor, name)
    facts = structure.tools.get(key)
    owner = "the caller, on a device of their own" if requestor == "user" else "the agent"
    base = SourceSegment(
        address=join_address(file, *key, "description"),
        kind=TOOL,
        english=english_description(tool),
        component="tools",
        file=file,
        key=(*key, "description"),
        sources=(fingerprint_docstring(tool.__doc__ or ""),),
        container=join_address(file, *key),
        scope=f"{key[0]} tools",
        optional=facts is not None and facts.optional,
        context={"tool": name, "called by": owner},
    )
    if base.english.strip():
        yield base
    returns = english_returns(tool)
    if returns:
        yield replace(
            base,
            address=join_address(file, *key, "returns"),
            english=returns,
            key=(*key, "returns"),
            scope="",
            context={**base.context, "is": "what the tool returns"},
        )
    for parameter in iter_parameters(tool, key):
        if parameter.description.strip():
            yield _parameter_segment(base, parameter, structure)


def _parameter_segment(
    base: SourceSegment, parameter: InstalledParameter, structure: Structure
) -> SourceSegment:
    facts = parameter_facts(structure, parameter.key)
    key = (*parameter.key, "description")
    sources = base.sources if parameter.is_own else (fingerprint_text(parameter.description),)
    return replace(
        base,
        address=join_address(base.file, *key),
        kind=PARAMETER,
        english=parameter.description,
        key=key,
        sources=sources,
        container=base.container if parameter.is_own else "",
        scope="",
        table=(facts.table if facts is not None else None) or "",
        context={
            **base.context,
            "parameter": parameter.key[-1],
            "schema": _schema_shown(parameter),
        },
    )
