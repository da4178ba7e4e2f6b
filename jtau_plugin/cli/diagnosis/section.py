"""One subject of the doctor's report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from jtau_plugin.errors import Problem, ProblemsError


@dataclass
class Section:
    """What was found about one subject.

    Attributes:
        name: the subject.
        facts: plain data, for people and programs.
        problems: what keeps a localized run from working or from meaning what it says.
        notes: what is worth knowing and may be as wanted.
    """

    name: str
    facts: dict[str, object] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)


def collect(section: Section, ask: Callable[[Section], None]) -> Section:
    """Let ``ask`` fill the section; an error of any kind becomes a problem of the section."""
    try:
        ask(section)
    except ProblemsError as error:
        section.problems += error.problems
    except (Exception, SystemExit) as error:  # noqa: BLE001  (the doctor outlives every patient)
        section.problems.append(Problem(section.name, f"{type(error).__name__}: {error}"))
    return section
