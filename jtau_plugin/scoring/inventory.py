"""The trial inventory: what a run should hold, and what became of each cell.

A cell is one trial of one task. Counting starts from what was to be played, not from what happens
to be in the file, so nothing that was lost can improve a figure. Never grades anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from jtau_plugin.errors import Problem
from jtau_plugin.models.results import RecordedResults, RecordedSimulation, RecordedTask
from jtau_plugin.scoring.causes import GRADED, KNOWN_REASONS, Outcome, find_outcome

Key = tuple[str, int]


@dataclass(frozen=True)
class Cell:
    """One trial of one task.

    Attributes:
        reward: what counts in an average: the reward of a graded conversation, else 0.
        reason: why, unless the conversation was simply graded.
        position: where the simulation stands in the file; -1 when it is missing.
        agent_cost: what the agent's side cost, ``None`` when unknown.
    """

    task_id: str
    trial: int
    outcome: Outcome
    reward: float = 0.0
    reason: str = ""
    simulation_id: str = ""
    position: int = -1
    agent_cost: float | None = None

    @property
    def name(self) -> str:
        """How a report names the cell."""
        return f"task {self.task_id}, trial {self.trial}"


@dataclass(frozen=True)
class Inventory:
    """Every cell of a run.

    Attributes:
        domain: the domain that was run.
        tasks: ids of the run's tasks, in the file's order, each once.
        num_trials: how often each task was to be played.
        cells: one for each task and trial.
        gold_actions: how many actions gold has, by task, as upstream sorts by it; ``None`` for a
            task without criteria.
        problems: duplicates, strays and unknown reasons.
    """

    domain: str
    tasks: tuple[str, ...]
    num_trials: int
    cells: Mapping[Key, Cell]
    gold_actions: Mapping[str, int | None]
    problems: tuple[Problem, ...]

    @cached_property
    def counts(self) -> dict[Outcome, int]:
        """How many cells have each outcome."""
        found = Counter(cell.outcome for cell in self.cells.values())
        return {outcome: found[outcome] for outcome in Outcome}

    @property
    def expected(self) -> int:
        """How many cells there should be."""
        return len(self.tasks) * self.num_trials

    @property
    def present(self) -> int:
        """How many cells hold a simulation, whatever became of it."""
        return self.expected - self.counts[Outcome.MISSING]

    @property
    def is_complete(self) -> bool:
        """Whether every cell was played and graded."""
        return all(cell.outcome in GRADED for cell in self.cells.values())

    def cells_of(self, task_id: str) -> list[Cell]:
        """Return a task's cells by trial."""
        return [self.cells[task_id, trial] for trial in range(self.num_trials)]

    def named(self, outcomes: Iterable[Outcome]) -> list[Cell]:
        """Return the cells with one of these outcomes, in order."""
        wanted = frozenset(outcomes)
        return [cell for cell in self.cells.values() if cell.outcome in wanted]


def count_gold_actions(task: RecordedTask) -> int | None:
    """Return how many actions upstream counts for a task; -1 for a transfer and nothing else."""
    criteria = task.evaluation_criteria
    if criteria is None:
        return None
    actions = criteria.actions or []
    if len(actions) == 1 and "transfer" in actions[0].name.lower():
        return -1
    return sum(action.requestor in {"assistant", "user"} for action in actions)


def take_inventory(results: RecordedResults, where: str = "results") -> Inventory:
    """Return the inventory of a run.

    A simulation that is there twice, with the same conversation and verdict, counts once. Of
    several different simulations of one cell the first counts that says something about the agent,
    else the first: a later attempt never replaces an earlier verdict. The others are named.

    Args:
        results: the run.
        where: the file's name, for problems.
    """
    return _InventoryTaker(results, where).take()


class _InventoryTaker:
    def __init__(self, results: RecordedResults, where: str) -> None:
        self._results = results
        self._where = where
        self._trials = results.info.num_trials
        self._problems: list[Problem] = []
        self._tasks: dict[str, RecordedTask] = {}

    def take(self) -> Inventory:
        self._read_tasks()
        found: dict[Key, list[tuple[int, RecordedSimulation]]] = {}
        for position, simulation in enumerate(self._results.simulations):
            stray = self._why_stray(simulation)
            if stray:
                name = simulation.id or f"number {position + 1}"
                self._report(f"simulation {name}", f"{stray}; it is not counted")
            elif simulation.trial is not None:
                key = (simulation.task_id, simulation.trial)
                found.setdefault(key, []).append((position, simulation))
        keys = [(task_id, trial) for task_id in self._tasks for trial in range(self._trials)]
        cells = {key: self._fill(key, found.get(key, [])) for key in keys}
        return Inventory(
            domain=self._results.domain,
            tasks=tuple(self._tasks),
            num_trials=self._trials,
            cells=cells,
            gold_actions={name: count_gold_actions(task) for name, task in self._tasks.items()},
            problems=tuple(self._problems),
        )

    def _report(self, what: str, sentence: str, hint: str = "") -> None:
        self._problems.append(Problem(f"{self._where}: {what}", sentence, hint))

    def _read_tasks(self) -> None:
        for task in self._results.tasks:
            if task != self._tasks.setdefault(task.id, task):
                what = "stands in the file twice, with different criteria; the first counts"
                self._report(f"task {task.id}", what)

    def _why_stray(self, simulation: RecordedSimulation) -> str:
        if simulation.task_id not in self._tasks:
            return f"is of task {simulation.task_id}, which is none of the run's tasks"
        if simulation.trial is None:
            return f"of task {simulation.task_id} has no trial number"
        if not 0 <= simulation.trial < self._trials:
            return (
                f"is trial {simulation.trial} of task {simulation.task_id}, but info.num_trials "
                f"is {self._trials}"
            )
        return ""

    def _fill(self, key: Key, candidates: Sequence[tuple[int, RecordedSimulation]]) -> Cell:
        if not candidates:
            return Cell(*key, Outcome.MISSING, reason="was never played, or was lost")
        cells = [_cell(simulation, position, key[1]) for position, simulation in candidates]
        chosen = next((cell for cell in cells if cell.outcome in GRADED), cells[0])
        first = self._results.simulations[chosen.position]
        others = [s for _, s in candidates if not _is_same(s, first)]
        if others:
            ids = ", ".join(simulation.id or "?" for simulation in others)
            self._report(
                chosen.name,
                f"was played {len(others) + 1} times, with different results",
                f"simulation {first.id or '?'} counts, as the first that was graded; not {ids}",
            )
        if chosen.outcome is Outcome.UNKNOWN:
            self._report(
                chosen.name, chosen.reason, f"known are {', '.join(sorted(KNOWN_REASONS))}"
            )
        return chosen


def _cell(simulation: RecordedSimulation, position: int, trial: int) -> Cell:
    outcome, reason = find_outcome(simulation)
    is_graded = outcome in GRADED and not reason
    return Cell(
        task_id=simulation.task_id,
        trial=trial,
        outcome=outcome,
        reward=(simulation.reward or 0.0) if is_graded else 0.0,
        reason=reason,
        simulation_id=simulation.id,
        position=position,
        agent_cost=simulation.agent_cost,
    )


def _is_same(left: RecordedSimulation, right: RecordedSimulation) -> bool:
    """Tell whether two simulations are copies: the same conversation, ending and reward."""
    return (
        left.messages == right.messages
        and left.ticks == right.ticks
        and left.termination_reason == right.termination_reason
        and left.reward == right.reward
        and left.seed == right.seed
    )
