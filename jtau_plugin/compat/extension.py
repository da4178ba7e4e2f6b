"""What the layers above hand to the hooks: one slot per decision, empty until ``domains`` fills it.

The hooks never import upward; with an empty slot they leave tau2 as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from jtau_plugin.compat.text import Surface


class Scorer(Protocol):
    """Grades simulations of our domains. Implemented by ``scoring.scorer``."""

    def is_ours(self, task: Any) -> bool:
        """Return whether a task belongs to a domain of ours."""

    def grade_communication(self, task: Any, trajectory: Any, upstream: Callable[[], Any]) -> Any:
        """Return the RewardInfo of COMMUNICATE; ``upstream`` calls upstream's evaluator."""

    def grade_actions(
        self, task: Any, trajectory: Any, upstream: Callable[[list[Any]], Any]
    ) -> Any:
        """Return the RewardInfo of ACTION; ``upstream`` calls upstream's on a conversation."""

    def grade_assertions(self, task: Any, trajectory: Any, upstream: Callable[[], Any]) -> Any:
        """Return the RewardInfo of NL_ASSERTION; ``upstream`` answers only if there are none."""

    def grade_environment(
        self,
        task: Any,
        trajectory: Any,
        build: Callable[..., Any],
        upstream: Callable[[], Any],
        *,
        solo_mode: bool = False,
        env_kwargs: Mapping[str, Any] | None = None,
        strict_replay: bool = True,
    ) -> Any:
        """Return the RewardInfo of DB and ENV_ASSERTION."""

    def grade(
        self, task: Any, simulation: Any, domain: str, kind: str, evaluate: Callable[[], Any]
    ) -> Any:
        """Return the RewardInfo of a simulation with its provenance in ``info["jtau"]``."""


@dataclass
class Extension:
    """The slots.

    Attributes:
        scorer: grades tasks of our domains.
        find_surface: returns the surface of a registered domain's name, ``None`` for tau2's own.
        find_environment: returns in which environment the tasks of a domain of ours are played.
        ensure_patched: applies the code patches; called before anything is graded by them.
    """

    scorer: Scorer | None = None
    find_surface: Callable[[str], Surface | None] | None = None
    ensure_patched: Callable[[], object] | None = None
    find_environment: Callable[[str], str | None] | None = None


EXTENSION = Extension()
