"""In which form arguments were written: canonical, localized, other; and what came of them.

Reads the written arguments by the rules and tables of the overlay, as the run did, but needs no
tau2: of the tools' schemas it takes what the arguments themselves show (which of them are lists).
Never sees what the arguments ought to have been.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from jtau_plugin import resources
from jtau_plugin.localization.arguments import ArgumentCompiler, Change, Node
from jtau_plugin.localization.control import control_catalog
from jtau_plugin.models.overlay import Parameter, ToolText
from jtau_plugin.normalization import get_rules
from jtau_plugin.normalization.text import fold_width
from jtau_plugin.overlays.catalog import Catalog, get_catalog
from jtau_plugin.reporting.conversation import Call
from jtau_plugin.reporting.language.identify import find_doubt
from jtau_plugin.reporting.language.rules import load_rules
from jtau_plugin.reporting.language.scripts import iter_runs
from jtau_plugin.reporting.setting import ENGLISH, Setting

Form = Literal["canonical", "localized", "other"]
CANONICAL: Form = "canonical"
LOCALIZED: Form = "localized"
OTHER: Form = "other"
#: What is counted of the arguments of a conversation.
COUNTS = ("canonical", "localized", "other", "normalised", "refused")

_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_CLOSED = ("enum", "pseudo_enum")
_PROSE = ("free_text",)
_REQUESTORS = {"agent": "assistant", "user": "user"}


@dataclass(frozen=True)
class Argument:
    """One argument as it was written.

    Attributes:
        position: of the call's message in the conversation.
        tool: the tool.
        path: where it stands in the call, ``passengers[0].dob``.
        kind: the parameter's kind, ``enum``; ``unknown`` for one that no overlay describes.
        written: what the model wrote.
        form: in which form.
        is_normalised: whether the tool was given another form than was written.
        is_refused: whether the tool refused the call, and was given no canonical form.
    """

    position: int
    tool: str
    path: str
    kind: str
    written: Any
    form: Form
    is_normalised: bool = False
    is_refused: bool = False


class ArgumentReader:
    """Reads the calls of one run.

    Args:
        setting: in what it was played.
    """

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._catalog = find_catalog(setting)
        self._readers: dict[str, Catalog] = {}
        self._nodes: dict[tuple[str, str, tuple[str, ...]], Node | None] = {}
        self._is_written_in_locale = _writing_of(setting.locale)

    @property
    def is_available(self) -> bool:
        """Whether some overlay describes the domain's tools."""
        return self._catalog is not None

    def canonicalize(self, call: Call) -> tuple[Mapping[str, Any], list[Change]]:
        """Return a call's arguments as the tool was given them, and what was changed."""
        if self._setting.is_strict:
            return call.arguments, []
        return self._read(call, self._setting.locale_of(_REQUESTORS[call.side], call.name))

    def canonicalize_freely(self, call: Call) -> Mapping[str, Any]:
        """Return what a call says, whatever the tool made of it: in any form of the locale."""
        return self._read(call, self._setting.locale)[0]

    def _read(self, call: Call, locale: str) -> tuple[Mapping[str, Any], list[Change]]:
        node = self._node(call, locale)
        changes: list[Change] = []
        if node is None:
            return call.arguments, changes
        canonical: Mapping[str, Any] = node(dict(call.arguments), "", changes)
        return canonical, changes

    def read(self, call: Call) -> list[Argument]:
        """Return the arguments of a call, one for each value that stands in it."""
        text = self._tool(call)
        _, changes = self.canonicalize(call)
        changed = {change.path: change.canonical for change in changes}
        return [
            self._judge(call, path, parameter, value, changed)
            for path, parameter, value in _leaves(call.arguments, text)
        ]

    def _judge(
        self,
        call: Call,
        path: str,
        parameter: Parameter | None,
        value: Any,
        changed: Mapping[str, Any],
    ) -> Argument:
        form = self._form(parameter, value, is_changed=path in changed)
        reached = changed.get(path, value)
        kind = parameter.kind if parameter is not None else "unknown"
        is_unread = kind not in _PROSE and self._form(parameter, reached) != CANONICAL
        is_refused = call.is_error and form != CANONICAL and is_unread
        return Argument(
            position=call.position,
            tool=call.name,
            path=path,
            kind=kind,
            written=value,
            form=form,
            is_normalised=path in changed,
            is_refused=is_refused,
        )

    def _form(self, parameter: Parameter | None, value: Any, *, is_changed: bool = False) -> Form:
        if not isinstance(value, str):
            return CANONICAL
        if not value.isascii():
            return LOCALIZED if self._is_written_in_locale(value) else OTHER
        if parameter is not None and parameter.kind in _CLOSED:
            return self._closed_form(parameter, value)
        is_date = parameter is not None and parameter.kind == "date"
        return OTHER if is_changed or (is_date and not _ISO_DATE.fullmatch(value)) else CANONICAL

    def _closed_form(self, parameter: Parameter, value: str) -> Form:
        """Return the form of a word that a table has to know."""
        tables = self._catalog.tables if self._catalog is not None else {}
        table = tables.get(parameter.table or "")
        if table is None or value in table.display:
            return CANONICAL
        is_ours = self._setting.locale != ENGLISH and value in table.forms
        return LOCALIZED if is_ours else OTHER

    def _tool(self, call: Call) -> ToolText | None:
        if self._catalog is None:
            return None
        return self._catalog.tool(call.name, _REQUESTORS[call.side]) or self._catalog.tool(
            call.name, "user"
        )

    def _node(self, call: Call, locale: str) -> Node | None:
        lists = tuple(sorted(k for k, v in call.arguments.items() if isinstance(v, list)))
        key = (locale, f"{call.side}/{call.name}", lists)
        if key not in self._nodes:
            self._nodes[key] = self._compile(call, locale, lists)
        return self._nodes[key]

    def _compile(self, call: Call, locale: str, lists: Iterable[str]) -> Node | None:
        text = self._tool(call)
        if self._catalog is None or text is None:
            return None
        reader = _reader(self._catalog, locale)
        own = reader.tool(call.name, _REQUESTORS[call.side]) or reader.tool(call.name, "user")
        if own is None:
            return None
        properties: dict[str, Any] = {name: {} for name in own.parameters}
        properties.update({name: {"type": "array"} for name in lists if name in properties})
        compiler = ArgumentCompiler(get_rules(reader.locale), reader.tables, reader.names)
        return compiler.compile(own, {"properties": properties})


