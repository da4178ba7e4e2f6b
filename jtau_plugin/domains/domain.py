"""One registered domain of ours: its environments, its tasks, and what a result says of it."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from loguru import logger

from jtau_plugin import resources
from jtau_plugin.compat import hooks, layout
from jtau_plugin.compat.installed import (
    installed_documents,
    installed_prompts,
    installed_templates,
    installed_tools,
    tool_schemas,
)
from jtau_plugin.domains import repairing
from jtau_plugin.domains.repairing import Tools
from jtau_plugin.domains.toolmix import ToolMix, mix_setting, read_tool_mix
from jtau_plugin.errors import Problem, StaleOverlayError
from jtau_plugin.localization.control import control_catalog
from jtau_plugin.localization.environment import localize_environment
from jtau_plugin.localization.localizer import DomainLocalizer
from jtau_plugin.localization.policy import check_policy, render_policy
from jtau_plugin.localization.sources import check_messages, check_prompts, check_tools
from jtau_plugin.localization.surface import LocalizedSurface
from jtau_plugin.localization.tasks import (
    JUDGED,
    TaskLocalizer,
    active_protocol,
    is_stale_allowed,
)
from jtau_plugin.localization.toolkit import ToldTool
from jtau_plugin.models.scenario import DOMAIN, Scenario, Surfaces
from jtau_plugin.oracle import register_oracle
from jtau_plugin.overlays.catalog import Catalog, get_catalog
from jtau_plugin.patching.catalogue import describe_repairs
from jtau_plugin.patching.engine import get_engine
from jtau_plugin.patching.selection import setting
from jtau_plugin.scoring.components import active_judge


def _settings() -> tuple[Any, ...]:
    """Return what of the environment decides how a domain is joined."""
    return setting(), mix_setting()


@dataclass
class _Ready:
    """A domain that is ready for one setting of the repairs."""

    surface: LocalizedSurface
    localizer: DomainLocalizer
    policies: dict[str, str]


@dataclass(frozen=True)
class _Languages:
    """In which language each tool is described, and by which its arguments are read."""

    told: dict[tuple[str, str], ToldTool]
    readers: dict[tuple[str, str], Catalog]


class LocalizedDomain:
    """One registered domain: its environments, tasks and splits.

    Args:
        locale: id of the locale, ``ja``.
        overlay: folder of the overlay in that locale, ``telecom``: tau2's name of the domain.
        base: tau2's own domain or task set, ``telecom-workflow``.
        environment_base: tau2's domain whose environments a task set runs in.
        scenario: what of it is localized.
    """

    def __init__(
        self,
        locale: str,
        overlay: str,
        base: str,
        environment_base: str,
        scenario: Scenario = DOMAIN,
    ) -> None:
        self.source_locale = locale
        self.overlay = overlay
        self.base = base
        self.environment_base = environment_base
        self.scenario = scenario
        self.name = scenario.name_for(locale, base)
        self.environment_name = scenario.name_for(locale, environment_base)
        self._lock = threading.RLock()
        self._ready: dict[Any, _Ready] = {}
        self._documents: dict[str, str] = {}
        self._languages: dict[str, str] = {}
        self._english: Catalog | None = None

    @property
    def locale(self) -> str:
        """The language that its models read: ``ja``, or ``en`` for the control arm."""
        return self.source_locale if self.scenario.surfaces.is_any else "en"

    def get_environment(self, *args: Any, **kwargs: Any) -> Any:
        """Return a fresh environment of ours; takes what tau2's own constructor takes.

        Raises:
            LayoutError: the installed tau2 lacks something.
            HookError: a required hook did not fire.
            OverlayError: the overlay cannot be used or is stale.
            PatchError: a required code patch cannot be applied.
            RepairError: a repair does not fit.
        """
        environment = layout.registry().get_env_constructor(self.environment_base)(*args, **kwargs)
        ready = self._prepare(environment)
        policy = self._policy(environment.policy, ready)
        return localize_environment(environment, ready.surface, ready.localizer, policy)

    def _policy(self, english: str, ready: _Ready) -> str:
        with self._lock:
            if english not in ready.policies:
                catalog = ready.localizer.catalog
                problems = check_policy(catalog, english, self._documents)
                if problems and not is_stale_allowed():
                    raise StaleOverlayError(
                        f"The policy of {self.name} does not fit the installed tau2.", problems
                    )
                ready.policies[english] = render_policy(catalog, english, self._documents)
            return ready.policies[english]

    def get_tasks(self, task_split_name: str | None = "base") -> list[Any]:
        """Return the repaired and localized tasks of a split; ``None`` returns all."""
        loader = layout.registry().get_tasks_loader(self.base)
        if "task_split_name" in inspect.signature(loader).parameters:
            tasks = loader(task_split_name=task_split_name)
        elif task_split_name in (None, "base"):
            tasks = loader()  # a task set without splits: telecom_full, telecom_small
        else:
            raise ValueError(f"{self.name} has no splits, found {task_split_name!r}")
        repaired = repairing.repair_tasks(tasks, self.overlay)
        localizer = TaskLocalizer(self.surface())
        return localizer.localize(
            [entry.task for entry in repaired],
            is_whole_set=task_split_name is None,
            repairs={entry.task.id: entry.repairs for entry in repaired},
        )

    def get_task_splits(self) -> dict[str, list[str]]:
        """Return upstream's splits of task ids."""
        splits = layout.registry().get_task_splits_loader(self.base)
        result: dict[str, list[str]] = splits() if splits is not None else {}
        return result

    def surface(self) -> LocalizedSurface:
        """Return the domain's surface, building one environment of tau2's if there was none yet."""
        return self._get_ready().surface

    def localizer(self) -> DomainLocalizer:
        """Return the domain's localizer."""
        return self._get_ready().localizer

    def provenance(self) -> dict[str, Any]:
        """Return what every result says of its domain: language, overlay, settings, repairs."""
        surface, localizer = self.surface(), self.localizer()
        is_localized = self.scenario.surfaces.is_any
        directive, mix = self.scenario.directive, self._mix()
        return {
            "locale": self.locale,
            "scenario": self.scenario.id,
            "overlay": surface.catalog.fingerprint if is_localized else None,
            "overlay_version": surface.catalog.about.version if is_localized else None,
            "stale": list(surface.stale),
            "strict_arguments": localizer.is_strict,
            "repairs": describe_repairs(self.overlay),
            "surfaces": [name for name in Surfaces.model_fields if surface.localizes(name)],
            "directive": directive.version if directive is not None else None,
            "tool_mix": None if mix is None else {"seed": mix.seed, "tools": self._languages},
        }

    def _get_ready(self) -> _Ready:
        with self._lock:
            ready = self._ready.get(_settings())
        if ready is not None:
            return ready
        return self._prepare(layout.registry().get_env_constructor(self.environment_base)())

    def prepare(self, environment: Any) -> tuple[LocalizedSurface, DomainLocalizer]:
        """Join overlay and installed tau2 once, checking that they fit each other.

        Args:
            environment: an English environment of the base domain.
        """
        ready = self._prepare(environment)
        return ready.surface, ready.localizer

    def _prepare(self, environment: Any) -> _Ready:
        with self._lock:
            ready = self._ready.get(_settings())
            if ready is None:
                layout.detect_layout()
                hooks.require_hooks()
                register_oracle()
            # Asked each time: another setting may have been applied in between.
            get_engine().ensure_applied()
            if ready is None:
                if active_protocol() == JUDGED:
                    active_judge()  # refused before a conversation, not after it
                ready = self._ready[_settings()] = self._join(environment)
            return ready

    def _join(self, environment: Any) -> _Ready:
        localizer, problems = self.check(environment)
        surface = LocalizedSurface(
            english=self._english,
            domain=self.name,
            catalog=localizer.catalog,
            surfaces=self.scenario.surfaces,
            directive=self.scenario.directive,
        )
        if problems:
            if not is_stale_allowed():
                raise StaleOverlayError(
                    f"{localizer.catalog.name} does not fit the installed tau2; "
                    "JTAU_ALLOW_STALE=1 runs it anyway.",
                    problems,
                )
            surface = replace(surface, stale=tuple(problem.where for problem in problems))
            logger.warning(f"{self.name}: {len(problems)} stale sources, run allowed by setting")
        return _Ready(surface, localizer, {})

    def check(self, environment: Any) -> tuple[DomainLocalizer, list[Problem]]:
        """Return a localizer and every difference between overlay and installed tau2.

        Raises:
            RepairError: a repair of a document or a tool's text does not fit.
        """
        base = get_catalog(self.source_locale, self.overlay)
        tools = installed_tools(environment)
        self._documents = installed_documents(
            {name: document.path for name, document in base.manifest.documents.items()}
        )
        surfaces, remake = self.scenario.surfaces, (catalog_of, (self.name,))
        english = control_catalog(
            base,
            repairing.repair_english_documents(self._documents, self.overlay),
            installed_prompts(),
            repairing.document_repair_ids(self.overlay),
        )
        if not surfaces.is_any:
            self._english = english = replace(english, made_by=remake)
            told = repairing.repair_english_tools(tools, english)
            return DomainLocalizer(english, [], tool_schemas(tools), told), []
        self._english = english = replace(english, made_by=(english_of, (self.name,)))
        catalog = repairing.repair_catalog(base, self._documents, tools)
        if not surfaces.policy:
            catalog = replace(catalog, documents=english.documents)
        catalog = replace(catalog, made_by=remake)
        speech = self._choose_languages(tools, catalog, english)
        templates = installed_templates(environment, with_fragments=bool(catalog.fragments))
        localizer = DomainLocalizer(
            catalog, templates, tool_schemas(tools), speech.told, speech.readers
        )
        return localizer, list(self._differences(catalog, localizer, environment, tools))

    def _choose_languages(self, tools: Tools, catalog: Catalog, english: Catalog) -> _Languages:
        surfaces = self.scenario.surfaces
        locales = dict.fromkeys(tools, catalog.locale if surfaces.tools else english.locale)
        mix = self._mix()
        if mix is not None:
            locales = mix.assign(self.overlay, tools)
            logger.info(f"{self.name}: languages of the tools: {locales}")
        others = {catalog.locale: catalog, english.locale: english}
        for locale in set(locales.values()) - others.keys():
            others[locale] = repairing.repair_catalog(
                get_catalog(locale, self.overlay), self._documents, tools
            )
        told = repairing.repair_english_tools(tools, english)
        for key, locale in locales.items():
            text = others[locale].tool(key[1], key[0])
            if locale != english.locale and text is not None:
                told[key] = ToldTool(text, others[locale])
            elif locale != english.locale:
                told.pop(key, None)
        readers = {key: others[locale] for key, locale in locales.items()}
        if mix is None:
            reader = catalog if surfaces.arguments else english
            readers = dict.fromkeys(tools, reader)
            told = {k: t for k, t in told.items() if surfaces.tools or t.catalog is english}
        self._languages = {f"{side}/{name}": at for (side, name), at in locales.items()}
        return _Languages(told, readers)

    def _mix(self) -> ToolMix | None:
        if not self.scenario.is_mixable:
            return None
        overlays = [
            locale
            for locale, folder in resources.iter_locales()
            if self.overlay in resources.iter_domains(folder)
        ]
        return read_tool_mix(overlays)

    def _differences(
        self, catalog: Catalog, localizer: DomainLocalizer, environment: Any, tools: Tools
    ) -> Iterator[Problem]:
        """Yield what the surfaces that are localized say of another English than is installed."""
        surfaces = self.scenario.surfaces
        if surfaces.user or surfaces.agent or surfaces.greeting:
            yield from check_prompts(catalog)
        if surfaces.policy:
            yield from check_policy(catalog, environment.policy, self._documents)
        if surfaces.tools or surfaces.arguments:
            yield from check_tools(catalog, tools)
        if surfaces.results:
            yield from check_messages(catalog, localizer.book)


def catalog_of(name: str) -> Catalog:
    """Return the catalog of a registered domain, repairs included; for other processes."""
    from jtau_plugin.domains.registration import localized_domains  # noqa: PLC0415

    return localized_domains()[name].surface().catalog


def english_of(name: str) -> Catalog:
    """Return the English catalog beside that of a registered domain; for other processes."""
    from jtau_plugin.domains.registration import localized_domains  # noqa: PLC0415

    surface = localized_domains()[name].surface()
    return surface.english or surface.catalog
