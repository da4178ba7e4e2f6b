"""Everything that is said about several arms, as data: how it is shown is decided elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from jtau_plugin.errors import SettingError
from jtau_plugin.reporting.compare.arms import LADDER, Arm, Run
from jtau_plugin.reporting.compare.checks import Blame
from jtau_plugin.reporting.compare.figures import (
    OVERALL,
    ArmFigures,
    figures_of_run,
    figures_overall,
)
from jtau_plugin.reporting.compare.flips import (
    FaultsOf,
    TaskFlips,
    count_lost_checks,
    count_matrix,
    find_flips,
)
from jtau_plugin.reporting.compare.intervals import Resampler
from jtau_plugin.reporting.compare.measured import Measured, join_measures
from jtau_plugin.reporting.compare.pairing import PairedTask, Pairing, pair_arms
from jtau_plugin.reporting.compare.settings import Mixture
from jtau_plugin.scoring.bootstrap import Bootstrap, Difference
from jtau_plugin.scoring.causes import Outcome
from jtau_plugin.scoring.floor import Floor
from jtau_plugin.scoring.pass_hat_k import DEFAULT_EXCLUDED

#: What was measured of an arm's run, by task and trial.
MeasuresOf = Mapping[tuple[str, int], Measured]


@dataclass(frozen=True)
class PairDifference:
    """How much higher pass^k is in one arm than in the one it is compared with.

    Attributes:
        base: the domain, or ``OVERALL``.
        strict: over every pair that counts.
        graded: over the pairs that were played and graded in both arms.
        retention: pass^k over that of the other arm, on the tasks and trials that both have.
        short: tasks that have fewer than k paired trials, with their domain; they are left out.
    """

    base: str
    k: int
    strict: Difference | None
    graded: Difference | None
    retention: float | None
    short: tuple[str, ...]


@dataclass(frozen=True)
class ArmPair:
    """Two arms: what differs, and which tasks flipped."""

    pairing: Pairing
    differences: tuple[PairDifference, ...]
    flips: tuple[TaskFlips, ...]

    @property
    def name(self) -> str:
        """How the pair is called."""
        return f"{self.pairing.first.name} → {self.pairing.second.name}"

    def difference(self, base: str = "", k: int = 1) -> PairDifference | None:
        """Return the difference in a domain, or the overall one."""
        wanted = base or self.widest
        return next((d for d in self.differences if d.base == wanted and d.k == k), None)

    @property
    def widest(self) -> str:
        """What the figures of the whole pair stand under."""
        bases = list(self.pairing.tasks)
        return bases[0] if len(bases) == 1 else OVERALL

    @cached_property
    def matrix(self) -> dict[str, int]:
        """How many trials fall into each corner of the flip matrix."""
        return count_matrix(self.pairing)

    @cached_property
    def lost_checks(self) -> Mapping[Blame, Mapping[str, int]]:
        """How many lost trials lost each kind of check, by whose loss it is."""
        return count_lost_checks(self.flips)


@dataclass(frozen=True)
class Ladder:
    """The arms of one model, from English to everything localized.

    Attributes:
        steps: arms with a scenario, in the ladder's order; the first is what the rest is compared
            with.
        pairs: of each further step with the first.
    """

    model: str
    steps: tuple[Arm, ...]
    pairs: tuple[ArmPair, ...]


@dataclass(frozen=True)
class Comparison:
    """Several arms, compared.

    Attributes:
        figures: of each arm: one for each domain, and one over all where there are several.
        pairs: each arm with the one it is compared with.
        ladders: one for each model that has more than one scenario.
        mixtures: what differs between the runs besides what the arms are about.
        measures: what was measured, by arm and domain; empty where nothing was.
        notes: why something is not there.
    """

    arms: tuple[Arm, ...]
    figures: tuple[ArmFigures, ...]
    pairs: tuple[ArmPair, ...]
    ladders: tuple[Ladder, ...]
    mixtures: tuple[Mixture, ...]
    settings: Bootstrap
    excluded: frozenset[Outcome]
    measures: Mapping[tuple[str, str], MeasuresOf] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def bases(self) -> list[str]:
        """Every domain that some arm has."""
        return list(dict.fromkeys(base for arm in self.arms for base in arm.runs))

    def of_arm(self, arm: Arm, base: str = "") -> ArmFigures:
        """Return an arm's figures in a domain, or its widest ones."""
        mine = [one for one in self.figures if one.arm is arm]
        return next((one for one in mine if one.base == base), mine[-1])

    @property
    def trials(self) -> int:
        """The largest k of any arm."""
        return max(one.trials for one in self.figures)


