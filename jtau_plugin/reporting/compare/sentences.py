"""What a comparison says in sentences that need no statistics to read.

Every loss comes with its interval, and what is within noise is called that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from jtau_plugin import resources
from jtau_plugin.errors import OverlayError
from jtau_plugin.models.overlay import LocaleFile
from jtau_plugin.overlays.loader import load_model
from jtau_plugin.reporting.compare.arms import LADDER
from jtau_plugin.reporting.compare.checks import CHECK_NAMES, Blame
from jtau_plugin.reporting.compare.comparison import (
    ArmPair,
    Comparison,
    Ladder,
    PairDifference,
)
from jtau_plugin.reporting.compare.figures import ArmFigures
from jtau_plugin.reporting.compare.flips import GAINED, LOST, SPOILED, UNGRADED
from jtau_plugin.scoring.bootstrap import Difference
from jtau_plugin.scoring.causes import GRADED, Outcome

#: How the scenarios between English and everything localized are put into the sentence.
_PARTS = {
    "interaction": "when only the conversation is localized",
    "tools": "when only the tools are localized",
    "agentside": "when all that the agent sees is localized and the caller's script stays English",
}
_DIFFERENCE_OF_NOTHING = 0.05


@lru_cache(maxsize=1)
def _languages() -> Mapping[str, str]:
    found = {"en": "English"}
    for locale, folder in resources.iter_locales():
        try:
            found[locale] = load_model(folder / "locale.yaml", LocaleFile)[0].language
        except OverlayError:
            found[locale] = locale
    return found


def language_name(locale: str) -> str:
    """Return what a locale's language is called; the locale itself where nothing says so."""
    return _languages().get(locale, locale)


def points(value: float) -> str:
    """Return a share as percentage points, with a true minus sign."""
    text = f"{abs(value) * 100:.1f}"
    return f"−{text}" if value < 0 and text != "0.0" else text


def percent(value: float | None) -> str:
    """Return a share in percent, or a dash."""
    return "–" if value is None else f"{value * 100:.1f}"


def describe_interval(difference: Difference) -> str:
    """Return the interval of a difference, in points."""
    low, high = difference.interval.low, difference.interval.high
    return f"{difference.settings.level:.0%} interval {points(low)} to {points(high)}"


def describe_noise(difference: Difference) -> str:
    """Say plainly whether a difference means anything."""
    return "within noise" if difference.is_noise else "more than noise"


def _change(value: float) -> str:
    if abs(value) * 100 < _DIFFERENCE_OF_NOTHING:
        return "neither loses nor gains anything"
    verb = "loses" if value < 0 else "gains"
    return f"{verb} {points(abs(value))} points"


def say_ladder(ladder: Ladder) -> Iterator[str]:
    """Yield what the scenarios of one model cost it, the whole way first."""
    by_scenario = {pair.pairing.second.scenario: pair for pair in ladder.pairs}
    whole = by_scenario.get(LADDER[-1])
    first = ladder.steps[0]
    if whole is None:
        for pair in ladder.pairs:
            yield from say_pair(pair)
        return
    found = whole.difference()
    if found is None or found.strict is None:
        return
    start = language_name(first.locale)
    end = language_name(whole.pairing.second.locale)
    is_changed = abs(found.strict.value) * 100 >= _DIFFERENCE_OF_NOTHING
    parts = _parts(by_scenario, loses=found.strict.value < 0) if is_changed else ""
    yield (
        f"From {start} to {end}, {ladder.model} {_change(found.strict.value)} of pass^1 "
        f"({describe_interval(found.strict)}: {describe_noise(found.strict)}){parts}."
    )
    if parts:
        yield (
            f"The parts are measured one by one against the same {start} arm, so they need not "
            "add up to the whole."
        )
    yield from _say_lost(whole, found)


def _parts(pairs: Mapping[str, ArmPair], *, loses: bool) -> str:
    said = []
    for scenario, words in _PARTS.items():
        found = pairs[scenario].difference() if scenario in pairs else None
        if found is not None and found.strict is not None:
            said.append(f"{_part(found.strict, loses=loses)} {words}")
    return f", {'; '.join(said)}" if said else ""


def _part(difference: Difference, *, loses: bool) -> str:
    value = -difference.value if loses else difference.value
    noise = " (within noise)" if difference.is_noise else ""
    if value * 100 >= _DIFFERENCE_OF_NOTHING:
        return f"{points(value)} of them{noise}"
    return f"none of them{noise}"


def say_pair(pair: ArmPair) -> Iterator[str]:
    """Yield what one arm has lost against another."""
    found = pair.difference()
    if found is None or found.strict is None:
        yield f"{pair.name}: no trial counts in both arms, so there is no difference."
        return
    first, second = pair.pairing.first.name, pair.pairing.second.name
    yield (
        f"Against {first}, {second} {_change(found.strict.value)} of pass^1 "
        f"({describe_interval(found.strict)}: {describe_noise(found.strict)})."
    )
    yield from _say_lost(pair, found)


