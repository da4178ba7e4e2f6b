"""Shows a single value in the locale: through a table, as a list, or as a sentence of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

from jtau_plugin.models.overlay import Shown, ValueSpec
from jtau_plugin.overlays.references import PROSE
from jtau_plugin.overlays.tables import Table

Miss = Callable[[str, str], None]
Prose = Callable[[str, Miss], str]

# The notation of an enumeration's member inside a dumped model: <PerformanceLevel.POOR: 'poor'>.
_ENUM_MEMBER = re.compile(r"<\w+\.\w+: ('[^']*')>")


class ValueShower:
    """Shows values of one domain.

    Args:
        tables: one-to-one value tables by name.
        fields: how fields of models are shown, for models dumped inside a sentence.
        prose: localizes a sentence.
    """

    def __init__(
        self, tables: Mapping[str, Table], fields: Mapping[str, Any], prose: Prose
    ) -> None:
        self._tables = tables
        self._fields = fields
        self._prose = prose

    def closed_forms(self, spec: str | Shown | None) -> list[str] | None:
        """Return the only values that a placeholder with this specification can hold, if known."""
        if isinstance(spec, str) and spec in self._tables:
            return list(self._tables[spec].display)
        return None

    def show(self, value: str, spec: str | Shown, miss: Miss) -> str:
        """Return the shown form of a value; what nothing shows stays and is a miss."""
        if isinstance(spec, str):
            return self._show_plain(value, spec, miss)
        if isinstance(spec, ValueSpec):
            if spec.repr is not None:
                return self._show_repr(value, spec, miss)
            if spec.split is not None:
                items = [self._show_one(item, spec, miss) for item in value.split(spec.split)]
                return (spec.split if spec.join is None else spec.join).join(items)
        return self._show_one(value, spec, miss)

    def _show_plain(self, value: str, name: str, miss: Miss) -> str:
        if not value:
            return value
        if name == PROSE:
            return self._prose(value, miss)
        table = self._tables.get(name)
        shown = table.display.get(value) if table is not None else None
        if shown is None:
            miss(name, value)
            return value
        return shown

    def _show_one(self, value: str, spec: Shown, miss: Miss) -> str:
        table = self._tables[spec.table] if spec.table else None
        if table is not None and value in table.display:
            return table.display[value]
        if spec.else_ is not None:
            return self._show_plain(value, spec.else_, miss)
        if not spec.open and value:
            miss(spec.table or "", value)
        return value

    def _show_repr(self, text: str, spec: ValueSpec, miss: Miss) -> str:
        joiner = spec.join or ", "
        try:
            value = ast.literal_eval(_ENUM_MEMBER.sub(r"\1", text))
        except (ValueError, SyntaxError):
            miss(f"repr of {spec.repr}", text)
            return text
        if isinstance(value, list):
            return joiner.join(self._show_one(str(item), spec, miss) for item in value)
        if not isinstance(value, dict):
            return text
        return joiner.join(self._pairs(value, spec, miss))

    def _pairs(self, value: dict[str, Any], spec: ValueSpec, miss: Miss) -> list[str]:
        pairs = []
        for key, item in value.items():
            field = self._fields.get(f"{spec.repr}.{key}")
            shown = self.show(str(item), field, miss) if field else str(item)
            label = self._show_plain(key, spec.keys, miss) if spec.keys else key
            pattern = spec.pair or "{key}: {value}"
            pairs.append(pattern.replace("{key}", label).replace("{value}", shown))
        return pairs
