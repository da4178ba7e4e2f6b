"""What is localized in a registered domain: each surface is a switch of its own."""

from __future__ import annotations

from jtau_plugin.models.base import FrozenModel, Text


class Surfaces(FrozenModel):
    """Which surfaces speak the locale's language; the others stay tau2's own.

    Attributes:
        user: what the user simulator is told about its part.
        agent: what the agent is told about its part.
        greeting: the agent's first message.
        policy: the documents that the agent follows.
        tools: descriptions and choices of tools and parameters.
        arguments: whether arguments may be written in the locale.
        values: values in results.
        results: sentences and errors that tools return.
        tasks: the texts of the tasks.
    """

    user: bool = True
    agent: bool = True
    greeting: bool = True
    policy: bool = True
    tools: bool = True
    arguments: bool = True
    values: bool = True
    results: bool = True
    tasks: bool = True

    @property
    def is_any(self) -> bool:
        """Whether anything at all is localized."""
        return any(getattr(self, name) for name in type(self).model_fields)


class Scenario(FrozenModel):
    """A way to register a domain.

    Attributes:
        id: ``domain``, ``control``.
        name: the registered name, with ``{locale}`` and ``{base}``.
        surfaces: what is localized.
    """

    id: Text
    name: Text
    surfaces: Surfaces = Surfaces()


_NOTHING = Surfaces(**dict.fromkeys(Surfaces.model_fields, False))

#: Everything in the locale's language.
DOMAIN = Scenario(id="domain", name="{locale}_{base}")
#: The control arm: English throughout, with our facts, scorer and argument rules.
CONTROL = Scenario(id="control", name="en_{base}", surfaces=_NOTHING)
