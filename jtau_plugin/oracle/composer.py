"""Composes a conversation from calls and values: the order of things, not their words.

The caller states a concern, is identified, the agent looks things up, says what has to be said,
and names each change before it makes it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from jtau_plugin.compat.tasks import spoken_scenario
from jtau_plugin.models.oracle import TaskLines
from jtau_plugin.oracle import scenario
from jtau_plugin.oracle.beats import AGENT, STOP, USER, Beat
from jtau_plugin.oracle.book import Book, fill, fill_lines
from jtau_plugin.oracle.guide import Guide, Values, first_sentence
from jtau_plugin.oracle.moves import Move, Stage
from jtau_plugin.oracle.writing import ArgumentWriter

Record = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """What a conversation is composed from.

    Attributes:
        task: the localized task.
        moves: the calls in order.
        facts: the sentences that communicate the task's values.
        owner: the person whose case it is, or ``None``.
        note: what is noted on the agent's first message.
        facts_note: what is noted on the message that says the facts.
    """

    task: Any
    moves: tuple[Move, ...]
    facts: tuple[str, ...]
    owner: Any = None
    note: Record | None = None
    facts_note: Record | None = None


class Composer:
    """Composes one conversation.

    Args:
        case: what it is about.
        stage: a fresh copy of the environment; calls are made on it while composing.
        book: the words of the domain.
        guide: the domain's guide.
        writer: writes arguments.
    """

    def __init__(
        self, case: Case, stage: Stage, book: Book, guide: Guide, writer: ArgumentWriter
    ) -> None:
        self._case = case
        self._stage = stage
        self._book = book
        self._guide = guide
        self._writer = writer
        self._lines: TaskLines = book.lines(case.task.id)
        self._corrections = iter(self._lines.corrections)
        self._beats: list[Beat] = []
        self._facts = list(case.facts)
        self._waiting: list[str] = []
        self._waiting_note: Record | None = None
        self._concern = ""
        self._acts = 0
        self._called: set[str] = set()
        self._has_talked = False
        self._is_handed_over = False

    def compose(self) -> tuple[Beat, ...]:
        """Return the conversation between agent and caller."""
        self._open()
        for move in self._case.moves:
            kind = self._stage.kind(move)
            if kind == "read":
                self._look_up(move)
                continue
            has_talked = self._talk(move.tool)
            if kind == "user":
                self._ask_user(move)
            elif kind == "transfer":
                self._hand_over(move, has_talked=has_talked)
            else:
                self._write(move)
            self._acts += 1
        self._close()
        return self._with_note()

    def compose_alone(self, stop_tool: str) -> tuple[Beat, ...]:
        """Return the calls of an agent without a caller, ended by its stop tool or token."""
        for move in self._case.moves:
            self._call(replace(move, requestor="assistant"))
        end = Beat(AGENT, "stop", tool=stop_tool) if stop_tool else Beat(AGENT, "stop", text=STOP)
        self._beats.append(end)
        return self._with_note()

    def _with_note(self) -> tuple[Beat, ...]:
        beats = list(self._beats)
        if self._case.note is not None:
            first = next(i for i, beat in enumerate(beats) if beat.side == AGENT)
            beats[first] = replace(beats[first], record=self._case.note)
        return tuple(beats)

    def _phrase(self, phrase: str, /, **values: str) -> str:
        return self._book.say(phrase, self._case.task.id, len(self._beats), **values)

    def _agent(self, means: str, *parts: str) -> None:
        text = "\n".join(part for part in (*self._waiting, *parts) if part)
        self._beats.append(Beat(AGENT, means, text=text, record=self._waiting_note))
        self._waiting, self._waiting_note = [], None

    def _user(self, means: str, text: str) -> None:
        self._beats.append(Beat(USER, means, text=text))

    def _call(self, move: Move, done: str = "", title: str = "") -> str | None:
        written = self._writer.write(move.tool, move.arguments, move.requestor)
        beat = Beat(
            side=USER if move.requestor == "user" else AGENT,
            means="call",
            tool=move.tool,
            arguments=written,
            done=done,
            title=title,
            record=move.fault,
        )
        self._beats.append(beat)
        return self._stage.perform(move)

    def _say_facts(self) -> None:
        if self._facts:
            self._waiting += self._facts
            self._waiting_note = self._case.facts_note
            self._facts = []

    def _open(self) -> None:
        rules = self._book.locale.first_person if self._book.locale is not None else None
        told = spoken_scenario(self._case.task.user_scenario)
        self._concern = self._lines.opening or scenario.concern(told, rules)
        if self._concern:
            self._user("open", self._phrase("open", concern=self._concern))
        else:
            self._user("open", self._phrase("open_bare"))
        self._agent("ask_identity", self._phrase("ask_identity"))
        known = self._lines.identity or scenario.identity(told, rules)
        said = self._phrase("identity", identity=known) if known else self._phrase("no_identity")
        self._user("identity", said)
        name = self._guide.owner_name(self._case.owner) if self._case.owner is not None else ""
        self._waiting = [self._phrase("found", name=name) if name else self._phrase("found_bare")]

    def _look_up(self, move: Move) -> None:
        error = self._call(move)
        correction = next(self._corrections, None) if error is not None else None
        if correction is not None:
            waiting, self._waiting = self._waiting, []
            self._agent("ask_again", self._phrase("ask_again"))
            self._user("correction", correction)
            self._waiting = waiting

    def _talk(self, tool: str = "") -> bool:
        """Say what the task has to be said before the next action; return whether it has any."""
        if self._lines.first:
            self._say_facts()
        own = (self._acts, tool) if tool not in self._called else (self._acts,)
        talks = [talk for talk in self._lines.talks if talk.before in own]
        for talk in talks:
            question = talk.agent or self._phrase("ask_more" if self._acts else "ask_wish")
            self._agent("talk", question)
            self._user("wish", talk.user)
        self._called.add(tool)
        self._has_talked = self._has_talked or bool(talks)
        return bool(talks)

    def _write(self, move: Move) -> None:
        texts = self._book.write_texts(move.tool)
        values: Values = {}
        if texts is not None:
            try:
                values = self._guide.details(self._stage.database, move)
            except LookupError:
                texts = None
        if texts is not None:
            title, lines, notes = texts.title, fill_lines(texts.lines, values), texts.notes
            intro = self._phrase("consent_next" if self._acts else "consent_first", title=title)
            done = fill(texts.done, values)
        else:
            title, lines, notes = self._own_words(move), self._plain(move), ()
            intro = self._phrase("consent_plain", title=title)
            done = self._phrase("done_plain", title=title)
        ask = self._phrase("consent_ask") if self._book.knows("consent_ask") else ""
        details = (f"{self._book.bullet}{line}" for line in lines)
        self._agent("consent", intro, *details, *notes, ask)
        self._user("yes", self._phrase("yes") if self._book.knows("yes") else title)
        self._call(move, done=done, title=title)

    def _own_words(self, move: Move) -> str:
        text = self._guide.catalog.tool(move.tool, move.requestor)
        return first_sentence(text.description) if text is not None else move.tool

    def _plain(self, move: Move) -> list[str]:
        return self._guide.plain_details(move)

    def _hand_over(self, move: Move, *, has_talked: bool) -> None:
        if not has_talked or self._facts:
            self._say_facts()
            self._agent("hand_over", self._phrase("hand_over"))
            self._user("accept", self._phrase("accept_hand_over"))
        summary = self._phrase("summary", concern=self._concern)
        text = self._guide.catalog.tool(move.tool, move.requestor)
        free = {n for n, p in (text.parameters if text else {}).items() if p.kind == "free_text"}
        arguments = {k: summary if k in free else v for k, v in move.arguments.items()}
        self._call(replace(move, arguments=arguments))
        self._is_handed_over = True

    def _ask_user(self, move: Move) -> None:
        named = self._book.domain.requests.get(move.tool)
        title = named or self._own_words(move)
        ask = self._phrase("request" if named else "request_plain", title=title)
        self._agent("request", ask, *(f"{self._book.bullet}{line}" for line in self._plain(move)))
        self._call(move)
        self._user("report", self._phrase("report", title=title))

    def _close(self) -> None:
        if self._is_handed_over:
            self._agent("transfer", self._phrase("transfer"))
            self._user("stop", STOP)
            return
        self._talk()
        self._say_facts()
        if self._lines.refusal or not (self._acts or self._case.facts or self._has_talked):
            self._waiting.append(self._lines.refusal or self._phrase("refusal"))
        self._agent("anything_else", self._phrase("anything_else"))
        self._user("no_more", self._phrase("no_more"))
        self._agent("farewell", self._phrase("farewell"))
        self._user("stop", STOP)
