"""The metrics that tau2 shows after a run of our domains: strict, with their coverage said.

What cannot be computed is said in a line, never left out silently; nothing that a results file can
hold makes it fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from jtau_plugin.compat import agent_metrics as adapter
from jtau_plugin.compat.results_file import record_results
from jtau_plugin.scoring.bootstrap import Interval
from jtau_plugin.scoring.causes import GRADED, Outcome
from jtau_plugin.scoring.inventory import Cell, take_inventory
from jtau_plugin.scoring.pass_hat_k import Figure, Scores, score_strictly, tally
from jtau_plugin.scoring.summary import RunSummary, summarize_run

_NAMED = 8
#: A difference smaller than this is how floats are added up, not how simulations are counted.
_TOLERANCE = 1e-9


def compute(results: Any, original: Callable[[Any], Any]) -> Any:
    """Return tau2's AgentMetrics for a run of ours.

    Args:
        results: tau2's Results.
        original: upstream's ``compute_metrics``, for what the display counts besides.
    """
    run = summarize_run(record_results(results), results.info.environment_info.domain_name)
    return adapter.strict_metrics(
        results,
        original,
        {
            "avg_reward": run.strict.average_reward,
            "pass_hat_ks": {f.k: f.value for f in run.strict.figures if f.value is not None},
            "avg_agent_cost": run.costs.mean,
        },
        positions=[c.position for c in run.inventory.cells.values() if c.position >= 0],
        lines=describe(run, adapter.installed_convention()),
    )


def tabulate(results: Any) -> Any:
    """Return tau2's table of strict pass^k by task, for every k that has a value."""
    inventory = take_inventory(record_results(results))
    strict, tallies = score_strictly(inventory), tally(inventory)
    ks = [figure.k for figure in strict.figures if figure.value is not None]
    rows = {task: [one.pass_hat(k) for k in ks] for task, one in tallies.items()}
    return adapter.pass_hat_table(results, rows, ks)


def describe(run: RunSummary, convention: str) -> list[str]:
    """Return what is to be said beside a run's figures, one line each.

    Args:
        run: the run.
        convention: the upstream code that is installed.
    """
    return [
        _coverage(run),
        *_interval_lines(run),
        *(_no_value(figure, run) for figure in run.strict.figures if figure.value is None),
        *_convention_lines(run, convention),
        *_cost_lines(run),
        *_named_lines(run.inventory.named(set(Outcome) - GRADED)),
        *(str(problem) for problem in run.inventory.problems),
    ]


def _coverage(run: RunSummary) -> str:
    inventory = run.inventory
    counts = ", ".join(
        f"{count} {outcome.value}" for outcome, count in inventory.counts.items() if count
    )
    return (
        f"Strict figures over {len(inventory.tasks)} tasks × {inventory.num_trials} trials = "
        f"{inventory.expected} cells: {counts}."
    )


def format_interval(interval: Interval) -> str:
    """Return an interval as a person writes it."""
    return f"{interval.low:.3f}–{interval.high:.3f}"


def _interval_lines(run: RunSummary) -> Iterable[str]:
    if run.intervals:
        found = ", ".join(f"pass^{k} {format_interval(i)}" for k, i in run.intervals.items())
        settings = run.settings
        yield (
            f"{settings.level:.0%} intervals: {found} (bootstrap over tasks, "
            f"{settings.repetitions} repetitions, seed {settings.seed})."
        )


def _no_value(figure: Figure, run: RunSummary) -> str:
    return f"pass^{figure.k} has no value: {explain_missing_value(figure, run)}."


def explain_missing_value(figure: Figure, run: RunSummary) -> str:
    """Return why a k has no value, and between which values it would lie."""
    left_out = " and ".join(sorted(f"{outcome.value}s" for outcome in run.excluded))
    tasks = _shortened(figure.short)
    plural = "s" if len(figure.short) > 1 else ""
    text = f"task{plural} {tasks}: fewer than {figure.k} trials without {left_out}"
    if figure.bounds is not None:
        low, high = figure.bounds
        text += f"; between {low:.3f} if those had failed and {high:.3f} if they had passed"
    return text


def _shortened(names: Sequence[str]) -> str:
    rest = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def differs(ours: Scores, theirs: Scores) -> bool:
    """Tell whether a convention of upstream's comes to other figures than ours."""
    if theirs.failure:
        return True
    pairs = [(f.value, theirs.value(f.k)) for f in ours.figures]
    pairs.append((ours.average_reward, theirs.average_reward))
    return any(
        (a is None) != (b is None) or (a is not None and b is not None and abs(a - b) > _TOLERANCE)
        for a, b in pairs
    )


def describe_scores(scores: Scores) -> str:
    """Return the figures of a convention in one line."""
    if scores.failure:
        return f"stops with {scores.failure}"
    figures = [f"pass^{f.k} {_number(f.value)}" for f in scores.figures]
    return ", ".join([*figures, f"average reward {_number(scores.average_reward)}"])


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"


def _convention_lines(run: RunSummary, convention: str) -> Iterable[str]:
    for scores in run.upstream:
        if scores.name == convention and differs(run.strict, scores):
            counted = f"{scores.counted} simulations of {scores.tasks} tasks"
            what = describe_scores(scores) + ("" if scores.failure else f" (over {counted})")
            yield f"Upstream's convention ({convention}) on the same verdicts: {what}."


def _cost_lines(run: RunSummary) -> Iterable[str]:
    costs = run.costs
    if costs.unknown:
        total = costs.known + costs.unknown
        rest = "the average is over the others" if costs.known else "so there is no average"
        yield f"The agent's cost is unknown for {costs.unknown} of {total} conversations; {rest}."


def _named_lines(cells: Sequence[Cell]) -> Iterable[str]:
    for outcome in (Outcome.EVALUATOR_ERROR, Outcome.USER_ERROR, Outcome.UNKNOWN):
        mine = [cell for cell in cells if cell.outcome is outcome]
        if mine:
            names = _shortened([f"{cell.task_id}/{cell.trial}" for cell in mine])
            yield f"{outcome.value.capitalize()}s (task/trial): {names}; e.g. {mine[0].reason}."
