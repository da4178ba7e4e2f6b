"""The language measures of runs, where they can be had: what is not measured is not available.

The only place here that knows how the measures are asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import get_args

from jtau_plugin.models.measures import Side
from jtau_plugin.reporting import measures
from jtau_plugin.reporting.compare.arms import Run
from jtau_plugin.reporting.tags import load_vocabulary
from jtau_plugin.reporting.tags_rules import Finding, RuleTagger, read_case

#: Labels of a turn, in the order in which a report shows them.
TURN_LABELS = ("target", "code-switched", "other", "too short", "no text")


@dataclass(frozen=True)
class GivenTag:
    """An error tag that a rule gave to a conversation.

    Attributes:
        id: as the vocabulary has it.
        title: as a person reads it.
        side: whose error it is.
        detail: what was found.
    """

    id: str
    title: str
    side: Side
    detail: str


@dataclass(frozen=True)
class Measured:
    """What was measured of one conversation; ``None`` is what was not.

    Attributes:
        agent_turns: label of each agent turn, in order.
        user_turns: the same for the caller.
        labels: label of each message that was labelled, by its position.
        register: how many agent turns are polite, plain, mixed.
        arguments: how many arguments were canonical, localized, other, normalised, refused.
        faults: rules that the simulated caller broke.
        fault_details: the same with what was found.
        is_identified: whether the caller was looked up correctly.
        failed_look_ups: how many look-ups failed, by the form of their arguments.
        tags: error tags that rules gave.
    """

    agent_turns: tuple[str, ...] | None = None
    user_turns: tuple[str, ...] | None = None
    labels: Mapping[int, str] = field(default_factory=dict)
    register: Mapping[str, int] | None = None
    arguments: Mapping[str, int] | None = None
    faults: tuple[str, ...] | None = None
    fault_details: tuple[str, ...] = ()
    is_identified: bool | None = None
    failed_look_ups: Mapping[str, int] | None = None
    tags: tuple[GivenTag, ...] | None = None


@dataclass(frozen=True)
class LanguageFigures:
    """The measures of several conversations together.

    Attributes:
        conversations: how many were measured in any respect.
        agent_turns: how many agent turns have each label; empty if none was measured.
        agent_by_turn: the same, by the turn's number.
        faults: how many conversations broke each rule; ``None`` if nobody looked.
        faulty: how many conversations broke any; ``None`` if nobody looked.
        identified: (looked up correctly, of how many).
        failed_look_ups: how many look-ups failed, by the form of their arguments.
        tags: in how many conversations each error tag was given, with its side; ``None`` if
            nobody looked.
    """

    conversations: int = 0
    agent_turns: Mapping[str, int] = field(default_factory=dict)
    user_turns: Mapping[str, int] = field(default_factory=dict)
    agent_by_turn: Sequence[Mapping[str, int]] = ()
    user_by_turn: Sequence[Mapping[str, int]] = ()
    register: Mapping[str, int] = field(default_factory=dict)
    arguments: Mapping[str, int] = field(default_factory=dict)
    faults: Mapping[str, int] | None = None
    faulty: int | None = None
    identified: tuple[int, int] | None = None
    failed_look_ups: Mapping[str, int] = field(default_factory=dict)
    tags: Mapping[tuple[Side, str], int] | None = None


def share(counts: Mapping[str, int], label: str, ignored: Sequence[str] = ()) -> float | None:
    """Return the share of a label, ``None`` where nothing was counted."""
    total = sum(count for name, count in counts.items() if name not in ignored)
    return counts.get(label, 0) / total if total else None


def target_share(counts: Mapping[str, int]) -> float | None:
    """Return the share of turns in the target language among those that can be told."""
    return share(counts, "target", ignored=("too short", "no text"))


#: What a person reads of the measures, in this order.
READ_LANGUAGE = (
    "agent in target language",
    "caller in target language",
    "polite",
    "arguments localized",
    "normalised",
    "refused",
    "caller identified",
    "callers that broke a rule",
)
_NOT_AVAILABLE = "not available"


def describe_language(figures: LanguageFigures) -> dict[str, str]:
    """Return what a person reads of the measures, by ``READ_LANGUAGE``."""
    written = {name: figures.arguments.get(name, 0) for name in ("canonical", "localized", "other")}
    arguments = sum(written.values())
    faulty = _NOT_AVAILABLE
    if figures.faulty is not None:
        faulty = f"{figures.faulty} of {figures.conversations}"
    found = (
        _percent(target_share(figures.agent_turns)),
        _percent(target_share(figures.user_turns)),
        _percent(share(figures.register, "polite")),
        _percent(share(written, "localized")),
        f"{figures.arguments.get('normalised', 0)} of {arguments}" if arguments else _NOT_AVAILABLE,
        f"{figures.arguments.get('refused', 0)} of {arguments}" if arguments else _NOT_AVAILABLE,
        "{} of {}".format(*figures.identified) if figures.identified else _NOT_AVAILABLE,
        faulty,
    )
    return dict(zip(READ_LANGUAGE, found, strict=True))


def _percent(value: float | None) -> str:
    return _NOT_AVAILABLE if value is None else f"{value * 100:.1f}%"


#: Whose errors are told apart, in this order.
TAG_SIDES: tuple[Side, ...] = get_args(Side)


def describe_tags(figures: LanguageFigures, side: Side) -> str:
    """Return one side's error tags with their counts, the commonest first; empty if none."""
    mine = [(title, n) for (whose, title), n in (figures.tags or {}).items() if whose == side]
    mine.sort(key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{title} {count}" for title, count in mine)


def join_measures(measured: Iterable[Measured]) -> LanguageFigures | None:
    """Return the measures of several conversations together; ``None`` if there are none."""
    found = list(measured)
    if not found:
        return None
    faults = [one.faults for one in found if one.faults is not None]
    identities = [one.is_identified for one in found if one.is_identified is not None]
    return LanguageFigures(
        conversations=len(found),
        agent_turns=_count(one.agent_turns for one in found),
        user_turns=_count(one.user_turns for one in found),
        agent_by_turn=_by_turn(one.agent_turns for one in found),
        user_by_turn=_by_turn(one.user_turns for one in found),
        register=_sum(one.register for one in found),
        arguments=_sum(one.arguments for one in found),
        faults=Counter(rule for rules in faults for rule in set(rules)) if faults else None,
        faulty=sum(bool(rules) for rules in faults) if faults else None,
        identified=(sum(identities), len(identities)) if identities else None,
        failed_look_ups=_sum(one.failed_look_ups for one in found),
        tags=_count_tags(found),
    )


def _count_tags(measured: Iterable[Measured]) -> Counter[tuple[Side, str]] | None:
    looked = [one.tags for one in measured if one.tags is not None]
    if not looked:
        return None
    return Counter(key for tags in looked for key in {(tag.side, tag.title) for tag in tags})


def _count(turns: Iterable[tuple[str, ...] | None]) -> Counter[str]:
    return Counter(label for labels in turns for label in labels or ())


def _by_turn(turns: Iterable[tuple[str, ...] | None]) -> list[Counter[str]]:
    found: list[Counter[str]] = []
    for labels in turns:
        for number, label in enumerate(labels or ()):
            if number == len(found):
                found.append(Counter())
            found[number][label] += 1
    return found


def _sum(counts: Iterable[Mapping[str, int] | None]) -> Counter[str]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count or {})
    return total


