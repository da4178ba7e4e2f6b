"""Which tasks flipped between two arms, which checks they lost, and whose loss it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jtau_plugin.reporting.compare.arms import Arm
from jtau_plugin.reporting.compare.checks import Blame, LostCheck, lost_checks
from jtau_plugin.reporting.compare.pairing import Pair, PairedTask, Pairing, has_passed
from jtau_plugin.scoring.inventory import Cell

#: Rules of the simulated caller that a conversation broke, by arm, domain and cell.
FaultsOf = Mapping[tuple[str, str, str, int], tuple[str, ...]]


@dataclass(frozen=True)
class Flip:
    """One trial that one arm passed and the other did not.

    Attributes:
        is_loss: whether the second arm is the one that did not pass.
        lost: what the arm that did not pass lost.
        faults: rules that its simulated caller broke; ``None`` if nobody looked.
    """

    pair: Pair
    is_loss: bool
    lost: tuple[LostCheck, ...]
    faults: tuple[str, ...] | None

    @property
    def blame(self) -> Blame:
        """Whose loss it is: where the caller broke its rules, not certainly the agent's."""
        for blame in (Blame.NOBODY, Blame.CALLER):
            if any(check.blame is blame for check in self.lost):
                return blame
        return Blame.UNCLEAR if self.faults else Blame.AGENT


@dataclass(frozen=True)
class TaskFlips:
    """One task that flipped in at least one trial."""

    task: PairedTask
    flips: tuple[Flip, ...]

    @property
    def lost(self) -> list[Flip]:
        """Trials that the second arm lost."""
        return [flip for flip in self.flips if flip.is_loss]

    @property
    def gained(self) -> list[Flip]:
        """Trials that the second arm gained."""
        return [flip for flip in self.flips if not flip.is_loss]


#: The four corners and the rest of a flip matrix.
BOTH, LOST, GAINED, NEITHER = "both passed", "lost", "gained", "neither passed"
UNGRADED, SPOILED = "not graded in one arm", "spoiled by the caller"
MATRIX = (BOTH, LOST, GAINED, NEITHER, UNGRADED, SPOILED)


def find_flips(pairing: Pairing, faults: FaultsOf | None) -> list[TaskFlips]:
    """Return the tasks that flipped, those with the most losses first.

    Args:
        pairing: two arms.
        faults: what the simulated callers broke; ``None`` if nobody looked.
    """
    found = []
    for task in pairing.all_tasks:
        flips = tuple(_flip(pairing, pair, faults) for pair in task.pairs if pair.is_flipped)
        if flips:
            found.append(TaskFlips(task, flips))
    return sorted(found, key=lambda one: (-len(one.lost), -len(one.gained)))


def _flip(pairing: Pairing, pair: Pair, faults: FaultsOf | None) -> Flip:
    is_loss = has_passed(pair.first)
    arm, cell = (pairing.second, pair.second) if is_loss else (pairing.first, pair.first)
    found = None if faults is None else faults.get(_key(arm, pair.base, cell), ())
    lost = lost_checks(cell, arm.runs[pair.base].simulation(cell))
    return Flip(pair, is_loss, lost, found)


def _key(arm: Arm, base: str, cell: Cell) -> tuple[str, str, str, int]:
    return arm.name, base, cell.task_id, cell.trial


def count_matrix(pairing: Pairing, base: str | None = None) -> dict[str, int]:
    """Return how many trials fall into each corner; of one domain or of all.

    Trials that were not graded in one of the arms stand apart, whichever corner they count for.
    """
    found = dict.fromkeys(MATRIX, 0)
    for task in pairing.all_tasks if base is None else pairing.tasks.get(base, ()):
        found[SPOILED] += len(task.spoiled)
        for pair in task.pairs:
            found[_corner(pair)] += 1
    return found


def _corner(pair: Pair) -> str:
    if not pair.is_graded:
        return UNGRADED
    first, second = has_passed(pair.first), has_passed(pair.second)
    if first:
        return BOTH if second else LOST
    return GAINED if second else NEITHER


def count_lost_checks(flips: Sequence[TaskFlips]) -> Mapping[Blame, Mapping[str, int]]:
    """Return how many lost trials lost each kind of check, by whose loss it is."""
    found: dict[Blame, Counter[str]] = {blame: Counter() for blame in Blame}
    for task in flips:
        for flip in task.lost:
            found[flip.blame].update({check.kind for check in flip.lost})
    return found
