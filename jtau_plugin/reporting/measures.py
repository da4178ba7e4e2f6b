"""The measures of a conversation: language, register, arguments, the caller's faults, identity.

The one entry point for whoever wants them. Plain data of a results file in, frozen data out; no
tau2, no model of a provider, nothing that depends on the moment. Never changes a reward: it is
beside all of this. What cannot be measured is ``None``, never zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jtau_plugin.overlays.catalog import Catalog
from jtau_plugin.reporting.arguments import (
    Argument,
    ArgumentReader,
    count_arguments,
    find_catalog,
)
from jtau_plugin.reporting.conversation import Conversation, Side, Turn, read_conversation
from jtau_plugin.reporting.faults import Fault, FaultFinder, read_script
from jtau_plugin.reporting.identity import Identity, IdentityReader, load_domain_tools
from jtau_plugin.reporting.language.choosing import (
    Identifier,
    find_identifier,
    find_register_reader,
)
from jtau_plugin.reporting.language.identify import NO_TEXT, SHORT, TARGET, Label
from jtau_plugin.reporting.language.masking import Shown
from jtau_plugin.reporting.language.register import Level
from jtau_plugin.reporting.reading import as_list, as_mapping, as_mappings
from jtau_plugin.reporting.setting import Setting, find_setting
from jtau_plugin.reporting.values import NameBook

#: Values that are answers too: whoever says them is speaking.
_ANSWERS = frozenset({"yes", "no", "True", "False"})
#: Labels that do not count when the share of the target language is taken.
UNDECIDED = (SHORT, NO_TEXT)


@dataclass(frozen=True)
class TurnMeasure:
    """What was measured of one turn.

    Attributes:
        number: from 0; an agent's turn answers the caller's turn of the same number.
        position: of its message in the conversation.
        label: its language, one of ``identify.LABELS``.
        rule: what decided the label.
        register: its register; ``None`` if it has none, or none is measured.
        register_rules: ids of the rules that told the register.
        slips: ids of wordings that customer service avoids.
    """

    side: Side
    number: int
    position: int
    label: Label
    rule: str
    register: Level | None = None
    register_rules: tuple[str, ...] = ()
    slips: tuple[str, ...] = ()


@dataclass(frozen=True)
class SimulationMeasures:
    """What was measured of one simulation; ``None`` is what could not be.

    Attributes:
        agent_turns: the agent's turns that its model wrote.
        user_turns: the caller's.
        arguments: every argument that the agent wrote.
        faults: what the simulated caller did wrong.
        identity: whether the caller was looked up.
        has_register: whether the agent's language has rules for its register.
    """

    task_id: str = ""
    trial: int | None = None
    simulation_id: str = ""
    agent_turns: tuple[TurnMeasure, ...] | None = None
    user_turns: tuple[TurnMeasure, ...] | None = None
    arguments: tuple[Argument, ...] | None = None
    faults: tuple[Fault, ...] | None = None
    identity: Identity | None = None
    has_register: bool = False

    @property
    def agent_labels(self) -> tuple[Label, ...] | None:
        """The language of each agent turn, in order."""
        return _labels(self.agent_turns)

    @property
    def user_labels(self) -> tuple[Label, ...] | None:
        """The language of each of the caller's turns, in order."""
        return _labels(self.user_turns)

    @property
    def register_counts(self) -> dict[str, int] | None:
        """How many agent turns are polite, plain, mixed; ``None`` where none is measured."""
        if not self.has_register or self.agent_turns is None:
            return None
        counts = {"polite": 0, "plain": 0, "mixed": 0}
        for turn in self.agent_turns:
            if turn.register is not None:
                counts[turn.register] += 1
        return counts

    @property
    def argument_counts(self) -> dict[str, int] | None:
        """How many arguments were canonical, localized, other, normalised, refused."""
        return None if self.arguments is None else count_arguments(self.arguments)

    @property
    def fault_rules(self) -> tuple[str, ...] | None:
        """The rules that the caller broke, each once."""
        if self.faults is None:
            return None
        return tuple(dict.fromkeys(fault.rule for fault in self.faults))

    @property
    def is_identified(self) -> bool | None:
        """Whether the right caller was looked up."""
        return None if self.identity is None else self.identity.is_identified


