"""``jtau tag``: which errors lost which conversation, by rules and, if asked, by a judge.

Calls a model only with ``--judge``, grades nothing again, and never changes a file that it reads.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from jtau_plugin import __version__
from jtau_plugin.cli import output
from jtau_plugin.cli.progress import Progress
from jtau_plugin.compat.readable import dump_readable
from jtau_plugin.compat.results_file import ResultsFile, read_results
from jtau_plugin.errors import Problem, ResultsError, SettingError
from jtau_plugin.reporting.reading import as_mapping
from jtau_plugin.reporting.tagging import (
    Tagged,
    add_judged,
    as_data,
    count_tags,
    find_unexplained,
    normalise_tags,
    tag_by_rules,
)
from jtau_plugin.reporting.tags import Vocabulary, load_vocabulary
from jtau_plugin.reporting.tags_journal import Journal, question_key
from jtau_plugin.reporting.tags_judge import Judged, ask_litellm, judge_case, render_request
from jtau_plugin.reporting.tags_rules import Case
from jtau_plugin.reporting.visible import visible
from jtau_plugin.scoring.causes import Outcome
from jtau_plugin.scoring.judge import JudgeSettings, judge_settings

SUMMARY = "says which errors lost which conversation"
_TITLE = "The tags cannot be written."
_JOURNAL = ".journal.jsonl"
_EPILOG = """Rules come first: wrong argument value, missing action, extra write, refused localized
argument, wrong language, not communicated, gave up, loop, a fault of the simulated caller and more.
With --judge, a model is asked about the lost conversations that no rule explains. Its answers are
kept beside the output, so that a run that was stopped goes on where it was; JTAU_JUDGE_ARGS holds
further arguments of the call."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jtau tag",
        description="Tags the simulations in a results file with the errors that were made.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "results",
        type=Path,
        metavar="RESULTS",
        help="a results file of tau2, or the folder that tau2-bench 1.0 keeps one in; with "
        "--check, a file of tags",
    )
    parser.add_argument(
        "--judge", metavar="MODEL", help="ask this model, as litellm names it (needs -o)"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="bring the tags of an edited file of tags to the vocabulary's spelling; what is no "
        "tag is named, with a hint, and left",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the tags here")
    parser.add_argument("--force", action="store_true", help="let -o overwrite another file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def main(arguments: Sequence[str]) -> int:
    """Tag a results file, or check a file of tags, and print what was found.

    Returns:
        1 if the judge could not be asked about a conversation, or a file of tags holds what is no
        tag; else 0.

    Raises:
        ResultsError: for files that cannot be read or written.
        SettingError: for settings that mean nothing.
        OverlayError: if the overlay or the rules of a language cannot be used.
    """
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.judge is not None and (given.check or given.output is None):
        parser.error("--judge needs -o, beside which its answers are kept, and no --check")
    return _check(given) if given.check else _tag(given)


def _tag(given: argparse.Namespace) -> int:
    file = read_results(given.results)
    vocabulary = load_vocabulary()
    if given.output is not None:
        _check_output(given.output, file.files, force=given.force)
    tagged = tag_by_rules(file.raw)
    failures = _judge(given, tagged, vocabulary) if given.judge is not None else []
    data = {**_about(file), **as_data(tagged, vocabulary)}
    if given.judge is not None:
        data["judge"] = _settings(given.judge).describe()
    if given.output is not None:
        _write(given.output, data)
    if given.json:
        output.print_json(data)
    else:
        _print(tagged, vocabulary, failures)
    return 1 if failures else 0


def _about(file: ResultsFile) -> dict[str, Any]:
    return {"plugin": __version__, "file": str(file.path), "domain": file.results.domain}


def _settings(model: str) -> JudgeSettings:
    return JudgeSettings(model, judge_settings((model, {})).arguments)


def _judge(given: argparse.Namespace, tagged: list[Tagged], vocabulary: Vocabulary) -> list[str]:
    """Ask the judge about what no rule explains, in place; return what could not be judged."""
    settings = _settings(given.judge)
    journal = Journal(given.output.with_name(given.output.name + _JOURNAL))
    judge = _judge_with(settings, journal, vocabulary)
    failures = []
    numbers = find_unexplained(tagged, vocabulary)
    with Progress("conversations judged", len(numbers)) as progress:
        for number in numbers:
            judged = add_judged(tagged, number, judge)
            if judged.error:
                failures.append(f"{_name(tagged[number].case)}: {judged.error}")
            progress.step()
    return failures


def _judge_with(
    settings: JudgeSettings, journal: Journal, vocabulary: Vocabulary
) -> Callable[[Case], Judged]:
    ask = ask_litellm(settings.model, settings.arguments)

    def judge(case: Case) -> Judged:
        request = render_request(case, vocabulary)
        key = question_key(settings.model, settings.arguments, vocabulary.fingerprint, request)
        known = journal.find(key)
        if known is not None:
            return known
        judged = judge_case(case, vocabulary, ask)
        measures = case.measures
        about = {"task_id": measures.task_id, "trial": measures.trial}
        journal.add(key, judged, about)
        return judged

    return judge


def _name(case: Case) -> str:
    measures = case.measures
    return f"task {measures.task_id}, trial {measures.trial}"


def _print(tagged: Sequence[Tagged], vocabulary: Vocabulary, failures: Sequence[str]) -> None:
    outcomes = [one.case.outcome for one in tagged]
    lost = outcomes.count(Outcome.FAILED)
    unexplained = len(find_unexplained(tagged, vocabulary))
    print(f"{len(tagged)} simulations, {lost} lost, {unexplained} of them without an explanation")
    counts = count_tags(tagged)
    if counts:
        rows = [["tag", "whose", "simulations", "lost"]]
        for tag, count in counts.most_common():
            failed = sum(
                one.case.outcome is Outcome.FAILED and any(f.tag == tag for f in one.findings)
                for one in tagged
            )
            rows.append([tag, vocabulary.side(tag), str(count), str(failed)])
        print()
        output.print_table(rows)
    for one in tagged:
        if one.findings:
            print(f"\n{visible(_name(one.case))}: {one.case.outcome.value}")
        for finding in one.findings:
            at = f" (message {finding.position})" if finding.position is not None else ""
            print(f"  {finding.tag}: {visible(finding.detail)}{at}")
    for one in tagged:
        for written, hint in one.judged.unknown if one.judged is not None else ():
            meant = f"; did it mean {hint}?" if hint else ""
            print(f"\n{visible(_name(one.case))}: the judge wrote {visible(written)!r}{meant}")
    for failure in failures:
        print(f"\nnot judged: {visible(failure)}")


def _check(given: argparse.Namespace) -> int:
    data = _read_tags(given.results)
    vocabulary = load_vocabulary()
    if given.output is not None:
        _check_output(given.output, (given.results,), force=given.force)
    normalised, problems = normalise_tags(data, vocabulary)
    if given.output is not None:
        _write(given.output, normalised)
    if given.json:
        output.print_json(
            {
                "problems": [
                    {"where": p.where, "written": p.written, "tag": p.tag, "hint": p.hint}
                    for p in problems
                ]
            }
        )
    else:
        for problem in problems:
            said = f"is {problem.tag}" if problem.tag else "is no tag"
            hint = f"; did you mean {problem.hint}?" if problem.hint else ""
            print(f"{problem.where}: {visible(problem.written)!r} {said}{hint}")
        if not problems:
            print("every tag is spelled as in the vocabulary")
    return 1 if any(problem.tag is None for problem in problems) else 0


def _read_tags(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        problem = Problem(str(path), f"cannot be read: {error.strerror}")
        raise ResultsError("These tags cannot be used.", [problem]) from error
    except (ValueError, RecursionError) as error:
        problem = Problem(str(path), "is no JSON", "name a file that jtau tag -o wrote")
        raise ResultsError("These tags cannot be used.", [problem]) from error
    if not isinstance(as_mapping(data).get("simulations"), list):
        problem = Problem(str(path), "has no simulations", "name a file that jtau tag -o wrote")
        raise ResultsError("These tags cannot be used.", [problem])
    return dict(data)


def _check_output(path: Path, inputs: Sequence[Path], *, force: bool) -> None:
    """Make sure, before anything is asked, that the tags may be written there.

    Raises:
        SettingError: if they would overwrite something.
    """
    if path.is_dir():
        raise SettingError(f"{path} is a folder; name a file")
    if not path.parent.is_dir():
        raise SettingError(f"there is no folder {path.parent}; make it first")
    if path.exists() and any(path.samefile(file) for file in inputs):
        raise SettingError(f"{path} is the file that is read, which is never changed; name another")
    if path.exists() and not force:
        raise SettingError(f"{path} exists already; --force overwrites it")


def _write(path: Path, data: dict[str, Any]) -> None:
    """Write JSON: completely, or not at all.

    Raises:
        ResultsError: if the file cannot be written.
    """
    text = dump_readable(data, indent=2) + "\n"
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError as error:
        problem = Problem(str(path), error.strerror or str(error))
        raise ResultsError(_TITLE, [problem]) from error
