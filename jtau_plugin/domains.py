"""The composition root: builds and registers every localized domain.

Registering reads no overlay file; a domain's files are read when it is first used.
"""

from __future__ import annotations

import inspect
import threading
from dataclasses import replace
from functools import lru_cache
from typing import Any

from loguru import logger

from jtau_plugin import resources
from jtau_plugin.compat import hooks, layout
from jtau_plugin.compat.extension import EXTENSION
from jtau_plugin.compat.installed import (
    installed_documents,
    installed_templates,
    installed_tools,
    tool_schemas,
)
from jtau_plugin.errors import Problem, StaleOverlayError
from jtau_plugin.localization.environment import localize_environment
from jtau_plugin.localization.localizer import DomainLocalizer
from jtau_plugin.localization.policy import check_policy, render_policy
from jtau_plugin.localization.sources import check_messages, check_prompts, check_tools
from jtau_plugin.localization.surface import LocalizedSurface
from jtau_plugin.localization.tasks import TaskLocalizer, is_stale_allowed
from jtau_plugin.oracle import register_oracle
from jtau_plugin.overlays.catalog import Catalog, get_catalog
from jtau_plugin.scoring.scorer import LocalizedScorer


class LocalizedDomain:
    """One registered domain: its environments, tasks and splits.

    Args:
        locale: id of the locale, ``ja``.
        overlay: folder of the overlay in that locale, ``telecom``.
        base: tau2's own domain or task set, ``telecom-workflow``.
        environment_base: tau2's domain whose environments a task set runs in.
    """

    def __init__(self, locale: str, overlay: str, base: str, environment_base: str) -> None:
        self.locale = locale
        self.overlay = overlay
        self.base = base
        self.environment_base = environment_base
        self.name = f"{locale}_{base}"
        self._lock = threading.RLock()
        self._ready: tuple[LocalizedSurface, DomainLocalizer] | None = None
        self._documents: dict[str, str] = {}
        self._policies: dict[str, str] = {}

    def get_environment(self, *args: Any, **kwargs: Any) -> Any:
        """Return a fresh localized environment; takes what tau2's own constructor takes.

        Raises:
            LayoutError: the installed tau2 lacks something.
            HookError: a required hook did not fire.
            OverlayError: the overlay cannot be used or is stale.
        """
        environment = layout.registry().get_env_constructor(self.environment_base)(*args, **kwargs)
        surface, localizer = self.prepare(environment)
        policy = self._policy(environment.policy, localizer.catalog)
        return localize_environment(environment, surface, localizer, policy)

    def _policy(self, english: str, catalog: Catalog) -> str:
        with self._lock:
            if english not in self._policies:
                problems = check_policy(catalog, english, self._documents)
                if problems and not is_stale_allowed():
                    raise StaleOverlayError(
                        f"The policy of {self.name} does not fit the installed tau2.", problems
                    )
                self._policies[english] = render_policy(catalog, english, self._documents)
            return self._policies[english]

    def get_tasks(self, task_split_name: str | None = "base") -> list[Any]:
        """Return the localized tasks of a split; ``None`` returns all."""
        loader = layout.registry().get_tasks_loader(self.base)
        if "task_split_name" in inspect.signature(loader).parameters:
            tasks = loader(task_split_name=task_split_name)
        elif task_split_name in (None, "base"):
            tasks = loader()  # a task set without splits: telecom_full, telecom_small
        else:
            raise ValueError(f"{self.name} has no splits, found {task_split_name!r}")
        localizer = TaskLocalizer(self.surface())
        return localizer.localize(tasks, is_whole_set=task_split_name is None)

    def get_task_splits(self) -> dict[str, list[str]]:
        """Return upstream's splits of task ids."""
        splits = layout.registry().get_task_splits_loader(self.base)
        result: dict[str, list[str]] = splits() if splits is not None else {}
        return result

    def surface(self) -> LocalizedSurface:
        """Return the domain's surface, building one environment of tau2's if there was none yet."""
        with self._lock:
            if self._ready is not None:
                return self._ready[0]
        return self.prepare(layout.registry().get_env_constructor(self.environment_base)())[0]

    def localizer(self) -> DomainLocalizer:
        """Return the domain's localizer."""
        self.surface()
        assert self._ready is not None
        return self._ready[1]

    def prepare(self, environment: Any) -> tuple[LocalizedSurface, DomainLocalizer]:
        """Join overlay and installed tau2 once, checking that they fit each other.

        Args:
            environment: an English environment of the base domain.
        """
        with self._lock:
            if self._ready is None:
                layout.detect_layout()
                hooks.require_hooks()
                register_oracle()
                self._ready = self._join(environment)
            return self._ready

    def _join(self, environment: Any) -> tuple[LocalizedSurface, DomainLocalizer]:
        localizer, problems = self.check(environment)
        surface = LocalizedSurface(domain=self.name, catalog=localizer.catalog)
        if problems:
            if not is_stale_allowed():
                raise StaleOverlayError(
                    f"{localizer.catalog.name} does not fit the installed tau2; "
                    "JTAU_ALLOW_STALE=1 runs it anyway.",
                    problems,
                )
            surface = replace(surface, stale=tuple(problem.where for problem in problems))
            logger.warning(f"{self.name}: {len(problems)} stale sources, run allowed by setting")
        return surface, localizer

    def check(self, environment: Any) -> tuple[DomainLocalizer, list[Problem]]:
        """Return a localizer and every difference between overlay and installed tau2."""
        catalog = get_catalog(self.locale, self.overlay)
        tools = installed_tools(environment)
        self._documents = installed_documents(
            {name: document.path for name, document in catalog.manifest.documents.items()}
        )
        templates = installed_templates(environment, with_fragments=bool(catalog.fragments))
        localizer = DomainLocalizer(catalog, templates, tool_schemas(tools))
        problems = [
            *check_prompts(catalog),
            *check_policy(catalog, environment.policy, self._documents),
            *check_tools(catalog, tools),
            *check_messages(catalog, localizer.book),
        ]
        return localizer, problems


