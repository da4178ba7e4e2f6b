"""How a segment of the installed tau2 stands in an overlay."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from jtau_plugin.models.translation import LedgerEntry
from jtau_plugin.translation.extraction.segment import SourceSegment
from jtau_plugin.translation.overlay_texts import Held


class State(enum.Enum):
    """How a segment of the installed tau2 stands in an overlay."""

    CURRENT = "current"
    MISSING = "missing"
    STALE = "stale"
    #: Stale, and a person's: no machine writes over it.
    KEPT = "kept"


@dataclass(frozen=True)
class Item:
    """A segment and the text that an overlay has for it.

    Attributes:
        segment: the installed English.
        state: how it stands.
        held: the overlay's text; ``None`` when it is missing.
        entry: what the ledger says of it.
        previous: a text that rendered an older wording; may be empty.
        is_protected: the text is a person's.
    """

    segment: SourceSegment
    state: State
    held: Held | None = None
    entry: LedgerEntry | None = None
    previous: str = ""
    is_protected: bool = False

    @property
    def address(self) -> str:
        """The segment's address."""
        return self.segment.address