def _reader(catalog: Catalog, locale: str) -> Catalog:
    """Return the catalog by which arguments are read in a locale."""
    if locale == catalog.locale:
        return catalog
    if locale == ENGLISH:
        return control_catalog(catalog, {}, {})
    return get_catalog(locale, catalog.domain)


def find_catalog(setting: Setting) -> Catalog | None:
    """Return the overlay that describes a run's domain: its locale's, else any; ``None`` without.

    Raises:
        OverlayError: if its files cannot be used.
    """
    locales = [locale for locale, folder in resources.iter_locales() if _has(folder, setting.base)]
    if not setting.base or not locales:
        return None
    chosen = setting.locale if setting.locale in locales else locales[0]
    return get_catalog(chosen, setting.base)


def _has(folder: Any, base: str) -> bool:
    return base in resources.iter_domains(folder)


@cache
def _writing_of(locale: str) -> Callable[[str], bool]:
    """Return the function that tells whether a text's letters are those of a locale."""
    rules = load_rules(locale)
    if locale == ENGLISH or rules is None:
        return lambda _: locale != ENGLISH
    scripts = frozenset(("latin", *rules.script.own, *rules.script.shared))
    is_doubtful = find_doubt(rules.script)

    def is_own(text: str) -> bool:
        return all(
            run.script in scripts
            and not (run.script in rules.script.shared and any(map(is_doubtful, run.text)))
            for run in iter_runs(fold_width(text))
        )

    return is_own


def _leaves(
    arguments: Mapping[str, Any], text: ToolText | None
) -> Iterator[tuple[str, Parameter | None, Any]]:
    parameters = text.parameters if text is not None else {}
    for name, value in arguments.items():
        yield from _walk(name, parameters.get(name), value)


def _walk(
    path: str, parameter: Parameter | None, value: Any
) -> Iterator[tuple[str, Parameter | None, Any]]:
    """Yield (path, parameter, value) of every scalar in an argument."""
    if isinstance(value, Mapping):
        children = parameter.parameters if parameter is not None else {}
        for name, child in value.items():
            yield from _walk(f"{path}.{name}", children.get(name), child)
    elif isinstance(value, list):
        inner = parameter
        if parameter is not None and parameter.kind == "list":
            inner = parameter.items
        for index, child in enumerate(value):
            yield from _walk(f"{path}[{index}]", inner, child)
    else:
        yield path, parameter, value


def count_arguments(arguments: Iterable[Argument]) -> dict[str, int]:
    """Return how many arguments were written in each form, were normalised, were refused."""
    counts = dict.fromkeys(COUNTS, 0)
    for argument in arguments:
        counts[argument.form] += 1
        counts["normalised"] += argument.is_normalised
        counts["refused"] += argument.is_refused
    return counts
