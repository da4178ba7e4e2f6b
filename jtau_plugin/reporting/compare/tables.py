"""The tables of a comparison: the same in the terminal, as CSV, and in the report.

Cells hold values, not formatted text; ``None`` is what is not available.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from jtau_plugin.reporting.compare.arms import Arm
from jtau_plugin.reporting.compare.checks import Blame, lost_checks
from jtau_plugin.reporting.compare.comparison import ArmPair, Comparison, PairDifference
from jtau_plugin.reporting.compare.figures import ArmFigures
from jtau_plugin.reporting.compare.flips import MATRIX
from jtau_plugin.reporting.compare.measured import TURN_LABELS, GivenTag, target_share
from jtau_plugin.reporting.compare.pairing import has_passed
from jtau_plugin.reporting.compare.usage import COUNTED
from jtau_plugin.scoring.bootstrap import Difference
from jtau_plugin.scoring.causes import Outcome

Value = str | int | float | bool | None


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        name: short, also the name of its CSV file.
        title: what it shows, in a line.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


def _table(name: str, title: str, rows: list[dict[str, Value]]) -> Table:
    columns = tuple(dict.fromkeys(key for row in rows for key in row))
    values = tuple(tuple(row.get(column) for column in columns) for row in rows)
    return Table(name, title, columns, values)


def all_tables(comparison: Comparison) -> list[Table]:
    """Return every table of a comparison; one that has no rows is left out."""
    made = [
        arms_table(comparison),
        figures_table(comparison),
        differences_table(comparison),
        flips_table(comparison),
        matrix_table(comparison),
        checks_table(comparison),
        tags_table(comparison),
        trials_table(comparison),
        outcomes_table(comparison),
        endings_table(comparison),
        usage_table(comparison),
        refusals_table(comparison),
        language_table(comparison),
        drift_table(comparison),
        caller_table(comparison),
        settings_table(comparison),
    ]
    return [table for table in made if table.rows]


def _of(figures: ArmFigures) -> dict[str, Value]:
    return {"arm": figures.arm.name, "domain": figures.base}


def arms_table(comparison: Comparison) -> Table:
    """Return which file is which arm."""
    rows: list[dict[str, Value]] = [
        {
            "arm": arm.name,
            "domain": base,
            "registered_domain": run.domain,
            "scenario": run.scenario,
            "locale": run.locale,
            "agent_model": run.model,
            "user_model": run.user_model,
            "tasks": len(run.inventory.tasks),
            "trials": run.inventory.num_trials,
            "file": run.name,
        }
        for arm in comparison.arms
        for base, run in arm.runs.items()
    ]
    return _table("arms", "Arms and their files", rows)


def figures_table(comparison: Comparison) -> Table:
    """Return pass^k of each arm."""
    rows: list[dict[str, Value]] = []
    for one in comparison.figures:
        for figure in one.figures:
            interval = figure.interval
            rows.append(
                {
                    **_of(one),
                    "k": figure.k,
                    "pass_hat_k": figure.strict,
                    "low": interval.low if interval else None,
                    "high": interval.high if interval else None,
                    "upstream_pass_hat_k": figure.upstream,
                    "upstream_convention": one.convention,
                    "rho_k": figure.rho,
                    "tasks": one.tasks,
                    "trials": one.trials,
                    "expected": one.expected,
                    "graded": one.graded,
                    "caller_errors": one.excluded,
                    "floor": one.floor.rate if one.floor else None,
                }
            )
    return _table("figures", "pass^k by arm and domain", rows)


def _interval(difference: Difference | None, prefix: str = "") -> dict[str, Value]:
    if difference is None:
        return {f"{prefix}{key}": None for key in ("difference", "low", "high", "within_noise")}
    return {
        f"{prefix}difference": difference.value,
        f"{prefix}low": difference.interval.low,
        f"{prefix}high": difference.interval.high,
        f"{prefix}within_noise": difference.is_noise,
    }


def _difference_row(pair: ArmPair, one: PairDifference) -> dict[str, Value]:
    return {
        "reference": pair.pairing.first.name,
        "arm": pair.pairing.second.name,
        "domain": one.base,
        "k": one.k,
        **_interval(one.strict),
        "retention": one.retention,
        "tasks": one.strict.tasks if one.strict else 0,
        "tasks_changed": one.strict.changed if one.strict else 0,
        "tasks_too_few_trials": len(one.short),
        "tasks_unpaired": len(one.strict.unpaired) if one.strict else 0,
        **_interval(one.graded, "graded_"),
    }


def differences_table(comparison: Comparison) -> Table:
    """Return the paired differences in pass^k."""
    rows = [_difference_row(pair, one) for pair in comparison.pairs for one in pair.differences]
    return _table("differences", "Paired differences in pass^k", rows)


def flips_table(comparison: Comparison) -> Table:
    """Return the trials that flipped, and what they lost."""
    rows: list[dict[str, Value]] = []
    for pair in comparison.pairs:
        for task in pair.flips:
            for flip in task.flips:
                rows.append(
                    {
                        "reference": pair.pairing.first.name,
                        "arm": pair.pairing.second.name,
                        "domain": flip.pair.base,
                        "task": flip.pair.task_id,
                        "trial": flip.pair.trial,
                        "flip": "lost" if flip.is_loss else "gained",
                        "loss_of": flip.blame.value,
                        "checks": ", ".join(check.kind for check in flip.lost),
                        "details": "; ".join(check.detail for check in flip.lost if check.detail),
                        "caller_faults": None if flip.faults is None else ", ".join(flip.faults),
                    }
                )
    return _table("flips", "Trials that flipped, and what was lost", rows)


def matrix_table(comparison: Comparison) -> Table:
    """Return the flip matrices."""
    rows: list[dict[str, Value]] = [
        {
            "reference": pair.pairing.first.name,
            "arm": pair.pairing.second.name,
            **{corner.replace(" ", "_"): pair.matrix[corner] for corner in MATRIX},
        }
        for pair in comparison.pairs
    ]
    return _table("matrix", "Flip matrices, in trials", rows)


def checks_table(comparison: Comparison) -> Table:
    """Return which checks the lost trials lost, and whose loss it is."""
    rows: list[dict[str, Value]] = [
        {
            "reference": pair.pairing.first.name,
            "arm": pair.pairing.second.name,
            "loss_of": blame.value,
            "check": kind,
            "trials": count,
        }
        for pair in comparison.pairs
        for blame in Blame
        for kind, count in sorted(pair.lost_checks[blame].items(), key=lambda item: -item[1])
    ]
    return _table("lost_checks", "Checks that flipped trials lost", rows)


def tags_table(comparison: Comparison) -> Table:
    """Return the error tags that rules gave, and whose errors they are."""
    rows: list[dict[str, Value]] = [
        {**_of(one), "error_of": side, "tag": title, "conversations": count}
        for one in comparison.figures
        if one.language is not None and one.language.tags is not None
        for (side, title), count in sorted(
            one.language.tags.items(), key=lambda item: (item[0][0], -item[1], item[0][1])
        )
    ]
    return _table("error_tags", "Error tags that rules gave", rows)


def trials_table(comparison: Comparison) -> Table:
    """Return what became of every trial."""
    rows: list[dict[str, Value]] = []
    for arm in comparison.arms:
        for base, run in arm.runs.items():
            for (task, trial), cell in run.inventory.cells.items():
                checks = lost_checks(cell, run.simulation(cell))
                measured = comparison.measures.get((arm.name, base), {}).get((task, trial))
                tags = measured.tags if measured is not None else None
                rows.append(
                    {
                        "arm": arm.name,
                        "domain": base,
                        "task": task,
                        "trial": trial,
                        "outcome": cell.outcome.value,
                        "passed": has_passed(cell),
                        "reason": cell.reason,
                        "checks": ", ".join(check.kind for check in checks),
                        "details": "; ".join(check.detail for check in checks if check.detail),
                        "tags": None if tags is None else _tag_ids(tags),
                        "simulation": cell.simulation_id,
                    }
                )
    return _table("trials", "Every trial", rows)


def _tag_ids(tags: Iterable[GivenTag]) -> str:
    return ", ".join(dict.fromkeys(tag.id for tag in tags))


def outcomes_table(comparison: Comparison) -> Table:
    """Return what became of the trials, and how many of them there should be."""
    rows: list[dict[str, Value]] = [
        {
            **_of(one),
            "expected": one.expected,
            **{outcome.value.replace(" ", "_"): one.outcomes[outcome] for outcome in Outcome},
        }
        for one in comparison.figures
    ]
    return _table("coverage", "Coverage: what became of the trials", rows)


def endings_table(comparison: Comparison) -> Table:
    """Return why conversations ended."""
    rows: list[dict[str, Value]] = [
        {**_of(one), "reason": reason, "conversations": count}
        for one in comparison.figures
        for reason, count in sorted(one.usage.endings.items(), key=lambda item: -item[1])
    ]
    return _table("endings", "Why conversations ended", rows)


def usage_table(comparison: Comparison) -> Table:
    """Return turns, calls, tokens and cost per conversation."""
    rows: list[dict[str, Value]] = []
    for one in comparison.figures:
        row: dict[str, Value] = {**_of(one), "conversations": one.usage.conversations}
        for key in COUNTED:
            average = one.usage.averages[key]
            row[key] = average.value
            row[f"{key}_known"] = average.known
        row["normalized_arguments"] = one.normalized
        rows.append(row)
    return _table("usage", "Per conversation: turns, calls, tokens, cost", rows)


def refusals_table(comparison: Comparison) -> Table:
    """Return which tools refused the agent's calls."""
    rows: list[dict[str, Value]] = [
        {**_of(one), "tool": tool, "refused_calls": count}
        for one in comparison.figures
        for tool, count in sorted(one.usage.refusals.items(), key=lambda item: -item[1])
    ]
    return _table("refusals", "Tool calls of the agent that were refused", rows)


