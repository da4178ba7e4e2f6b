"""Writes the script of one simulation: from task, environment and model to all its messages.

Pure: the same task, environment and model give the same script, whatever else is running.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from typing import Any

from jtau_plugin.compat.tasks import spoken_scenario
from jtau_plugin.oracle import scenario
from jtau_plugin.oracle.beats import AGENT, Script
from jtau_plugin.oracle.book import Book, load_book
from jtau_plugin.oracle.composer import Case, Composer
from jtau_plugin.oracle.facts import FactSpeaker
from jtau_plugin.oracle.faults import LEFT_OUT, WRONG_FACT, Fault, FaultFinder
from jtau_plugin.oracle.guide import Guide
from jtau_plugin.oracle.guides import guide_for
from jtau_plugin.oracle.moves import Move, Stage, gold_moves
from jtau_plugin.oracle.writing import ArgumentWriter, localized_forms
from jtau_plugin.overlays.catalog import Catalog

ORACLE = "oracle"
WIDE = "oracle-wide"
SABOTEUR = "saboteur"
MODELS = (ORACLE, WIDE, SABOTEUR)

_NUMBER = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?")
#: Why a saboteur played a task straight.
NOTHING_TO_SPOIL = "no accepted change counts for the score and nothing is communicated"


class ScriptWriter:
    """Writes one script.

    Args:
        task: the localized task.
        environment: the simulation's environment, which is only read.
        model: one of ``MODELS``.
    """

    def __init__(self, task: Any, environment: Any, model: str) -> None:
        self._task = task
        self._environment = environment
        self._model = model
        self._catalog: Catalog = environment.jtau_surface.speech_catalog
        self._book: Book = load_book(self._catalog)
        self._guide: Guide = guide_for(self._catalog, self._book)
        habits = self._book.locale.wide if self._book.locale is not None else None
        self._wide = habits if model == WIDE else None
        criteria = task.evaluation_criteria
        self._values = tuple((criteria.communicate_info if criteria is not None else None) or ())
        self._gold = tuple(gold_moves(task))

    def write(self, *, is_alone: bool = False, stop_tool: str = "") -> Script:
        """Return the script.

        Args:
            is_alone: the agent plays without a caller.
            stop_tool: the tool by which such an agent ends, if it has one.
        """
        fault = None
        note = None
        if self._model == SABOTEUR:
            finder = FaultFinder(
                self._task, self._stage, self._guide, self._is_unsaid, self._other_words
            )
            fault = finder.find(self._gold, self._values)
            if fault is None:
                note = {"fault": None, "reason": NOTHING_TO_SPOIL}
        composer = self._composer(fault, note)
        beats = composer.compose_alone(stop_tool) if is_alone else composer.compose()
        return Script(beats, fault=fault.record if fault is not None else note)

    def _stage(self) -> Stage:
        return Stage(self._environment, self._task)

    def _composer(self, fault: Fault | None, note: dict[str, Any] | None = None) -> Composer:
        moves = fault.moves if fault is not None else self._gold
        values = fault.values if fault is not None else self._values
        record = fault.record if fault is not None else None
        kind = record["fault"] if record is not None else None
        speaker = FactSpeaker(self._book, self._catalog, self._task.id, self._wide)
        facts = speaker.sentences(values, self._book.lines(self._task.id))
        text = scenario.known_text(spoken_scenario(self._task.user_scenario))
        stage = self._stage()
        # Whose case it is follows from gold, also where the faulty case leaves a call out.
        owner = self._guide.owner(stage.database, list(self._gold), text)
        case = Case(
            task=self._task,
            moves=(*self._look_ups(owner, text), *moves),
            facts=tuple(facts),
            owner=owner,
            note=record if kind == LEFT_OUT else note,
            facts_note=record if kind == WRONG_FACT else None,
        )
        readers = self._environment.jtau_localizer.reader_of
        writer = ArgumentWriter(readers, self._wide, self._task.id)
        return Composer(case, stage, self._book, self._guide, writer)

    def _look_ups(self, owner: Any, text: str) -> list[Move]:
        if owner is None or any(m.tool in self._guide.identify_tools for m in self._gold):
            return []
        return self._guide.look_ups(owner, text)

    def _is_unsaid(self, fault: Fault, value: str) -> bool:
        """Return whether the agent nowhere says a value that the fault replaces."""
        beats = self._composer(fault).compose()
        said = unicodedata.normalize("NFKC", "\n".join(b.text for b in beats if b.side == AGENT))
        if _NUMBER.fullmatch(value):
            numbers = {Decimal(n.replace(",", "").rstrip(".")) for n in _NUMBER.findall(said)}
            return Decimal(value) not in numbers
        return not any(form.lower() in said.lower() for form in self._words_for(value))

    def _words_for(self, value: str) -> list[str]:
        own = self._book.lines(self._task.id).forms.get(value)
        forms = [value, *([own] if own else [])]
        for table in self._catalog.tables.values():
            forms += localized_forms(table, value)
        return forms

    def _other_words(self, value: str) -> list[str]:
        tables = [t for t in self._catalog.tables.values() if value in t.display]
        return [other for table in tables for other in table.display if other != value]


def write_script(
    task: Any, environment: Any, model: str, *, is_alone: bool = False, stop_tool: str = ""
) -> Script:
    """Return the script of a simulation; see ``ScriptWriter.write``."""
    return ScriptWriter(task, environment, model).write(is_alone=is_alone, stop_tool=stop_tool)
