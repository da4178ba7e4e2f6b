"""What the embedded agent has to know about a domain: whose case it is, and what a write means.

Reads task and database, never decides what is right. A domain without a guide of its own is
described from its tools' localized texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from jtau_plugin.models.overlay import Parameter
from jtau_plugin.oracle.book import Book
from jtau_plugin.oracle.moves import Move
from jtau_plugin.overlays.catalog import Catalog

Values = dict[str, "str | list[str]"]

_SENTENCE = re.compile(r"^(.+?)(?:。|\. |\n|$)")
_ASIDE = re.compile(r"\s*(?:（[^（）]*）|\([^()]*\))")


def first_sentence(text: str) -> str:
    """Return a description's first sentence, without asides in parentheses and its full stop."""
    found = _SENTENCE.match(_ASIDE.sub("", text.strip()))
    return found.group(1) if found else text


class Guide:
    """The guide of a domain that has none of its own.

    Args:
        catalog: the domain's overlay.
        book: the words of the domain.
    """

    #: Tools that tell who the caller is; gold may begin with them.
    identify_tools: frozenset[str] = frozenset()

    def __init__(self, catalog: Catalog, book: Book) -> None:
        self.catalog = catalog
        self.book = book

    def owner(self, database: Any, moves: list[Move], text: str) -> Any:
        """Return the person whose case it is, or ``None``."""
        del database, moves, text
        return None

    def owner_name(self, owner: Any) -> str:
        """Return how the agent addresses them; empty when unknown."""
        del owner
        return ""

    def look_ups(self, owner: Any, text: str) -> list[Move]:
        """Return calls that identify the caller from what they say, the most direct first."""
        del owner, text
        return []

    def details(self, database: Any, move: Move) -> Values:
        """Return values for the domain's sentences about a write, before it is made.

        Here: each argument as it is shown, under its parameter's name; an element of a list of
        objects goes through the domain's building block of that name.

        Raises:
            LookupError: the database does not hold what the call names.
        """
        del database
        text = self.catalog.tool(move.tool, move.requestor)
        parameters = text.parameters if text is not None else {}
        values: Values = {"parameters": self.plain_details(move)}
        for name, value in move.arguments.items():
            parameter = parameters.get(name)
            if isinstance(value, list):
                inner = parameter.items or parameter if parameter is not None else None
                values[name] = [self._element(name, inner, child) for child in value]
            else:
                values[name] = self._show(parameter, value)
        return values

    def _element(self, name: str, parameter: Parameter | None, value: Any) -> str:
        if not isinstance(value, dict):
            return self._show(parameter, value)
        children = parameter.parameters if parameter is not None else {}
        shown = {key: self._show(children.get(key), child) for key, child in value.items()}
        return self.book.word(name, shown)

    def plain_details(self, move: Move) -> list[str]:
        """Return a call's arguments under the words of its parameters' descriptions."""
        return list(self._parameters(move))

    def variations(self, database: Any, move: Move) -> Iterator[tuple[str, str, Move]]:
        """Yield (kind of fault, argument, call with that one fault) for a write.

        Here: another value of an argument with a closed set.
        """
        del database
        text = self.catalog.tool(move.tool, move.requestor)
        for name, parameter in (text.parameters if text is not None else {}).items():
            table = self.catalog.tables.get(parameter.table or "")
            if table is None or move.arguments.get(name) not in table.display:
                continue
            for value in table.display:
                if value != move.arguments[name]:
                    yield "other_choice", name, replace_argument(move, name, value)

    def show(self, tool: str, requestor: str, name: str, value: Any) -> str:
        """Return an argument as the locale shows it."""
        text = self.catalog.tool(tool, requestor)
        parameter = text.parameters.get(name) if text is not None else None
        return self._show(parameter, value)

    def _show(self, parameter: Parameter | None, value: Any) -> str:
        if isinstance(value, list):
            inner = parameter.items or parameter if parameter is not None else None
            return ", ".join(self._show(inner, child) for child in value)
        if isinstance(value, dict):
            children: Mapping[str, Parameter] = parameter.parameters if parameter else {}
            return ", ".join(self._show(children.get(k), child) for k, child in value.items())
        table = self.catalog.tables.get((parameter.table if parameter else None) or "")
        return table.localize(value) if table is not None and isinstance(value, str) else str(value)

    def _parameters(self, move: Move) -> Iterator[str]:
        text = self.catalog.tool(move.tool, move.requestor)
        if text is None:
            return
        for name, value in move.arguments.items():
            parameter = text.parameters.get(name)
            if parameter is None or value in ("", None, [], {}):
                continue
            label = first_sentence(parameter.description or "")
            yield f"{label}: {self._show(parameter, value)}" if label else str(value)


def replace_argument(move: Move, name: str, value: Any) -> Move:
    """Return the call with another value for one argument."""
    return Move(move.tool, {**move.arguments, name: value}, move.requestor)
