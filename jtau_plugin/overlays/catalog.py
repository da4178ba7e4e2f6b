"""A locale's overlay of one domain, compiled once into read-only maps.

Holds no tau2 object and reads nothing after it is built, except the task texts, which are read
when tasks are first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jtau_plugin import resources
from jtau_plugin.errors import OverlayError, Problem
from jtau_plugin.models.oracle import SayFile, TaskLines
from jtau_plugin.models.overlay import (
    DictField,
    LocaleFile,
    ManifestFile,
    Message,
    MessagesFile,
    NamesFile,
    PromptsFile,
    PythonMessage,
    ResultSpec,
    Shown,
    TasksFile,
    ToolsFile,
    ToolText,
    ValuesFile,
)
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.overlays.loader import fingerprint_folder, load_model, require_folder
from jtau_plugin.overlays.references import check_references
from jtau_plugin.overlays.tables import Table, build_name_table, build_table
from jtau_plugin.overlays.yamlfile import YamlFile, read_text


@dataclass(frozen=True)
class Catalog:
    """Everything that localizes one domain.

    Attributes:
        locale: ``ja``.
        domain: tau2's name of the domain, ``retail``.
        folder: where the overlay's files lie.
        fingerprint: SHA-256 over the files that a run reads, the locale's shared ones included.
        tables: one-to-one value tables by name.
        names: input tables by role (``given``, ``family``, ``city``, ``state``, ``country``).
        prompts: tau2's own prompts in this locale.
        repairs: ids of the repairs that have changed documents and tool texts.
        made_by: function and arguments that make a derived catalog anew in another process.
    """

    locale: str
    domain: str
    folder: Path
    fingerprint: str
    about: LocaleFile
    manifest: ManifestFile
    tools: ToolsFile
    tables: Mapping[str, Table]
    fields: Mapping[str, str | DictField | Shown]
    results: Mapping[str, ResultSpec]
    names: Mapping[str, Table]
    prompts: PromptsFile
    messages: tuple[Message, ...]
    fragments: tuple[Message, ...]
    python_messages: tuple[PythonMessage, ...]
    documents: Mapping[str, str]
    files: Mapping[str, YamlFile] = field(repr=False)
    repairs: tuple[str, ...] = ()
    made_by: tuple[Any, tuple[Any, ...]] | None = field(default=None, repr=False)

    def __deepcopy__(self, _: object) -> Catalog:
        """Return the same catalog: it is read-only and shared by all that hold it."""
        return self

    def __reduce__(self) -> Any:
        """Pickle the address: another process reads its own overlay."""
        return self.made_by or (get_catalog, (self.locale, self.domain))

    @property
    def name(self) -> str:
        """``ja/retail``: how people name this overlay."""
        return f"{self.locale}/{self.domain}"

    def tool(self, name: str, requestor: str) -> ToolText | None:
        """Return the text of a tool of the agent (``assistant``) or of the ``user``."""
        side = self.tools.user if requestor == "user" else self.tools.agent
        return side.get(name)

    @cached_property
    def tasks(self) -> tuple[TasksFile, YamlFile]:
        """The texts of all tasks, read on first use."""
        return load_model(self.folder / "tasks.yaml", TasksFile)

    @cached_property
    def lines(self) -> Mapping[str, TaskLines]:
        """What is said, and accepted as said, in single tasks (``say.yaml``, optional)."""
        path = self.folder / "say.yaml"
        return load_model(path, SayFile)[0].root if path.is_file() else {}


def _duplicate_messages(messages: MessagesFile, file: YamlFile) -> list[Problem]:
    first: dict[str, int] = {}
    problems = []
    for index, message in enumerate(messages.messages):
        if first.setdefault(message.source, index) != index:
            what = f"the same source as entry {first[message.source]}"
            problems.append(Problem(file.where(("messages", index)), what, "keep one of them"))
    return problems


def _load_documents(folder: Path, manifest: ManifestFile, file: YamlFile) -> dict[str, str]:
    if not manifest.documents:
        problem = Problem(file.where(("documents",)), "no document", "add the policy")
        raise OverlayError("manifest.yaml cannot be used.", [problem])
    return {name: read_text(folder / doc.file) for name, doc in manifest.documents.items()}


def load_catalog(locale: str, locale_folder: Path, domain: str) -> Catalog:
    """Read, validate and compile the overlay of one domain.

    Raises:
        OverlayError: for every problem of its files: missing, not UTF-8, truncated, unknown keys,
            unknown tables, two canonical values with one form.
    """
    folder = locale_folder / domain
    require_folder(folder, f"{locale}/{domain}")
    about, about_file = load_model(locale_folder / "locale.yaml", LocaleFile)
    names, names_file = load_model(locale_folder / "names.yaml", NamesFile)
    prompts, prompts_file = load_model(locale_folder / "prompts.yaml", PromptsFile)
    shared, shared_file = load_model(locale_folder / "messages.yaml", MessagesFile)
    manifest, manifest_file = load_model(folder / "manifest.yaml", ManifestFile)
    values, values_file = load_model(folder / "values.yaml", ValuesFile)
    tools, tools_file = load_model(folder / "tools.yaml", ToolsFile)
    messages, messages_file = load_model(folder / "messages.yaml", MessagesFile)
    files = {
        "locale.yaml": about_file,
        "names.yaml": names_file,
        "prompts.yaml": prompts_file,
        "shared messages.yaml": shared_file,
        "manifest.yaml": manifest_file,
        "values.yaml": values_file,
        "tools.yaml": tools_file,
        "messages.yaml": messages_file,
    }
    problems = check_references(values, tools, values_file, tools_file) + _duplicate_messages(
        messages, messages_file
    )
    tables: dict[str, Table] = {}
    for name, entries in values.tables.items():
        tables[name], found = build_table(name, entries, values_file, ("tables", name))
        problems += found
    roles: dict[str, Table] = {}
    for role in NamesFile.model_fields:
        roles[role], found = build_name_table(role, getattr(names, role), names_file)
        problems += found
    if about.locale != locale:
        what = f"locale is {about.locale!r}, expected {locale!r}"
        problems.append(Problem(about_file.where(("locale",)), what, "correct it"))
    if problems:
        raise OverlayError(f"The overlay {locale}/{domain} cannot be used.", problems)
    return Catalog(
        locale=locale,
        domain=domain,
        folder=folder,
        fingerprint=fingerprint_folder([locale_folder, folder]),
        about=about,
        manifest=manifest,
        tools=tools,
        tables=MappingProxyType(tables),
        fields=MappingProxyType(dict(values.fields)),
        results=MappingProxyType(dict(values.results)),
        names=MappingProxyType(roles),
        prompts=prompts,
        messages=shared.messages + messages.messages,
        fragments=messages.fragments,
        python_messages=shared.python + messages.python,
        documents=MappingProxyType(_load_documents(folder, manifest, manifest_file)),
        files=MappingProxyType(files),
    )


@cache
def _cached(locale: str, folder: Path, domain: str) -> Catalog:
    return load_catalog(locale, folder, domain)


def get_catalog(locale: str, domain: str) -> Catalog:
    """Return the compiled overlay of one domain, read once per process.

    Raises:
        OverlayError: if there is no such locale, or its files cannot be used.
    """
    folders = dict(resources.iter_locales())
    if locale not in folders:
        known = ", ".join(folders) or "none"
        problem = Problem(
            f"locale {locale!r}", f"no overlay; found: {known}", "set JTAU_OVERLAY_PATH"
        )
        raise OverlayError("An overlay is missing.", [problem])
    return _cached(locale, folders[locale], domain)


def forget_catalogs() -> None:
    """Read overlays anew when they are asked for: their files have been written."""
    _cached.cache_clear()


def is_stale(source: tuple[str, ...], english: str) -> bool:
    """Return whether none of the accepted fingerprints is that of ``english``."""
    return fingerprint_text(english) not in source
