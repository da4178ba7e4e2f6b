"""Pairs two arms by task and trial, and says what became of each pair.

A trial that the user simulator spoiled in either arm is nobody's loss: its pair is left out and
counted. A trial that was lost or never graded counts as not passed, as in every strict figure, but
is told apart from what the agent lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from jtau_plugin.reporting.compare.arms import Arm, Run
from jtau_plugin.scoring.causes import GRADED, Outcome
from jtau_plugin.scoring.inventory import Cell
from jtau_plugin.scoring.pass_hat_k import pass_hat_k


@dataclass(frozen=True)
class Pair:
    """One trial of one task in two arms.

    Attributes:
        first: in the arm that is compared with.
        second: in the arm that is compared.
    """

    base: str
    first: Cell
    second: Cell

    @property
    def task_id(self) -> str:
        """The task."""
        return self.first.task_id

    @property
    def trial(self) -> int:
        """The trial."""
        return self.first.trial

    @property
    def is_graded(self) -> bool:
        """Whether both conversations were played and graded."""
        return self.first.outcome in GRADED and self.second.outcome in GRADED

    @property
    def is_flipped(self) -> bool:
        """Whether one arm passed and the other did not."""
        return has_passed(self.first) != has_passed(self.second)


def has_passed(cell: Cell) -> bool:
    """Tell whether a cell is a success."""
    return cell.outcome is Outcome.PASSED


@dataclass(frozen=True)
class PairedTask:
    """One task in two arms.

    Attributes:
        pairs: those that count.
        spoiled: those that the user simulator spoiled in either arm.
    """

    base: str
    task_id: str
    pairs: tuple[Pair, ...]
    spoiled: tuple[Pair, ...]

    def difference(self, k: int, *, only_graded: bool = False) -> float | None:
        """Return by how much pass^k is higher in the second arm; ``None`` with too few trials."""
        counted = [pair for pair in self.pairs if pair.is_graded or not only_graded]
        trials = len(counted)
        if trials < k:
            return None
        first = sum(has_passed(pair.first) for pair in counted)
        second = sum(has_passed(pair.second) for pair in counted)
        return pass_hat_k(trials, second, k) - pass_hat_k(trials, first, k)

    def pass_hat(self, k: int) -> tuple[float, float] | None:
        """Return pass^k of both arms over the trials that both have."""
        trials = len(self.pairs)
        if trials < k:
            return None
        first = sum(has_passed(pair.first) for pair in self.pairs)
        second = sum(has_passed(pair.second) for pair in self.pairs)
        return pass_hat_k(trials, first, k), pass_hat_k(trials, second, k)


@dataclass(frozen=True)
class Pairing:
    """Two arms, paired.

    Attributes:
        tasks: by domain; domains that only one arm has are left out.
        unpaired: tasks that only one arm has, with their domain.
        bases_left_out: domains that only one arm has.
    """

    first: Arm
    second: Arm
    tasks: dict[str, tuple[PairedTask, ...]]
    unpaired: tuple[str, ...]
    bases_left_out: tuple[str, ...]

    @property
    def all_tasks(self) -> list[PairedTask]:
        """The tasks of all domains."""
        return [task for tasks in self.tasks.values() for task in tasks]

    @property
    def pairs(self) -> list[Pair]:
        """Every pair that counts."""
        return [pair for task in self.all_tasks for pair in task.pairs]

    @property
    def spoiled(self) -> list[Pair]:
        """Every pair that the user simulator spoiled."""
        return [pair for task in self.all_tasks for pair in task.spoiled]

    @property
    def trials(self) -> int:
        """The largest k for which there can be a difference."""
        return max((len(task.pairs) + len(task.spoiled) for task in self.all_tasks), default=0)


def pair_arms(first: Arm, second: Arm, excluded: Collection[Outcome]) -> Pairing:
    """Return two arms, paired by domain, task and trial.

    Args:
        first: the arm that is compared with.
        second: the arm that is compared.
        excluded: outcomes that are nobody's loss.
    """
    shared = [base for base in first.runs if base in second.runs]
    tasks = {
        base: tuple(_pair_runs(base, first.runs[base], second.runs[base], excluded))
        for base in shared
    }
    unpaired = [
        f"{base} {task}"
        for base in shared
        for task in _unpaired(first.runs[base], second.runs[base])
    ]
    left_out = [base for base in (*first.runs, *second.runs) if base not in shared]
    return Pairing(
        first,
        second,
        {base: found for base, found in tasks.items() if found},
        tuple(unpaired),
        tuple(dict.fromkeys(left_out)),
    )


def _unpaired(first: Run, second: Run) -> Iterable[str]:
    ours, theirs = first.inventory.tasks, second.inventory.tasks
    return [task for task in dict.fromkeys((*ours, *theirs)) if (task in ours) != (task in theirs)]


def _pair_runs(
    base: str, first: Run, second: Run, excluded: Collection[Outcome]
) -> Iterable[PairedTask]:
    trials = min(first.inventory.num_trials, second.inventory.num_trials)
    known = set(second.inventory.tasks)
    for task_id in first.inventory.tasks:
        if task_id not in known:
            continue
        pairs = [
            Pair(
                base, first.inventory.cells[task_id, trial], second.inventory.cells[task_id, trial]
            )
            for trial in range(trials)
        ]
        spoiled = [
            pair
            for pair in pairs
            if pair.first.outcome in excluded or pair.second.outcome in excluded
        ]
        counted = tuple(pair for pair in pairs if pair not in spoiled)
        yield PairedTask(base, task_id, counted, tuple(spoiled))
