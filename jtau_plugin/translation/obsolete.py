"""Texts of an overlay whose source the installed tau2 no longer has.

What an overlay says to be there on some layouts only is never obsolete. A sentence whose wording
changed is obsolete under its old fingerprint and missing under its new one; the two are paired.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jtau_plugin.overlays.yamlfile import Key
from jtau_plugin.translation.english import English
from jtau_plugin.translation.extraction.database import domain_sources, is_in_sources
from jtau_plugin.translation.extraction.messages import SHARED, group_templates, message_places
from jtau_plugin.translation.extraction.segment import (
    POLICY,
    SourceSegment,
    join_address,
    short,
)
from jtau_plugin.translation.extraction.structure import Structure
from jtau_plugin.translation.items import Item, State
from jtau_plugin.translation.ledger import Ledgers
from jtau_plugin.translation.overlay_texts import OverlayTexts, descend

#: Words that Python itself writes.
_WORDS_OF_PYTHON = frozenset({"True", "False", "None"})


@dataclass(frozen=True)
class Obsolete:
    """A text whose source is gone.

    Attributes:
        address: its address.
        component: one of the components.
        file: the overlay's file, below the locale's folder.
        key: where it stands in the file.
        text: what it says.
        can_stay: the file can say that the source exists on some layouts only.
        is_protected: a person has reviewed it.
    """

    address: str
    component: str
    file: str
    key: Key
    text: str = ""
    can_stay: bool = False
    is_protected: bool = False


def find_obsolete(
    english: English,
    structure: Structure,
    segments: Sequence[SourceSegment],
    texts: OverlayTexts,
    *,
    ledgers: Ledgers,
    distribution: str,
) -> list[Obsolete]:
    """Return the texts of an overlay whose source is gone.

    Args:
        english: what is installed.
        structure: facts about the domain.
        segments: every segment of it.
        texts: the overlay's files.
        ledgers: the locale's ledgers.
        distribution: the installed tau2; what another one was last seen to have is not judged.
    """
    found = [
        *_tools(english, segments, texts),
        *_messages(english, structure, texts),
        *_values(english, segments, texts),
        *_tasks(english, segments, texts),
        *_by_ledger(english, segments, ledgers, distribution),
    ]
    protected = []
    for obsolete in {o.address: o for o in reversed(found)}.values():
        entry = ledgers.get(obsolete.address)
        is_reviewed = entry is not None and entry.status in ("reviewed", "stale")
        protected.append(replace(obsolete, is_protected=is_reviewed))
    return sorted(protected, key=lambda o: o.address)


def _tools(
    english: English, segments: Sequence[SourceSegment], texts: OverlayTexts
) -> Iterator[Obsolete]:
    file = f"{english.domain}/tools.yaml"
    known = {segment.key for segment in segments if segment.component == "tools"}
    for side, requestor in (("agent", "assistant"), ("user", "user")):
        for name, tool in (descend(texts.data(file), (side,)) or {}).items():
            key: Key = (side, name)
            optional = bool(descend(tool, ("optional",)))
            if (requestor, name) not in english.tools:
                if not optional:
                    text = str(descend(tool, ("description",)) or "")
                    yield Obsolete(join_address(file, *key), "tools", file, key, text, True)
                continue
            parameters = descend(tool, ("parameters",)) or {}
            installed = english.tools[requestor, name].params.model_json_schema()
            for parameter in parameters.keys() - installed.get("properties", {}).keys():
                own: Key = (*key, "parameters", parameter)
                text = str(descend(parameters, (parameter, "description")) or "")
                yield Obsolete(join_address(file, *own), "tools", file, own, text)
            if "returns" in (tool or {}) and (*key, "returns") not in known:
                own = (*key, "returns")
                yield Obsolete(join_address(file, *own), "tools", file, own, str(tool["returns"]))


def _messages(english: English, structure: Structure, texts: OverlayTexts) -> Iterator[Obsolete]:
    installed = group_templates(english, structure)
    for file in (f"{english.domain}/messages.yaml",):
        for section, index, entry in texts.iter_messages(file):
            source = str(entry.get("source"))
            if source in installed or entry.get("optional"):
                continue
            address = join_address(file, section, short(source), "text")
            text = str(entry.get("text") or "")
            yield Obsolete(address, "messages", file, (section, index), text, True)


def _values(
    english: English, segments: Sequence[SourceSegment], texts: OverlayTexts
) -> Iterator[Obsolete]:
    file = f"{english.domain}/values.yaml"
    tables = descend(texts.data(file), ("tables",)) or {}
    counted = {s.address for s in segments if s.component == "values" and _is_found(s)}
    sources: str | None = None
    for name, table in tables.items():
        for value, entry in (table or {}).items():
            address = join_address(file, "tables", name, value)
            if address in counted or value in _WORDS_OF_PYTHON:
                continue
            sources = domain_sources(english) if sources is None else sources
            if not is_in_sources(value, sources):
                text = str(descend(entry, ("display",)) or "")
                yield Obsolete(address, "values", file, ("tables", name, value), text)


def _is_found(segment: SourceSegment) -> bool:
    """Return whether a value stands in a database or a schema, not only in the structure."""
    return bool(segment.context.get("in the database"))


def _tasks(
    english: English, segments: Sequence[SourceSegment], texts: OverlayTexts
) -> Iterator[Obsolete]:
    file = f"{english.domain}/tasks.yaml"
    data = texts.data(file)
    own = {s.key[:3] for s in segments if s.component == "tasks" and s.key[0] == "tasks"}
    shared = {s.key[1] for s in segments if s.component == "tasks" and s.key[0] == "shared"}
    installed = {task.id for tasks in english.tasks.values() for task in tasks}
    for task_id, pointers in (descend(data, ("tasks",)) or {}).items():
        key: Key = ("tasks", task_id)
        if task_id not in installed:
            yield Obsolete(join_address(file, *key), "tasks", file, key, _text_of(pointers))
            continue
        for pointer, entry in (pointers or {}).items():
            place: Key = (*key, pointer)
            if place not in own and not _is_optional(entry):
                address = join_address(file, *place, "text")
                yield Obsolete(address, "tasks", file, place, _text_of(entry), True)
    for pointer, entry in (descend(data, ("shared",)) or {}).items():
        if pointer not in shared and not _is_optional(entry):
            place = ("shared", pointer)
            yield Obsolete(join_address(file, *place), "tasks", file, place, _text_of(entry), True)


def _is_optional(entry: Any) -> bool:
    renderings = entry if isinstance(entry, list) else [entry]
    return all(isinstance(r, dict) and r.get("optional") for r in renderings)


def _text_of(data: Any) -> str:
    """Return the texts that an entry holds, a paragraph each."""
    if isinstance(data, str):
        return data
    if isinstance(data, dict):
        items = [v for k, v in data.items() if k != "source"]
    else:
        items = data if isinstance(data, list) else []
    return "\n\n".join(filter(None, map(_text_of, items)))


def _by_ledger(
    english: English, segments: Sequence[SourceSegment], ledgers: Ledgers, distribution: str
) -> Iterator[Obsolete]:
    """Yield the sections of documents that the ledger knows and the installed tau2 has no more."""
    addresses = {segment.address for segment in segments}
    sections = {(s.file, s.fingerprint) for s in segments if s.kind == POLICY}
    for entry in ledgers.of(english.domain):
        file = entry.address.partition("#")[0]
        is_section = entry.place is not None and entry.tau2 in (None, distribution)
        is_there = entry.address in addresses or (file, entry.source) in sections
        if is_section and not is_there and entry.status != "retired":
            yield Obsolete(entry.address, "policy", file, ())


def pair_messages(
    items: Sequence[Item], obsolete: list[Obsolete], texts: OverlayTexts, english: English
) -> list[Item]:
    """Return the items with each sentence whose wording changed as stale, not as missing.

    The old wording is the one obsolete sentence of the same functions; where it cannot be told,
    the new one stays missing.
    """
    places = message_places(english)
    waiting = {}
    for old in obsolete:
        if old.component == "messages":
            entry = descend(texts.data(old.file), old.key) or {}
            waiting[old.address] = (old, frozenset(entry.get("at") or ()))
    paired = []
    for item in items:
        segment = item.segment
        fits = [
            address
            for address, (old, at) in waiting.items()
            if item.state is State.MISSING
            and segment.component == "messages"
            and segment.file in (old.file, SHARED)
            and at & set(places.get(segment.sources[0] if segment.sources else "", ()))
        ]
        if len(fits) == 1:
            old, _ = waiting.pop(fits[0])
            paired.append(replace(item, state=State.STALE, previous=old.text))
        else:
            paired.append(item)
    return paired
