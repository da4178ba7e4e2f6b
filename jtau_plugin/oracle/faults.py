"""The one fault that ``jtau/saboteur`` makes in a task.

A candidate is taken only when it has been tried: the call is accepted, and what the task is scored
by comes out wrong (the final state, an assertion, an action); or a communicated value is wrong and
the true one is nowhere said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from jtau_plugin.oracle.chance import choose
from jtau_plugin.oracle.guide import Guide
from jtau_plugin.oracle.moves import Move, Stage

LEFT_OUT = "left_out"
WRONG_FACT = "wrong_fact"
KINDS = ("other_choice", "other_item", "other_payment", LEFT_OUT, WRONG_FACT)
_STEP = 10


@dataclass(frozen=True)
class Fault:
    """A case with its one fault.

    Attributes:
        record: what goes into the results.
        moves: the calls to make; a faulty one carries the record.
        values: the values to communicate.
        at: number of the faulty call among ``moves``; ``None`` when no call is faulty.
    """

    record: dict[str, Any]
    moves: tuple[Move, ...]
    values: tuple[str, ...]
    at: int | None = None


@dataclass(frozen=True)
class _Outcome:
    """What a sequence of calls led to: each call's error, the final state, the assertions."""

    errors: tuple[str | None, ...]
    state: Any
    holds: bool


class FaultFinder:
    """Finds the fault of one task.

    Args:
        task: the task.
        make_stage: builds a fresh copy of the environment.
        guide: the domain's guide.
        is_unsaid: whether with this fault the agent nowhere says the true value.
        other_words: returns other words of the kind of a communicated word.
    """

    def __init__(
        self,
        task: Any,
        make_stage: Callable[[], Stage],
        guide: Guide,
        is_unsaid: Callable[[Fault, str], bool],
        other_words: Callable[[str], Sequence[str]],
    ) -> None:
        self._task = task
        self._make_stage = make_stage
        self._guide = guide
        self._is_unsaid = is_unsaid
        self._other_words = other_words

    def find(self, moves: Sequence[Move], values: Sequence[str]) -> Fault | None:
        """Return the task's fault: one of the kinds that would cost there, by task id."""
        gold = self._try(moves)
        found = [
            fault for kind in KINDS if (fault := self._first(kind, moves, values, gold)) is not None
        ]
        return choose(found, self._task.id, "fault") if found else None

    def _try(self, moves: Sequence[Move]) -> _Outcome:
        stage = self._make_stage()
        errors = tuple(stage.perform(move) for move in moves)
        return _Outcome(errors, stage.state(), stage.holds(self._task))

    def _first(
        self, kind: str, moves: Sequence[Move], values: Sequence[str], gold: _Outcome
    ) -> Fault | None:
        if kind == WRONG_FACT:
            return next(self._wrong_facts(moves, values), None)
        candidates = (
            self._left_out(moves, values, gold)
            if kind == LEFT_OUT
            else self._changed(kind, moves, values, gold)
        )
        return next((fault for fault in candidates if self._costs(fault, gold)), None)

    def _costs(self, fault: Fault, gold: _Outcome) -> bool:
        outcome = self._try(fault.moves)
        # A call that is refused is no fault of ours: the tool has prevented it.
        if fault.at is not None and outcome.errors[fault.at] is not None:
            return False
        basis = {kind.value for kind in self._task.evaluation_criteria.reward_basis}
        return (
            "ACTION" in basis
            or ("DB" in basis and outcome.state != gold.state)
            or ("ENV_ASSERTION" in basis and not outcome.holds)
        )

    def _writes(self, moves: Sequence[Move], gold: _Outcome) -> Iterator[tuple[int, Move, Stage]]:
        """Yield each change that gold has made, with a stage on which nothing has happened.

        What the caller does is a change too: not asking for it is a fault of the agent's.
        """
        stage = self._make_stage()
        for index, move in enumerate(moves):
            if stage.kind(move) in ("write", "user") and gold.errors[index] is None:
                yield index, move, stage

    def _changed(
        self, kind: str, moves: Sequence[Move], values: Sequence[str], gold: _Outcome
    ) -> Iterator[Fault]:
        for index, move, stage in self._writes(moves, gold):
            for found, argument, changed in self._guide.variations(stage.database, move):
                if found != kind:
                    continue
                record = {
                    "fault": kind,
                    "tool": move.tool,
                    "argument": argument,
                    "gold": move.arguments,
                    "made": changed.arguments,
                }
                faulty = (*moves[:index], replace(changed, fault=record), *moves[index + 1 :])
                yield Fault(record, faulty, tuple(values), at=index)

    def _left_out(
        self, moves: Sequence[Move], values: Sequence[str], gold: _Outcome
    ) -> Iterator[Fault]:
        for index, move, _ in self._writes(moves, gold):
            record = {"fault": LEFT_OUT, "tool": move.tool, "gold": move.arguments}
            yield Fault(record, (*moves[:index], *moves[index + 1 :]), tuple(values))

    def _wrong_facts(self, moves: Sequence[Move], values: Sequence[str]) -> Iterator[Fault]:
        for index, value in enumerate(values):
            number = _wrong_number(value)
            for wrong in [number] if number is not None else self._other_words(value):
                if wrong in values:
                    continue
                record = {"fault": WRONG_FACT, "gold": value, "made": wrong}
                said = (*values[:index], wrong, *values[index + 1 :])
                fault = Fault(record, tuple(moves), said)
                if self._is_unsaid(fault, value):
                    yield fault


def _wrong_number(value: str) -> str | None:
    if not value.replace(".", "", 1).isdigit():
        return None
    return str(Decimal(value) + _STEP).rjust(len(value), "0")
