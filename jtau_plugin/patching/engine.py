"""Applies the code patches that are on, once, and takes them back.

A patch lies around one function of tau2, and calls outside its scope go through to that function.
What somebody else puts around it afterwards is never taken away: reverting is then refused.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from loguru import logger

from jtau_plugin.compat.layout import detect_layout
from jtau_plugin.compat.wrapping import Replacement
from jtau_plugin.errors import PatchError, Problem
from jtau_plugin.patching.cards import Card, load_cards
from jtau_plugin.patching.catalogue import active_selection
from jtau_plugin.patching.examination import Fit, Misfit, examine
from jtau_plugin.patching.selection import Selection, setting
from jtau_plugin.patching.states import PatchState


@dataclass(frozen=True)
class _Applied:
    fit: Fit
    replacement: Replacement

    @property
    def id(self) -> str:
        return self.fit.card.patch.id


def _installed_layout() -> str:
    return detect_layout().name


class PatchEngine:
    """The code patches of one process.

    Args:
        cards: reads the cards; those that supersede come before what they supersede.
        selection: which of them are on, by the setting of the moment.
        layout: names the installed layout.
    """

    def __init__(
        self,
        cards: Callable[[], tuple[Card, ...]] = load_cards,
        selection: Callable[[], Selection] = active_selection,
        layout: Callable[[], str] = _installed_layout,
    ) -> None:
        self._cards = cards
        self._selection = selection
        self._layout = layout
        self._lock = threading.RLock()
        self._applied: list[_Applied] = []
        self._states: dict[str, PatchState] = {}
        self._warned: set[PatchState] = set()
        self._settled: str | None = None

    def ensure_applied(self) -> None:
        """Apply every patch that is on and fits; nothing is done twice.

        What ``JTAU_PATCHES`` says is read anew: after a change everything is taken back and what is
        on now is applied. After an error nothing is applied.

        Raises:
            PatchError: for cards that cannot be used, and for every required patch that is on and
                is refused; all together.
        """
        if self._settled == setting():  # without the lock: each environment asks
            return
        with self._lock:
            wanted = setting()
            if self._settled != wanted:
                self.revert()
                self._apply_all()
                self._settled = wanted

    def revert(self) -> None:
        """Take all patches back, the last one first, and leave exactly what was there before.

        Raises:
            PatchError: for each target that somebody else has replaced since; nothing is taken
                back then.
        """
        with self._lock:
            problems = self._buried()
            if problems:
                raise PatchError("Code patches cannot be taken back.", problems)
            while self._applied:
                self._applied.pop().replacement.revert()
            self._states = {}
            self._settled = None

    def states(self) -> list[PatchState]:
        """Return how each patch stands in this process, in the order of application."""
        with self._lock:
            selection = self._selection()
            return [self._state(card.patch.id, selection) for card in self._cards()]

    def applied_ids(self) -> tuple[str, ...]:
        """Return the ids of the patches that are applied, in the order of application."""
        return tuple(applied.id for applied in list(self._applied))

    def verify(self) -> list[PatchState]:
        """Return whether each patch, on or off, fits the installed tau2 and passes its self-check.

        Patches that are not applied are put in place for their self-check alone, so nothing else
        should use tau2 meanwhile.

        Returns:
            ``fits``, ``not applicable`` or ``refused`` for each.

        Raises:
            PatchError: for cards that cannot be used.
        """
        with self._lock:
            layout = self._layout()
            return [self._verify(card, layout) for card in self._cards()]

    def _state(self, patch_id: str, selection: Selection) -> PatchState:
        if patch_id in self._states:
            return self._states[patch_id]
        is_on = selection.is_enabled(patch_id)
        return PatchState(patch_id, "not applied yet" if is_on else "disabled")

    def _buried(self) -> list[Problem]:
        problems = []
        above: dict[tuple[int, str], Replacement] = {}
        for applied in reversed(self._applied):
            slot, replacement = applied.fit.slot, applied.replacement
            key = (id(slot.owner), slot.name)
            if not replacement.is_below(above.get(key)):
                problems.append(applied.fit.buried().problem)
            above[key] = replacement
        return problems

    def _apply_all(self) -> None:
        cards, selection, layout = self._cards(), self._selection(), self._layout()
        problems: list[Problem] = []
        try:
            for card in cards:
                outcome = self._settle(card, selection, layout)
                self._states[card.patch.id] = self._told(outcome, problems)
        except BaseException:
            self.revert()
            raise
        if problems:
            refused = {k: state for k, state in self._states.items() if state.state == "refused"}
            self.revert()
            self._states = refused
            raise PatchError("Required code patches cannot be applied.", problems)

    def _settle(self, card: Card, selection: Selection, layout: str) -> PatchState | Misfit:
        name = card.patch.id
        if not selection.is_enabled(name):
            return PatchState(name, "disabled")
        newer = [a.id for a in self._applied if name in a.fit.card.patch.supersedes]
        if newer:
            return PatchState(name, "superseded", f"by {', '.join(newer)}")
        fit = examine(card, layout)
        outcome = fit if isinstance(fit, Misfit) else self._apply(fit)
        if isinstance(outcome, Misfit):
            return outcome
        return PatchState(name, "applied", found=outcome.found)

    def _told(self, outcome: PatchState | Misfit, problems: list[Problem]) -> PatchState:
        """Return the state, after saying what has to be said of a refused patch."""
        if isinstance(outcome, PatchState):
            return outcome
        state = outcome.patch_state
        if state.state == "refused" and outcome.card.patch.required:
            problems.append(outcome.problem)
        elif state.state == "refused" and state not in self._warned:
            self._warned.add(state)
            logger.warning(f"A code patch is left out: {outcome.problem}")
        return state

    def _apply(self, fit: Fit) -> Fit | Misfit:
        replacement = fit.replacement()
        if isinstance(replacement, Misfit):
            return replacement
        replacement.install()
        self._applied.append(_Applied(fit, replacement))
        holds = False
        try:
            failure = fit.self_check()
            holds = failure is None
        finally:  # an interrupted check has not held either
            if not holds:
                self._applied.pop().replacement.revert()
        return failure or fit

    def _verify(self, card: Card, layout: str) -> PatchState:
        fit = next((a.fit for a in self._applied if a.id == card.patch.id), None)
        if fit is not None:
            outcome = self._check_applied(fit)
        else:
            examined = examine(card, layout)
            outcome = examined if isinstance(examined, Misfit) else self._try(examined)
        if isinstance(outcome, Misfit):
            return outcome.patch_state
        return PatchState(card.patch.id, "fits", found=outcome.found)

    def _check_applied(self, fit: Fit) -> Fit | Misfit:
        top = next(a for a in reversed(self._applied) if a.fit.slot == fit.slot)
        if not top.replacement.is_below(None):
            return fit.buried()
        return fit.self_check() or fit

    def _try(self, fit: Fit) -> Fit | Misfit:
        outcome = self._apply(fit)
        if not isinstance(outcome, Misfit):
            self._applied.pop().replacement.revert()
        return outcome


_engine = PatchEngine()


def get_engine() -> PatchEngine:
    """Return the engine of this process."""
    return _engine
