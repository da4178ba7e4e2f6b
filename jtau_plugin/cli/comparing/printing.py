"""What ``jtau compare`` prints: sentences first, then the figures that they come from."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from jtau_plugin.cli import output
from jtau_plugin.reporting.compare.checks import CHECK_NAMES
from jtau_plugin.reporting.compare.comparison import ArmPair, Comparison
from jtau_plugin.reporting.compare.figures import OVERALL, ArmFigures
from jtau_plugin.reporting.compare.measured import (
    READ_LANGUAGE,
    TAG_SIDES,
    describe_language,
    describe_tags,
)
from jtau_plugin.reporting.compare.sentences import percent, points, say_coverage, summarize
from jtau_plugin.reporting.visible import visible
from jtau_plugin.scoring.bootstrap import Interval

_WIDTH = 100
_SHOWN_TASKS = 20
_SHOWN_DETAIL = 60
#: What is printed of what is counted.
_COUNTED = {
    "agent_turns": "agent turns",
    "user_turns": "caller turns",
    "agent_calls": "calls",
    "refused_calls": "refused",
    "agent_tokens_in": "tokens in",
    "agent_tokens_out": "out",
    "agent_cost": "cost $",
}


def print_comparison(comparison: Comparison) -> None:
    """Print everything but the single trials."""
    _print_mixtures(comparison)
    for sentence in summarize(comparison):
        _print_wrapped(sentence)
    _section("Arms", _arm_rows(comparison))
    _section("pass^k in percent", _figure_rows(comparison))
    _section("Differences in points", _difference_rows(comparison))
    for pair in comparison.pairs:
        _section(f"Flipped tasks, {pair.name}", _flip_rows(pair))
    _section("Coverage", [[_name(f), say_coverage(f)] for f in comparison.figures])
    _section("Per conversation", _usage_rows(comparison))
    _section("Language", _language_rows(comparison))
    _section("Errors that rules see, in conversations", _tag_rows(comparison))
    print()
    for line in _notes(comparison):
        _print_wrapped(line)


def _print_wrapped(text: str) -> None:
    print(textwrap.fill(visible(text), _WIDTH, subsequent_indent="  ", break_on_hyphens=False))


def _section(title: str, rows: Sequence[Sequence[str]]) -> None:
    if rows:
        print(f"\n{title}")
        output.print_table([[f"  {visible(row[0])}", *map(visible, row[1:])] for row in rows])


def _print_mixtures(comparison: Comparison) -> None:
    refused = [mixture for mixture in comparison.mixtures if mixture.is_refused]
    if refused:
        print("MIXED: these arms were not run under the same conditions.")
        for mixture in refused:
            _print_wrapped(f"  {mixture}")
        print()


def _name(figures: ArmFigures) -> str:
    return f"{figures.arm.name} / {figures.base}"


def _arm_rows(comparison: Comparison) -> list[list[str]]:
    rows = [["arm", "domain", "scenario", "agent", "user", "tasks × trials", "file"]]
    for arm in comparison.arms:
        for base, run in arm.runs.items():
            size = f"{len(run.inventory.tasks)} × {run.inventory.num_trials}"
            scenario = f"{run.scenario} ({run.locale})"
            rows.append([arm.name, base, scenario, run.model, run.user_model, size, run.name])
    return rows


def _interval(interval: Interval | None) -> str:
    return "–" if interval is None else f"{percent(interval.low)} to {percent(interval.high)}"


def _figure_rows(comparison: Comparison) -> list[list[str]]:
    level = f"{comparison.settings.level:.0%} interval"
    rows = [["arm / domain", "k", "strict", level, "upstream", "rho^k", "do-nothing floor"]]
    for one in comparison.figures:
        floor = percent(one.floor.rate if one.floor else None)
        for figure in one.figures:
            rho = "" if figure.k == 1 else percent(figure.rho)
            rows.append(
                [
                    _name(one),
                    str(figure.k),
                    percent(figure.strict),
                    _interval(figure.interval),
                    f"{percent(figure.upstream)} ({one.convention})",
                    rho,
                    floor if figure.k == 1 else "",
                ]
            )
    return rows


def _difference_rows(comparison: Comparison) -> list[list[str]]:
    rows = [["arms", "domain", "k", "points", "interval", "", "retention", "tasks"]]
    for pair in comparison.pairs:
        for one in pair.differences:
            if one.strict is None:
                rows.append([pair.name, one.base, str(one.k), "–", "–", "too few trials", "–", "0"])
                continue
            interval = one.strict.interval
            rows.append(
                [
                    pair.name,
                    one.base,
                    str(one.k),
                    points(one.strict.value),
                    f"{points(interval.low)} to {points(interval.high)}",
                    "within noise" if one.strict.is_noise else "more than noise",
                    percent(one.retention),
                    _tasks(one.strict.tasks, len(one.short), len(one.strict.unpaired)),
                ]
            )
    return rows if len(rows) > 1 else []


def _tasks(count: int, short: int, unpaired: int) -> str:
    rest = [f"{short} with too few trials"] if short else []
    rest += [f"{unpaired} in one arm only"] if unpaired else []
    return f"{count}{f'; left out: {chr(44).join(rest)}' if rest else ''}"


def _flip_rows(pair: ArmPair) -> list[list[str]]:
    if not pair.flips:
        return []
    rows = [["task", "lost", "gained", "loss of", "lost checks"]]
    for one in pair.flips[:_SHOWN_TASKS]:
        blames = dict.fromkeys(flip.blame.value for flip in one.lost)
        checks = dict.fromkeys(
            _check(check.kind, check.detail) for flip in one.lost for check in flip.lost
        )
        rows.append(
            [
                f"{one.task.base} {one.task.task_id}",
                _trials(flip.pair.trial for flip in one.lost),
                _trials(flip.pair.trial for flip in one.gained),
                ", ".join(blames),
                "; ".join(checks),
            ]
        )
    rest = len(pair.flips) - _SHOWN_TASKS
    if rest > 0:
        rows.append([f"and {rest} more", "", "", "", "--html and --csv have all of them"])
    return rows


def _check(kind: str, detail: str) -> str:
    short = detail if len(detail) <= _SHOWN_DETAIL else f"{detail[:_SHOWN_DETAIL]}…"
    name = CHECK_NAMES.get(kind, kind)
    return f"{name}: {short}" if short else name


def _trials(trials: Iterable[int]) -> str:
    found = [str(trial) for trial in trials]
    return f"trial {', '.join(found)}" if found else "–"


def _usage_rows(comparison: Comparison) -> list[list[str]]:
    rows = [["arm / domain", *_COUNTED.values(), "ended by"]]
    for one in comparison.figures:
        cells = [_name(one)]
        for key in _COUNTED:
            average = one.usage.averages[key]
            partial = "" if average.known in (0, one.usage.conversations) else f" ({average.known})"
            cells.append(f"{_number(average.value)}{partial}")
        endings = sorted(one.usage.endings.items(), key=lambda item: -item[1])
        cells.append(", ".join(f"{reason} {count}" for reason, count in endings))
        rows.append(cells)
    return rows


_THOUSAND = 1000


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= _THOUSAND else f"{value:.4g}"


def _language_rows(comparison: Comparison) -> list[list[str]]:
    rows = [["arm / domain", *READ_LANGUAGE]]
    for one in comparison.figures:
        if one.language is not None:
            rows.append([_name(one), *describe_language(one.language).values()])
    return rows if len(rows) > 1 else []


def _tag_rows(comparison: Comparison) -> list[list[str]]:
    return [
        [_name(one), describe_tags(one.language, side) or "none", f"({side})"]
        for one in comparison.figures
        if one.language is not None and one.language.tags is not None
        for side in TAG_SIDES
        if side == "agent" or describe_tags(one.language, side)
    ]


def _notes(comparison: Comparison) -> Iterable[str]:
    settings = comparison.settings
    yield (
        f"Intervals: {settings.level:.0%}, bootstrap over tasks, {settings.repetitions} "
        f"repetitions, seed {settings.seed}; differences are paired by task and trial."
    )
    if all(one.language is None for one in comparison.figures):
        yield "Language measures: not available."
    for one in comparison.figures:
        if one.upstream_failure and one.base != OVERALL:
            yield f"Note: upstream's code would stop at {one.arm.name}: {one.upstream_failure}."
    for mixture in comparison.mixtures:
        if not mixture.is_refused:
            yield f"Note: {mixture}."
    for note in comparison.notes:
        yield f"Note: {note}"
