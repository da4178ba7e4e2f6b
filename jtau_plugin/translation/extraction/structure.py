"""The locale-neutral facts of an overlay: kinds of parameters, tables and where they apply.

Which field of a database holds words and which an id is a finding about tau2, the same in every
language. A new locale takes these facts from an overlay that has them; it takes no text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from jtau_plugin import resources
from jtau_plugin.errors import OverlayError, Problem
from jtau_plugin.models.checks import CheckWords, Term, TermRules
from jtau_plugin.models.overlay import (
    DictField,
    Document,
    ManifestFile,
    Message,
    MessagesFile,
    NamesFile,
    PythonMessage,
    ResultSpec,
    Shown,
    TasksFile,
    ToolsFile,
    ToolText,
    ValuesFile,
)
from jtau_plugin.overlays.loader import load_model
from jtau_plugin.overlays.termbase import load_termbase

Model = TypeVar("Model", bound=BaseModel)
#: Whose facts are taken when nobody says otherwise.
_DEFAULT = "ja"


@dataclass(frozen=True)
class Structure:
    """What is known of a domain, whatever the language.

    Attributes:
        domain: tau2's name of the domain.
        folder: the locale's folder that the facts were read from, if any.
        documents: the documents of the policy by name.
        tools: the tools by (side, name): kinds and tables of their parameters.
        tables: canonical values by table.
        fields: how fields of models are shown.
        results: what results are where their type does not say it.
        messages: by fingerprint of the sentence.
        fragments: the same for pieces of results.
        shared_messages: sentences that every domain shares.
        python: sentences of the interpreter and of libraries.
        names: names by role.
        shared_tasks: JSON pointers whose texts many tasks have in common.
        own_tasks: ids of tasks that have texts of their own.
        terms: the termbase's rows.
        term_rules: how they are applied.
    """

    domain: str
    folder: Path | None = None
    documents: Mapping[str, Document] = field(default_factory=dict)
    tools: Mapping[tuple[str, str], ToolText] = field(default_factory=dict)
    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fields: Mapping[str, str | DictField | Shown] = field(default_factory=dict)
    results: Mapping[str, ResultSpec] = field(default_factory=dict)
    messages: Mapping[str, Message] = field(default_factory=dict)
    fragments: Mapping[str, Message] = field(default_factory=dict)
    shared_messages: Mapping[str, Message] = field(default_factory=dict)
    python: tuple[PythonMessage, ...] = ()
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shared_tasks: frozenset[str] = frozenset()
    own_tasks: frozenset[str] = frozenset()
    terms: tuple[Term, ...] = ()
    term_rules: TermRules = field(default_factory=TermRules)

    @property
    def told_tables(self) -> frozenset[str]:
        """Tables in which written arguments are looked up."""
        kinds = ("enum", "pseudo_enum")
        return frozenset(
            parameter.table
            for tool in self.tools.values()
            for parameter in _flat(tool.parameters)
            if parameter.kind in kinds and parameter.table
        )


def _flat(parameters: Mapping[str, Any]) -> list[Any]:
    found = []
    for parameter in parameters.values():
        found += [parameter, *_flat(parameter.parameters)]
        if parameter.items is not None:
            found += _flat({"": parameter.items})
    return found


def _load(path: Path, model: type[Model]) -> Model | None:
    return load_model(path, model)[0] if path.is_file() else None


def load_structure(locale_folder: Path, domain: str) -> Structure:
    """Return the facts of a domain's overlay; a file that is not there has none.

    Raises:
        OverlayError: for a file that is there and cannot be used.
    """
    folder = locale_folder / domain
    manifest = _load(folder / "manifest.yaml", ManifestFile)
    tools = _load(folder / "tools.yaml", ToolsFile) or ToolsFile(agent={})
    values = _load(folder / "values.yaml", ValuesFile) or ValuesFile(tables={})
    messages = _load(folder / "messages.yaml", MessagesFile) or MessagesFile()
    shared = _load(locale_folder / "messages.yaml", MessagesFile) or MessagesFile()
    names = _load(locale_folder / "names.yaml", NamesFile) or NamesFile()
    tasks = _load(folder / "tasks.yaml", TasksFile)
    words = _load(locale_folder / "checks.yaml", CheckWords) or CheckWords()
    termbase = locale_folder / "termbase.tsv"
    return Structure(
        domain=domain,
        folder=locale_folder,
        documents=dict(manifest.documents) if manifest is not None else {},
        tools={
            (side, name): text
            for side in ("agent", "user")
            for name, text in getattr(tools, side).items()
        },
        tables={name: tuple(table) for name, table in values.tables.items()},
        fields=values.fields,
        results=values.results,
        messages={message.source: message for message in messages.messages},
        fragments={message.source: message for message in messages.fragments},
        shared_messages={message.source: message for message in shared.messages},
        python=shared.python + messages.python,
        names={role: tuple(getattr(names, role)) for role in NamesFile.model_fields},
        shared_tasks=frozenset(tasks.shared) if tasks is not None else frozenset(),
        own_tasks=frozenset(tasks.tasks) if tasks is not None else frozenset(),
        terms=load_termbase(termbase) if termbase.is_file() else (),
        term_rules=words.terms,
    )


def _has_facts(folder: Path, domain: str) -> bool:
    return all((folder / domain / name).is_file() for name in ("values.yaml", "tools.yaml"))


def find_structure(domain: str, locale: str | None = None) -> Structure:
    """Return the facts of a domain from the overlay that has them.

    Args:
        domain: tau2's name of the domain.
        locale: whose overlay; the shipped one when left out, else any that has the domain.

    Raises:
        OverlayError: if the locale that was named has no overlay of the domain.
    """
    folders = {
        name: folder for name, folder in resources.iter_locales() if _has_facts(folder, domain)
    }
    if locale is not None and locale not in folders:
        known = ", ".join(folders) or "none"
        problem = Problem(f"{locale}/{domain}", f"no overlay to take facts from; found: {known}")
        raise OverlayError("An overlay is missing.", [problem])
    chosen = locale or (_DEFAULT if _DEFAULT in folders else next(iter(folders), None))
    if chosen is None:
        return Structure(domain)
    return load_structure(folders[chosen], domain)
