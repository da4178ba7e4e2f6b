"""What happened to one environment's language: canonicalized arguments and missed translations."""

from __future__ import annotations

from dataclasses import dataclass, field

from jtau_plugin.localization.arguments import Change


@dataclass(frozen=True)
class Miss:
    """Something shown to a model that had no localized form.

    Attributes:
        tool: the tool whose result held it.
        scope: the table, or ``message`` and ``error`` for sentences.
        text: what stayed as it was.
    """

    tool: str
    scope: str
    text: str


@dataclass
class Records:
    """The records of one environment, in order."""

    changes: list[Change] = field(default_factory=list)
    misses: list[Miss] = field(default_factory=list)
