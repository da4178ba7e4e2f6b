"""``jtau grade``: grades recorded conversations again and counts them strictly.

Calls no model, unless a protocol that has a judge is asked for. Never changes a file that it reads.
"""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from jtau_plugin import __version__
from jtau_plugin._bootstrap import is_disabled
from jtau_plugin.cli import output
from jtau_plugin.cli.grading import plan, regrading, report, writing
from jtau_plugin.cli.quiet import quiet_tau2
from jtau_plugin.compat import hooks, layout
from jtau_plugin.compat.agent_metrics import installed_convention
from jtau_plugin.domains import localized_domains
from jtau_plugin.errors import SettingError
from jtau_plugin.localization.tasks import PROTOCOLS
from jtau_plugin.patching.engine import get_engine
from jtau_plugin.scoring.bootstrap import Bootstrap
from jtau_plugin.scoring.causes import Outcome
from jtau_plugin.scoring.pass_hat_k import DEFAULT_EXCLUDED
from jtau_plugin.scoring.summary import (
    Overall,
    RunSummary,
    overall_data,
    summarize_overall,
    summarize_run,
)

SUMMARY = "grades results again and counts every trial that should have been played"
#: Version of the JSON: raised when a key is renamed, removed or given another meaning.
SCHEMA = 1
_UPSTREAM = "JTAU_PATCH_UPSTREAM"


def is_one_arm(found: Sequence[regrading.Regraded]) -> bool:
    """Return whether files are one arm's domains, once each: only of such is a mean anything.

    Two arms of one domain are for ``jtau compare``.
    """
    arms, bases = set(), []
    for one in found:
        info = one.results.info
        domain = info.environment_info.domain_name
        own = localized_domains().get(domain)
        arm = (own.scenario.id, own.source_locale) if own is not None else ("upstream", "")
        arms.add((*arm, info.agent_info.llm, info.user_info.llm))
        bases.append(own.base if own is not None else domain)
    return len(arms) == 1 and len(set(bases)) == len(bases)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jtau grade",
        description="Grades the conversations in results files again, without a model, and counts "
        "every trial that should have been played. Exits with 1 if a conversation could not be "
        "graded or counted.",
    )
    parser.add_argument(
        "results",
        nargs="+",
        type=Path,
        metavar="RESULTS",
        help="a results file of tau2, or the folder that tau2-bench 1.0 keeps one in; one per "
        "domain",
    )
    parser.add_argument(
        "--protocol",
        choices=PROTOCOLS,
        help="grade by this protocol; 'judged' asks the judge of JTAU_JUDGE_LLM. Left out, our "
        "domains keep the protocol that they were run with, and tau2's are graded without a judge",
    )
    parser.add_argument(
        "--upstream",
        action="store_true",
        help=f"also grade tau2's own domains with this project's scorer, as {_UPSTREAM}=1 does",
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
        "--jobs", type=_count, default=1, metavar="N", help="grade in N processes (needs joblib)"
    )
    parser.add_argument("-o", "--output", type=Path, help="write a re-graded copy of the file here")
    parser.add_argument("--force", action="store_true", help="let -o overwrite another file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1 on, found {text!r}")
    return int(text)


@contextlib.contextmanager
def _upstream_allowed(*, is_asked: bool) -> Iterator[bool]:
    """Let the code patches change tau2's own domains inside the block, if that is asked for."""
    before = os.environ.get(_UPSTREAM)
    if is_asked:
        os.environ[_UPSTREAM] = "1"
    try:
        yield os.environ.get(_UPSTREAM, "") not in ("", "0")
    finally:
        if is_asked:
            os.environ.pop(_UPSTREAM)
            if before is not None:
                os.environ[_UPSTREAM] = before


def _summarize(regraded: regrading.Regraded, excluded: frozenset[Outcome]) -> RunSummary:
    return summarize_run(
        regraded.results,
        str(regraded.plan.file.path),
        regraded.plan.protocol,
        excluded=excluded,
        floor=regraded.floor,
    )


def _as_data(
    regraded: Sequence[regrading.Regraded], runs: Sequence[RunSummary], overall: Overall | None
) -> dict[str, object]:
    installed = layout.detect_layout()
    settings = Bootstrap()
    return {
        "schema": SCHEMA,
        "plugin": __version__,
        "tau2": f"{installed.distribution} {installed.version}",
        "convention": installed_convention(),
        "ok": all(report.is_whole(run) for run in runs),
        "intervals": {
            "method": "bootstrap over tasks",
            "level": settings.level,
            "repetitions": settings.repetitions,
            "seed": settings.seed,
        },
        "runs": [report.run_data(one, run) for one, run in zip(regraded, runs, strict=True)],
        "overall": None if overall is None else overall_data(overall),
    }


def _print(
    regraded: Sequence[regrading.Regraded], runs: Sequence[RunSummary], overall: Overall | None
) -> None:
    for position, (one, run) in enumerate(zip(regraded, runs, strict=True)):
        if position:
            print()
        report.print_run(one, run, installed_convention())
    if overall is not None:
        report.print_overall(overall)


def main(arguments: Sequence[str]) -> int:
    """Grade results files and print what came out.

    Returns:
        1 if a conversation could not be graded or counted, else 0.

    Raises:
        ResultsError: for files that cannot be read, graded, or graded together.
        LayoutError: if there is no tau2.
        PatchError: if a required code patch does not fit it.
        SettingError: for settings that mean nothing, or a missing joblib.
    """
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.output is not None and len(given.results) > 1:
        parser.error("-o takes one file of results")
    if given.jobs > 1:
        regrading.import_joblib()
    files = plan.read_all(given.results)
    if given.output is not None:
        writing.check_output(given.output, files, force=given.force)
    layout.require_tau2()
    if is_disabled():
        raise SettingError("JTAU_DISABLE is set, so there is no scorer to grade with; unset it")
    excluded = DEFAULT_EXCLUDED if given.user_errors == "exclude" else frozenset[Outcome]()
    with _upstream_allowed(is_asked=given.upstream) as allows_upstream:
        with quiet_tau2():
            hooks.activate()
            get_engine().ensure_applied()
            plans = plan.make_plans(files, given.protocol, allows_upstream=allows_upstream)
        found = regrading.regrade(plans, workers=given.jobs, with_floor=not given.no_floor)
    runs = [_summarize(one, excluded) for one in found]
    if given.output is not None:
        writing.write_results(given.output, found[0].raw)
    overall = summarize_overall(runs) if is_one_arm(found) else None
    if given.json:
        output.print_json(_as_data(found, runs, overall))
    else:
        _print(found, runs, overall)
    return 0 if all(report.is_whole(run) for run in runs) else 1
