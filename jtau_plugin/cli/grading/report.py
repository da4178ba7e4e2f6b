"""What ``jtau grade`` prints: no figure without coverage, interval and upstream's beside it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from jtau_plugin.cli import output
from jtau_plugin.cli.grading.regrading import Regraded
from jtau_plugin.patching.catalogue import active_selection, load_code_patches
from jtau_plugin.scoring.agent_metrics import (
    describe_scores,
    differs,
    explain_missing_value,
    format_interval,
)
from jtau_plugin.scoring.bootstrap import FEW_TASKS, Interval
from jtau_plugin.scoring.causes import GRADED, Outcome
from jtau_plugin.scoring.inventory import Cell, Inventory, take_inventory
from jtau_plugin.scoring.pass_hat_k import Scores
from jtau_plugin.scoring.summary import OVERALL, Overall, RunSummary, as_data

_NAMED = 12
_WIDTH = 200
#: Outcomes that make the command's exit code 1: nobody knows what the agent did there.
UNGRADED = (Outcome.EVALUATOR_ERROR, Outcome.UNKNOWN)


def is_whole(run: RunSummary) -> bool:
    """Tell whether every conversation could be graded and counted, and there was one."""
    if not run.inventory.present:
        return False
    counts = run.inventory.counts
    return not (run.inventory.problems or any(counts[outcome] for outcome in UNGRADED))


def find_changes(regraded: Regraded, run: RunSummary) -> tuple[int, list[Cell]]:
    """Return how many cells had passed by the file's own rewards, and the cells that changed."""
    before = take_inventory(regraded.plan.file.results)
    changed = [
        cell
        for key, cell in run.inventory.cells.items()
        if cell.outcome != before.cells[key].outcome
    ]
    return before.counts[Outcome.PASSED], changed


def run_data(regraded: Regraded, run: RunSummary) -> dict[str, Any]:
    """Return one file's report as plain data."""
    passed, changed = find_changes(regraded, run)
    return {
        "file": str(regraded.plan.file.path),
        **as_data(run),
        "graded_again": regraded.graded,
        "recorded": {
            "passed": passed,
            "changed": [
                {"task": c.task_id, "trial": c.trial, "outcome": c.outcome.value} for c in changed
            ],
        },
    }


def print_run(regraded: Regraded, run: RunSummary, convention: str) -> None:
    """Print one file's report.

    Args:
        regraded: the file after grading.
        run: its summary.
        convention: the upstream code that is installed.
    """
    print(_title(regraded, run))
    print()
    _print_inventory(run.inventory)
    _print_figures(run, convention)
    for line in (*_switched_off(), *_notes(run, convention), *_changes(regraded, run)):
        print(line)
    _print_cells(run.inventory)
    if run.inventory.problems:
        print(f"\nProblems ({len(run.inventory.problems)})")
        for problem in run.inventory.problems:
            print(f"  {problem}")


def _switched_off() -> Iterator[str]:
    """Yield a sentence if some of the scorer's patches are off: then ours is partly upstream's."""
    selection = active_selection()
    off = [
        patch.id
        for patch in load_code_patches()
        if patch.class_ == "scorer" and not selection.is_enabled(patch.id)
    ]
    if off:
        yield f"Switched off, so upstream's own code graded there: {', '.join(off)}."


def _title(regraded: Regraded, run: RunSummary) -> str:
    info = regraded.plan.file.results.info
    models = f"agent {info.agent_info.llm or '?'}, user {info.user_info.llm or '?'}"
    size = f"{len(run.inventory.tasks)} tasks × {run.inventory.num_trials} trials"
    return f"{run.name}: {run.domain}, {size}, protocol {run.protocol}, {models}"


def _print_inventory(inventory: Inventory) -> None:
    rows = [["  cells", str(inventory.expected)]]
    for outcome, count in inventory.counts.items():
        if count or outcome in GRADED:
            rows.append([f"    {outcome.value}", str(count)])
    output.print_table(rows)
    print()


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(interval: Interval | None) -> str:
    return "–" if interval is None else format_interval(interval)


def _print_figures(run: RunSummary, convention: str) -> None:
    theirs = _scores(run, convention)
    level = f"{run.settings.level:.0%} interval"
    rows = [["  figure", "strict", level, f"upstream ({convention})"]]
    for figure in run.strict.figures:
        interval = _interval(run.intervals.get(figure.k))
        value = _number(theirs.value(figure.k))
        rows.append([f"  pass^{figure.k}", _number(figure.value), interval, value])
    reward = _interval(run.reward_interval)
    strict, upstream = run.strict.average_reward, theirs.average_reward
    rows.append(["  average reward", _number(strict), reward, _number(upstream)])
    output.print_table(rows)
    print()


