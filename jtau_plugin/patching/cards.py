"""The cards of the code patches: read, checked, and never applied here."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jtau_plugin import resources
from jtau_plugin.errors import OverlayError, PatchError, Problem
from jtau_plugin.models.patches import CodePatch
from jtau_plugin.overlays.loader import load_model
from jtau_plugin.overlays.yamlfile import Key, YamlFile

#: The package whose modules replace functions; it lies above this one and is found by name.
FIXES = "jtau_plugin.fixes"


@dataclass(frozen=True)
class Card:
    """A code patch and the file that declares it.

    Attributes:
        patch: what the file says.
        file: where it stands, for messages to people.
    """

    patch: CodePatch
    file: YamlFile

    def where(self, *key: str) -> str:
        """Return file, line and key of a part of the card."""
        return self.file.where(key)


def cards_folder() -> Path:
    """Return where the cards lie."""
    return resources.data_root() / "patches" / "code"


def load_cards(folder: Path | None = None) -> tuple[Card, ...]:
    """Return all cards: by id, but each one before those that it supersedes.

    Args:
        folder: where the cards lie; those that this version brings along when it is left out.

    Raises:
        PatchError: for everything that is wrong in any of them, collected, with file and line.
    """
    return _load(cards_folder() if folder is None else folder)


@cache
def _load(folder: Path) -> tuple[Card, ...]:
    cards: list[Card] = []
    problems: list[Problem] = []
    for path in sorted(folder.glob("*.yaml")):
        try:
            cards.append(Card(*load_model(path, CodePatch)))
        except OverlayError as error:
            problems += error.problems
    problems += _check(cards)
    if problems:
        raise PatchError("The cards of the code patches cannot be used.", problems)
    return tuple(sorted(cards, key=lambda card: (-_height(card.patch, cards), card.patch.id)))


def _height(patch: CodePatch, cards: list[Card]) -> int:
    """Return how many patches stand one below the other under this one."""
    below = [card.patch for card in cards if card.patch.id in patch.supersedes]
    return 1 + max((_height(other, cards) for other in below), default=0)


def _check(cards: list[Card]) -> Iterator[Problem]:
    by_id: dict[str, Card] = {}
    for card in cards:
        patch = card.patch
        name = card.file.path.stem
        if patch.id != name:
            what = f"found {patch.id!r}, the file's name says {name!r}"
            yield Problem(card.where("id"), what, "give both the same name")
        if patch.id in by_id:
            what = f"{patch.id!r} is the id of another card too ({by_id[patch.id].where('id')})"
            yield Problem(card.where("id"), what, "rename one of them")
        by_id.setdefault(patch.id, card)
        if importlib.util.find_spec(f"{FIXES}.{patch.fix}") is None:
            what = f"there is no module {FIXES}.{patch.fix}"
            yield Problem(card.where("fix"), what, "add it or correct its name")
    for card in cards:
        yield from _check_supersedes(card, by_id)


def _check_supersedes(card: Card, by_id: dict[str, Card]) -> Iterator[Problem]:
    key: Key = ("supersedes",)
    for name in card.patch.supersedes:
        if name not in by_id:
            yield Problem(card.file.where(key), f"there is no patch {name!r}", "correct its id")
        elif card.patch.id in _superseded_by(name, by_id):
            what = f"{card.patch.id!r} and {name!r} supersede each other"
            yield Problem(card.file.where(key), what, "only the newer one does")


def _superseded_by(name: str, by_id: dict[str, Card]) -> set[str]:
    """Return every patch that a patch makes needless, directly or through others."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        card = by_id.get(waiting.pop())
        new = set(card.patch.supersedes) - found if card else set()
        found |= new
        waiting += new
    return found
