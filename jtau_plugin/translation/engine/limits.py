"""What a run of the engine is measured by: its limits, what it spent, how it goes, its batches."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from jtau_plugin.translation.engine.client import Completion
from jtau_plugin.translation.engine.units import Unit


class Progress(Protocol):
    """Is told how a run goes."""

    def start(self, total: int) -> None:
        """Take ``total`` units."""

    def step(self, count: int) -> None:
        """Count units that are done, one way or the other."""

    def spend(self, completion: Completion) -> None:
        """Count what a request took."""

    def say(self, sentence: str) -> None:
        """Tell what a person may want to know while it goes on."""


class Silence:
    """Progress that nobody looks at."""

    def start(self, total: int) -> None:
        """Do nothing."""

    def step(self, count: int) -> None:
        """Do nothing."""

    def spend(self, completion: Completion) -> None:
        """Do nothing."""

    def say(self, sentence: str) -> None:
        """Do nothing."""


@dataclass
class Spent:
    """What a run took.

    Attributes:
        requests: answered requests.
        prompt_tokens: tokens of requests.
        completion_tokens: tokens of answers.
        cost: US dollars.
        is_priced: whether every request had a known price.
        known: units that had been paid before.
        asked: units that were asked for.
    """

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    is_priced: bool = True
    known: int = 0
    asked: int = 0

    def add(self, completion: Completion) -> None:
        """Count one answered request."""
        self.requests += 1
        self.prompt_tokens += completion.prompt_tokens
        self.completion_tokens += completion.completion_tokens
        self.cost += completion.cost or 0.0
        self.is_priced = self.is_priced and completion.cost is not None


@dataclass(frozen=True)
class Limits:
    """How much is asked for.

    Attributes:
        batch: units per request.
        characters: characters of source per request.
        attempts: how often one unit is asked for.
        cost: US dollars after which no further request is made; no limit when ``None``.
    """

    batch: int = 20
    characters: int = 6000
    attempts: int = 4
    cost: float | None = None


def normal_form(text: str) -> str:
    """Return the form by which one-to-one tables compare."""
    return unicodedata.normalize("NFKC", text).strip()


def make_batches(units: Sequence[Unit], limits: Limits) -> list[list[Unit]]:
    """Return the units in requests of a bearable size; what belongs together stays together."""
    batches: list[list[Unit]] = []
    size = 0
    before = ""
    for unit in units:
        length = len(unit.masked.text)
        is_full = bool(batches) and (
            len(batches[-1]) >= limits.batch or size + length > limits.characters
        )
        if not batches or is_full or unit.kind != before:
            batches.append([])
            size = 0
        batches[-1].append(unit)
        size += length
        before = unit.kind
    return batches
