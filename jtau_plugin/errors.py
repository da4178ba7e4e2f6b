"""The exception family: every error says what, where, found against expected, and the next step.

Nothing here formats more than one sentence per problem, and nothing imports tau2.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        where: file, line and key, or another address a person can go to.
        what: the sentence that says what is wrong, with found and expected.
        hint: the next step; may be empty.
    """

    where: str
    what: str
    hint: str = ""

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        return f"{self.where}: {self.what}{hint}"


class JtauError(Exception):
    """Base of every error that this project raises on purpose."""


class ProblemsError(JtauError):
    """Several problems of one kind, collected and reported together."""

    def __init__(self, title: str, problems: Iterable[Problem]) -> None:
        self.title = title
        self.problems = tuple(problems)
        lines = "\n".join(f"  - {problem}" for problem in self.problems)
        super().__init__(f"{title}\n{lines}" if lines else title)


class OverlayError(ProblemsError):
    """An overlay file is missing, unreadable, or says something that cannot be."""


class StaleOverlayError(OverlayError):
    """The English source that an overlay renders has changed."""


class LayoutError(ProblemsError):
    """The installed tau2 is none that this plugin knows how to localize."""


class HookError(ProblemsError):
    """A required hook did not fire, so a localized run would silently be half English."""


class OracleError(JtauError):
    """The embedded model was asked for something that it cannot play."""


class SettingError(JtauError):
    """An environment variable or option has a value that means nothing."""


class PatchError(ProblemsError):
    """A required code patch cannot be applied, or a card below ``patches/`` cannot be used."""


class RepairError(ProblemsError):
    """A repair of data does not fit the installed tau2, or another repair."""


class ResultsError(ProblemsError):
    """A results file cannot be read, or cannot be graded together with another."""


class TranslationError(JtauError):
    """A translation cannot go on: the model cannot be asked, or its settings mean nothing."""


class ReviewError(ProblemsError):
    """A file of a review cannot be read, or cannot be taken into an overlay."""