def _scores(run: RunSummary, convention: str) -> Scores:
    return next(scores for scores in run.upstream if scores.name == convention)


def _notes(run: RunSummary, convention: str) -> Iterator[str]:
    inventory, excluded = run.inventory, run.strict.excluded
    graded = sum(inventory.counts[outcome] for outcome in GRADED)
    yield (
        f"Coverage: {inventory.expected} cells expected, {inventory.present} played, {graded} "
        f"graded, {excluded} excluded; every other cell that has not passed has failed."
    )
    for figure in run.strict.figures:
        if figure.value is None:
            yield f"pass^{figure.k} has no value: {explain_missing_value(figure, run)}."
    few = f"; with fewer than {FEW_TASKS} tasks they are somewhat too narrow"
    yield (
        f"Intervals: bootstrap over tasks, {run.settings.repetitions} repetitions, seed "
        f"{run.settings.seed}{few if len(inventory.tasks) < FEW_TASKS else ''}."
    )
    for scores in run.upstream:
        is_shown = scores.name == convention and not scores.failure
        if not is_shown and differs(run.strict, scores):
            yield f"Upstream's convention {scores.name}: {describe_scores(scores)}."
    yield from _floor_lines(run)
    yield from _cost_lines(run)
    yield from _scorer_lines(run)


def _floor_lines(run: RunSummary) -> Iterator[str]:
    floor = run.floor
    if floor is None:
        return
    what = f"Do-nothing floor: {len(floor.passing)} of {floor.tasks} tasks ({floor.rate:.3f})"
    yield f"{what}: {_listed(floor.passing)}" if floor.passing else f"{what}."
    if floor.judged:
        yield f"  up to the judge: {_listed(floor.judged)}"
    if floor.unknown:
        yield f"  could not be graded: {_listed(floor.unknown)}"


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _cost_lines(run: RunSummary) -> Iterator[str]:
    costs = run.costs
    if costs.known or costs.unknown:
        mean = "unknown" if costs.mean is None else f"${costs.mean:.4f} on average"
        missing = f"; not recorded for {costs.unknown}" if costs.unknown else ""
        yield f"Agent cost: {mean}{missing} (of {costs.known + costs.unknown} conversations)."


def _scorer_lines(run: RunSummary) -> Iterator[str]:
    scorer = run.scorer
    if scorer.compared:
        differing = f"; differing: {_cells(scorer.differing)}" if scorer.differing else ""
        yield (
            f"Upstream's scorer: {scorer.theirs} of {scorer.compared} passed, where ours says "
            f"{scorer.ours}{differing}."
        )
    if scorer.unknown:
        yield f"Upstream's verdict is not known for {scorer.unknown} graded conversations."


def _cells(cells: Sequence[Cell]) -> str:
    return _listed([f"{cell.task_id}/{cell.trial}" for cell in cells])


def _changes(regraded: Regraded, run: RunSummary) -> Iterator[str]:
    passed, changed = find_changes(regraded, run)
    said = f"changed: {_cells(changed)}" if changed else "none changed"
    yield f"Recorded in the file: {passed} passed; {regraded.graded} graded again, {said}."


def _print_cells(inventory: Inventory) -> None:
    cells = inventory.named(set(Outcome) - GRADED)
    if not cells:
        return
    print(f"\nNeither passed nor failed ({len(cells)})")
    for outcome in Outcome:
        mine = [cell for cell in cells if cell.outcome is outcome]
        for cell in mine[:_NAMED]:
            reason = textwrap.shorten(cell.reason, _WIDTH, placeholder=" …")
            print(f"  {cell.name}: {outcome.value}: {reason}")
        if len(mine) > _NAMED:
            print(f"  and {len(mine) - _NAMED} more with {outcome.value}")


def print_overall(overall: Overall) -> None:
    """Print the figures over several domains."""
    print(f"\nOverall ({OVERALL}: {', '.join(overall.domains)})")
    rows = [["  figure", "strict", "interval"]]
    for k, value in overall.values.items():
        rows.append([f"  pass^{k}", _number(value), _interval(overall.intervals.get(k))])
    output.print_table(rows)
