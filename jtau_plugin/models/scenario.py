"""What is localized in a registered domain: each surface is a switch of its own."""

from __future__ import annotations

from string import Formatter
from typing import Annotated

from pydantic import Field, field_validator

from jtau_plugin.models.base import FrozenModel, Text

_FIELDS = {"locale", "base"}


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


class Directive(FrozenModel):
    """What an English user simulator is told besides, so that it speaks the locale's language.

    Attributes:
        version: changes with every change of the text.
        text: stands after tau2's guidelines.
        names: follows it when the scenario names values that have a localized name.
        name: one line for each of them, with ``{canonical}`` and ``{localized}``.
    """

    version: Text
    text: Text
    names: Text
    name: Text

    @field_validator("name")
    @classmethod
    def _holds_both(cls, text: str) -> str:
        if "{canonical}" not in text or "{localized}" not in text:
            raise ValueError("expected {canonical} and {localized} in the line")
        return text


class Scenario(FrozenModel):
    """A way to register a domain.

    Attributes:
        id: how results name it; in a file, the key under which it stands.
        name: the registered name, with ``{locale}`` and ``{base}``.
        title: what it is for, in a line.
        surfaces: what is localized.
        directive: for a user simulator that is prompted in English.
        is_mixable: whether ``JTAU_TOOL_MIX`` chooses the language of each tool.
    """

    id: str = ""
    name: Text
    title: Text
    surfaces: Surfaces = Surfaces()
    directive: Directive | None = None
    is_mixable: bool = False

    @field_validator("name")
    @classmethod
    def _check_name(cls, name: str) -> str:
        fields = {field for _, field, _, _ in Formatter().parse(name) if field is not None}
        if not fields <= _FIELDS or "base" not in fields:
            raise ValueError("expected a name with {base}, and at most {locale} besides")
        return name

    def name_for(self, locale: str, base: str) -> str:
        """Return the registered name of a domain or task set of tau2's."""
        return self.name.format(locale=locale, base=base)


class ScenariosFile(FrozenModel):
    """``scenarios.yaml`` of a locale: further scenarios by id."""

    scenarios: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")], Scenario] = {}


_NOTHING = Surfaces(**dict.fromkeys(Surfaces.model_fields, False))

#: Everything in the locale's language.
DOMAIN = Scenario(id="domain", name="{locale}_{base}", title="everything localized")
#: The control arm: English throughout, with our facts, scorer and argument rules.
CONTROL = Scenario(id="control", name="en_{base}", title="English control arm", surfaces=_NOTHING)
