"""Registers each domain and task set of tau2 that some overlay localizes, and its control arm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

from loguru import logger

from jtau_plugin import resources
from jtau_plugin.compat import wrapping
from jtau_plugin.compat.extension import EXTENSION
from jtau_plugin.compat.scope import is_upstream_patched
from jtau_plugin.domains.domain import LocalizedDomain
from jtau_plugin.errors import OverlayError, Problem
from jtau_plugin.localization.surface import LocalizedSurface
from jtau_plugin.models.scenario import (
    CONTROL,
    DOMAIN,
    Scenario,
    ScenariosFile,
)
from jtau_plugin.overlays.loader import load_model
from jtau_plugin.patching.engine import get_engine
from jtau_plugin.scoring.scorer import LocalizedScorer

_domains: dict[str, LocalizedDomain] = {}
#: Stands for a domain of tau2's where only the pattern of a name counts.
_ANY = "*"


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


@lru_cache(maxsize=1)
def _scenarios() -> dict[str, dict[str, Scenario]]:
    """Return the further scenarios of each locale, by id; a user's own file comes first."""
    found: dict[str, dict[str, Scenario]] = {}
    problems: list[Problem] = []
    for locale in dict.fromkeys(locale for locale, _ in _overlays()):
        own = found.setdefault(locale, {})
        files: list[list[tuple[Scenario, str]]] = []
        for root in resources.overlay_roots():
            path = root / locale / "scenarios.yaml"
            if path.is_file():
                content, file = load_model(path, ScenariosFile)
                new = {k: s for k, s in content.scenarios.items() if k not in own}
                own |= {k: s.model_copy(update={"id": k}) for k, s in new.items()}
                files.append([(own[k], file.where(("scenarios", k, "name"))) for k in new])
        # What is shipped has its names first, so that the user's file is the one to be corrected.
        problems += _check_names(locale, [entry for file in reversed(files) for entry in file])
    if problems:
        raise OverlayError("Scenarios cannot be told apart.", problems)
    return found


def _check_names(locale: str, scenarios: Iterable[tuple[Scenario, str]]) -> Iterator[Problem]:
    """Yield a problem for each name that another arm has: one of the two would be missing."""
    taken = _reserved_names(locale)
    for scenario, where in scenarios:
        pattern = scenario.name_for(locale, _ANY)
        if pattern in taken:
            name = pattern.replace(_ANY, "{base}")
            what = f"{name!r} is the name of {taken[pattern]}"
            yield Problem(where, what, "choose another name")
        taken.setdefault(pattern, f"the scenario {scenario.id!r}")


def _reserved_names(locale: str) -> dict[str, str]:
    return {
        _ANY: "tau2's own domain",
        DOMAIN.name_for(locale, _ANY): "the domain with everything localized",
        CONTROL.name_for(locale, _ANY): "the control arm",
    }


def load_scenarios() -> dict[str, dict[str, Scenario]]:
    """Return the further scenarios of each locale, by id.

    Raises:
        OverlayError: for a ``scenarios.yaml`` that cannot be used.
    """
    return _scenarios()


def _known_scenarios() -> dict[str, dict[str, Scenario]]:
    # A broken file of scenarios must not take the other domains away from tau2.
    try:
        return load_scenarios()
    except OverlayError as error:
        logger.error(f"no further scenarios: {error}")
        return {}


def _arms() -> Iterator[tuple[Scenario, str, str]]:
    """Yield (scenario, locale, overlay); one control arm per overlay, whatever the locales."""
    for locale, overlay in _overlays():
        yield DOMAIN, locale, overlay
    for locale, overlay in _overlays():
        yield CONTROL, locale, overlay
    scenarios = _known_scenarios()
    for locale, overlay in _overlays():
        for scenario in scenarios.get(locale, {}).values():
            yield scenario, locale, overlay


def localized_domains() -> dict[str, LocalizedDomain]:
    """Return every domain and task set of ours by registered name."""
    return dict(_domains)


def find_surface(name: str) -> LocalizedSurface | None:
    """Return the surface of a domain of ours, or ``None`` for any other name."""
    domain = _domains.get(name)
    return domain.surface() if domain is not None else None


def find_environment(name: str) -> str | None:
    """Return the name of the environment in which the tasks of a domain of ours are played."""
    domain = _domains.get(name)
    return domain.environment_name if domain is not None else None


def _record_language(
    domain: str, stamp: Mapping[str, Any], messages: Iterable[Any]
) -> dict[str, Any]:
    # By name: reporting lies above, and a run needs it only once something has been played.
    recording = import_module("jtau_plugin.reporting.recording")
    record: dict[str, Any] = recording.record_language(domain, stamp, messages)
    return record


def register_domains(registry: Any) -> None:
    """Register each domain and task set of tau2 that some overlay localizes.

    Called by the registry's hook. Variants share an overlay: ``telecom`` serves
    ``telecom-workflow`` and the task sets ``telecom_full`` and ``telecom_small`` too.
    """
    EXTENSION.scorer = LocalizedScorer(
        localized_domains, get_engine().applied_ids, _record_language
    )
    EXTENSION.find_surface = find_surface
    EXTENSION.find_environment = find_environment
    EXTENSION.ensure_patched = get_engine().ensure_applied
    wrapping.replace_method(type(registry), "get_env_constructor", _get_env_constructor)
    domains, task_sets = registry.get_domains(), registry.get_task_sets()
    taken = {*domains, *task_sets}
    for scenario, locale, overlay in _arms():
        for base in dict.fromkeys(domains + task_sets):
            environment_base = base if base in domains else overlay
            domain = LocalizedDomain(locale, overlay, base, environment_base, scenario)
            if not is_variant(base, overlay) or domain.name in taken:
                continue
            taken.add(domain.name)
            _domains[domain.name] = domain
            if base in domains:
                registry.register_domain(domain.get_environment, domain.name)
            if base in task_sets:
                _register_tasks(registry, domain)


def _get_env_constructor(original: Any) -> Any:
    def get_env_constructor(self: Any, *args: Any, **kwargs: Any) -> Any:
        # Whoever opts in wants the corrected tools from the first environment on.
        if is_upstream_patched():
            get_engine().ensure_applied()
        return original(self, *args, **kwargs)

    return get_env_constructor


def _register_tasks(registry: Any, domain: LocalizedDomain) -> None:
    has_splits = registry.get_task_splits_loader(domain.base) is not None
    registry.register_tasks(
        domain.get_tasks,
        domain.name,
        get_task_splits=domain.get_task_splits if has_splits else None,
    )
