"""The figures of one arm, in one domain or over several: never without coverage and interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from jtau_plugin.reporting.compare.arms import Arm, Run
from jtau_plugin.reporting.compare.intervals import Resampler
from jtau_plugin.reporting.compare.measured import LanguageFigures
from jtau_plugin.reporting.compare.usage import Usage, find_usage, join_usages
from jtau_plugin.reporting.reading import as_mapping, as_number
from jtau_plugin.scoring.bootstrap import Interval
from jtau_plugin.scoring.causes import GRADED, Outcome
from jtau_plugin.scoring.conventions import CONVENTIONS, score_as_upstream
from jtau_plugin.scoring.floor import Floor
from jtau_plugin.scoring.pass_hat_k import Scores, mean, score_strictly, tally

#: What the figures over several domains are called in place of a domain.
OVERALL = "all domains"


@dataclass(frozen=True)
class PassHat:
    """pass^k for one k.

    Attributes:
        strict: over every cell that should be there; ``None`` where some task has too few.
        upstream: as upstream's own code would count; ``None`` where it gives none.
        rho: strict pass^k / pass^1: how much of what is done once is done k times in a row.
    """

    k: int
    strict: float | None
    interval: Interval | None
    upstream: float | None
    rho: float | None


@dataclass(frozen=True)
class ArmFigures:
    """One arm in one domain, or over all its domains.

    Attributes:
        base: the domain, or ``OVERALL``.
        trials: how often each task was to be played; over several domains the fewest.
        convention: whose way of counting the upstream figures follow.
        language: ``None`` where nothing was measured.
        floor: what doing nothing scores; ``None`` if nobody asked or it cannot be found out.
        normalized: how many arguments were made canonical; ``None`` where nobody counted.
        upstream_failure: the error with which upstream's code would have stopped.
    """

    arm: Arm
    base: str
    tasks: int
    trials: int
    outcomes: Mapping[Outcome, int]
    figures: tuple[PassHat, ...]
    convention: str
    usage: Usage
    language: LanguageFigures | None
    floor: Floor | None = None
    normalized: int | None = None
    upstream_failure: str = ""

    @property
    def expected(self) -> int:
        """How many cells there should be."""
        return sum(self.outcomes.values())

    @property
    def graded(self) -> int:
        """How many cells were played and graded."""
        return sum(self.outcomes[outcome] for outcome in GRADED)

    @property
    def excluded(self) -> int:
        """How many cells the user simulator spoiled."""
        return self.outcomes[Outcome.USER_ERROR]

    def figure(self, k: int) -> PassHat | None:
        """Return the figure for one k, ``None`` beyond the number of trials."""
        return next((figure for figure in self.figures if figure.k == k), None)


def convention_of(run: Run) -> str:
    """Return whose way of counting a run would have been shown by."""
    layouts = [str(stamp.get("layout")) for stamp in run.stamps if stamp.get("layout")]
    if layouts and layouts[0] in CONVENTIONS:
        return layouts[0]
    has_marks = any("skipped" in simulation for simulation in run.file.raw["simulations"])
    return "v0_2" if has_marks else "v1_0"


def figures_of_run(
    arm: Arm,
    base: str,
    excluded: Collection[Outcome],
    resampler: Resampler,
    *,
    language: LanguageFigures | None = None,
    floor: Floor | None = None,
) -> ArmFigures:
    """Return the figures of one run."""
    run = arm.runs[base]
    strict = score_strictly(run.inventory, excluded)
    convention = convention_of(run)
    upstream = score_as_upstream(run.file.results, CONVENTIONS[convention])
    return ArmFigures(
        arm=arm,
        base=base,
        tasks=len(run.inventory.tasks),
        trials=run.inventory.num_trials,
        outcomes=run.inventory.counts,
        figures=_figures(
            {figure.k: figure.value for figure in strict.figures},
            {
                figure.k: resampler.mean_interval([_values(run, figure.k, excluded)])
                for figure in strict.figures
                if figure.value is not None
            },
            _values_of(upstream),
        ),
        convention=convention,
        usage=find_usage(run),
        language=language,
        floor=floor,
        normalized=_normalized(run),
        upstream_failure=upstream.failure,
    )


def _values_of(scores: Scores) -> dict[int, float | None]:
    return {figure.k: figure.value for figure in scores.figures}


def _values(run: Run, k: int, excluded: Collection[Outcome]) -> list[float]:
    return [one.pass_hat(k) for one in tally(run.inventory, excluded).values()]


def _normalized(run: Run) -> int | None:
    """Return how many arguments were brought to their canonical form; ``None`` if unrecorded."""
    found = [stamp["normalized"] for stamp in run.stamps if "normalized" in stamp]
    counts = [as_number(count) for one in found for count in as_mapping(one).values()]
    return int(sum(count or 0 for count in counts)) if found else None


def _figures(
    strict: Mapping[int, float | None],
    intervals: Mapping[int, Interval],
    upstream: Mapping[int, float | None],
) -> tuple[PassHat, ...]:
    first = strict.get(1)
    return tuple(
        PassHat(
            k=k,
            strict=value,
            interval=intervals.get(k),
            upstream=upstream.get(k),
            rho=value / first if value is not None and first else None,
        )
        for k, value in strict.items()
    )


def figures_overall(
    parts: Sequence[ArmFigures],
    excluded: Collection[Outcome],
    resampler: Resampler,
    language: LanguageFigures | None = None,
) -> ArmFigures:
    """Return the figures over the domains of an arm, each domain weighing the same.

    They go as far as the domain with the fewest trials.
    """
    arm, trials = parts[0].arm, min(part.trials for part in parts)
    strict, upstream, intervals = {}, {}, {}
    for k in range(1, trials + 1):
        found = [part.figure(k) for part in parts]
        strict[k] = _macro([figure.strict for figure in found if figure])
        upstream[k] = _macro([figure.upstream for figure in found if figure])
        if strict[k] is not None:
            column = [_values(arm.runs[part.base], k, excluded) for part in parts]
            intervals[k] = resampler.mean_interval(column)
    outcomes: Counter[Outcome] = Counter()
    for part in parts:
        outcomes.update(part.outcomes)
    counts = [part.normalized for part in parts if part.normalized is not None]
    return ArmFigures(
        arm=arm,
        base=OVERALL,
        tasks=sum(part.tasks for part in parts),
        trials=trials,
        outcomes={outcome: outcomes[outcome] for outcome in Outcome},
        figures=_figures(strict, intervals, upstream),
        convention=", ".join(dict.fromkeys(part.convention for part in parts)),
        usage=join_usages([part.usage for part in parts]),
        language=language,
        normalized=sum(counts) if counts else None,
        upstream_failure="; ".join(filter(None, (part.upstream_failure for part in parts))),
    )


def _macro(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return mean(known) if known and len(known) == len(values) else None
