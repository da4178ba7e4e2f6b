"""What the layers above hand to the hooks: one slot per decision, empty until ``domains`` fills it.

The hooks never import upward; with an empty slot they leave tau2 as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from jtau_plugin.compat.text import Surface


class Scorer(Protocol):
    """Scores simulations of localized tasks. Implemented by ``scoring.scorer``."""

    def is_ours(self, task: Any) -> bool:
        """Return whether a task belongs to a localized domain."""

    def canonicalize_trajectory(self, task: Any, trajectory: Any) -> Any:
        """Return a copy of the trajectory whose tool calls carry canonical arguments."""

    def check_communicated(self, task: Any, trajectory: Any, original: Any) -> Any:
        """Return the RewardInfo of COMMUNICATE; ``original`` is upstream's evaluator."""

    def stamp(self, task: Any, simulation: Any, reward_info: Any) -> Any:
        """Return the RewardInfo with the provenance of the run in ``info["jtau"]``."""


@dataclass
class Extension:
    """The slots.

    Attributes:
        scorer: scores localized tasks.
        find_surface: returns the surface of a registered domain's name, ``None`` for tau2's own.
    """

    scorer: Scorer | None = None
    find_surface: Callable[[str], Surface | None] | None = None


EXTENSION = Extension()
