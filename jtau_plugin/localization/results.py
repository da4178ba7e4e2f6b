"""Tool results as a model reads them: values shown in the locale, everything else untouched.

Results are walked as data, field by field. Order, types and structure stay what upstream's JSON
has; only values of declared fields change, and nothing is written as an escaped code point.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any, get_args

from pydantic import BaseModel

from jtau_plugin.compat.readable import dump_readable
from jtau_plugin.localization.values import Miss, ValueShower
from jtau_plugin.models.overlay import DictField, ResultSpec, Shown

Fields = Mapping[str, "str | DictField | Shown"]


def _holds_model(annotation: Any) -> bool:
    arguments = get_args(annotation)
    if arguments:  # asked first: on Python 3.10 list[Item] is a type as well
        return any(_holds_model(argument) for argument in arguments)
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


class _FieldPlan:
    """What has to be done to the dump of one model class."""

    def __init__(self, cls: type[BaseModel], fields: Fields) -> None:
        self.tables: list[tuple[str, str | Shown]] = []
        self.mappings: list[tuple[str, DictField]] = []
        self.nested: list[str] = []
        names = [c.__name__ for c in cls.__mro__ if issubclass(c, BaseModel)]
        for field, info in cls.model_fields.items():
            spec = next((fields[k] for n in names if (k := f"{n}.{field}") in fields), None)
            if _holds_model(info.annotation):
                self.nested.append(field)
            if isinstance(spec, DictField):
                self.mappings.append((field, spec))
            elif spec is not None:
                self.tables.append((field, spec))


class ResultLocalizer:
    """Writes the results of one domain's tools.

    Args:
        shower: shows single values.
        fields: how fields are shown, by ``Model.field``.
        results: what results are where their type does not say it, by tool.
    """

    def __init__(
        self, shower: ValueShower, fields: Fields, results: Mapping[str, ResultSpec]
    ) -> None:
        self._shower = shower
        self._fields = fields
        self._results = results
        self._plans: dict[type[BaseModel], _FieldPlan] = {}

    def spec(self, tool: str) -> ResultSpec | None:
        """Return what the tool's result is declared to be."""
        return self._results.get(tool)

    def dump(self, tool: str, response: Any, miss: Miss) -> str:
        """Return the JSON text of a response that is no string, localized.

        Args:
            tool: the tool's name.
            response: what the tool returned.
            miss: called with (scope, value) for each value that a declared table lacks.

        Raises:
            ValueError: for a type that upstream refuses too.
        """
        plain = self._plain(response, miss)
        spec = self._results.get(tool)
        if spec is not None and isinstance(plain, dict):
            for field, how in spec.fields.items():
                if isinstance(plain.get(field), str):
                    plain[field] = self._shower.show(plain[field], how, miss)
        return dump_readable(plain, default=str)

    def _plain(self, value: Any, miss: Miss) -> Any:
        # Mirrors the conversion inside upstream's Environment.to_json_str; a contract test holds
        # the two together.
        if isinstance(value, BaseModel):
            dump = value.model_dump()
            self._walk(value, dump, miss)
            return dump
        if isinstance(value, str) or value is None:
            return value
        if isinstance(value, (int, float, bool)):
            return str(value)
        if isinstance(value, (list, tuple)):
            return [self._plain(item, miss) for item in value]
        if isinstance(value, dict):
            return {key: self._plain(item, miss) for key, item in value.items()}
        if isinstance(value, date):
            return value.isoformat()
        raise ValueError(f"Unsupported type: {type(value)}")

    def _walk(self, value: Any, dump: Any, miss: Miss) -> None:
        if isinstance(value, BaseModel):
            self._walk_model(value, dump, miss)
        elif isinstance(value, dict):
            for key, item in value.items():
                self._walk(item, dump[key], miss)
        elif isinstance(value, (list, tuple)):
            for item, item_dump in zip(value, dump, strict=True):
                self._walk(item, item_dump, miss)

    def _walk_model(self, model: BaseModel, dump: dict[str, Any], miss: Miss) -> None:
        cls = type(model)
        plan = self._plans.get(cls)
        if plan is None:
            plan = self._plans[cls] = _FieldPlan(cls, self._fields)
        for field in plan.nested:
            self._walk(getattr(model, field), dump[field], miss)
        for field, table in plan.tables:
            dump[field] = self._show(dump[field], table, miss)
        for field, spec in plan.mappings:
            if isinstance(dump[field], dict):
                dump[field] = self.show_mapping(dump[field], spec, miss)

    def _show(self, value: Any, spec: str | Shown, miss: Miss) -> Any:
        if isinstance(value, str):
            return self._shower.show(str(getattr(value, "value", value)), spec, miss)
        if isinstance(value, list):
            return [self._show(item, spec, miss) for item in value]
        return value

    def show_mapping(self, mapping: dict[str, Any], spec: DictField, miss: Miss) -> dict[str, Any]:
        """Return a mapping with its keys, values or both shown localized, order kept."""
        shown: dict[str, Any] = {}
        for key, value in mapping.items():
            new_key = self._shower.show(key, spec.keys, miss) if spec.keys else key
            table = spec.values.replace("{key}", key) if spec.values else None
            shown[new_key] = self._show(value, table, miss) if table else value
        return shown

    def show_json(self, text: str, spec: DictField, miss: Miss) -> str:
        """Return a string result that holds a JSON object, with keys and values shown localized."""
        return dump_readable(self.show_mapping(json.loads(text), spec, miss))

    def show_text(self, text: str, table: str, miss: Miss) -> str:
        """Return a string result that is one value of a table."""
        return self._shower.show(text, table, miss)
