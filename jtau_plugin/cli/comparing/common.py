"""The arguments that say what is compared and how, and the comparison that they ask for."""

from __future__ import annotations

import argparse
import sys

from jtau_plugin.cli.comparing.floors import FloorFinder
from jtau_plugin.cli.quiet import quiet_tau2
from jtau_plugin.errors import JtauError
from jtau_plugin.reporting.compare.arms import Run, read_arms
from jtau_plugin.reporting.compare.comparison import Comparison, MeasuresOf, compare_arms
from jtau_plugin.reporting.compare.measured import measure_run
from jtau_plugin.reporting.compare.settings import check_mixtures, find_mixtures
from jtau_plugin.scoring.bootstrap import (
    DEFAULT_LEVEL,
    DEFAULT_REPETITIONS,
    DEFAULT_SEED,
    Bootstrap,
)
from jtau_plugin.scoring.causes import Outcome
from jtau_plugin.scoring.pass_hat_k import DEFAULT_EXCLUDED


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what all three commands take."""
    parser.add_argument(
        "arms",
        nargs="+",
        metavar="ARM=RESULTS",
        help="a name and a results file of tau2, or the folder that tau2-bench 1.0 keeps one in; "
        "an arm may have one file per domain: 'en=en_retail.json en=en_airline.json …'",
    )
    parser.add_argument(
        "--reference",
        default="",
        metavar="ARM",
        help="the arm that the others are compared with; left out: the English control arm of the "
        "same model, else the first arm of that model",
    )
    parser.add_argument(
        "--allow-mixed",
        action="store_true",
        help="compare runs of different facts, protocols, repairs or overlays all the same",
    )
    parser.add_argument(
        "--user-errors",
        choices=("exclude", "fail"),
        default="exclude",
        help="what becomes of trials that the user simulator spoiled: left out and named "
        "(default), or counted as failed",
    )
    parser.add_argument("--no-floor", action="store_true", help="leave out the do-nothing floor")
    parser.add_argument(
        "--repetitions",
        type=_count,
        default=DEFAULT_REPETITIONS,
        metavar="N",
        help=f"repetitions of the bootstrap (default {DEFAULT_REPETITIONS})",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=DEFAULT_SEED,
        metavar="N",
        help=f"seed of the bootstrap (default {DEFAULT_SEED})",
    )
    parser.add_argument(
        "--level",
        type=_share,
        default=DEFAULT_LEVEL,
        metavar="SHARE",
        help=f"how often an interval should cover the true value (default {DEFAULT_LEVEL})",
    )


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1 on, found {text!r}")
    return int(text)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share < 1:
        raise argparse.ArgumentTypeError(f"expected a share between 0 and 1, found {text!r}")
    return share


def compare(given: argparse.Namespace) -> Comparison:
    """Return the comparison that the arguments ask for.

    Raises:
        ResultsError: for files that cannot be read, or not be compared.
        SettingError: for a reference that is none of the arms.
    """
    arms = read_arms(given.arms)
    mixtures = find_mixtures(arms)
    if not given.allow_mixed:
        check_mixtures(mixtures)
    notes: list[str] = []
    floors = None if given.no_floor else FloorFinder(notes)
    with quiet_tau2():
        return compare_arms(
            arms,
            mixtures,
            reference=given.reference,
            excluded=_excluded(given),
            settings=Bootstrap(given.seed, given.repetitions, given.level),
            measure=lambda run: _measure(run, notes),
            find_floor=floors,
            notes=notes,
        )


def _measure(run: Run, notes: list[str]) -> MeasuresOf | None:
    try:
        return measure_run(run)
    except JtauError as error:
        first = str(error).splitlines()[-1].strip(" -")
        notes.append(f"no language measures of {run.name}: {first}")
        return None


def _excluded(given: argparse.Namespace) -> frozenset[Outcome]:
    return DEFAULT_EXCLUDED if given.user_errors == "exclude" else frozenset()


def print_mixed(comparison: Comparison) -> None:
    """Say on standard error that conditions were mixed, if they were."""
    for mixture in comparison.mixtures:
        if mixture.is_refused:
            print(f"jtau: MIXED: {mixture}", file=sys.stderr)
