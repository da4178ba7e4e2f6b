"""What the two models of a simulation are told in a locale: policy, instructions, greeting."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from jtau_plugin.errors import OverlayError, Problem
from jtau_plugin.models.scenario import Directive, Surfaces
from jtau_plugin.overlays.catalog import Catalog

#: "no" in a sentence is not the insurance value "no".
_SHORTEST_VALUE = 3


@dataclass(frozen=True)
class LocalizedSurface:
    """The surface of one registered domain.

    Attributes:
        domain: the registered name, ``ja_retail``.
        catalog: the overlay behind it.
        stale: addresses of texts whose English has changed (only with ``JTAU_ALLOW_STALE=1``).
        surfaces: what is localized; the rest stays tau2's own.
        directive: what an English user simulator is told besides.
        english: the control arm's overlay, where the conversation is English.
    """

    domain: str
    catalog: Catalog
    stale: tuple[str, ...] = ()
    surfaces: Surfaces = field(default_factory=Surfaces)
    directive: Directive | None = None
    english: Catalog | None = None

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

    @property
    def speaks_locally(self) -> bool:
        """Whether the caller speaks the locale's language, however it is prompted."""
        return self.surfaces.user or self.directive is not None

    @property
    def speech_catalog(self) -> Catalog:
        """The overlay in whose language caller and agent speak."""
        return self.catalog if self.speaks_locally else self.english or self.catalog

    def render_directive(self, scenario: str) -> str:
        """Return what a user simulator that is prompted in English is told besides, or nothing.

        Args:
            scenario: the English scenario; the values that occur in it are listed.
        """
        if self.directive is None:
            return ""
        lines = [
            self.directive.name.replace("{canonical}", canonical).replace("{localized}", shown)
            for canonical, shown in self._values_in(scenario)
        ]
        return "\n".join([self.directive.text, *([self.directive.names] if lines else []), *lines])

    def _values_in(self, scenario: str) -> list[tuple[str, str]]:
        """Return (canonical, shown) of each value of the tables that a text names.

        A word that is two values (``full`` is a size and a zip) is given both names.
        """
        found: dict[str, list[str]] = {}
        text = scenario.casefold()
        for table in self.catalog.tables.values():
            for canonical, shown in table.display.items():
                if canonical == shown or len(canonical) < _SHORTEST_VALUE:
                    continue
                word = canonical.casefold()
                if word in text and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text):
                    forms = found.setdefault(canonical, [])
                    forms += [shown] if shown not in forms else []
        return [(canonical, " / ".join(forms)) for canonical, forms in sorted(found.items())]

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
