"""Which repairs are on: the defaults, and what ``JTAU_PATCHES`` says about classes and ids."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from dataclasses import dataclass

from jtau_plugin.errors import SettingError
from jtau_plugin.models.patches import REPAIR_CLASSES, Repair

VARIABLE = "JTAU_PATCHES"


@dataclass(frozen=True)
class Selection:
    """A choice among all repairs and patches.

    Attributes:
        enabled: the ids that are on.
        known: every id, with whether it is on by default.
    """

    enabled: frozenset[str]
    known: dict[str, bool]

    def is_enabled(self, repair_id: str) -> bool:
        """Return whether a repair or patch is on."""
        return repair_id in self.enabled

    @property
    def changes(self) -> tuple[str, ...]:
        """What differs from the defaults: ``+id`` and ``-id``, sorted by id."""
        return tuple(
            f"{'-' if default else '+'}{name}"
            for name, default in sorted(self.known.items())
            if default != (name in self.enabled)
        )


def select(repairs: Iterable[Repair], setting: str) -> Selection:
    """Return the choice that a setting makes.

    Classes are switched first, then single ids, so that ``-tools,+retail-cancel-refund`` leaves
    exactly one of its class on; the order in the setting does not matter.

    Args:
        repairs: all repairs and patches.
        setting: ``+rules,-retail-cancel-refund``; a name without a sign is an error.

    Raises:
        SettingError: for what is no class and no id, with the nearest names; for a name that is
            switched both ways.
    """
    by_id = {repair.id: repair for repair in repairs}
    switches = _parse(setting, {*by_id, *REPAIR_CLASSES})
    enabled = set()
    for name, repair in by_id.items():
        is_on = switches.get(repair.class_, repair.is_default)
        if switches.get(name, is_on):
            enabled.add(name)
    return Selection(frozenset(enabled), {name: r.is_default for name, r in by_id.items()})


def _parse(setting: str, names: set[str]) -> dict[str, bool]:
    switches: dict[str, bool] = {}
    wrong = []
    for token in filter(None, (part.strip() for part in setting.split(","))):
        sign, name = token[0], token[1:]
        if sign not in "+-":
            wrong.append(f"{token!r} has no sign (write +{token} or -{token})")
        elif name not in names:
            near = difflib.get_close_matches(name, names, n=3)
            hint = f"did you mean {', '.join(near)}" if near else "'jtau patches list' shows all"
            wrong.append(f"{name!r} is no class and no repair ({hint})")
        elif switches.get(name, sign == "+") != (sign == "+"):
            wrong.append(f"{name!r} is switched both on and off")
        else:
            switches[name] = sign == "+"
    if wrong:
        raise SettingError(f"environment variable {VARIABLE}: {'; '.join(wrong)}")
    return switches


def setting() -> str:
    """Return what ``JTAU_PATCHES`` says; nothing when it is not set."""
    return os.environ.get(VARIABLE, "")
