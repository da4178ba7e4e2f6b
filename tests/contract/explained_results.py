"""Explains what tools answered: data field by field, sentences by their templates."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel

from jtau_plugin.models.overlay import Shown
from jtau_plugin.translation.extraction.structure import find_structure

from .explained import Account, Book, english_of
from .explained_sentences import NUMBER, Sentences, leaves_of
from .shown import Played

_ERROR = "Error: "
Path = tuple[str, ...]


class ResultReader:
    """Explains the answers of the tools of one simulation.

    Args:
        book: the segments.
        played: the simulation.
        account: takes down what is explained and what is left.
    """

    def __init__(self, book: Book, played: Played, account: Account) -> None:
        self._book, self._account = book, account
        self._data = played_data(played, book)
        #: Names of fields that some model has for what no locale renders, such as ``city``.
        self._open = {(f.rpartition(".")[2],) for own in self._data.values() for f in own}
        written: set[str] = set()
        for side, tool, arguments in played.calls():
            canonical, _ = played.environment.jtau_localizer.canonicalize_arguments(
                tool, arguments, side
            )
            written |= {str(leaf) for leaf in leaves_of([tool, arguments, canonical])}
        self._sentences = Sentences(book, self._data, written)

    def read(self, tool: str, text: str) -> None:
        """Explain one answer."""
        where = f"result of {tool}"
        if text.startswith(_ERROR):
            self._account.count("frame", _ERROR)
            self._sentence(f"refusal of {tool}", text.removeprefix(_ERROR))
            return
        value = _json(text)
        if isinstance(value, (dict, list)):
            self._read_data(where, value, ())
        else:
            self._sentence(where, text)

    def _read_data(self, where: str, value: Any, path: Path) -> None:
        if isinstance(value, dict):
            for key, child in value.items():
                self._key(where, key, path)
                self._read_data(where, child, (*path, key))
        elif isinstance(value, list):
            for child in value:
                self._read_data(where, child, path)
        elif isinstance(value, str):
            self._leaf(where, value, path)
        else:
            self._account.count("number", str(value))

    def _key(self, where: str, key: str, path: Path) -> None:
        if self._value(where, key, self._book.declared(path[-1:])):
            return
        if key in self._book.names and not self._book.declared(path[-1:]):
            self._account.count("name", key)
        elif not self._value(where, key, ()):
            self._plain(where, key, path[-1] if path else "")

    def _leaf(self, where: str, text: str, path: Path) -> None:
        own = self._book.declared(path[-1:])
        if not text.strip() or self._value(where, text, own or self._book.declared(path)):
            return
        specs = [self._book.structure.fields[name] for name in own]
        is_open = any(isinstance(spec, Shown) for spec in specs) or path[-1:] in self._open
        if own and not is_open:
            self._account.leave(f"{where}: {path[-1]}", text)  # its table must have it
        elif not self._value(where, text, ()):
            self._plain(where, text, path[-1] if path else "")

    def _value(self, where: str, text: str, fields: Iterable[str]) -> bool:
        return self._account.explain(where, text, self._book.values_for(text, fields))

    def _plain(self, where: str, text: str, field: str) -> None:
        """Explain a string of data that no locale renders, or a sentence among data."""
        fields = {name for name in self._data.get(text, ()) if name.endswith(f".{field}")}
        if text not in self._book.hidden:
            fields = fields or self._data.get(text, set())
        if fields and not NUMBER.fullmatch(text):
            self._account.count("data", text)
            self._account.fields |= fields
        else:
            self._sentence(where, text)

    def _sentence(self, where: str, text: str) -> None:
        whole = self._sentences.explain(text)
        for part in [text] if whole is not None else text.split("\n"):
            pieces = self._sentences.explain(part)
            if pieces is None:
                self._account.leave(where, part)
            for kind, own, addresses in pieces or ():
                if kind == "segment":
                    self._account.explain(where, own, addresses)
                else:
                    self._account.count(kind, own)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


@cache
def _installed_data(domain: str) -> dict[str, set[str]]:
    environment = english_of(domain).environment
    fields = find_structure(domain).fields
    return _data((environment.tools, environment.user_tools), fields)


def _data(toolkits: Iterable[Any], declared: Mapping[str, Any]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for toolkit in toolkits:
        # The database, and what a toolkit puts into it later on.
        own = {**vars(type(toolkit)), **getattr(toolkit, "__dict__", {})}.values()
        models = [value for value in own if isinstance(value, BaseModel)]
        for text, where in _strings(models, "", declared):
            found.setdefault(text, set()).add(where)
    return found


def played_data(played: Played, book: Book) -> dict[str, set[str]]:
    """Return the strings of the databases that no locale renders, with their fields.

    The caller's own database is what the task makes of it.
    """
    own = _data([played.environment.user_tools], book.structure.fields)
    return own | _installed_data(book.domain)


def _strings(value: Any, where: str, declared: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (string, field) of everything in a database that no locale renders."""
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            own = f"{type(value).__name__}.{name}"
            child = getattr(value, name)
            keys = [f"{cls.__name__}.{name}" for cls in type(value).__mro__]
            if not any(key in declared for key in keys):
                yield from _strings(child, own, declared)
            elif isinstance(child, Mapping):
                # A field whose keys are shown through a table may hold models of its own.
                models = [c for c in child.values() if isinstance(c, BaseModel)]
                yield from _strings(models, own, declared)
    elif isinstance(value, Mapping):
        yield from _strings([*value, *value.values()], where, declared)
    elif isinstance(value, (list, tuple, set)):
        for child in value:
            yield from _strings(child, where, declared)
    elif isinstance(value, str):
        yield str(getattr(value, "value", value)), where
