"""How a code patch stands to the running process and to the installed tau2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: ``fits`` is what a verification says of a patch that could be applied.
StateName = Literal[
    "applied",
    "disabled",
    "not applicable",
    "refused",
    "superseded",
    "not applied yet",
    "fits",
]


@dataclass(frozen=True)
class PatchState:
    """One code patch, and how it stands.

    Attributes:
        id: the patch.
        state: how it stands.
        reason: why, as a sentence for people; may be empty.
        found: fingerprint of the target's source in the installed tau2; empty when it was not read.
    """

    id: str
    state: StateName
    reason: str = ""
    found: str = ""
