"""Requests are spread over the minute: told by a clock that only waiting moves."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from jtau_plugin.translation.engine import pace
from jtau_plugin.translation.engine.client import Client, Completion, ModelSettings
from jtau_plugin.translation.engine.pace import Pace

START = 100.0


class Clock:
    """Stands still until somebody waits."""

    def __init__(self) -> None:
        self.now = START

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        until = self.now + seconds
        await asyncio.sleep(0)
        self.now = max(self.now, until)

    @property
    def passed(self) -> float:
        return self.now - START


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(pace, "time", found)
    monkeypatch.setattr(pace, "asyncio", SimpleNamespace(sleep=found.sleep))
    return found


def turns(own: Pace, clock: Clock, count: int) -> list[float]:
    """Return when each of some requests that come at once may be made."""
    moments = []

    async def one() -> None:
        await own.turn()
        moments.append(clock.passed)

    async def everything() -> None:
        await asyncio.gather(*(one() for _ in range(count)))

    asyncio.run(everything())
    return moments


def test_requests_are_made_one_by_one(clock: Clock) -> None:
    assert turns(Pace(30), clock, 5) == [0, 2, 4, 6, 8]


def test_without_a_limit_nobody_waits(clock: Clock) -> None:
    assert turns(Pace(), clock, 5) == [0, 0, 0, 0, 0]


def test_what_took_its_time_waits_no_longer(clock: Clock) -> None:
    own = Pace(30)
    assert turns(own, clock, 1) == [0]
    clock.now += 5
    assert turns(own, clock, 2) == [5, 7]


def test_a_pause_holds_all_of_them_back(clock: Clock) -> None:
    own = Pace(30)
    own.pause(10)
    own.pause(1)  # a shorter one does not end it
    assert turns(own, clock, 3) == [10, 12, 14]


def test_a_client_keeps_to_its_limit(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    moments = []

    async def ask(self: Client, messages: Any) -> Completion:
        moments.append(clock.passed)
        return Completion("")

    monkeypatch.setattr(Client, "_ask", ask)
    client = Client(ModelSettings("openai/x", rpm=60))

    async def everything() -> None:
        await asyncio.gather(*(client.complete([]) for _ in range(3)))

    asyncio.run(everything())
    assert moments == [0, 1, 2]