def measure_run(run: Run) -> dict[tuple[str, int], Measured]:
    """Return what was measured of the conversations of a run, by task and trial.

    Raises:
        OverlayError: if the overlay or the rules of a language cannot be used.
    """
    measurer = measures.Measurer(measures.setting_of(run.file.raw))
    tagger = RuleTagger(measurer)
    found = {}
    for key, cell in run.inventory.cells.items():
        simulation = run.simulation(cell)
        if simulation is None or not simulation.get("messages"):
            continue
        # A conversation of another shape than tau2 writes has no measures.
        with suppress(TypeError, ValueError, AttributeError, LookupError):
            case = read_case(simulation, run.tasks.get(cell.task_id), measurer)
            found[key] = _read(case.measures, tagger.tag(case))
    return found


def _given(finding: Finding) -> GivenTag:
    tag = load_vocabulary().tags[finding.tag]
    return GivenTag(finding.tag, tag.title, tag.side, finding.detail)


def _read(one: measures.SimulationMeasures, findings: Iterable[Finding]) -> Measured:
    turns = (*(one.agent_turns or ()), *(one.user_turns or ()))
    identity = one.identity
    return Measured(
        agent_turns=one.agent_labels,
        user_turns=one.user_labels,
        labels={turn.position: turn.label for turn in turns},
        register=one.register_counts,
        arguments=one.argument_counts,
        faults=one.fault_rules,
        fault_details=tuple(f"{fault.rule}: {fault.detail}" for fault in one.faults or ()),
        is_identified=one.is_identified,
        failed_look_ups=None if identity is None else Counter(f.form for f in identity.failed),
        tags=tuple(map(_given, findings)),
    )
