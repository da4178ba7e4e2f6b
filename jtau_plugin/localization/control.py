"""The overlay of the control arm: English, with nothing changed but what repairs change.

Made from a locale's overlay, of which only the facts about parameters remain (their kinds), so that
arguments go through the language-free rules and the embedded model knows its way around.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from jtau_plugin.models.overlay import (
    Parameter,
    PromptsFile,
    Rendering,
    ToolsFile,
    ToolText,
)
from jtau_plugin.overlays.catalog import Catalog
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.overlays.tables import Table

ENGLISH = "en"


def control_catalog(
    catalog: Catalog,
    documents: Mapping[str, str],
    prompts: Mapping[str, str],
    repairs: tuple[str, ...] = (),
) -> Catalog:
    """Return the control arm's catalog.

    Args:
        catalog: a locale's overlay of the domain.
        documents: the English documents by name, repaired.
        prompts: tau2's own prompts by name.
        repairs: ids of the repairs of documents and tool texts.
    """
    tables = {name: _identity(table) for name, table in catalog.tables.items()}
    names = {role: _identity(table) for role, table in catalog.names.items()}
    renderings = {
        name: Rendering(source=(fingerprint_text(text),), text=text)
        for name, text in prompts.items()
    }
    return replace(
        catalog,
        locale=ENGLISH,
        folder=catalog.folder.parent.parent / ENGLISH / catalog.domain,
        tools=ToolsFile(
            agent={name: _plain(name, tool) for name, tool in catalog.tools.agent.items()},
            user={name: _plain(name, tool) for name, tool in catalog.tools.user.items()},
        ),
        tables=MappingProxyType(tables),
        names=MappingProxyType(names),
        fields=MappingProxyType({}),
        prompts=PromptsFile(prompts=renderings, scenario_labels={}),
        messages=(),
        fragments=(),
        python_messages=(),
        documents=MappingProxyType(dict(documents)),
        repairs=repairs,
    )


def _identity(table: Table) -> Table:
    canonical = {value: value for value in table.display}
    return Table(
        name=table.name, display=MappingProxyType(canonical), forms=MappingProxyType(canonical)
    )


def _plain(name: str, tool: ToolText) -> ToolText:
    parameters = {key: _plain_parameter(child) for key, child in tool.parameters.items()}
    # The description is never shown: a tool of the control arm keeps tau2's own.
    return ToolText(
        source=tool.source, description=name, parameters=parameters, optional=tool.optional
    )


def _plain_parameter(parameter: Parameter) -> Parameter:
    children = {key: _plain_parameter(child) for key, child in parameter.parameters.items()}
    items = None if parameter.items is None else _plain_parameter(parameter.items)
    # Units are words of the locale; rule I alone coerces plain digits.
    return parameter.model_copy(
        update={"description": None, "units": (), "parameters": children, "items": items}
    )
