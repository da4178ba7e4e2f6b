"""What the checks know about an overlay, taken from its files and from the installed English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jtau_plugin.checks.model import Choices, Context
from jtau_plugin.models.checks import CheckWords, Exemption, ExemptionsFile
from jtau_plugin.models.overlay import Parameter
from jtau_plugin.overlays.catalog import Catalog
from jtau_plugin.overlays.loader import load_model
from jtau_plugin.overlays.termbase import load_termbase
from jtau_plugin.overlays.yamlfile import YamlFile
from jtau_plugin.translation.english import English

_CHOICES = ("enum", "pseudo_enum")


def _parameters(parameters: Mapping[str, Parameter]) -> Iterator[tuple[str, Parameter]]:
    for name, parameter in parameters.items():
        yield name, parameter
        yield from _parameters(parameter.parameters)
        if parameter.items is not None:
            yield from _parameters({name: parameter.items})


def _all_parameters(catalog: Catalog) -> Iterator[tuple[str, Parameter]]:
    for side in (catalog.tools.agent, catalog.tools.user):
        for text in side.values():
            yield from _parameters(text.parameters)


def _names(catalog: Catalog, english: English) -> frozenset[str]:
    names = {tool for _, tool in english.tools}
    names |= {name for name, _ in _all_parameters(catalog)}
    names |= {field.rpartition(".")[2] for field in catalog.fields}
    return frozenset(names)


def _people(catalog: Catalog, *roles: str) -> frozenset[str]:
    words = {name for role in roles for name in catalog.names[role].display}
    return frozenset(words | {part for name in words for part in name.split()})


def load_words(locale_folder: Path) -> CheckWords:
    """Return the words of ``checks.yaml``; a locale without that file has none.

    Raises:
        OverlayError: if the file cannot be used.
    """
    path = locale_folder / "checks.yaml"
    return load_model(path, CheckWords)[0] if path.is_file() else CheckWords()


def load_exemptions(locale_folder: Path) -> tuple[tuple[Exemption, ...], YamlFile | None]:
    """Return the exemptions of a locale and their file; a locale without that file has none.

    Raises:
        OverlayError: if the file cannot be used.
    """
    path = locale_folder / "exemptions.yaml"
    if not path.is_file():
        return (), None
    content, file = load_model(path, ExemptionsFile)
    return content.exemptions, file


def make_context(catalog: Catalog, english: English) -> Context:
    """Return what the checks know about the overlay of one domain.

    Raises:
        OverlayError: if ``checks.yaml`` or ``termbase.tsv`` cannot be used.
    """
    locale_folder = catalog.folder.parent
    termbase = locale_folder / "termbase.tsv"
    terms = load_termbase(termbase) if termbase.is_file() else ()
    tables: dict[str, Any] = {
        name: Choices(table.display, table.forms) for name, table in catalog.tables.items()
    }
    return Context(
        locale=catalog.locale,
        domain=catalog.domain,
        words=load_words(locale_folder),
        terms=tuple(term for term in terms if term.domain == catalog.domain),
        tables=tables,
        told=frozenset(
            parameter.table
            for _, parameter in _all_parameters(catalog)
            if parameter.kind in _CHOICES and parameter.table
        ),
        names=_names(catalog, english),
        persons=_people(catalog, "given", "family"),
        places=_people(catalog, "city", "state", "country"),
    )
