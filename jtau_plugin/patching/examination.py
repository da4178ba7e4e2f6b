"""Whether one code patch fits the installed tau2: its layout, its target, the target's source."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from types import ModuleType
from typing import Literal

from jtau_plugin.compat.wrapping import Replacement, Slot, find_slot
from jtau_plugin.errors import Problem
from jtau_plugin.patching.cards import FIXES, Card
from jtau_plugin.patching.fingerprint import SourceError, fingerprint_function
from jtau_plugin.patching.states import PatchState


@dataclass(frozen=True)
class Misfit:
    """A patch that is not applied, and why.

    Attributes:
        card: the patch.
        what: what stands against it.
        key: the part of the card that this concerns.
        found: fingerprint of the target's source; empty when it was not read.
        state: ``not applicable`` needs no patch here; ``refused`` would be patched blindly.
        hint: the next step.
    """

    card: Card
    what: str
    key: tuple[str, ...]
    found: str = ""
    state: Literal["not applicable", "refused"] = "refused"
    hint: str = ""

    @property
    def problem(self) -> Problem:
        """What is told to people, with the card's file and line."""
        name = self.card.patch.id
        skip = f"'jtau patches verify' tells more, JTAU_PATCHES=-{name} goes without this patch"
        return Problem(self.card.where(*self.key), f"{name}: {self.what}", self.hint or skip)

    @property
    def patch_state(self) -> PatchState:
        """How the patch stands."""
        return PatchState(self.card.patch.id, self.state, self.what, self.found)


@dataclass(frozen=True)
class Fit:
    """A patch that can be applied.

    Attributes:
        card: the patch.
        slot: where its target is kept.
        fix: the module that makes the new function and checks it.
        found: fingerprint of the target's source.
    """

    card: Card
    slot: Slot
    fix: ModuleType
    found: str

    def replacement(self) -> Replacement | Misfit:
        """Return the new function, not yet in place; a misfit when it cannot be made."""
        try:
            return Replacement(self.slot, self.fix.make)
        except Exception as error:  # noqa: BLE001  (what a fix does on a strange tau2 refuses it)
            return Misfit(self.card, f"it cannot be made: {_named(error)}", ("fix",), self.found)

    def self_check(self) -> Misfit | None:
        """Run the patch's own check on what is in place now; ``None`` when it holds."""
        try:
            failures = list(self.fix.check())
        except Exception as error:  # noqa: BLE001  (a check that breaks has not held)
            failures = [_named(error)]
        if not failures:
            return None
        return Misfit(self.card, f"its self-check fails: {'; '.join(failures)}", ("fix",))

    def buried(self) -> Misfit:
        """Return the misfit of a patch whose target was replaced again, by somebody else."""
        stranger = vars(self.slot.owner).get(self.slot.name)
        by = getattr(stranger, "__module__", None) or type(stranger).__module__
        what = f"{self.card.patch.target} was replaced by something of {by} after it was patched"
        return Misfit(self.card, what, ("target",), hint="undo that replacement first")


def examine(card: Card, layout: str) -> Fit | Misfit:
    """Return whether a patch fits the installed tau2; changes nothing in it.

    Args:
        card: the patch.
        layout: name of the installed layout.
    """
    layouts = card.patch.layouts.items()
    accepted = next((known for name, known in layouts if name == layout), None)
    if accepted is None:
        what = f"tau2's layout {layout} does not need it"
        return Misfit(card, what, ("layouts",), state="not applicable")
    slot = _find(card)
    if isinstance(slot, Misfit):
        return slot
    try:
        found = fingerprint_function(slot.function)
    except SourceError as error:
        return Misfit(card, f"{card.patch.target}: {error}", ("target",))
    if found not in accepted:
        what = f"the source of {card.patch.target} has the fingerprint {found}"
        what += f", accepted are {', '.join(accepted)}"
        return Misfit(card, what, ("layouts", layout), found)
    fix = _import_fix(card)
    return fix if isinstance(fix, Misfit) else Fit(card, slot, fix, found)


def _find(card: Card) -> Slot | Misfit:
    target = card.patch.target
    try:
        slot = find_slot(target)
    except Exception as error:  # noqa: BLE001  (whatever an import of a strange tau2 raises)
        return Misfit(card, f"{target} cannot be imported: {_named(error)}", ("target",))
    if slot is None:
        return Misfit(card, f"the installed tau2 has no {target}", ("target",))
    if slot.function is None:
        return Misfit(card, f"{target} is no plain function", ("target",))
    return slot


def _import_fix(card: Card) -> ModuleType | Misfit:
    name = f"{FIXES}.{card.patch.fix}"
    try:
        fix = importlib.import_module(name)
    except Exception as error:  # noqa: BLE001  (a fix may need what a strange tau2 lacks)
        return Misfit(card, f"{name} cannot be imported: {_named(error)}", ("fix",))
    missing = [f"{name}.{part}" for part in ("make", "check") if not hasattr(fix, part)]
    return Misfit(card, f"there is no {', '.join(missing)}", ("fix",)) if missing else fix


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
