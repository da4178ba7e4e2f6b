"""Which values stand in the fields that hold words: read from the databases and their models."""

from __future__ import annotations

import inspect
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from jtau_plugin.models.overlay import DictField, Shown
from jtau_plugin.overlays.references import PROSE
from jtau_plugin.translation.english import English

Fields = Mapping[str, "str | DictField | Shown"]


@dataclass
class FoundValues:
    """What is found in the fields of a domain.

    Attributes:
        counts: by table, how often each value stands in the databases; 0 for one that only the
            type of a field names.
        fields: by table, the fields that are looked up in it.
    """

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    fields: dict[str, dict[str, None]] = field(default_factory=dict)

    def add(self, table: str | None, value: str, where: str, times: int = 1) -> None:
        """Count a value of a table; sentences of their own are none."""
        if table and table != PROSE:
            self.counts.setdefault(table, Counter())[value] += times
            self.fields.setdefault(table, {})[where] = None


def _choices(annotation: Any) -> Iterator[str]:
    """Yield the values that a type names: of enumerations and literals, however nested."""
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        yield from (str(member.value) for member in annotation)
    elif get_origin(annotation) is Literal:
        yield from (value for value in get_args(annotation) if isinstance(value, str))
    else:
        for argument in get_args(annotation):
            yield from _choices(argument)


def _text(value: Any) -> str | None:
    value = value.value if isinstance(value, Enum) else value
    return value if isinstance(value, str) else None


class _Walk:
    def __init__(self, fields: Fields, tables: Mapping[str, Collection[str]]) -> None:
        self.fields = fields
        self.tables = tables
        self.found = FoundValues()
        self._specs: dict[type, list[tuple[str, str, str | DictField | Shown]]] = {}

    def specs(self, cls: type[BaseModel]) -> list[tuple[str, str, str | DictField | Shown]]:
        """Return (field, its name in the overlay, how it is shown) of a model."""
        if cls not in self._specs:
            names = [c.__name__ for c in cls.__mro__ if issubclass(c, BaseModel)]
            own = self._specs[cls] = []
            for name in cls.model_fields:
                key = next((k for n in names if (k := f"{n}.{name}") in self.fields), None)
                if key is not None:
                    own.append((name, key, self.fields[key]))
        return self._specs[cls]

    def types(self, cls: type[BaseModel]) -> None:
        for name, key, spec in self.specs(cls):
            if isinstance(spec, DictField):
                continue
            for choice in _choices(cls.model_fields[name].annotation):
                self._add(spec, choice, key, 0)

    def value(self, value: Any) -> None:
        if value is None or isinstance(value, (str, int, float)):
            return  # most of a database: asking them what else they are takes seconds
        if isinstance(value, BaseModel):
            for name, key, spec in self.specs(type(value)):
                self._field(getattr(value, name), key, spec)
            for name in type(value).model_fields:
                self.value(getattr(value, name))
        elif isinstance(value, Mapping):
            for item in value.values():
                self.value(item)
        elif isinstance(value, (list, tuple)):
            for item in value:
                self.value(item)

    def _field(self, value: Any, key: str, spec: str | DictField | Shown) -> None:
        if isinstance(spec, DictField):
            for name, item in value.items() if isinstance(value, Mapping) else ():
                canonical = str(_text(name))
                self.found.add(spec.keys, canonical, key)
                text = _text(item)
                if spec.values and text is not None:
                    self.found.add(spec.values.replace("{key}", canonical), text, key)
            return
        for item in value if isinstance(value, list) else [value]:
            text = _text(item)
            if text:
                self._add(spec, text, key, 1)

    def _add(self, spec: str | Shown, value: str, key: str, times: int) -> None:
        if isinstance(spec, str):
            self.found.add(spec, value, key, times)
        elif spec.else_ is None and not spec.open:
            self.found.add(spec.table, value, key, times)
        elif spec.table and value in self.tables.get(spec.table, ()):
            # What the table lacks is a sentence of its own, or stays as it is.
            self.found.add(spec.table, value, key, times)


def _package(english: English) -> str:
    return type(english.environment.tools).__module__.rpartition(".")[0]


def _models(package: str) -> Iterator[type[BaseModel]]:
    for name in sorted(sys.modules):
        if name.startswith(f"{package}."):
            for value in vars(sys.modules[name]).values():
                is_model = isinstance(value, type) and issubclass(value, BaseModel)
                if is_model and value.__module__ == name:
                    yield value


def find_values(
    english: English, fields: Fields, tables: Mapping[str, Collection[str]]
) -> FoundValues:
    """Return the values of each table that stand in the domain's databases and data models.

    Args:
        english: the installed domain.
        fields: how fields of models are shown, by ``Model.field``.
        tables: known values by table, for fields that hold other things besides.
    """
    walk = _Walk(fields, tables)
    for model in _models(_package(english)):
        walk.types(model)
    environment = english.environment
    for toolkit in (environment.tools, environment.user_tools):
        if toolkit is not None:
            walk.value(toolkit.db)
    return walk.found


def domain_sources(english: English) -> str:
    """Return the text of the domain's Python modules."""
    package = _package(english)
    modules = [sys.modules[name] for name in sorted(sys.modules) if name.startswith(f"{package}.")]
    return "\n".join(inspect.getsource(m) for m in modules if getattr(m, "__file__", None))


def is_in_sources(value: str, sources: str) -> bool:
    """Return whether a value stands somewhere in the modules, as a word or words of its own."""
    return re.search(rf"(?<!\w){re.escape(value.strip())}(?!\w)", sources) is not None