#: Measures a run: by task and trial; ``None`` if nothing can be measured of it.
Measurer = Callable[[Run], MeasuresOf | None]
#: Finds the do-nothing floor of a run.
FloorFinder = Callable[[Run], Floor | None]


def compare_arms(
    arms: Sequence[Arm],
    mixtures: Sequence[Mixture] = (),
    *,
    reference: str = "",
    excluded: Collection[Outcome] = DEFAULT_EXCLUDED,
    settings: Bootstrap | None = None,
    measure: Measurer | None = None,
    find_floor: FloorFinder | None = None,
    notes: Sequence[str] = (),
) -> Comparison:
    """Compare arms.

    Args:
        arms: what is compared.
        mixtures: what differs besides.
        reference: the arm that every other one is compared with; left out, that is the English arm
            of its model, else the first arm of its model; that of a further model is compared with
            that of the first.
        excluded: outcomes that are nobody's loss.
        settings: how intervals are made.
        measure: measures a run's language.
        find_floor: finds what doing nothing scores.
        notes: why something is not there.

    Raises:
        SettingError: if there is no such arm.
    """
    if reference and reference not in [arm.name for arm in arms]:
        known = ", ".join(arm.name for arm in arms)
        raise SettingError(f"there is no arm {reference!r} to compare with; there are {known}")
    return _Comparer(arms, excluded, Resampler(settings or Bootstrap()), measure, find_floor).run(
        mixtures, reference, notes
    )


