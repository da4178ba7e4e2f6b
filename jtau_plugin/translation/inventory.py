"""The files of an overlay: which there are, what each may hold, and what is recorded of them.

Looks at each file by itself, so that a broken one hides no other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

from pydantic import BaseModel

from jtau_plugin.checks.raw import find_raw_faults
from jtau_plugin.compat import layout
from jtau_plugin.compat.installed import source_files
from jtau_plugin.errors import OverlayError, Problem
from jtau_plugin.models.checks import CheckWords, ExemptionsFile
from jtau_plugin.models.measures import LanguageFile
from jtau_plugin.models.oracle import DomainOracleFile, OracleFile, SayFile
from jtau_plugin.models.overlay import (
    Artefact,
    LocaleFile,
    ManifestFile,
    MessagesFile,
    NamesFile,
    PromptsFile,
    TasksFile,
    ToolsFile,
    ValuesFile,
)
from jtau_plugin.models.review import ReviewWords
from jtau_plugin.models.scenario import ScenariosFile
from jtau_plugin.overlays.catalog import Catalog
from jtau_plugin.overlays.loader import load_model
from jtau_plugin.overlays.termbase import load_termbase
from jtau_plugin.overlays.yamlfile import YamlFile
from jtau_plugin.translation.english import English
from jtau_plugin.translation.ledger import load_ledger

#: What each file of a locale may hold, and each of a domain.
_SHARED: Mapping[str, type[BaseModel]] = {
    "locale.yaml": LocaleFile,
    "names.yaml": NamesFile,
    "prompts.yaml": PromptsFile,
    "messages.yaml": MessagesFile,
    "checks.yaml": CheckWords,
    "exemptions.yaml": ExemptionsFile,
    "scenarios.yaml": ScenariosFile,
    "measures.yaml": LanguageFile,
    "oracle.yaml": OracleFile,
    "review.yaml": ReviewWords,
}
_OWN: Mapping[str, type[BaseModel]] = {
    "manifest.yaml": ManifestFile,
    "values.yaml": ValuesFile,
    "tools.yaml": ToolsFile,
    "messages.yaml": MessagesFile,
    "tasks.yaml": TasksFile,
    "oracle.yaml": DomainOracleFile,
    "say.yaml": SayFile,
}
#: Files with texts, of which a manifest says how they came to be.
_RECORDED = frozenset(
    {"names.yaml", "prompts.yaml", "messages.yaml", "values.yaml", "tools.yaml", "tasks.yaml"}
)
_SUFFIXES = frozenset({".yaml", ".md", ".tsv", ".jsonl"})
#: How manifests name a distribution.
_LABELS = {"tau2": "tau2-bench"}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_NONE = "none"


def overlay_files(folder: Path) -> list[Path]:
    """Return the text files of a locale's folder, or of a domain's."""
    return sorted(
        path
        for path in folder.iterdir()
        if path.is_file() and path.suffix in _SUFFIXES and not path.name.startswith(".")
    )


def raw_problems(folders: Sequence[Path]) -> Iterator[Problem]:
    """Yield what is wrong with the bytes of the files in some folders."""
    for folder in folders:
        for path in overlay_files(folder):
            for line, fault in find_raw_faults(path.read_bytes()):
                yield Problem(f"{path}:{line}", fault.message, fault.hint)


def shape_problems(folder: Path, models: Mapping[str, type[BaseModel]]) -> Iterator[Problem]:
    """Yield everything that keeps single files of a folder from being used; some need not exist."""
    for name, model in models.items():
        if (folder / name).is_file():
            try:
                load_model(folder / name, model)
            except OverlayError as error:
                yield from error.problems


def file_problems(locale_folder: Path, domains: Sequence[str]) -> Iterator[Problem]:
    """Yield everything that keeps single files of a locale, and of domains of it, from being used.

    Args:
        locale_folder: the locale's folder.
        domains: names of domains.
    """
    yield from shape_problems(locale_folder, _SHARED)
    for domain in domains:
        yield from shape_problems(locale_folder / domain, _OWN)
    termbase = locale_folder / "termbase.tsv"
    if termbase.is_file():
        yield from _problems_of(load_termbase, termbase)
    for folder in (locale_folder, *(locale_folder / domain for domain in domains)):
        yield from _problems_of(load_ledger, folder)


def _problems_of(load: Callable[[Path], object], path: Path) -> Sequence[Problem]:
    try:
        load(path)
    except OverlayError as error:
        return error.problems
    return ()


# --- what is recorded of the files


def _date_problems(artefact: Artefact, where: str) -> Iterator[Problem]:
    for name in ("date", "mechanical_checks"):
        value = getattr(artefact, name)
        if value == _NONE and name != "date":
            continue
        try:
            is_date = bool(_DATE.fullmatch(value)) and bool(date.fromisoformat(value))
        except ValueError:
            is_date = False
        if not is_date:
            yield Problem(where, f"{name} is {value!r}, no date", "write YYYY-MM-DD")


def ledger_counts(folder: Path, address_prefix: str) -> Counter[str]:
    """Return how the texts of a file stand that a ledger knows.

    Args:
        folder: where the ledger lies.
        address_prefix: the file, below the locale's folder.
    """
    counts: Counter[str] = Counter()
    for entry in load_ledger(folder).values():
        if entry.address.partition("#")[0] == address_prefix and entry.status != "retired":
            counts[entry.origin] += entry.origin != "written"
            counts[entry.status] += entry.status in ("reviewed", "stale")
    return counts


def _artefact_problems(
    artefacts: Mapping[str, Artefact], file: YamlFile, folder: Path, prefix: str
) -> Iterator[Problem]:
    key = ("artefacts",)
    for name, artefact in artefacts.items():
        where = file.where((*key, name))
        if not (folder / name).is_file():
            yield Problem(where, "there is no such file", "restore it")
            continue
        yield from _date_problems(artefact, where)
        known = ledger_counts(folder, f"{prefix}{name}")
        for what, count in artefact.counts.items():
            if what != "segments" and count != known[what]:
                message = f"counts {count} {what}, {known[what]} in the ledger"
                yield Problem(file.where((*key, name, "counts", what)), message, "correct it")
    for path in overlay_files(folder):
        is_document = path.suffix == ".md" and path.name != "style.md"
        if (is_document or path.name in _RECORDED) and path.name not in artefacts:
            yield Problem(file.where(key), f"nothing is recorded of {path.name}", "add it")


def record_problems(catalog: Catalog) -> Iterator[Problem]:
    """Yield where a manifest, and ``locale.yaml``, does not say what is so."""
    folder, manifest = catalog.folder, catalog.files["manifest.yaml"]
    yield from _artefact_problems(
        catalog.manifest.artefacts, manifest, folder, f"{catalog.domain}/"
    )
    about = catalog.files["locale.yaml"]
    yield from _artefact_problems(catalog.about.artefacts, about, folder.parent, "")
    if catalog.about.changelog and catalog.about.version not in catalog.about.changelog:
        what = f"the changelog does not have version {catalog.about.version}"
        yield Problem(about.where(("version",)), what, "add it")


def digest_problems(catalog: Catalog, english: English) -> Iterator[Problem]:
    """Yield each source file that is other than the manifest has it for the installed tau2."""
    installed = layout.detect_layout()
    label = f"{_LABELS.get(installed.distribution, installed.distribution)} {installed.version}"
    documents = [document.path for document in catalog.manifest.documents.values()]
    found = source_files(english.environment, documents)
    file = catalog.files["manifest.yaml"]
    for path, digests in catalog.manifest.sources.items():
        if label in digests and path in found and digests[label] != found[path]:
            what = f"{path} of {label} is another file than the one that is recorded"
            yield Problem(file.where(("sources", path, label)), what, "has it changed?")
