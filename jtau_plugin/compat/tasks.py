"""Localized tasks as tau2 knows them: its own Task, with a mark and a scenario in the locale.

The mark is written into ``description.notes``, which no model is shown and which survives results
files, so that a task read back from a file is still known as ours.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Any

from pydantic import PrivateAttr

from jtau_plugin.compat.layout import module
from jtau_plugin.compat.text import LocalizedText, Surface
from jtau_plugin.errors import JtauError

_PREFIX = "jtau: "


@dataclass(frozen=True)
class TaskMark:
    """What a localized task says about itself.

    Attributes:
        domain: the registered domain, ``ja_retail``.
        protocol: ``deterministic`` or ``judged``.
        facts: fingerprint of initial state, gold actions and criteria.
        stale: addresses of its texts whose English has changed (only with ``JTAU_ALLOW_STALE=1``).
        basis: the reward basis that upstream's task has.
        repairs: ids of the repairs that the task holds.
    """

    domain: str
    protocol: str
    facts: str
    stale: tuple[str, ...] = ()
    basis: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()


def read_mark(task: Any) -> TaskMark | None:
    """Return the mark of a localized task, or ``None`` for any other task.

    Raises:
        JtauError: for a mark that cannot be read; graded as English it would count for nothing.
    """
    description = getattr(task, "description", None)
    notes = getattr(description, "notes", None)
    if not isinstance(notes, str) or not notes.startswith(_PREFIX + "{"):
        return None
    line = notes.partition("\n")[0]
    try:
        data = json.loads(line.removeprefix(_PREFIX))
        # A later version may have written more; what this one knows is enough to grade by.
        return TaskMark(
            **{f.name: _frozen(data[f.name]) for f in fields(TaskMark) if f.name in data}
        )
    except (ValueError, TypeError, AttributeError) as error:
        name = getattr(task, "id", "?")
        raise JtauError(
            f"task {name}: its description.notes starts with {line[:60]!r}, which is no mark of a "
            "localized task; restore the notes or run the task again"
        ) from error


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def write_mark(task: Any, mark: TaskMark) -> Any:
    """Return a copy of the task that carries the mark in front of its own notes."""
    description = task.description or module("tau2.data_model.tasks").Description(
        purpose=None, relevant_policies=None, notes=None
    )
    line = _PREFIX + json.dumps(asdict(mark), sort_keys=True)
    notes = f"{line}\n{description.notes}" if description.notes else line
    new = description.model_copy(update={"notes": notes})
    return task.model_copy(update={"description": new})


@lru_cache(maxsize=1)
def _scenario_class() -> Any:
    tasks = module("tau2.data_model.tasks")

    class LocalizedUserScenario(tasks.UserScenario):  # type: ignore[misc, name-defined]
        """A scenario that is printed with the locale's labels and marked with its surface."""

        _jtau_surface: Any = PrivateAttr(default=None)
        _jtau_labels: Any = PrivateAttr(default=None)
        _jtau_spoken: Any = PrivateAttr(default=None)

        def __str__(self) -> str:
            labels = self._jtau_labels
            text = super().__str__() if labels is None else render_scenario(self, labels)
            return LocalizedText(text, self._jtau_surface)

        def __reduce__(self) -> Any:
            plain = tasks.UserScenario.model_construct(
                persona=self.persona, instructions=self.instructions
            )
            return localize_scenario, (
                plain,
                self._jtau_surface,
                self._jtau_labels,
                self._jtau_spoken,
            )

    return LocalizedUserScenario


def _section(label: str, text: str) -> str:
    return f"{label}\n{textwrap.indent(text, chr(9))}"


def render_scenario(scenario: Any, labels: Mapping[str, str]) -> str:
    """Return the scenario as the user simulator reads it: upstream's layout, localized labels.

    Args:
        scenario: a UserScenario of tau2.
        labels: texts for ``persona``, ``instructions``, ``domain``, ``reason_for_call``,
            ``known_info``, ``unknown_info``, ``task_instructions``, and ``domain_label`` for the
            domain's name.
    """
    lines = []
    if scenario.persona is not None:
        lines.append(_section(labels["persona"], scenario.persona))
    instructions = scenario.instructions
    if not isinstance(instructions, str):
        sections = [f"{labels['domain']}{labels['domain_label']}"]
        for name in ("reason_for_call", "known_info", "unknown_info", "task_instructions"):
            text = getattr(instructions, name)
            if text is not None:
                sections.append(_section(labels[name], text))
        instructions = "\n".join(sections)
    lines.append(_section(labels["instructions"], instructions))
    return "\n".join(lines)


def localize_scenario(
    scenario: Any, surface: Surface, labels: Mapping[str, str] | None, spoken: Any = None
) -> Any:
    """Return the scenario as one that prints itself in the locale and carries its surface.

    Args:
        scenario: a UserScenario of tau2.
        surface: the surface of the task's domain.
        labels: the locale's labels; ``None`` prints it as tau2 does.
        spoken: the same scenario in the language that the caller speaks, where that is another.
    """
    new = _scenario_class().model_construct(
        persona=scenario.persona, instructions=scenario.instructions
    )
    new._jtau_surface = surface
    new._jtau_labels = None if labels is None else dict(labels)
    new._jtau_spoken = spoken
    return new


def spoken_scenario(scenario: Any) -> Any:
    """Return the scenario in the language that the caller speaks."""
    return getattr(scenario, "_jtau_spoken", None) or scenario


def reward_basis(names: list[str]) -> list[Any]:
    """Return tau2's reward types by name."""
    kind = module("tau2.data_model.tasks").RewardType
    return [kind(name) for name in names]
