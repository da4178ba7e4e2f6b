"""The arms of a comparison: named groups of runs, one run per domain.

Only says what each file is. What may be compared with what is decided elsewhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from jtau_plugin.compat.results_file import ResultsFile, read_results
from jtau_plugin.errors import Problem, ResultsError
from jtau_plugin.scoring.inventory import Cell, Inventory, take_inventory

_TITLE = "These results cannot be compared."
#: What a run of tau2's own domains is called where scenarios are named.
UPSTREAM = "upstream"
#: From English to everything localized; scenarios that are not here follow in the order given.
LADDER = ("control", "interaction", "tools", "agentside", "domain")
#: How people call them.
SCENARIO_NAMES = {
    "control": "English",
    "interaction": "conversation localized",
    "tools": "tools localized",
    "agentside": "all the agent sees localized",
    "domain": "everything localized",
    UPSTREAM: "upstream's own domain",
}


@dataclass(frozen=True)
class Run:
    """One results file.

    Attributes:
        base: tau2's own name of what was run, ``retail``; runs of one base can be paired.
        scenario: id of the scenario, ``control`` …; ``upstream`` for tau2's own domains.
        locale: the language of the arm.
    """

    file: ResultsFile
    base: str
    scenario: str
    locale: str
    inventory: Inventory

    @property
    def domain(self) -> str:
        """The domain that was run."""
        return self.file.results.domain

    @property
    def name(self) -> str:
        """The file, as it was named."""
        return str(self.file.path)

    @property
    def model(self) -> str:
        """The agent's model."""
        return self.file.results.info.agent_info.llm or "?"

    @property
    def user_model(self) -> str:
        """The user simulator's model."""
        return self.file.results.info.user_info.llm or "?"

    @cached_property
    def stamps(self) -> list[dict[str, Any]]:
        """What this project recorded in each simulation that says where it was run."""
        stamps = (simulation.stamp for simulation in self.file.results.simulations)
        return [stamp for stamp in stamps if "domain" in stamp]

    @cached_property
    def tasks(self) -> dict[str, dict[str, Any]]:
        """The tasks as they stand in the file, by id; the first of each counts."""
        found: dict[str, dict[str, Any]] = {}
        for task in self.file.raw["tasks"]:
            found.setdefault(str(task["id"]), task)
        return found

    def simulation(self, cell: Cell) -> dict[str, Any] | None:
        """Return a cell's simulation as it stands in the file; ``None`` for a missing one."""
        if cell.position < 0:
            return None
        raw: dict[str, Any] = self.file.raw["simulations"][cell.position]
        return raw


@dataclass(frozen=True)
class Arm:
    """One arm.

    Attributes:
        runs: by base.
    """

    name: str
    runs: dict[str, Run]

    @property
    def _all(self) -> list[Run]:
        return list(self.runs.values())

    @property
    def model(self) -> str:
        """The agent's model; several are joined."""
        return _joined(run.model for run in self._all)

    @property
    def user_model(self) -> str:
        """The user simulator's model; several are joined."""
        return _joined(run.user_model for run in self._all)

    @property
    def scenario(self) -> str:
        """Id of the scenario; several are joined."""
        return _joined(run.scenario for run in self._all)

    @property
    def locale(self) -> str:
        """The language of the arm; several are joined."""
        return _joined(run.locale for run in self._all)

    @property
    def files(self) -> tuple[str, ...]:
        """The files, as they were named."""
        return tuple(run.name for run in self._all)


def _joined(values: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(values))


def split_argument(text: str) -> tuple[str, Path]:
    """Return the arm's name and the file of ``ARM=RESULTS.json``.

    Without a name the arm is called as the file or folder is.
    """
    name, sign, rest = text.partition("=")
    if sign and name.strip() and os.sep not in name and "/" not in name:
        return name.strip(), Path(rest)
    path = Path(text)
    return (path.stem if path.suffix == ".json" else path.name), path


def find_base(domain: str, locale: str, scenario: str) -> str:
    """Return tau2's own name of what a registered domain was made of.

    Args:
        domain: the registered name, ``ja_retail_tools``.
        locale: of the arm, ``ja``.
        scenario: id of the scenario, ``tools``.
    """
    if scenario == UPSTREAM:
        return domain
    base = re.sub(rf"^(?:{re.escape(locale)}|en)_", "", domain)
    return re.sub(rf"_{re.escape(scenario)}$", "", base)


def read_run(path: Path) -> Run:
    """Read a results file.

    Raises:
        ResultsError: everything that is wrong with it.
    """
    file = read_results(path)
    stamps = [s.stamp for s in file.results.simulations if "domain" in s.stamp]
    stamp = next((s for s in stamps if s.get("scenario")), None)
    domain = file.results.domain
    if stamp is None:
        locale, scenario = _guess(domain)
    else:
        locale, scenario = str(stamp.get("locale") or "en"), str(stamp["scenario"])
    inventory = take_inventory(file.results, str(path))
    return Run(file, find_base(domain, locale, scenario), scenario, locale, inventory)


def _guess(domain: str) -> tuple[str, str]:
    """Return locale and scenario of a run in which nothing was graded, by the domain's name."""
    match = re.fullmatch(r"([a-z]{2})_.+?(?:_(interaction|tools|agentside))?", domain)
    if match is None:
        return "en", UPSTREAM
    return match[1], "control" if match[1] == "en" else match[2] or "domain"


def read_arms(arguments: Sequence[str]) -> list[Arm]:
    """Read all files and return the arms in the order in which they were named.

    Args:
        arguments: ``ARM=RESULTS.json`` each; an arm has one file per domain.

    Raises:
        ResultsError: whatever is wrong with any of them.
    """
    arms: dict[str, dict[str, Run]] = {}
    problems: list[Problem] = []
    for argument in arguments:
        name, path = split_argument(argument)
        try:
            run = read_run(path)
        except ResultsError as error:
            problems += error.problems
            continue
        runs = arms.setdefault(name, {})
        first = runs.setdefault(run.base, run)
        if first is not run:
            what = f"is the second file of {run.base} in the arm {name}, after {first.name}"
            problems.append(Problem(run.name, what, "give it an arm of its own"))
    if not problems:
        problems += _check_pairable([Arm(name, runs) for name, runs in arms.items()])
    if problems:
        raise ResultsError(_TITLE, problems)
    return [Arm(name, runs) for name, runs in arms.items()]


def _check_pairable(arms: Sequence[Arm]) -> Iterable[Problem]:
    if not arms:
        return
    first = arms[0]
    for arm in arms[1:]:
        shared = [base for base in arm.runs if base in first.runs]
        if not shared:
            ours, theirs = ", ".join(arm.runs), ", ".join(first.runs)
            what = f"has results of {ours}, but the arm {first.name} of {theirs}"
            yield Problem(f"arm {arm.name}", what, "compare runs of the same domain")
        elif not any(set(arm.runs[b].tasks) & set(first.runs[b].tasks) for b in shared):
            what = f"has no task in common with the arm {first.name}"
            yield Problem(f"arm {arm.name}", what, "compare runs of the same tasks")
