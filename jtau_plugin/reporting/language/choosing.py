"""Which identifier and which register reader a language has, if any."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Protocol

from jtau_plugin.reporting.language.extra import ModelIdentifier, load_model
from jtau_plugin.reporting.language.identify import Reading, ScriptIdentifier
from jtau_plugin.reporting.language.masking import NOTHING, Shown
from jtau_plugin.reporting.language.register import RegisterReader
from jtau_plugin.reporting.language.rules import load_rules


class Identifier(Protocol):
    """Tells whether a turn is in its language."""

    language: str

    def read(self, text: str, shown: Shown = NOTHING) -> Reading:
        """Return in which language a turn is, quotations from ``shown`` aside."""


def find_identifier(language: str, names: Iterable[str] = ()) -> Identifier | None:
    """Return what tells a language: its rules, else the model; ``None`` if there is neither.

    Args:
        language: ``ja``, ``pt-BR``.
        names: names that its sentences may hold in other letters or languages, in lower case.
    """
    for tag in dict.fromkeys((language, language.partition("-")[0])):
        rules = load_rules(tag)
        if rules is not None:
            return ScriptIdentifier(tag, rules.script, names)
    short = language.partition("-")[0].lower()
    model = load_model(short)
    return None if model is None else ModelIdentifier(short, model)


@cache
def find_register_reader(language: str) -> RegisterReader | None:
    """Return what tells a language's register; ``None`` if nobody has written rules for it."""
    rules = load_rules(language)
    if rules is None or rules.register_ is None:
        return None
    return RegisterReader(rules.register_)
