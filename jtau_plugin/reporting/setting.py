"""In what a run was played: its domain, and which side speaks and writes which language.

Told by what results record; by the domain's name where nothing is recorded. Never loads tau2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jtau_plugin import resources
from jtau_plugin.errors import OverlayError
from jtau_plugin.models.scenario import CONTROL, DOMAIN, Scenario, ScenariosFile
from jtau_plugin.overlays.loader import load_model

ENGLISH = "en"


@dataclass(frozen=True)
class Setting:
    """In what a run was played.

    Attributes:
        domain: the registered domain, ``ja_retail_tools``; tau2's own keep their name.
        base: the overlay's name of it, ``retail``; empty if no overlay has such a domain.
        locale: the locale that is played; ``en`` for English arms and tau2's own domains.
        user_language: what the caller is to speak.
        agent_language: what the agent is to speak.
        argument_locale: by which locale arguments are read.
        tool_locales: the same for single tools, by ``assistant/get_order_details``.
        is_strict: arguments went to the tools as they were written.
    """

    domain: str
    base: str = ""
    locale: str = ENGLISH
    user_language: str = ENGLISH
    agent_language: str = ENGLISH
    argument_locale: str = ENGLISH
    tool_locales: Mapping[str, str] = field(default_factory=dict)
    is_strict: bool = False

    def locale_of(self, requestor: str, tool: str) -> str:
        """Return the locale by which the arguments of a tool are read."""
        return self.tool_locales.get(f"{requestor}/{tool}", self.argument_locale)


def find_setting(domain: str, stamps: Iterable[Mapping[str, Any]] = ()) -> Setting:
    """Return in what a run was played.

    Args:
        domain: the domain's name in the file.
        stamps: what this project recorded in the simulations' rewards, if anything.
    """
    stamp = next((one for one in stamps if one.get("locale")), None)
    if stamp is None:
        return _guess(domain)
    locale = str(stamp["locale"])
    surfaces = stamp.get("surfaces")
    if not isinstance(surfaces, list | tuple):
        guess = _guess(domain)
        surfaces = _surfaces_of(guess) if guess.locale == locale else ()
    mix = stamp.get("tool_mix")
    tools = mix.get("tools") if isinstance(mix, Mapping) else None
    return _setting(
        domain,
        locale,
        [str(name) for name in surfaces],
        has_directive=stamp.get("directive") is not None,
        tools=tools if isinstance(tools, Mapping) else {},
        is_strict=bool(stamp.get("strict_arguments")),
    )


def _setting(
    domain: str,
    locale: str,
    surfaces: Iterable[str],
    *,
    has_directive: bool,
    tools: Mapping[str, Any],
    is_strict: bool = False,
) -> Setting:
    localized = frozenset(surfaces)
    user = locale if has_directive or "user" in localized else ENGLISH
    # Whoever is spoken to in a language answers in it.
    agent = locale if user == locale or "agent" in localized else ENGLISH
    return Setting(
        domain=domain,
        base=find_base(domain, locale),
        locale=locale,
        user_language=user,
        agent_language=agent,
        argument_locale=locale if "arguments" in localized else ENGLISH,
        tool_locales={str(name): str(at) for name, at in tools.items()},
        is_strict=is_strict,
    )


def _surfaces_of(setting: Setting) -> tuple[str, ...]:
    names = {
        "user": setting.user_language,
        "agent": setting.agent_language,
        "arguments": setting.argument_locale,
    }
    return tuple(name for name, language in names.items() if language == setting.locale)


def find_base(domain: str, locale: str) -> str:
    """Return the overlay's name of a registered domain; empty if no overlay has it."""
    bare = re.sub(rf"^(?:{re.escape(locale)}|{ENGLISH})_", "", domain)
    found = ""
    for _, folder in resources.iter_locales():
        for base in resources.iter_domains(folder):
            if bare == base or bare.startswith((f"{base}-", f"{base}_")):
                found = max(found, base, key=len)
    return found


def _guess(domain: str) -> Setting:
    """Return the setting of a run in which nothing is recorded, by its domain's name."""
    for locale, _ in resources.iter_locales():
        base = find_base(domain, locale)
        if not base:
            continue
        for scenario in (*_scenarios(locale), DOMAIN):
            pattern = re.escape(scenario.name_for(locale, "\0")).replace("\0", rf"{base}[\w-]*?")
            if re.fullmatch(pattern, domain):
                return _of_scenario(domain, locale, scenario)
        if re.fullmatch(rf"en_{re.escape(base)}[\w-]*", domain):
            return _of_scenario(domain, ENGLISH, CONTROL)
    return Setting(domain=domain, base=find_base(domain, ENGLISH))


def _of_scenario(domain: str, locale: str, scenario: Scenario) -> Setting:
    surfaces = [name for name, is_on in scenario.surfaces.model_dump().items() if is_on]
    has_directive = scenario.directive is not None
    return _setting(domain, locale, surfaces, has_directive=has_directive, tools={})


def _scenarios(locale: str) -> list[Scenario]:
    """Return the locale's further scenarios; a file that cannot be used has none."""
    found: dict[str, Scenario] = {}
    for root in resources.overlay_roots():
        path = root / locale / "scenarios.yaml"
        if path.is_file():
            try:
                scenarios = load_model(path, ScenariosFile)[0].scenarios
            except OverlayError:
                continue
            found = {**scenarios, **found}
    return list(found.values())
