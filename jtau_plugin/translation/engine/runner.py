"""Translates many units: batches at a time, until each has a usable text or a reason why not.

The result depends on the units and the model's answers, never on which answer came first.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any

from jtau_plugin.errors import TranslationError
from jtau_plugin.translation.engine.cache import AnswerCache
from jtau_plugin.translation.engine.client import Client, Completion, RequestLost
from jtau_plugin.translation.engine.journal import Journal
from jtau_plugin.translation.engine.limits import (
    Limits,
    Progress,
    Silence,
    Spent,
    make_batches,
    normal_form,
)
from jtau_plugin.translation.engine.reply import Reply, parse_reply
from jtau_plugin.translation.engine.request import PROMPT_VERSION, Target, build_messages
from jtau_plugin.translation.engine.units import Answer, Failure, Unit, Verdict, content_key

Verify = Callable[[Unit, str], Verdict]
Outcome = Answer | Failure
#: A service that lets this many batches down in a row, each after all its attempts, is down: one
#: that has not answered yet, and one that has.
_MOST_LOST = (3, 6)
#: One that refuses this many single texts in a row refuses something that they have in common.
_MOST_REFUSED = (3, 10)
#: A model that writes this many replies in a row that hold no translation does not understand.
_MOST_EMPTY = (8, 24)
#: A text that is usable and could be better is asked for once more.
_POLISHES = 1
_ONE_TO_ONE = ("table ", "role ")


@dataclass
class _Work:
    """Where one unit stands."""

    unit: Unit
    key: str
    attempts: int = 0
    polishes: int = 0
    mend: tuple[str, ...] = ()
    best: Answer | None = None
    #: What the model wrote for it, as it is kept.
    kept: dict[str, Any] | None = None


@dataclass
class _State:
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    queue: deque[list[_Work]] = field(default_factory=deque)
    lost: int = 0
    empty: int = 0


class Runner:
    """Has units translated.

    Args:
        client: asks the model.
        target: the language.
        journal: the run's diary.
        cache: answers of former runs.
        limits: how much is asked for.
        today: the date that answers get.
        progress: is told how it goes.
    """

    def __init__(
        self,
        client: Client,
        target: Target,
        journal: Journal,
        cache: AnswerCache,
        *,
        limits: Limits | None = None,
        today: str = "",
        progress: Progress | None = None,
    ) -> None:
        self._client = client
        self._target = target
        self._verify: Verify = _trust
        self._loop: asyncio.AbstractEventLoop | None = None
        self._journal = journal
        self._cache = cache
        self._limits = limits or Limits()
        self._today = today
        self._has_read = False
        self._progress: Progress = progress or Silence()
        self.spent = Spent()

    def key_of(self, unit: Unit) -> str:
        """Return the key of a unit's answer in journal and cache."""
        settings = self._client.settings
        return content_key(
            {
                "model": settings.model,
                "service": settings.service,
                "parameters": dict(settings.parameters),
                "prompt": PROMPT_VERSION,
                "target": self._target.as_data(),
                "unit": {k: v for k, v in unit.as_data().items() if k != "id"},
            }
        )

    def __enter__(self) -> Runner:
        # One loop for all: connections that stay open belong to it.
        self._loop = asyncio.new_event_loop()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        loop, self._loop = self._loop, None
        if loop is None:
            return
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        if tasks:
            loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(self._client.leave_connections())
        loop.close()

    def run(
        self,
        units: Sequence[Unit],
        verify: Verify,
        taken: Mapping[str, Mapping[str, str]] | None = None,
    ) -> dict[str, Outcome]:
        """Return what came of each unit, by its id.

        Args:
            units: what to translate.
            verify: judges a translation, given with its tokens.
            taken: by scope, the forms that others have already, each with the English it renders.

        Raises:
            TranslationError: if the model cannot be asked at all, or the service is down.
        """
        assert self._loop is not None  # it is used as a context manager
        self._verify = verify
        return self._loop.run_until_complete(self._run(units, taken or {}))

    async def _run(
        self, units: Sequence[Unit], taken: Mapping[str, Mapping[str, str]]
    ) -> dict[str, Outcome]:
        state = _State()
        works = {unit.id: _Work(unit, self.key_of(unit)) for unit in units}
        for work in works.values():
            self._recall(work, state)
        self.spent.known += len(state.outcomes)
        self._progress.step(len(state.outcomes))
        open_units = [w.unit for w in works.values() if w.unit.id not in state.outcomes]
        for batch in make_batches(open_units, self._limits):
            state.queue.append([works[unit.id] for unit in batch])
        await self._work_off(state)
        while again := self._tell_apart(works, state.outcomes, taken):
            state.queue.extend([work] for work in again)
            await self._work_off(state)
        return {unit.id: state.outcomes[unit.id] for unit in units}

    def _tell_apart(
        self,
        works: Mapping[str, _Work],
        outcomes: dict[str, Outcome],
        taken: Mapping[str, Mapping[str, str]],
    ) -> list[_Work]:
        """Return the units to ask again because another one of their scope has their text."""
        again = []
        for work, what in self._collisions(works, outcomes, taken):
            is_strict = work.unit.scope.startswith(_ONE_TO_ONE)
            if not self._is_last(work):
                work.attempts += 1
                work.mend = (what,)
                text = outcomes[work.unit.id]
                # Better said twice than not at all, but not in a table.
                work.best = None
                if isinstance(text, Answer) and not is_strict:
                    work.best = replace(text, notes=(what,))
                again.append(work)
            elif is_strict:
                outcomes[work.unit.id] = Failure((what,))
            else:
                outcome = outcomes[work.unit.id]
                if isinstance(outcome, Answer):
                    notes = tuple(dict.fromkeys([*outcome.notes, what]))
                    outcomes[work.unit.id] = replace(outcome, notes=notes)
        return again

    def _recall(self, work: _Work, state: _State) -> None:
        if work.unit.masked.is_nothing_left:
            verdict = self._verify(work.unit, work.unit.masked.text)
            state.outcomes[work.unit.id] = Answer(verdict.text, date=self._today)
            return
        kept = self._journal.answers.get(work.key) or self._cache.get(work.key)
        if kept is None:
            return
        verdict = self._verify(work.unit, str(kept["text"]))
        if verdict.faults:
            return
        answer = Answer(verdict.text, verdict.notes, str(kept.get("date", "")))
        if kept.get("open") and verdict.notes and not self._is_last(work):
            # The run that was killed was about to ask for it once more.
            work.best, work.kept = answer, dict(kept)
            work.attempts, work.polishes, work.mend = 1, _POLISHES, verdict.notes
            return
        self._cache.put(work.key, kept)
        state.outcomes[work.unit.id] = answer

    async def _work_off(self, state: _State) -> None:
        active: set[asyncio.Task[None]] = set()
        try:
            while state.queue or active:
                while state.queue and len(active) < self._client.settings.concurrency:
                    batch = state.queue.popleft()
                    active.add(asyncio.create_task(self._do(batch, state)))
                done, active = await asyncio.wait(active, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
        finally:
            for task in active:
                task.cancel()
            await asyncio.gather(*active, return_exceptions=True)

    def _is_spent(self) -> bool:
        limit = self._limits.cost
        return limit is not None and self.spent.cost >= limit

    async def _do(self, batch: list[_Work], state: _State) -> None:
        if self._is_spent():
            for work in batch:
                self._give_up(work, state, ("the limit of costs is reached",))
            return
        units = [work.unit for work in batch]
        messages = build_messages(self._target, units, {w.unit.id: w.mend for w in batch})
        self._journal.ask([work.key for work in batch])
        self.spent.asked += len(batch)
        try:
            completion = await self._client.complete(messages)
        except RequestLost as error:
            self._lose(batch, error, state)
            return
        state.lost = 0
        self.spent.add(completion)
        self._progress.spend(completion)
        self._take(batch, completion, state)

    def _lose(self, batch: list[_Work], error: RequestLost, state: _State) -> None:
        self._journal.note("lost", reason=error.reason, keys=[work.key for work in batch])
        has_answered = self.spent.requests > 0
        if len(batch) == 1 or not error.is_of_request:
            state.lost += 1
        most = (_MOST_REFUSED if error.is_of_request else _MOST_LOST)[has_answered]
        if state.lost >= most:
            raise TranslationError(
                f"{self._client.settings.model} does not answer: {error.reason}; what has been "
                "translated is kept, the same command goes on from here"
            )
        if len(batch) > 1:
            # One text may be what a service trips over; the others need not go with it.
            self._halve(batch, state)
            return
        for work in batch:
            self._give_up(work, state, (error.reason,))

    def _halve(self, batch: list[_Work], state: _State) -> None:
        # In front: what is wrong with all of them is then found out with few requests.
        middle = len(batch) // 2
        state.queue.extendleft([batch[middle:], batch[:middle]])

    def _take(self, batch: list[_Work], completion: Completion, state: _State) -> None:
        reply = parse_reply(completion.content, [work.unit.id for work in batch])
        state.empty = state.empty + 1 if reply.is_empty else 0
        self._has_read = self._has_read or not reply.is_empty
        if reply.is_empty:
            self._require_sense(batch, reply.excerpt, state)
        if reply.is_empty and len(batch) > 1:
            # One text may be what it trips over; that is no fault of the others.
            self._halve(batch, state)
            return
        accepted: dict[str, dict[str, Any]] = {}
        again: list[_Work] = []
        for work in batch:
            text, verdict = self._judge(work, reply, completion)
            if verdict.faults:
                again += self._reject(work, verdict.faults, state, accepted)
                continue
            wants_more = (
                bool(verdict.notes) and work.polishes < _POLISHES and not self._is_last(work)
            )
            if self._keep(work, verdict):
                work.kept = {"text": text, "date": self._today}
                accepted[work.key] = {**work.kept, **({"open": True} if wants_more else {})}
            elif work.kept is not None:
                accepted[work.key] = work.kept
            if wants_more:
                work.polishes += 1
                again += self._retry(work, verdict.notes, state)
            else:
                self._settle(work, state)
        # On the disk before anything else: it has been paid.
        self._journal.answer([work.key for work in batch], accepted)
        for key, answer in accepted.items():
            if "open" not in answer:
                self._cache.put(key, answer)
        self._queue_again(again, len(batch), state)

    def _queue_again(self, again: list[_Work], size: int, state: _State) -> None:
        """Ask again in smaller batches: a reply that one text spoils then spoils no other."""
        step = max(1, size // 2) if len(again) == size else max(1, size // 4)
        for start in range(0, len(again), step):
            state.queue.append(again[start : start + step])

    def _is_last(self, work: _Work) -> bool:
        return work.attempts + 1 >= self._limits.attempts

    def _keep(self, work: _Work, verdict: Verdict) -> bool:
        """Remember a usable text if it is the best so far."""
        if work.best is not None and len(verdict.notes) >= len(work.best.notes):
            return False
        work.best = Answer(verdict.text, verdict.notes, self._today, is_paid=True)
        return True

    def _judge(self, work: _Work, reply: Reply, completion: Completion) -> tuple[str, Verdict]:
        """Return what a reply has for a unit, and what is to be said about it."""
        text = reply.texts.get(work.unit.id, "")
        if text:
            return text, self._verify(work.unit, text)
        return "", Verdict("", (_missing(reply.faults[work.unit.id], reply.excerpt, completion),))

    def _require_sense(self, batch: list[_Work], excerpt: str, state: _State) -> None:
        """Take note of a reply without any translation; give up on a model that writes only such.

        Raises:
            TranslationError: if it is one too many.
        """
        self._journal.note("empty", reply=excerpt, keys=[work.key for work in batch])
        if state.empty >= _MOST_EMPTY[self._has_read]:
            raise TranslationError(
                f"{self._client.settings.model} does not answer in the form that it is asked for: "
                f"{excerpt or 'nothing at all'}"
            )

    def _reject(
        self,
        work: _Work,
        faults: Sequence[str],
        state: _State,
        accepted: dict[str, dict[str, Any]],
    ) -> list[_Work]:
        """Return what to ask again for an unusable text: nothing if there is a usable one."""
        if work.polishes and work.best is not None and work.kept is not None:
            accepted[work.key] = work.kept
            self._settle(work, state)
            return []
        return self._retry(work, faults, state)

    def _retry(self, work: _Work, reasons: Sequence[str], state: _State) -> list[_Work]:
        work.attempts += 1
        work.mend = tuple(reasons)
        self._journal.note("again", key=work.key, unit=work.unit.id, reasons=list(reasons))
        if work.attempts < self._limits.attempts:
            return [work]
        self._give_up(work, state, tuple(reasons))
        return []

    def _settle(self, work: _Work, state: _State) -> None:
        assert work.best is not None  # a usable text has just been kept
        if work.unit.id not in state.outcomes:
            self._progress.step(1)
        state.outcomes[work.unit.id] = work.best

    def _give_up(self, work: _Work, state: _State, reasons: tuple[str, ...]) -> None:
        if work.best is not None:
            self._settle(work, state)
            return
        if work.unit.id not in state.outcomes:
            self._progress.step(1)
        state.outcomes[work.unit.id] = Failure(reasons)

    def _collisions(
        self,
        works: Mapping[str, _Work],
        outcomes: Mapping[str, Outcome],
        taken: Mapping[str, Mapping[str, str]],
    ) -> Iterator[tuple[_Work, str]]:
        """Yield the units whose text another one of their scope has, and what to say about it."""
        owners: dict[str, dict[str, str]] = {}
        for scope, forms in taken.items():
            owners[scope] = {normal_form(form): english for form, english in forms.items()}
        for work in works.values():
            if work.unit.scope.startswith(_ONE_TO_ONE):
                own = owners.setdefault(work.unit.scope, {})
                own.setdefault(normal_form(work.unit.english), work.unit.english)
        for work in works.values():
            outcome = outcomes[work.unit.id]
            if not work.unit.scope or isinstance(outcome, Failure):
                continue
            own = owners.setdefault(work.unit.scope, {})
            first = own.setdefault(normal_form(outcome.text), work.unit.english)
            if _bare(first) != _bare(work.unit.english):
                yield work, f"{outcome.text!r} is already the text of {first!r}: tell them apart"


def _trust(unit: Unit, translation: str) -> Verdict:  # noqa: ARG001
    return Verdict(translation)


def _bare(english: str) -> str:
    return english.strip(" .!")


def _missing(fault: str, excerpt: str, completion: Completion) -> str:
    if excerpt:
        return f"the reply holds no translation: {excerpt}"
    return f"{fault} (the reply was cut off)" if completion.is_cut else fault