def language_table(comparison: Comparison) -> Table:
    """Return the language measures; nothing where nothing was measured."""
    rows: list[dict[str, Value]] = []
    for one in comparison.figures:
        measured = one.language
        if measured is None:
            continue
        row: dict[str, Value] = {**_of(one), "conversations": measured.conversations}
        for side, counts in (("agent", measured.agent_turns), ("caller", measured.user_turns)):
            row[f"{side}_target_share"] = target_share(counts)
            for label in TURN_LABELS:
                key = f"{side}_{label.replace(' ', '_').replace('-', '_')}"
                row[key] = counts.get(label, 0) if counts else None
        row |= _counts("register", measured.register)
        row |= _counts("arguments", measured.arguments)
        row |= _counts("failed_look_ups", measured.failed_look_ups)
        row["identified"] = measured.identified[0] if measured.identified else None
        row["identified_of"] = measured.identified[1] if measured.identified else None
        rows.append(row)
    return _table("language", "Language measures", rows)


def _counts(prefix: str, counts: Mapping[str, int]) -> dict[str, Value]:
    return {f"{prefix}_{name.replace(' ', '_')}": count for name, count in counts.items()}


def drift_table(comparison: Comparison) -> Table:
    """Return the share of turns in the target language, by the turn's number."""
    rows: list[dict[str, Value]] = []
    for one in comparison.figures:
        if one.language is None:
            continue
        sides = (("agent", one.language.agent_by_turn), ("caller", one.language.user_by_turn))
        for side, turns in sides:
            for number, counts in enumerate(turns, 1):
                row: dict[str, Value] = {**_of(one), "side": side, "turn": number}
                row["target_share"] = target_share(counts)
                row["turns"] = sum(counts.values())
                rows.append(row)
    return _table("drift", "Target language by turn", rows)


