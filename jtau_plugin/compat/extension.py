"""What the layers above hand to the hooks: one slot per decision, empty until ``domains`` fills it.

The hooks never import upward; with an empty slot they leave tau2 as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


class Registrar(Protocol):
    """Registers the localized domains with tau2's registry."""

    def __call__(self, registry: Any) -> None:
        """Register every domain."""


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
    """The slots."""

    scorer: Scorer | None = None


EXTENSION = Extension()
