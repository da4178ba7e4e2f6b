"""Tasks in a locale: the texts of the overlay on the facts of the installed tau2.

Ids, initial state, gold actions and criteria are upstream's. The overlay must render exactly the
texts that are installed; what is missing, gone or changed is reported together.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from jtau_plugin.compat.tasks import TaskMark, localize_scenario, reward_basis, write_mark
from jtau_plugin.errors import OverlayError, Problem, SettingError, StaleOverlayError
from jtau_plugin.localization.surface import LocalizedSurface
from jtau_plugin.models.overlay import Rendering, TaskTexts
from jtau_plugin.overlays.catalog import is_stale
from jtau_plugin.overlays.yamlfile import YamlFile

_SCENARIO = "/user_scenario"
_INSTRUCTIONS = f"{_SCENARIO}/instructions"
_ASSERTIONS = "/evaluation_criteria/nl_assertions"
_FIELDS = ("reason_for_call", "known_info", "unknown_info", "task_instructions")

#: Upstream's basis without the judge, and COMMUNICATE in every task.
DETERMINISTIC = "deterministic"
#: The same, and the judge's verdict on the assertions of tasks that have some.
JUDGED = "judged"
PROTOCOLS = (DETERMINISTIC, JUDGED)
_BASIS_ORDER = ("DB", "ENV_ASSERTION", "ACTION", "COMMUNICATE", "NL_ASSERTION")


def active_protocol() -> str:
    """Return the scoring protocol that ``JTAU_PROTOCOL`` names, ``deterministic`` by default.

    Raises:
        SettingError: for any other name.
    """
    name = os.environ.get("JTAU_PROTOCOL", "") or DETERMINISTIC
    if name not in PROTOCOLS:
        known = " or ".join(PROTOCOLS)
        raise SettingError(f"environment variable JTAU_PROTOCOL: {name!r}, expected {known}")
    return name


def is_stale_allowed() -> bool:
    """Return whether ``JTAU_ALLOW_STALE=1`` lets a run go on with stale texts."""
    return os.environ.get("JTAU_ALLOW_STALE", "") not in ("", "0")


def task_texts(task: Any) -> Iterator[tuple[str, str]]:
    """Yield (JSON pointer, English text) for each text of a task that some model reads."""
    scenario = task.user_scenario
    if scenario.persona:
        yield f"{_SCENARIO}/persona", scenario.persona
    if isinstance(scenario.instructions, str):
        yield _INSTRUCTIONS, scenario.instructions
    else:
        for name in _FIELDS:
            text = getattr(scenario.instructions, name)
            if text and text.strip():
                yield f"{_INSTRUCTIONS}/{name}", text
    if task.ticket:
        yield "/ticket", task.ticket
    criteria = task.evaluation_criteria
    for index, text in enumerate((criteria.nl_assertions if criteria else None) or ()):
        yield f"{_ASSERTIONS}/{index}", text


def fingerprint_facts(task: Any) -> str:
    """Return the SHA-256 of what a task is about: initial state, gold actions, criteria.

    Texts, natural-language assertions and the reward basis are left out: they are told apart by
    locale and protocol, not by facts.
    """
    dump = json.loads(task.model_dump_json(include={"id", "initial_state", "evaluation_criteria"}))
    criteria = dump.get("evaluation_criteria") or {}
    for name in ("nl_assertions", "reward_basis"):
        criteria.pop(name, None)
    for action in criteria.get("actions") or ():
        action.pop("info", None)
    text = json.dumps(dump, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class TaskLocalizer:
    """Localizes the tasks of one registered domain.

    Args:
        surface: the registered domain's surface.
    """

    def __init__(self, surface: LocalizedSurface) -> None:
        self._surface = surface
        self._texts: Mapping[str, TaskTexts] = {}
        self._shared: Mapping[str, tuple[Rendering, ...]] = {}
        self._labels = dict(surface.catalog.prompts.scenario_labels)
        if surface.localizes("tasks") or surface.speaks_locally:
            texts, self._file = surface.catalog.tasks
            self._texts, self._shared = texts.tasks, texts.shared
            self._labels["domain_label"] = texts.domain_label
        self._protocol = active_protocol()
        self._repairs: dict[str, tuple[str, ...]] = {}

    def localize(
        self,
        tasks: list[Any],
        *,
        is_whole_set: bool,
        repairs: Mapping[str, tuple[str, ...]] | None = None,
    ) -> list[Any]:
        """Return localized copies of the tasks.

        Args:
            tasks: upstream's tasks, repaired.
            is_whole_set: also report texts for tasks that are not among them.
            repairs: ids of the repairs that each task holds, by task id.

        Raises:
            OverlayError: a task without texts, a text without its task.
            StaleOverlayError: a text whose English has changed (unless ``JTAU_ALLOW_STALE=1``).
        """
        self._repairs = dict(repairs or {})
        localized, problems, stale = self.check(tasks, is_whole_set=is_whole_set)
        name = self._surface.catalog.name
        if problems:
            raise OverlayError(f"The task texts of {name} do not fit the installed tau2.", problems)
        if stale and not is_stale_allowed():
            raise StaleOverlayError(
                f"The English behind {name} has changed; JTAU_ALLOW_STALE=1 runs it anyway.", stale
            )
        return localized

    def check(
        self, tasks: list[Any], *, is_whole_set: bool
    ) -> tuple[list[Any], list[Problem], list[Problem]]:
        """Return localized copies of the tasks, what is missing or gone, and what has changed."""
        problems: list[Problem] = []
        stale: list[Problem] = []
        localized = [self._localize(t, problems, stale) for t in tasks]
        if is_whole_set and self._surface.localizes("tasks"):
            for task_id in sorted(self._texts.keys() - {task.id for task in tasks}):
                where = self._file.where(("tasks", task_id))
                problems.append(Problem(where, "the installed tau2 has no such task", "remove it"))
        return localized, problems, stale

    def _localize(self, task: Any, problems: list[Problem], stale: list[Problem]) -> Any:
        changed: list[Problem] = []
        surface = self._surface
        is_localized = surface.localizes("tasks")
        new = _apply(task, {}, self._protocol)
        if is_localized or surface.speaks_locally:
            texts = self._texts_for(task, problems, changed)
            localized = _apply(task, texts, self._protocol)
            own = localize_scenario(localized.user_scenario, surface, self._labels)
            new = localized if is_localized else new
            scenario = (
                own
                if is_localized
                else localize_scenario(new.user_scenario, surface, None, spoken=own)
            )
            new = new.model_copy(update={"user_scenario": scenario})
        stale += changed
        criteria = task.evaluation_criteria
        mark = TaskMark(
            domain=self._surface.domain,
            protocol=self._protocol,
            facts=fingerprint_facts(task),
            stale=tuple(problem.where for problem in changed),
            basis=tuple(kind.value for kind in criteria.reward_basis) if criteria else (),
            repairs=self._repairs.get(task.id, ()),
        )
        return write_mark(new, mark)

    def _texts_for(
        self, task: Any, problems: list[Problem], stale: list[Problem]
    ) -> dict[str, str]:
        texts = self._texts.get(task.id)
        if texts is not None:
            return choose_renderings(task, texts, self._file, problems, stale)
        if self._shared:
            return choose_shared(task, self._shared, self._file, problems, stale)
        where = self._file.where(("tasks",))
        problems.append(Problem(where, f"task {task.id!r} has no texts", "translate it"))
        return {}


def choose_renderings(
    task: Any, texts: TaskTexts, file: YamlFile, problems: list[Problem], stale: list[Problem]
) -> dict[str, str]:
    """Return the localized text for each text of the task that is installed.

    A pointer with several renderings takes the one whose fingerprint fits. What is missing or gone
    goes to ``problems``, what has changed to ``stale``.
    """
    key = ("tasks", task.id)
    chosen: dict[str, str] = {}
    for pointer, english in task_texts(task):
        entry = texts.root.get(pointer)
        if entry is None:
            what = f"task {task.id}: no text for {pointer}"
            problems.append(Problem(file.where(key), what, "translate it"))
            continue
        renderings = (entry,) if isinstance(entry, Rendering) else entry
        fitting = [r for r in renderings if not is_stale(r.source, english)]
        if not fitting:
            stale.append(Problem(file.where((*key, pointer)), "the English has changed", ""))
        chosen[pointer] = (fitting or list(renderings))[0].text
    for pointer, entry in texts.root.items():
        renderings = (entry,) if isinstance(entry, Rendering) else entry
        if pointer not in chosen and not all(r.optional for r in renderings):
            what = "the installed task has no such text"
            problems.append(Problem(file.where((*key, pointer)), what, ""))
    return chosen


def choose_shared(
    task: Any,
    shared: Mapping[str, tuple[Rendering, ...]],
    file: YamlFile,
    problems: list[Problem],
    stale: list[Problem],
) -> dict[str, str]:
    """Return the localized text for each text of a task that has only texts shared with others."""
    chosen: dict[str, str] = {}
    for pointer, english in task_texts(task):
        fitting = [r for r in shared.get(pointer, ()) if not is_stale(r.source, english)]
        if fitting:
            chosen[pointer] = fitting[0].text
            continue
        where = file.where(("shared", pointer))
        what = f"task {task.id}: no shared text renders its {pointer}"
        (stale if pointer in shared else problems).append(Problem(where, what, "translate it"))
    return chosen


def _apply(task: Any, texts: dict[str, str], protocol: str) -> Any:
    scenario = task.user_scenario
    if isinstance(scenario.instructions, str):
        instructions: Any = texts.get(_INSTRUCTIONS, scenario.instructions)
    else:
        own = {n: texts[p] for n in _FIELDS if (p := f"{_INSTRUCTIONS}/{n}") in texts}
        instructions = scenario.instructions.model_copy(update=own)
    persona = texts.get(f"{_SCENARIO}/persona", scenario.persona)
    update: dict[str, Any] = {}
    if texts:
        update["user_scenario"] = scenario.model_copy(
            update={"instructions": instructions, "persona": persona}
        )
    if task.ticket:
        update["ticket"] = texts.get("/ticket", task.ticket)
    if task.evaluation_criteria is not None:
        update["evaluation_criteria"] = _criteria(task.evaluation_criteria, texts, protocol)
    return task.model_copy(update=update)


def _criteria(criteria: Any, texts: dict[str, str], protocol: str) -> Any:
    wanted = {kind.value for kind in criteria.reward_basis} | {"COMMUNICATE"}
    wanted -= {"NL_ASSERTION"}
    if protocol == JUDGED and criteria.nl_assertions:
        wanted.add("NL_ASSERTION")
    names = [name for name in _BASIS_ORDER if name in wanted]
    update: dict[str, Any] = {"reward_basis": reward_basis(names)}
    if criteria.nl_assertions:
        update["nl_assertions"] = [
            texts.get(f"{_ASSERTIONS}/{i}", text) for i, text in enumerate(criteria.nl_assertions)
        ]
    return criteria.model_copy(update=update)
