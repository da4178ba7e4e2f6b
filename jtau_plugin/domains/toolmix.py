"""``JTAU_TOOL_MIX``: each tool described in one of several languages, chosen by a seed.

``ja:0.5,en:0.5`` gives each tool Japanese or English with even odds; which one depends on the seed
(``JTAU_TOOL_MIX_SEED``), the domain and the tool's name alone, so every run of a study has the same
mix on both layouts.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Iterable
from dataclasses import dataclass

from jtau_plugin.errors import SettingError

VARIABLE = "JTAU_TOOL_MIX"
SEED_VARIABLE = "JTAU_TOOL_MIX_SEED"
ENGLISH = "en"


@dataclass(frozen=True)
class ToolMix:
    """The shares of the languages.

    Attributes:
        shares: (locale, share), in the order of the setting; they add up to 1.
        seed: which of the possible mixes it is.
    """

    shares: tuple[tuple[str, float], ...]
    seed: int

    def locale_of(self, domain: str, requestor: str, tool: str) -> str:
        """Return the locale that describes a tool."""
        text = f"{self.seed}/{domain}/{requestor}/{tool}"
        number = int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:8], "big") / 2**64
        reached = 0.0
        for locale, share in self.shares:
            reached += share
            if number < reached:
                return locale
        return self.shares[-1][0]

    def assign(self, domain: str, tools: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Return the locale of each tool, by (requestor, name)."""
        return {key: self.locale_of(domain, *key) for key in tools}


def _number(text: str, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:
        raise SettingError(
            f"environment variable {VARIABLE}: {what} is {text!r}, expected a number from 0 to 1"
        )
    return number


def read_tool_mix(locales: Iterable[str]) -> ToolMix | None:
    """Return what the environment asks for, or ``None``.

    Args:
        locales: the locales that have an overlay of the domain.

    Raises:
        SettingError: for a locale without an overlay, shares that are no numbers or do not add up
            to 1, and a seed that is no whole number.
    """
    setting = os.environ.get(VARIABLE, "").strip()
    if not setting:
        return None
    known = {*locales, ENGLISH}
    shares: list[tuple[str, float]] = []
    for part in setting.split(","):
        locale, _, share = part.strip().partition(":")
        if locale not in known:
            raise SettingError(
                f"environment variable {VARIABLE}: no overlay for {locale!r}; there are "
                f"{', '.join(sorted(known))}"
            )
        if locale in dict(shares):
            raise SettingError(f"environment variable {VARIABLE}: {locale!r} stands twice")
        shares.append((locale, _number(share, f"the share of {locale}")))
    total = sum(share for _, share in shares)
    if not math.isclose(total, 1, abs_tol=1e-6):
        raise SettingError(
            f"environment variable {VARIABLE}: the shares add up to {total:g}, expected 1"
        )
    seed = os.environ.get(SEED_VARIABLE, "0") or "0"
    if not seed.lstrip("-").isdecimal():
        raise SettingError(
            f"environment variable {SEED_VARIABLE}: {seed!r}, expected a whole number"
        )
    return ToolMix(tuple(shares), int(seed))


def mix_setting() -> tuple[str, str]:
    """Return what the environment says, so that a change is noticed."""
    return os.environ.get(VARIABLE, ""), os.environ.get(SEED_VARIABLE, "")