def _labels(turns: Sequence[TurnMeasure] | None) -> tuple[Label, ...] | None:
    return None if turns is None else tuple(turn.label for turn in turns)


class Measurer:
    """Measures the simulations of one run.

    Args:
        setting: in what it was played.

    Raises:
        OverlayError: if the overlay or the rules of a language cannot be used.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        catalog = find_catalog(setting)
        names = names_beside(catalog)
        self._identifiers: dict[Side, Identifier | None] = {
            "agent": find_identifier(setting.agent_language, names),
            "user": find_identifier(setting.user_language, names),
        }
        self._register = find_register_reader(setting.agent_language)
        self.arguments = ArgumentReader(setting)
        self._faults = FaultFinder(_name_book(catalog))
        tools = load_domain_tools().get(setting.base)
        self._identity = IdentityReader(tools, self.arguments) if tools is not None else None

    def measure(
        self, simulation: Mapping[str, Any], task: Mapping[str, Any] | None = None
    ) -> SimulationMeasures:
        """Return the measures of a simulation.

        Args:
            simulation: as it stands in a results file.
            task: its task, likewise; without it nothing is said of faults and identity.
        """
        trial = simulation.get("trial")
        measures = self.measure_conversation(
            self.read(simulation, task), task, str(simulation.get("termination_reason") or "")
        )
        return replace(
            measures,
            task_id=str(simulation.get("task_id")),
            trial=trial if isinstance(trial, int) else None,
            simulation_id=str(simulation.get("id") or ""),
        )

    @staticmethod
    def read(
        simulation: Mapping[str, Any], task: Mapping[str, Any] | None = None
    ) -> Conversation | None:
        """Return the conversation of a simulation; ``None`` if the file holds none."""
        messages = simulation.get("messages")
        if not isinstance(messages, list | tuple) or not messages:
            return None
        return read_conversation(messages, _history(task))

    def measure_conversation(
        self,
        conversation: Conversation | None,
        task: Mapping[str, Any] | None = None,
        reason: str = "",
    ) -> SimulationMeasures:
        """Return the measures of a conversation whose place in a run is not known.

        Args:
            conversation: ``None`` if there is none to read.
            task: its task, as it stands in a results file.
            reason: the termination reason.
        """
        measures = SimulationMeasures(has_register=self._register is not None)
        if conversation is None:
            return measures
        turns = self.measure_turns(conversation)
        measures = replace(
            measures,
            agent_turns=turns["agent"],
            user_turns=turns["user"],
            arguments=self._read_arguments(conversation),
        )
        if task is None:
            return measures
        script = read_script(task)
        labels = {turn.number: turn.label for turn in turns["user"] or ()}
        identity = self._identity
        return replace(
            measures,
            faults=tuple(self._faults.find(conversation, script, labels, reason)),
            identity=identity.read(conversation, task, script) if identity is not None else None,
        )

    def measure_turns(
        self, conversation: Conversation
    ) -> dict[Side, tuple[TurnMeasure, ...] | None]:
        """Return the measures of each side's turns; ``None`` where its language has no rules."""
        shown = Shown()
        found: dict[Side, list[TurnMeasure]] = {"agent": [], "user": []}
        for turn in conversation.turns:
            for call in turn.calls:
                shown.add(call.result or "")
            identifier = self._identifiers[turn.side]
            if not turn.is_scripted and identifier is not None:
                found[turn.side].append(self._measure_turn(turn, identifier, shown))
        return {
            side: tuple(turns) if self._identifiers[side] is not None else None
            for side, turns in found.items()
        }

    def _measure_turn(self, turn: Turn, identifier: Identifier, shown: Shown) -> TurnMeasure:
        reading = identifier.read(turn.text, shown)
        measure = TurnMeasure(turn.side, turn.number, turn.position, reading.label, reading.rule)
        if turn.side != "agent" or self._register is None or reading.label in UNDECIDED:
            return measure
        register = self._register.read(turn.text)
        return replace(
            measure,
            register=register.level,
            register_rules=register.rules,
            slips=register.slips,
        )

    def _read_arguments(self, conversation: Conversation) -> tuple[Argument, ...] | None:
        if not self.arguments.is_available:
            return None
        calls = (call for call in conversation.calls if call.side == "agent")
        return tuple(argument for call in calls for argument in self.arguments.read(call))


