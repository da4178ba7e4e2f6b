"""What is graded: which files, by which protocol; refused where figures would mean nothing.

Every problem of every file is found before anything is graded, and nothing is written here.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from jtau_plugin.cli.grading.protocols import with_protocol
from jtau_plugin.cli.grading.settings import check_settings
from jtau_plugin.compat import layout
from jtau_plugin.compat.results_file import ResultsFile, build_task, format_location, read_results
from jtau_plugin.compat.tasks import TaskMark, read_mark
from jtau_plugin.domains import LocalizedDomain, localized_domains
from jtau_plugin.errors import JtauError, Problem, ResultsError
from jtau_plugin.localization.tasks import DETERMINISTIC, fingerprint_facts
from jtau_plugin.patching.selection import setting
from jtau_plugin.scoring.floor import basis_of

_TITLE = "These results cannot be graded."
_SHOWN = 10


@dataclass(frozen=True)
class Plan:
    """A file that can be graded.

    Attributes:
        protocol: by which it is graded.
        tasks: tau2's tasks by id, as the protocol grades them.
        upstream_basis: by which upstream grades the tasks of its own domains, by id.
    """

    file: ResultsFile
    protocol: str
    tasks: dict[str, Any]
    upstream_basis: dict[str, tuple[str, ...]]

    @property
    def domain(self) -> str:
        """The domain that was run."""
        return self.file.results.domain


def read_all(paths: Sequence[Path]) -> list[ResultsFile]:
    """Read all files.

    Raises:
        ResultsError: what is wrong with any of them.
    """
    files: list[ResultsFile] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            files.append(read_results(path))
        except ResultsError as error:
            problems += error.problems
    if problems:
        raise ResultsError(_TITLE, problems)
    return files


def make_plans(
    files: Sequence[ResultsFile], protocol: str | None, *, allows_upstream: bool
) -> list[Plan]:
    """Return a plan for each file.

    Args:
        files: what was read.
        protocol: the protocol to grade by; ``None`` for the one that the files were run with.
        allows_upstream: whether tau2's own domains are graded too.

    Raises:
        ResultsError: every reason why a file cannot be graded, or not together with the others.
    """
    candidates = [_Candidate(file, allows_upstream=allows_upstream) for file in files]
    problems = [problem for one in candidates for problem in one.check()]
    problems += _check_domains(files)
    problems += check_settings(files, protocol)
    if problems:
        raise ResultsError(_TITLE, problems)
    return [one.plan(protocol) for one in candidates]


def _check_domains(files: Sequence[ResultsFile]) -> Iterator[Problem]:
    seen: dict[str, ResultsFile] = {}
    for file in files:
        first = seen.setdefault(file.results.domain, file)
        if first is not file:
            what = f"is of {file.results.domain}, as {first.path} is"
            yield Problem(str(file.path), what, "grade two runs of one domain one at a time")


class _Candidate:
    """One file on its way to a plan."""

    def __init__(self, file: ResultsFile, *, allows_upstream: bool) -> None:
        self._file = file
        self._where = str(file.path)
        self._domain = file.results.domain
        self._allows_upstream = allows_upstream
        self._tasks: dict[str, Any] = {}
        self._marks: dict[str, TaskMark | None] = {}

    def check(self) -> list[Problem]:
        """Return everything that stands against grading this file."""
        problems = self._check_domain()
        if not problems:
            problems = [*self._build_tasks(), *self._check_marks()]
        rest = len(problems) - _SHOWN
        if rest > 0:
            problems = [*problems[:_SHOWN], Problem(self._where, f"and {rest} more like these")]
        return problems

    def plan(self, protocol: str | None) -> Plan:
        """Return the plan; only for a file without problems."""
        marks = [mark for mark in self._marks.values() if mark is not None]
        chosen = protocol or (marks[0].protocol if marks else DETERMINISTIC)
        return Plan(
            file=self._file,
            protocol=chosen,
            tasks={name: with_protocol(task, chosen) for name, task in self._tasks.items()},
            upstream_basis={
                name: basis_of(task)
                for name, task in self._tasks.items()
                if self._marks[name] is None
            },
        )

    @property
    def _own(self) -> LocalizedDomain | None:
        return localized_domains().get(self._domain)

    def _check_domain(self) -> list[Problem]:
        known = layout.registry().get_domains()
        if self._domain not in known:
            near = difflib.get_close_matches(self._domain, known, n=3)
            hint = f"did you mean {', '.join(near)}" if near else f"known are {', '.join(known)}"
            what = f"was run in the domain {self._domain!r}, which is not registered"
            return [Problem(self._where, what, hint)]
        if self._own is None and not self._allows_upstream:
            what = f"was run in {self._domain}, one of tau2's own domains"
            hint = "--upstream grades it with this project's scorer"
            return [Problem(self._where, what, hint)]
        return []

    def _build_tasks(self) -> Iterator[Problem]:
        for raw in self._file.raw["tasks"]:
            name = str(raw["id"])
            if name in self._tasks:
                continue
            try:
                self._tasks[name] = build_task(raw)
                self._marks[name] = read_mark(self._tasks[name])
            except ValidationError as error:
                first = error.errors(include_url=False)[0]
                what = f"{format_location(first['loc'])}: {first['msg']}"
                yield Problem(f"{self._where}: task {name}", what)
            except JtauError as error:
                yield Problem(self._where, str(error))

    def _check_marks(self) -> Iterator[Problem]:
        for name, mark in self._marks.items():
            where = f"{self._where}: task {name}"
            if mark is None and self._own is not None:
                what = f"carries no mark of {self._domain}, so its facts cannot be checked"
                yield Problem(where, what, "run it again in that domain")
            elif mark is not None:
                problem = self._check_mark(where, name, mark)
                if problem is not None:
                    yield problem

    def _check_mark(self, where: str, name: str, mark: TaskMark) -> Problem | None:
        owner = localized_domains().get(mark.domain)
        if owner is None or not _is_same_arm(owner, self._own):
            what = f"is marked for {mark.domain}, but was run in {self._domain}"
            return Problem(where, what, "the file was put together from several runs")
        found = fingerprint_facts(self._tasks[name])
        if found != mark.facts:
            what = f"has facts {found[:12]}, but was run with {mark.facts[:12]}"
            return Problem(where, what, "the file was changed after the run; restore it")
        installed = _installed_facts(mark.domain, setting()).get(name)
        if installed is None:
            return Problem(where, f"{mark.domain} has no such task", "install what it was run with")
        if installed != mark.facts:
            what = f"was run with facts {mark.facts[:12]}, installed are {installed[:12]}"
            hint = "grade it with the version and the JTAU_PATCHES that it was run with"
            return Problem(where, what, hint)
        return None


def _is_same_arm(one: LocalizedDomain, other: LocalizedDomain | None) -> bool:
    """Tell whether a task set belongs to a domain: variants share overlay, locale and scenario."""
    return other is not None and (one.overlay, one.locale, one.scenario) == (
        other.overlay,
        other.locale,
        other.scenario,
    )


@lru_cache(maxsize=16)
def _installed_facts(domain: str, _repairs: str) -> dict[str, str]:
    """Return the facts of a domain's installed tasks under one choice of repairs."""
    return {
        task.id: fingerprint_facts(task) for task in localized_domains()[domain].get_tasks(None)
    }
