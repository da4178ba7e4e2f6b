"""The list of tasks and the conversations behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jtau_plugin.reporting.compare.arms import Arm
from jtau_plugin.reporting.compare.checks import CHECK_NAMES, Blame, LostCheck, lost_checks
from jtau_plugin.reporting.compare.comparison import ArmPair, Comparison
from jtau_plugin.reporting.compare.flips import TaskFlips
from jtau_plugin.reporting.compare.measured import GivenTag, Measured
from jtau_plugin.reporting.html.conversation import Canonicalize, conversation_data
from jtau_plugin.reporting.html.markup import Markup, json_script, tag
from jtau_plugin.reporting.reading import as_mapping
from jtau_plugin.scoring.causes import Outcome
from jtau_plugin.scoring.inventory import Cell

#: By outcome: what stands in a row for one trial, and its class.
MARKS = {
    Outcome.PASSED: ("✓", "pass"),
    Outcome.FAILED: ("✗", "fail"),
    Outcome.USER_ERROR: ("C", "caller"),
    Outcome.MISSING: ("·", "none"),
}
_UNGRADED = ("?", "none")
#: What a row can be filtered by besides its domain and its text.
STATES = {
    "lost": "flipped to failed",
    "gained": "flipped to passed",
    "never": "failed in every arm",
    "always": "passed in every arm",
    "caller": "caller's fault",
    "ungraded": "not graded somewhere",
}


#: By domain and task: the pairs of arms between which it flipped.
_Flips = dict[tuple[str, str], list[tuple[ArmPair, TaskFlips]]]


@dataclass(frozen=True)
class _Task:
    base: str
    task_id: str
    cells: dict[str, list[Cell]]
    states: frozenset[str]
    checks: tuple[str, ...]
    lost: tuple[LostCheck, ...]
    tags: tuple[GivenTag, ...]

    @property
    def key(self) -> str:
        return f"{self.base}/{self.task_id}"


class TaskList:
    """Every task of every arm.

    Attributes:
        tasks: in the order of the files.
        numbers: the number of each conversation in the page, by arm, domain and cell.
    """

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._flips = _flips_of(comparison)
        self.tasks = list(self._find())
        self.numbers: dict[tuple[str, str, str, int], int] = {}
        for task in self.tasks:
            for arm, cells in task.cells.items():
                for cell in cells:
                    if cell.position >= 0:
                        key = (arm, task.base, task.task_id, cell.trial)
                        self.numbers[key] = len(self.numbers)

    def _find(self) -> Iterator[_Task]:
        arms = self._comparison.arms
        for base in self._comparison.bases:
            mine = [arm for arm in arms if base in arm.runs]
            names = dict.fromkeys(t for arm in mine for t in arm.runs[base].inventory.tasks)
            for name in names:
                yield self._task(base, name, mine)

    def _task(self, base: str, name: str, arms: list[Arm]) -> _Task:
        cells = {
            arm.name: arm.runs[base].inventory.cells_of(name)
            for arm in arms
            if name in arm.runs[base].inventory.tasks
        }
        runs = {arm.name: arm.runs[base] for arm in arms}
        lost = [
            check
            for arm, mine in cells.items()
            for cell in mine
            for check in lost_checks(cell, runs[arm].simulation(cell))
        ]
        flips = self._flips.get((base, name), [])
        return _Task(
            base,
            name,
            cells,
            frozenset(self._states(base, name, cells, [one for _, one in flips])),
            tuple(dict.fromkeys(check.kind for check in lost)),
            tuple(dict.fromkeys(lost)),
            tuple(self._tags(base, name, cells)),
        )

    def _states(
        self, base: str, name: str, cells: Mapping[str, list[Cell]], flips: list[TaskFlips]
    ) -> Iterator[str]:
        outcomes = {cell.outcome for mine in cells.values() for cell in mine}
        if any(one.lost for one in flips):
            yield "lost"
        if any(one.gained for one in flips):
            yield "gained"
        if outcomes == {Outcome.PASSED}:
            yield "always"
        if Outcome.PASSED not in outcomes:
            yield "never"
        if Outcome.USER_ERROR in outcomes or self._has_faults(base, name, cells):
            yield "caller"
        if outcomes - {Outcome.PASSED, Outcome.FAILED, Outcome.USER_ERROR}:
            yield "ungraded"

    def _measured(
        self, base: str, name: str, cells: Mapping[str, list[Cell]]
    ) -> Iterator[Measured]:
        for arm, mine in cells.items():
            measures = self._comparison.measures.get((arm, base), {})
            found = (measures.get((name, cell.trial)) for cell in mine)
            yield from (measured for measured in found if measured is not None)

    def _has_faults(self, base: str, name: str, cells: Mapping[str, list[Cell]]) -> bool:
        return any(measured.faults for measured in self._measured(base, name, cells))

    def _tags(self, base: str, name: str, cells: Mapping[str, list[Cell]]) -> list[GivenTag]:
        return [tag for one in self._measured(base, name, cells) for tag in one.tags or ()]

    def section(self) -> Markup:
        """Return the list with what filters it."""
        arms = [arm.name for arm in self._comparison.arms]
        head = ["task", *arms, "lost checks", "errors"]
        rows = [self._row(task) for task in self.tasks]
        return tag(
            "section",
            tag("h2", "Tasks"),
            self._filters(),
            tag("p", id="count", class_="muted", role="status"),
            tag(
                "div",
                tag(
                    "table",
                    tag("thead", tag("tr", *(tag("th", name, scope="col") for name in head))),
                    tag("tbody", *rows),
                    id="task-table",
                ),
                class_="scroll",
            ),
            tag(
                "p",
                "Each mark is one trial: ✓ passed, ✗ failed, C spoiled by the caller, ? not "
                "graded, · never played. Errors are what the rules of jtau tag see in the "
                "conversations. Open a task to read two conversations side by side.",
                class_="muted",
            ),
            id="tasks",
        )

    def _filters(self) -> Markup:
        kinds = dict.fromkeys(kind for task in self.tasks for kind in task.checks)
        return tag(
            "div",
            tag("label", "Search ", tag("input", id="search", type="search", autocomplete="off")),
            _select("domain", "Domain", {base: base for base in self._comparison.bases}),
            _select("state", "What happened", STATES),
            _select("check", "Lost check", {kind: CHECK_NAMES.get(kind, kind) for kind in kinds}),
            _select(
                "tag", "Error", {one.id: one.title for task in self.tasks for one in task.tags}
            ),
            tag("button", "Show all", id="reset", type="button"),
            class_="filters",
        )

    def _row(self, task: _Task) -> Markup:
        about = _about(self._comparison, task)
        cells = [self._marks(task, arm.name) for arm in self._comparison.arms]
        return tag(
            "tr",
            tag(
                "td",
                tag("button", f"{task.base} {task.task_id}", type="button", class_="open"),
                tag("span", about, class_="about") if about else None,
            ),
            *cells,
            tag("td", *_chips(task.lost)),
            tag("td", *_tag_chips(task.tags)),
            data_key=task.key,
            data_domain=task.base,
            data_state=" ".join(sorted(task.states)),
            data_check=" ".join(task.checks),
            data_tag=" ".join(dict.fromkeys(one.id for one in task.tags)),
        )

    def _marks(self, task: _Task, arm: str) -> Markup:
        if arm not in task.cells:
            return tag("td", "–", class_="marks", title="not a task of this arm")
        marks = []
        for cell in task.cells[arm]:
            sign, name = MARKS.get(cell.outcome, _UNGRADED)
            said = f"trial {cell.trial}: {cell.outcome.value}"
            if cell.reason:
                said += f", {cell.reason}"
            marks.append(tag("span", sign, class_=name, title=said))
        return tag("td", *marks, class_="marks")

    def index_script(self) -> Markup:
        """Return what the page needs to know before a task is opened."""
        pairs = self._comparison.pairs
        references = {pair.pairing.second.name: pair.pairing.first.name for pair in pairs}
        data: dict[str, Any] = {
            "arms": [
                {"name": arm.name, "locale": arm.locale, "reference": references.get(arm.name)}
                for arm in self._comparison.arms
            ],
            "tasks": {task.key: self._index(task) for task in self.tasks},
            "flips": {
                task.key: self._first_flip(task) for task in self.tasks if "lost" in task.states
            },
        }
        return json_script("index", data)

    def _index(self, task: _Task) -> dict[str, list[list[Any]]]:
        return {
            arm: [
                [
                    cell.trial,
                    cell.outcome.value,
                    self.numbers.get((arm, task.base, task.task_id, cell.trial)),
                ]
                for cell in cells
            ]
            for arm, cells in task.cells.items()
        }

    def _first_flip(self, task: _Task) -> list[Any]:
        """Return the two conversations with which a flipped task opens."""
        for pair, one in self._flips[task.base, task.task_id]:
            for flip in one.lost:
                pairing, trial = pair.pairing, flip.pair.trial
                return [pairing.first.name, trial, pairing.second.name, trial]
        return []


def _select(identifier: str, label: str, options: Mapping[str, str]) -> Markup:
    found = [tag("option", name, value=value) for value, name in options.items()]
    everything = tag("option", "all", value="")
    return tag("label", f"{label} ", tag("select", everything, *found, id=identifier))


def _chips(checks: Iterable[LostCheck]) -> Iterator[Markup]:
    """Yield one chip for each kind of check, with all its details."""
    classes = {Blame.AGENT: "fail", Blame.CALLER: "caller", Blame.NOBODY: "none"}
    details: dict[tuple[str, Blame], list[str]] = {}
    for check in checks:
        details.setdefault((check.name, check.blame), []).append(check.detail)
    for (name, blame), found in details.items():
        said = "\n".join(dict.fromkeys(filter(None, found)))
        yield tag("span", name, class_=f"chip {classes[blame]}", title=said or None)


def _tag_chips(tags: Iterable[GivenTag]) -> Iterator[Markup]:
    """Yield one chip for each error tag, with how often it was given and all its details."""
    classes = {"agent": "fail", "caller": "caller"}
    details: dict[tuple[str, str], list[str]] = {}
    for one in tags:
        details.setdefault((one.title, one.side), []).append(one.detail)
    for (title, side), found in details.items():
        said = "\n".join(dict.fromkeys(filter(None, found)))
        name = f"{title} ×{len(found)}" if len(found) > 1 else title
        yield tag("span", name, class_=f"chip {classes.get(side, 'none')}", title=said or None)


def _flips_of(comparison: Comparison) -> _Flips:
    found: _Flips = {}
    for pair in comparison.pairs:
        for one in pair.flips:
            found.setdefault((one.task.base, one.task.task_id), []).append((pair, one))
    return found


_ABOUT = 90


def _about(comparison: Comparison, task: _Task) -> str:
    """Return how the caller's script begins, in the first arm that has the task."""
    for arm in comparison.arms:
        if arm.name in task.cells:
            raw = arm.runs[task.base].tasks.get(task.task_id, {})
            instructions = as_mapping(raw.get("user_scenario")).get("instructions")
            if isinstance(instructions, Mapping):
                instructions = instructions.get("reason_for_call")
            text = " ".join(instructions.split()) if isinstance(instructions, str) else ""
            return text if len(text) <= _ABOUT else f"{text[:_ABOUT]}…"
    return ""


def conversation_scripts(
    comparison: Comparison,
    tasks: TaskList,
    canonicalize: Mapping[tuple[str, str], Canonicalize],
) -> Iterator[Markup]:
    """Yield every conversation as a block of its own, to be read when it is opened."""
    arms = {arm.name: arm for arm in comparison.arms}
    for (name, base, task_id, trial), number in tasks.numbers.items():
        run = arms[name].runs[base]
        cell = run.inventory.cells[task_id, trial]
        measured = comparison.measures.get((name, base), {}).get((task_id, trial))
        data = conversation_data(run, cell, canonicalize[name, base], measured)
        yield json_script(f"c{number}", data)