def _say_lost(pair: ArmPair, found: PairDifference) -> Iterator[str]:
    matrix = pair.matrix
    lost, gained = matrix[LOST], matrix[GAINED]
    if lost or gained:
        yield f"{_trials(lost)} flipped to failed, {gained} to passed.{_why(pair)}"
    if matrix[UNGRADED] and found.graded is not None:
        yield (
            f"{_trials(matrix[UNGRADED])} were lost or not graded in one of the arms and count as "
            f"not passed; without them the difference is {points(found.graded.value)} points "
            f"({describe_noise(found.graded)})."
        )
    if matrix[SPOILED]:
        yield (
            f"{_trials(matrix[SPOILED])} were spoiled by the simulated caller and count for "
            "neither arm."
        )


def _trials(count: int) -> str:
    return f"{count} trial{'' if count == 1 else 's'}"


def _why(pair: ArmPair) -> str:
    checks = pair.lost_checks[Blame.AGENT]
    said = [
        f"{CHECK_NAMES.get(kind, kind)} {count}"
        for kind, count in sorted(checks.items(), key=lambda item: -item[1])
    ]
    unclear = sum(flip.blame is Blame.UNCLEAR for task in pair.flips for flip in task.lost)
    why = f" Checks that the agent lost: {', '.join(said)}." if said else ""
    if unclear:
        why += (
            f" In {unclear} of them the simulated caller had broken its rules, so the loss may "
            "not be the agent's."
        )
    return why


def say_coverage(figures: ArmFigures) -> str:
    """Say how much of what should be there is there."""
    rest = [
        f"{count} {outcome.value}"
        for outcome, count in figures.outcomes.items()
        if count and outcome not in GRADED
    ]
    missing = f"; {', '.join(rest)}" if rest else ""
    return f"{figures.graded} of {figures.expected} trials played and graded{missing}"


@dataclass(frozen=True)
class Finding:
    """One thing that a comparison says.

    Attributes:
        headline: what it comes down to.
        rest: how it came about.
        is_ladder: whether it is about a model's way from English to everything localized.
    """

    headline: str
    rest: tuple[str, ...]
    is_ladder: bool = False


def _finding(sentences: Iterator[str], *, is_ladder: bool = False) -> Iterator[Finding]:
    found = list(sentences)
    if found:
        yield Finding(found[0], tuple(found[1:]), is_ladder)


def find_findings(comparison: Comparison) -> list[Finding]:
    """Return what a comparison comes down to, the most important first."""
    told = {
        (pair.pairing.first.name, pair.pairing.second.name)
        for ladder in comparison.ladders
        for pair in ladder.pairs
    }
    found: list[Finding] = []
    for ladder in comparison.ladders:
        found += _finding(say_ladder(ladder), is_ladder=True)
    for pair in comparison.pairs:
        if (pair.pairing.first.name, pair.pairing.second.name) not in told:
            found += _finding(say_pair(pair))
    return found


def find_cautions(comparison: Comparison) -> list[str]:
    """Return what a reader must know besides: what is missing, what equals doing nothing."""
    found = []
    for arm in comparison.arms:
        figures = comparison.of_arm(arm)
        if figures.graded < figures.expected:
            found.append(f"Arm {arm.name}: {say_coverage(figures)}.")
        floors = [one for one in comparison.figures if one.arm is arm and one.floor is not None]
        found += [_say_floor(one) for one in floors if _is_near_floor(one)]
    if comparison.excluded == {Outcome.USER_ERROR} and any(f.excluded for f in comparison.figures):
        found.append("What the simulated caller spoiled counts neither for nor against an agent.")
    return found


def summarize(comparison: Comparison) -> list[str]:
    """Return the sentences that a comparison comes down to, the most important first."""
    findings = find_findings(comparison)
    said = [line for one in findings for line in (one.headline, *one.rest)]
    return [*said, *find_cautions(comparison)]


def _is_near_floor(figures: ArmFigures) -> bool:
    first = figures.figure(1)
    if figures.floor is None or first is None or first.strict is None:
        return False
    return first.strict <= figures.floor.rate or bool(
        first.interval and first.interval.contains(figures.floor.rate)
    )


def _say_floor(figures: ArmFigures) -> str:
    floor = figures.floor
    rate = floor.rate if floor is not None else 0.0
    return (
        f"Arm {figures.arm.name} in {figures.base} is no better than an agent that refuses "
        f"everything in one line, which passes {percent(rate)}% of the tasks."
    )