def caller_table(comparison: Comparison) -> Table:
    """Return which rules the simulated callers broke."""
    rows: list[dict[str, Value]] = []
    for one in comparison.figures:
        if one.language is None or one.language.faults is None:
            continue
        rows.append({**_of(one), "rule": "any", "conversations": one.language.faulty})
        for rule, count in sorted(one.language.faults.items(), key=lambda item: -item[1]):
            rows.append({**_of(one), "rule": rule, "conversations": count})
    return _table("caller_faults", "Rules that the simulated callers broke", rows)


def settings_table(comparison: Comparison) -> Table:
    """Return how the figures were made, and what differs between the runs."""
    settings = comparison.settings
    rows: list[dict[str, Value]] = [
        {
            "setting": "intervals",
            "value": "bootstrap over tasks, paired by task and trial, widened for few tasks",
        },
        {"setting": "level", "value": settings.level},
        {"setting": "repetitions", "value": settings.repetitions},
        {"setting": "seed", "value": settings.seed},
        {
            "setting": "left out of strict figures",
            "value": ", ".join(sorted(one.value for one in comparison.excluded)) or "nothing",
        },
    ]
    for mixture in comparison.mixtures:
        name = "mixed" if mixture.is_refused else "differs"
        rows.append({"setting": name, "value": str(mixture)})
    rows += [{"setting": "note", "value": note} for note in comparison.notes]
    return _table("settings", "How the figures were made", rows)


def wide_rows(comparison: Comparison) -> Table:
    """Return one row for each arm and domain with everything that has one value there."""
    rows: list[dict[str, Value]] = []
    for one in comparison.figures:
        row: dict[str, Value] = {**_of(one), **_describe(one.arm)}
        row |= {"tasks": one.tasks, "trials": one.trials}
        row |= {"expected": one.expected, "graded": one.graded, "caller_errors": one.excluded}
        for figure in one.figures:
            name = f"pass_hat_{figure.k}"
            row[name] = figure.strict
            row[f"{name}_low"] = figure.interval.low if figure.interval else None
            row[f"{name}_high"] = figure.interval.high if figure.interval else None
            row[f"{name}_upstream"] = figure.upstream
            if figure.k > 1:
                row[f"rho_{figure.k}"] = figure.rho
        for pair in comparison.pairs:
            found = pair.difference(one.base) if pair.pairing.second is one.arm else None
            if found is not None:
                row["reference"] = pair.pairing.first.name
                row |= _interval(found.strict)
        row["floor"] = one.floor.rate if one.floor else None
        row |= {key: one.usage.averages[key].value for key in COUNTED}
        if one.language is not None:
            row["agent_target_share"] = target_share(one.language.agent_turns)
            row["caller_target_share"] = target_share(one.language.user_turns)
            row["conversations_with_caller_faults"] = one.language.faulty
        rows.append(row)
    return _table("comparison", "Arms, one row for each domain", rows)


def _describe(arm: Arm) -> dict[str, Value]:
    return {"agent_model": arm.model, "scenario": arm.scenario, "locale": arm.locale}


def iter_columns(table: Table) -> Iterator[tuple[str, list[Value]]]:
    """Yield each column of a table with its values."""
    for index, column in enumerate(table.columns):
        yield column, [row[index] for row in table.rows]
