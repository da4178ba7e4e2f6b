"""Writes the arguments of a tool call as an agent of the locale would write them.

Starts from the canonical value and only ever chooses its written form; whether a value is right is
decided by the task, not here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jtau_plugin.models.oracle import Wide
from jtau_plugin.models.overlay import Parameter
from jtau_plugin.oracle import wide as ways
from jtau_plugin.oracle.chance import stable_number
from jtau_plugin.overlays.catalog import Catalog
from jtau_plugin.overlays.tables import Table

_CODES = ("id", "email", "phone", "zip")
_PLACES = {f"address.{role}": role for role in ("city", "state", "country")}
_NAMES = {"name.given": "given", "name.family": "family"}


def localized_forms(table: Table | None, value: str) -> list[str]:
    """Return the locale's words for a canonical value, the shown one first."""
    if table is None:
        return []
    shown = table.localize(value)
    words = [shown, *(form for form, canonical in table.forms.items() if canonical == value)]
    return [word for word in dict.fromkeys(words) if word != value]


class ArgumentWriter:
    """Writes canonical arguments in the locale.

    Args:
        reader_of: returns the overlay by which a tool's arguments are read, from tool and
            requestor; they are written in its language.
        wide: habits for other written forms, or ``None`` for the plain localized ones.
        seed: decides where the rotation of forms begins.
    """

    def __init__(
        self, reader_of: Callable[[str, str], Catalog], wide: Wide | None, seed: str
    ) -> None:
        self._reader_of = reader_of
        self._catalog = reader_of("", "assistant")
        self._wide = wide
        self._start = stable_number(seed, "arguments")
        self._used: Counter[str] = Counter()

    def write(self, tool: str, arguments: Mapping[str, Any], requestor: str) -> dict[str, Any]:
        """Return the arguments as they are written; unknown tools and parameters stay."""
        # An agent without a caller uses the caller's tools as its own.
        text = None
        for side in (requestor, "user"):
            self._catalog = self._reader_of(tool, side)
            text = self._catalog.tool(tool, side)
            if text is not None:
                break
        parameters = text.parameters if text is not None else {}
        return self._object(parameters, arguments)

    def _object(
        self, parameters: Mapping[str, Parameter], value: Mapping[str, Any]
    ) -> dict[str, Any]:
        return {
            name: self._value(parameters[name], child) if name in parameters else child
            for name, child in value.items()
        }

    def _value(self, parameter: Parameter, value: Any) -> Any:
        if isinstance(value, dict):
            return self._object(parameter.parameters, value)
        if isinstance(value, list):
            return [self._value(parameter.items or parameter, child) for child in value]
        forms = self._forms(parameter, value)
        if not forms:
            return value
        if self._wide is None:
            return forms[0]
        kind = parameter.kind
        number = self._start + self._used[kind]
        self._used[kind] += 1
        return forms[number % len(forms)]

    def _forms(self, parameter: Parameter, value: Any) -> Sequence[str]:
        if isinstance(value, str) and value:
            words = self._words(parameter, value)
            return words if self._wide is None else self._wide_forms(parameter, value, words)
        if self._wide is None:
            return ()
        if isinstance(value, bool):
            return ways.boolean_forms(value, self._wide) if parameter.kind == "bool" else ()
        if isinstance(value, (int, float)) and parameter.kind in ("int", "float"):
            return ways.number_forms(value, parameter.units)
        return ()

    def _words(self, parameter: Parameter, value: str) -> list[str]:
        kind = parameter.kind
        if kind in ("enum", "pseudo_enum"):
            return localized_forms(self._catalog.tables.get(parameter.table or ""), value)
        role = _NAMES.get(kind) or _PLACES.get(kind)
        if role is not None:
            return localized_forms(self._catalog.names.get(role), value)
        if kind == "name.full":
            return self._full_name(value)
        return []

    def _full_name(self, value: str) -> list[str]:
        given, _, family = value.partition(" ")
        first = localized_forms(self._catalog.names.get("given"), given)
        last = localized_forms(self._catalog.names.get("family"), family)
        return [f"{first[0]} {last[0]}"] if first and last else []

    def _wide_forms(self, parameter: Parameter, value: str, words: list[str]) -> list[str]:
        wide = self._wide
        assert wide is not None
        kind = parameter.kind
        if kind in _PLACES:
            return ways.place_forms(words, value)
        if kind in _NAMES or kind == "name.full":
            return ways.name_forms(words, value, wide)
        if kind in ("enum", "pseudo_enum"):
            return ways.word_forms(words, value, wide)
        others: dict[str, Callable[[], list[str]]] = {
            **dict.fromkeys(_CODES, lambda: ways.code_forms(value, wide)),
            "address.line": lambda: ways.line_forms(value),
            "date": lambda: ways.date_forms(value, wide),
            "expression": lambda: ways.expression_forms(value, wide),
        }
        return others[kind]() if kind in others else []
