"""The language measures of runs, where they can be had: what is not measured is not available.

The only place here that knows how the measures are asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from jtau_plugin.reporting.compare.arms import Run

#: Labels of a turn, in the order in which a report shows them.
TURN_LABELS = ("target", "code-switched", "other", "too short", "no text")


@dataclass(frozen=True)
class Measured:
    """What was measured of one conversation; ``None`` is what was not.

    Attributes:
        agent_turns: label of each agent turn, in order.
        user_turns: the same for the caller.
        register: how many agent turns are polite, plain, mixed.
        arguments: how many arguments were canonical, localized, other, normalised, refused.
        faults: rules that the simulated caller broke.
        is_identified: whether the caller was looked up correctly.
    """

    agent_turns: tuple[str, ...] | None = None
    user_turns: tuple[str, ...] | None = None
    register: Mapping[str, int] | None = None
    arguments: Mapping[str, int] | None = None
    faults: tuple[str, ...] | None = None
    is_identified: bool | None = None


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


def share(counts: Mapping[str, int], label: str, ignored: Sequence[str] = ()) -> float | None:
    """Return the share of a label, ``None`` where nothing was counted."""
    total = sum(count for name, count in counts.items() if name not in ignored)
    return counts.get(label, 0) / total if total else None


def target_share(counts: Mapping[str, int]) -> float | None:
    """Return the share of turns in the target language among those that can be told."""
    return share(counts, "target", ignored=("too short", "no text"))


def join_measures(measures: Iterable[Measured]) -> LanguageFigures | None:
    """Return the measures of several conversations together; ``None`` if there are none."""
    found = list(measures)
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
    )


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


def measure_run(run: Run) -> dict[tuple[str, int], Measured] | None:  # noqa: ARG001
    """Return what can be measured of a run, by task and trial; ``None`` if nothing can."""
    return None