def _history(task: Mapping[str, Any] | None) -> int:
    initial = as_mapping(as_mapping(task).get("initial_state"))
    return len(as_list(initial.get("message_history")))


def names_beside(catalog: Catalog | None) -> frozenset[str]:
    """Return the names that an overlay's data have in any language, in lower case."""
    if catalog is None:
        return frozenset()
    tables = (*catalog.tables.values(), *catalog.names.values())
    return frozenset(
        form.lower()
        for table in tables
        for form, canonical in table.forms.items()
        if canonical not in _ANSWERS
    )


def _name_book(catalog: Catalog | None) -> NameBook | None:
    if catalog is None:
        return None
    return NameBook(catalog.names["given"].forms, catalog.names["family"].forms)


def measure_results(raw: Mapping[str, Any]) -> Iterator[SimulationMeasures]:
    """Yield the measures of each simulation of a results file, in its order.

    Args:
        raw: the file as plain data: ``info``, ``tasks``, ``simulations``.

    Raises:
        OverlayError: if the overlay or the rules of a language cannot be used.
    """
    measurer = Measurer(setting_of(raw))
    tasks = tasks_of(raw)
    for simulation in as_mappings(raw.get("simulations")):
        yield measurer.measure(simulation, tasks.get(str(simulation.get("task_id"))))


def setting_of(raw: Mapping[str, Any]) -> Setting:
    """Return in what the run of a results file was played."""
    environment = as_mapping(as_mapping(raw.get("info")).get("environment_info"))
    stamps = map(stamp_of, as_mappings(raw.get("simulations")))
    return find_setting(str(environment.get("domain_name") or ""), stamps)


def stamp_of(simulation: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what this project recorded in a simulation's reward; empty if nothing."""
    reward = as_mapping(simulation.get("reward_info"))
    return as_mapping(as_mapping(reward.get("info")).get("jtau"))


def tasks_of(raw: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the tasks of a results file by id; of two with one id the first."""
    found: dict[str, Mapping[str, Any]] = {}
    for task in as_mappings(raw.get("tasks")):
        found.setdefault(str(task.get("id")), task)
    return found


@dataclass(frozen=True)
class DriftPoint:
    """The turns of one number, over several conversations.

    Attributes:
        number: from 0.
        labels: how many turns have each label.
        share: of the target language among those that can be told; ``None`` if none can.
    """

    number: int
    labels: Mapping[str, int]
    share: float | None


def measure_drift(measures: Iterable[SimulationMeasures], side: Side = "agent") -> list[DriftPoint]:
    """Return how the language of one side develops over the turns of conversations."""
    counts: list[Counter[str]] = []
    for one in measures:
        turns = one.agent_turns if side == "agent" else one.user_turns
        for turn in turns or ():
            counts += [Counter() for _ in range(turn.number + 1 - len(counts))]
            counts[turn.number][turn.label] += 1
    return [DriftPoint(n, dict(labels), target_share(labels)) for n, labels in enumerate(counts)]


def target_share(labels: Mapping[str, int]) -> float | None:
    """Return the share of the target language among turns that can be told; ``None`` without."""
    told = sum(count for label, count in labels.items() if label not in UNDECIDED)
    return labels.get(TARGET, 0) / told if told else None
