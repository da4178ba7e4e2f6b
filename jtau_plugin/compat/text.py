"""A text that remembers which surface it belongs to.

tau2 hands policy and scenario on as plain strings. A string that carries its surface is seen as an
ordinary string everywhere, and lets the prompt of that one agent or user be localized.
"""

from __future__ import annotations

from typing import Any, Protocol


class Surface(Protocol):
    """What the hooks ask of a localized surface. Implemented by ``localization.surface``."""

    @property
    def domain(self) -> str:
        """The registered name, ``ja_retail``."""

    def localizes(self, name: str) -> bool:
        """Return whether a surface is localized: such as ``greeting``."""

    def render_agent_instruction(self, variant: str) -> str:
        """Return the agent instruction: ``agent_instruction``, ``…_gt`` or ``…_solo``."""

    def render_guidelines(self, with_tools: bool) -> str:
        """Return the user simulator's guidelines."""

    def render_prompt(self, name: str) -> str:
        """Return another prompt of the locale by name."""

    def render_directive(self, scenario: str) -> str:
        """Return what a user simulator that is prompted in English is told besides, or nothing."""


class LocalizedText(str):
    """A ``str`` with the surface it belongs to."""

    surface: Surface

    def __new__(cls, text: str, surface: Surface) -> LocalizedText:
        """Return ``text`` marked with ``surface``."""
        new = super().__new__(cls, text)
        new.surface = surface
        return new

    def __getnewargs__(self) -> Any:
        """Let copies and pickles keep the surface."""
        return str(self), self.surface


def surface_of(text: object, name: str = "") -> Surface | None:
    """Return the surface of a text of ours, or ``None`` for any other object.

    Args:
        text: any object.
        name: a surface that has to be localized there: ``agent``.
    """
    surface = text.surface if isinstance(text, LocalizedText) else None
    return None if surface is not None and name and not surface.localizes(name) else surface