class _Comparer:
    def __init__(
        self,
        arms: Sequence[Arm],
        excluded: Collection[Outcome],
        resampler: Resampler,
        measure: Measurer | None,
        find_floor: FloorFinder | None,
    ) -> None:
        self._arms = tuple(arms)
        self._excluded = frozenset(excluded)
        self._resampler = resampler
        self._find_floor = find_floor
        self._measures: dict[tuple[str, str], MeasuresOf] = {}
        for arm in arms:
            for base, run in arm.runs.items():
                found = measure(run) if measure is not None else None
                if found:
                    self._measures[arm.name, base] = found

    def run(self, mixtures: Sequence[Mixture], reference: str, notes: Sequence[str]) -> Comparison:
        figures = [one for arm in self._arms for one in self._figures(arm)]
        first = {arm.name: self._reference(arm, reference) for arm in self._arms}
        pairs = [
            self.pair(first[arm.name], arm) for arm in self._arms if first[arm.name] is not arm
        ]
        return Comparison(
            arms=self._arms,
            figures=tuple(figures),
            pairs=tuple(pair for pair in pairs if pair.pairing.tasks),
            ladders=tuple(self._ladders(pairs)),
            mixtures=tuple(mixtures),
            settings=self._resampler.settings,
            excluded=self._excluded,
            measures=self._measures,
            notes=tuple(notes),
        )

    def _figures(self, arm: Arm) -> Iterator[ArmFigures]:
        floors = {base: self._floor(run) for base, run in arm.runs.items()}
        parts = [
            figures_of_run(
                arm,
                base,
                self._excluded,
                self._resampler,
                language=join_measures(self._of(arm, base).values()),
                floor=floors[base],
            )
            for base in arm.runs
        ]
        yield from parts
        if len(parts) > 1:
            measured = [m for base in arm.runs for m in self._of(arm, base).values()]
            yield figures_overall(parts, self._excluded, self._resampler, join_measures(measured))

    def _floor(self, run: Run) -> Floor | None:
        return self._find_floor(run) if self._find_floor is not None else None

    def _of(self, arm: Arm, base: str) -> MeasuresOf:
        return self._measures.get((arm.name, base), {})

    def _reference(self, arm: Arm, reference: str) -> Arm:
        if reference:
            return next(one for one in self._arms if one.name == reference)
        own = self._first_of(arm.model)
        return own if own is not arm else self._first_of(self._arms[0].model)

    def _first_of(self, model: str) -> Arm:
        same = [one for one in self._arms if one.model == model]
        return next((one for one in same if one.scenario == LADDER[0]), same[0])

    def _faults(self) -> FaultsOf | None:
        found = {
            (name, base, task, trial): measured.faults
            for (name, base), cells in self._measures.items()
            for (task, trial), measured in cells.items()
            if measured.faults is not None
        }
        return found or None

    def pair(self, first: Arm, second: Arm) -> ArmPair:
        """Return what differs between two arms."""
        pairing = pair_arms(first, second, self._excluded)
        bases = list(pairing.tasks)
        groups = {base: [tasks] for base, tasks in pairing.tasks.items()}
        if len(bases) > 1:
            groups[OVERALL] = list(pairing.tasks.values())
        differences = [
            self._difference(pairing, base, tasks, k)
            for base, tasks in groups.items()
            for k in range(1, pairing.trials + 1)
        ]
        flips = find_flips(pairing, self._faults())
        return ArmPair(pairing, tuple(differences), tuple(flips))

    def _difference(
        self, pairing: Pairing, base: str, groups: Sequence[Sequence[PairedTask]], k: int
    ) -> PairDifference:
        short = [
            f"{task.base} {task.task_id}"
            for tasks in groups
            for task in tasks
            if task.difference(k) is None
        ]
        unpaired = [name for name in pairing.unpaired if base in (OVERALL, name.partition(" ")[0])]
        return PairDifference(
            base=base,
            k=k,
            strict=self._column(groups, k, unpaired),
            graded=self._column(groups, k, unpaired, only_graded=True),
            retention=_retention(groups, k),
            short=tuple(short),
        )

    def _column(
        self,
        groups: Sequence[Sequence[PairedTask]],
        k: int,
        unpaired: Sequence[str],
        *,
        only_graded: bool = False,
    ) -> Difference | None:
        column = [
            [
                value
                for task in tasks
                if (value := task.difference(k, only_graded=only_graded)) is not None
            ]
            for tasks in groups
        ]
        if not all(column):
            return None
        return self._resampler.difference(column, unpaired)

    def _ladders(self, pairs: Sequence[ArmPair]) -> Iterator[Ladder]:
        for model in dict.fromkeys(arm.model for arm in self._arms):
            mine = [arm for arm in self._arms if arm.model == model and arm.scenario in LADDER]
            steps = sorted(mine, key=lambda arm: LADDER.index(arm.scenario))
            if len({arm.scenario for arm in steps}) < 2:  # noqa: PLR2004  (one step is no ladder)
                continue
            made = {(p.pairing.first.name, p.pairing.second.name): p for p in pairs}
            found = [
                made.get((steps[0].name, arm.name)) or self.pair(steps[0], arm) for arm in steps[1:]
            ]
            yield Ladder(model, tuple(steps), tuple(p for p in found if p.pairing.tasks))


def _retention(groups: Sequence[Sequence[PairedTask]], k: int) -> float | None:
    firsts, seconds = [], []
    for tasks in groups:
        both = [values for task in tasks if (values := task.pass_hat(k)) is not None]
        if not both:
            return None
        firsts.append(sum(first for first, _ in both) / len(both))
        seconds.append(sum(second for _, second in both) / len(both))
    return sum(seconds) / sum(firsts) if sum(firsts) else None