def is_variant(name: str, base: str) -> bool:
    """Return whether tau2's domain or task set ``name`` is ``base`` or a variant of it."""
    return name == base or name.startswith((f"{base}-", f"{base}_"))


@lru_cache(maxsize=1)
def _overlays() -> list[tuple[str, str]]:
    return [
        (locale, overlay)
        for locale, folder in resources.iter_locales()
        for overlay in resources.iter_domains(folder)
    ]


_domains: dict[str, LocalizedDomain] = {}


def localized_domains() -> dict[str, LocalizedDomain]:
    """Return every localized domain and task set by registered name."""
    return dict(_domains)


def find_surface(name: str) -> LocalizedSurface | None:
    """Return the surface of a localized domain, or ``None`` for any other name."""
    domain = _domains.get(name)
    return domain.surface() if domain is not None else None


def register_domains(registry: Any) -> None:
    """Register each domain and task set of tau2 that some overlay localizes.

    Called by the registry's hook. Variants share an overlay: ``telecom`` serves
    ``telecom-workflow`` and the task sets ``telecom_full`` and ``telecom_small`` too.
    """
    EXTENSION.scorer = LocalizedScorer(localized_domains)
    EXTENSION.find_surface = find_surface
    domains, task_sets = registry.get_domains(), registry.get_task_sets()
    for locale, overlay in _overlays():
        for base in dict.fromkeys(domains + task_sets):
            if not is_variant(base, overlay) or f"{locale}_{base}" in domains + task_sets:
                continue
            domain = LocalizedDomain(locale, overlay, base, base if base in domains else overlay)
            _domains[domain.name] = domain
            if base in domains:
                registry.register_domain(domain.get_environment, domain.name)
            if base in task_sets:
                _register_tasks(registry, domain)


def _register_tasks(registry: Any, domain: LocalizedDomain) -> None:
    has_splits = registry.get_task_splits_loader(domain.base) is not None
    registry.register_tasks(
        domain.get_tasks,
        domain.name,
        get_task_splits=domain.get_task_splits if has_splits else None,
    )


def activate() -> None:
    """Entry point of the group ``tau2.plugins``: hook into a tau2 that is already imported."""
    hooks.activate()
