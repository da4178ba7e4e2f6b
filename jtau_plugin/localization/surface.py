"""What the two models of a simulation are told in a locale: policy, instructions, greeting."""

from __future__ import annotations

from dataclasses import dataclass, field

from jtau_plugin.errors import OverlayError, Problem
from jtau_plugin.models.scenario import Surfaces
from jtau_plugin.overlays.catalog import Catalog


@dataclass(frozen=True)
class LocalizedSurface:
    """The surface of one registered domain.

    Attributes:
        domain: the registered name, ``ja_retail``.
        catalog: the overlay behind it.
        stale: addresses of texts whose English has changed (only with ``JTAU_ALLOW_STALE=1``).
        surfaces: what is localized; the rest stays tau2's own.
    """

    domain: str
    catalog: Catalog
    stale: tuple[str, ...] = ()
    surfaces: Surfaces = field(default_factory=Surfaces)

    def localizes(self, name: str) -> bool:
        """Return whether a surface speaks the locale's language, such as ``user``."""
        return bool(getattr(self.surfaces, name))

    @property
    def locale(self) -> str:
        """The locale's id, ``ja``."""
        return self.catalog.locale

    @property
    def greeting(self) -> str:
        """The agent's first message."""
        return self.render_prompt("greeting")

    def render_agent_instruction(self, variant: str) -> str:
        """Return the instruction of an agent implementation by prompt name."""
        return self.render_prompt(variant)

    def render_guidelines(self, with_tools: bool) -> str:
        """Return the user simulator's guidelines, for users with or without tools."""
        return self.render_prompt("user_guidelines_tools" if with_tools else "user_guidelines")

    def render_prompt(self, name: str) -> str:
        """Return a prompt of the locale.

        Raises:
            OverlayError: if the locale does not render it.
        """
        prompt = self.catalog.prompts.prompts.get(name)
        if prompt is None:
            file = self.catalog.files["prompts.yaml"]
            problem = Problem(file.where(("prompts",)), f"no prompt {name!r}", "add it")
            raise OverlayError("A prompt is not localized.", [problem])
        return prompt.text
