"""Accounts for what models are shown: every character is a segment's, or of a class that is named.

A domain is explained in one language: English by the segments that ``jtau extract`` lists, another
one by what its overlay has at their addresses. Whatever nothing explains is left over.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from jtau_plugin import resources
from jtau_plugin.domains.repairing import active_selection
from jtau_plugin.errors import RepairError
from jtau_plugin.models.patches import DocumentEdit, DocumentRepair
from jtau_plugin.patching.documents import (
    load_document_repairs,
    repair_document,
    repair_localized_document,
)
from jtau_plugin.patching.tool_texts import repaired_tool_texts
from jtau_plugin.translation.english import English, read_english
from jtau_plugin.translation.extraction.database import domain_sources
from jtau_plugin.translation.extraction.domain import UPSTREAM, extract_domain
from jtau_plugin.translation.extraction.segment import POLICY, SourceSegment
from jtau_plugin.translation.extraction.structure import Structure, find_structure
from jtau_plugin.translation.overlay_texts import OverlayTexts, places_by_order
from jtau_plugin.translation.segments import task_sources

ENGLISH = "en"

#: Classes of what no segment has to explain, with what belongs to them.
CLASSES: Mapping[str, str] = {
    "frame": "tau2's tags, token marks, and the word Error in front of a refusal",
    "schema": "keywords, types, names and the titles that pydantic makes of names",
    "name": "names of tools, parameters, fields and models",
    "notation": "what pydantic quotes, in brackets, of an input that it refuses",
    "number": "numbers, amounts, dates, times, switches",
    "id": "ids, codes, addresses of mail and web",
    "data": "data of the databases that no locale renders: names, streets, cities, zips",
    "written": "what a model wrote in this conversation, and gets back",
    "repair": "passages that an active repair has put in the place of tau2's",
}


@dataclass(frozen=True)
class Text:
    """A segment as the models are shown it."""

    segment: SourceSegment
    shown: str

    @property
    def address(self) -> str:
        return self.segment.address


@dataclass(frozen=True)
class Leftover:
    """A text that nothing explains.

    Attributes:
        where: the surface and the place in it.
        text: what is left.
    """

    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text!r}"


@dataclass
class Account:
    """What has been explained by what.

    Attributes:
        pieces: by piece of text, the addresses of which each alone explains it.
        classes: how many characters of each class were met.
        fields: the fields of the databases that were met and that no locale renders.
        left: what nothing explains.
    """

    pieces: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    classes: Counter[str] = field(default_factory=Counter)
    fields: set[str] = field(default_factory=set)
    left: dict[Leftover, None] = field(default_factory=dict)

    def explain(self, where: str, text: str, addresses: Iterable[str]) -> bool:
        """Take down a piece and its segments; return whether there are any."""
        own = frozenset(addresses)
        if own:
            self.pieces[where, text] = own
            self.classes["segment"] += len(text)
        return bool(own)

    def count(self, name: str, text: str) -> bool:
        assert name in CLASSES, name
        self.classes[name] += len(text)
        return True

    def leave(self, where: str, text: str) -> None:
        self.left[Leftover(where, text.strip())] = None

    def sole(self) -> dict[str, set[str]]:
        """Return, by address, the texts that only this segment explains."""
        found: dict[str, set[str]] = {}
        for (_, text), addresses in self.pieces.items():
            if len(addresses) == 1:
                found.setdefault(next(iter(addresses)), set()).add(text.strip())
        return found


@cache
def english_of(domain: str) -> English:
    return read_english(domain)


@cache
def texts_of(domain: str, locale: str) -> Mapping[str, Text]:
    """Return every extracted segment of a domain with its form in a language, by address."""
    english, structure = english_of(domain), find_structure(domain)
    segments = extract_domain(english, structure, UPSTREAM)
    if locale == ENGLISH:
        return {segment.address: Text(segment, segment.english) for segment in segments}
    texts = OverlayTexts(
        resources.data_root() / "overlays" / locale, domain, task_sources(segments)
    )
    texts.place_sections(places_by_order(segments, texts))
    held = {segment.address: (segment, texts.find(segment)) for segment in segments}
    return {a: Text(segment, own.text) for a, (segment, own) in held.items() if own is not None}


class Book:
    """The segments of one domain in one language, looked up by what has to be explained.

    Args:
        domain: tau2's name of the domain.
        locale: ``en``, or a locale that has an overlay.
        without: addresses that are taken out, to see that they are missed.
    """

    def __init__(self, domain: str, locale: str, without: Iterable[str] = ()) -> None:
        left_out = set(without)
        self.domain, self.locale = domain, locale
        self.structure: Structure = find_structure(domain)
        self.english = english_of(domain)
        self.texts = {a: t for a, t in texts_of(domain, locale).items() if a not in left_out}
        self.by_component: dict[str, list[Text]] = {}
        for text in self.texts.values():
            self.by_component.setdefault(text.segment.component, []).append(text)
        self.values: dict[str, list[Text]] = {}
        for text in self.component("values"):
            self.values.setdefault(text.shown, []).append(text)
        self.names = frozenset(_names(self.english))
        every = texts_of(domain, locale).values()
        #: Canonical values that are not shown in these words, or that were taken out.
        self.hidden = {
            text.segment.english for text in every if text.segment.component == "values"
        } - self.values.keys()

    def component(self, name: str) -> list[Text]:
        """Return the texts of one component."""
        return self.by_component.get(name, [])

    def at(self, address: str) -> str | None:
        """Return the shown text of an address, if it is extracted."""
        text = self.texts.get(address)
        return None if text is None else text.shown

    def values_for(self, shown: str, fields: Iterable[str] = ()) -> list[str]:
        """Return the addresses of values that are shown so, of those fields if any is given."""
        wanted = set(fields)
        return [
            value.address
            for value in self.values.get(shown, ())
            if not wanted or wanted & set(value.segment.context.get("fields", ()))  # type: ignore[call-overload]
        ]

    def declared(self, path: Iterable[str]) -> set[str]:
        """Return the localized fields of models that have one of these names."""
        names = set(path)
        return {key for key in self.structure.fields if key.rpartition(".")[2] in names}

    def sections(self) -> Iterator[tuple[Text, tuple[str, ...]]]:
        """Yield each section of the documents as the active repairs leave it, with their ids."""
        for text in self.component("policy"):
            if text.segment.kind == POLICY:
                yield self._repaired(text)

    def _repaired(self, text: Text) -> tuple[Text, tuple[str, ...]]:
        name, shown, made = str(text.segment.key[0]), text.shown, []
        for repair in _active_repairs(self.domain):
            for single in _singly(repair, name, self.locale):
                new = _try_repair(single, name, shown, self.locale)
                if new != shown:
                    shown = new
                    made.append(repair.id)
        return replace(text, shown=shown), tuple(made)

    def repaired_tools(self) -> dict[tuple[str, str, str], str]:
        """Return what active repairs say of tools by (side, tool, path of a parameter)."""
        texts = load_document_repairs(self.domain).tool_texts
        active = [repair for repair in texts if active_selection().is_enabled(repair.id)]
        return repaired_tool_texts(active, None if self.locale == ENGLISH else self.locale)


def _active_repairs(domain: str) -> list[DocumentRepair]:
    repairs = load_document_repairs(domain).repairs
    return [repair for repair in repairs if active_selection().is_enabled(repair.id)]


def _singly(repair: DocumentRepair, name: str, locale: str) -> Iterator[DocumentRepair]:
    """Yield a repair cut into its single changes, as each falls into a section of its own."""
    for edit in repair.documents.get(name, ()):
        parts = [edit]
        if locale != ENGLISH:
            parts = [
                edit.model_copy(update={"localized": {locale: (one,)}})
                for one in edit.localized.get(locale, ())
            ]
        for part in parts:
            for times in range(_count(part, locale), 0, -1):
                only = _with_count(part, locale, times)
                yield repair.model_copy(update={"documents": {name: (only,)}})


def _count(edit: DocumentEdit, locale: str) -> int:
    return edit.count if locale == ENGLISH else edit.localized[locale][0].count


def _with_count(edit: DocumentEdit, locale: str, times: int) -> DocumentEdit:
    """Return an edit that is made so often: the other places stand in other sections."""
    if locale == ENGLISH:
        return edit.model_copy(update={"count": times})
    only = edit.localized[locale][0].model_copy(update={"count": times})
    return edit.model_copy(update={"localized": {locale: (only,)}})


def _try_repair(repair: DocumentRepair, name: str, text: str, locale: str) -> str:
    try:
        if locale == ENGLISH:
            return repair_document(name, text, [repair])
        return repair_localized_document(name, text, [repair], locale)
    except RepairError:
        return text  # what it changes stands in another section


def _names(english: English) -> Iterator[str]:
    """Yield the names of tools, parameters, fields and models, which no locale renders."""
    for (_, name), tool in english.tools.items():
        yield name
        for schema in (tool.params.model_json_schema(), tool.returns.model_json_schema()):
            yield from _names_in(schema)
    environment = english.environment
    for toolkit in (environment.tools, environment.user_tools):
        if toolkit is not None:
            yield from _fields_of(type(toolkit.db))
    for node in ast.walk(ast.parse(domain_sources(english))):
        if isinstance(node, ast.Dict):
            for key in node.keys:
                if isinstance(key, ast.Constant) and str(key.value).isidentifier():
                    yield str(key.value)  # a result that is put together where it is returned


def _names_in(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for key in ("properties", "$defs"):
            yield from schema.get(key, {})
        for child in schema.values():
            yield from _names_in(child)
    elif isinstance(schema, list):
        for child in schema:
            yield from _names_in(child)


def _fields_of(cls: Any) -> Iterator[str]:
    yield from _names_in(cls.model_json_schema())
    yield from cls.model_fields


# --- covering prose ---------------------------------------------------------------------------


def _occurrences(text: str, block: str) -> Iterator[int]:
    """Yield where whole lines of a text are this block."""
    at = text.find(block)
    while at >= 0:
        end = at + len(block)
        if (at == 0 or text[at - 1] == "\n") and (end == len(text) or text[end] == "\n"):
            yield at
        at = text.find(block, at + 1)


def cover(
    text: str, blocks: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, set[str]], list[str]]:
    """Cover a text with blocks of whole lines, each used once at most, the longest first.

    Args:
        text: what is shown.
        blocks: known texts by address.

    Returns:
        What was used, by address; the addresses that share a text that was used; what is left.
    """
    taken: list[tuple[int, int]] = []
    used: dict[str, str] = {}
    known: dict[str, set[str]] = {}
    for address, shown in sorted(blocks.items(), key=lambda item: -len(item[1])):
        block = shown.strip("\n")
        known.setdefault(block, set()).add(address)
        for at in _occurrences(text, block) if block.strip() else ():
            end = at + len(block)
            if all(end <= start or stop <= at for start, stop in taken):
                taken.append((at, end))
                used[address] = block
                break
    alternatives = {address: known[block] for address, block in used.items()}
    return used, alternatives, list(_gaps(text, taken))


def _gaps(text: str, taken: list[tuple[int, int]]) -> Iterator[str]:
    done = 0
    for start, end in [*sorted(taken), (len(text), len(text))]:
        gap = text[done:start].strip("\n")
        if gap.strip():
            yield gap
        done = end


TAGS = re.compile(r"</?\w+>")
