"""The overlays: whether they can be read, and whether they fit the installed tau2."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jtau_plugin import resources
from jtau_plugin.cli.diagnosis.section import Section
from jtau_plugin.compat import layout
from jtau_plugin.domains import LocalizedDomain, localized_domains
from jtau_plugin.domains.repairing import repair_tasks
from jtau_plugin.errors import Problem, ProblemsError
from jtau_plugin.localization.localizer import DomainLocalizer
from jtau_plugin.localization.records import Records
from jtau_plugin.localization.surface import LocalizedSurface
from jtau_plugin.localization.tasks import TaskLocalizer
from jtau_plugin.models.scenario import DOMAIN
from jtau_plugin.overlays.catalog import Catalog, get_catalog


def _find_misses(localizer: DomainLocalizer, environment: Any) -> list[str]:
    """Return each value of the databases that a table should show and does not know."""
    records = Records()
    for toolkit in (environment.tools, environment.user_tools):
        database = getattr(toolkit, "db", None)
        if database is not None:
            localizer.localize_response("", database, records)
    return sorted({f"{miss.text!r} in {miss.scope}" for miss in records.misses})


def _missing_files(catalog: Catalog) -> list[Problem]:
    file = catalog.files["manifest.yaml"]
    return [
        Problem(file.where(("artefacts", name)), "there is no such file", "restore it")
        for name in catalog.manifest.artefacts
        if not (catalog.folder / name).is_file()
    ]


def _fit(domain: LocalizedDomain, catalog: Catalog, section: Section) -> dict[str, object]:
    """Compare an overlay with the English of a registered domain that it renders."""
    registry = layout.registry()
    environment = registry.get_env_constructor(domain.environment_base)()
    localizer, problems = domain.check(environment)
    misses = _find_misses(localizer, environment)
    facts: dict[str, object] = {
        "differences": len(problems),
        "sentences_without_a_rendering": len(localizer.book.missing),
        "values_without_a_rendering": len(misses),
    }
    section.problems += problems
    section.problems += [
        Problem(str(catalog.folder / "values.yaml"), f"no form for {miss}", "add it")
        for miss in misses
    ]
    if domain.base in registry.get_task_sets():
        installed = registry.get_tasks_loader(domain.base)(task_split_name=None)
        tasks = [entry.task for entry in repair_tasks(installed, domain.overlay)]
        localizer_of_tasks = TaskLocalizer(LocalizedSurface(domain=domain.name, catalog=catalog))
        _, wrong, stale = localizer_of_tasks.check(tasks, is_whole_set=True)
        facts |= {
            "tasks": len(tasks),
            "task_texts_wrong": len(wrong),
            "task_texts_stale": len(stale),
        }
        section.problems += [*wrong, *stale]
    return facts


def _ask_overlay(section: Section, locale: str, overlay: str) -> None:
    facts: dict[str, object] = {}
    section.facts[f"{locale}/{overlay}"] = facts
    catalog = get_catalog(locale, overlay)
    human = sorted({a.human_review for a in catalog.manifest.artefacts.values()})
    facts |= {
        "folder": str(catalog.folder),
        "version": catalog.about.version,
        "fingerprint": catalog.fingerprint,
        "human_review": human[0] if len(human) == 1 else "see the manifest",
    }
    section.problems += _missing_files(catalog)
    known = layout.registry().get_domains()
    for name, domain in localized_domains().items():
        if domain.scenario.id != DOMAIN.id:
            continue  # the same overlay, less of it
        if name in known and (domain.locale, domain.overlay) == (locale, overlay):
            facts[name] = _fit(domain, catalog, section)


def _note_unregistered(section: Section, locale_folder: Path) -> None:
    domains = set(resources.iter_domains(locale_folder))
    for folder in sorted(p for p in locale_folder.iterdir() if p.is_dir()):
        if folder.name not in domains and any(folder.glob("*.yaml")):
            what = "no manifest.yaml, so the domain is not offered"
            section.notes.append(Problem(str(folder), what))


def ask_overlays(section: Section) -> None:
    """Read every overlay and compare it with the English of the installed tau2."""
    layout.require_tau2()
    for locale, folder in resources.iter_locales():
        _note_unregistered(section, folder)
        for overlay in resources.iter_domains(folder):
            try:
                _ask_overlay(section, locale, overlay)
            except ProblemsError as error:
                section.problems += error.problems


def ask_patches(section: Section) -> None:
    """List the patches that this version brings along."""
    folder = resources.data_root() / "patches"
    section.facts = {
        kind: sorted(file.stem for file in (folder / kind).glob("*.yaml"))
        for kind in ("tasks", "code")
    }
