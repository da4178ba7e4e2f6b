"""Finds, in the files of an overlay, the text that renders a segment.

Reads only; an overlay that is unfinished or does not load as a whole can still be asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from jtau_plugin.models.checks import Term
from jtau_plugin.overlays.termbase import load_termbase
from jtau_plugin.overlays.yamlfile import Key, YamlFile, load_yaml, read_text
from jtau_plugin.translation.documents import Section, split_sections
from jtau_plugin.translation.extraction.segment import SourceSegment

_SHARED = ("prompts.yaml", "names.yaml", "messages.yaml", "locale.yaml")
_OWN = ("manifest.yaml", "values.yaml", "tools.yaml", "messages.yaml", "tasks.yaml")


@dataclass(frozen=True)
class Held:
    """A text that an overlay has.

    Attributes:
        text: the localized text.
        sources: fingerprints of the English that the file says it renders; may be empty.
        path: the file.
        line: its line there.
        key: where it stands in a YAML file; empty in other files.
        is_optional: the file says that the source exists on some layouts only.
    """

    text: str
    sources: tuple[str, ...]
    path: Path
    line: int
    key: Key = ()
    is_optional: bool = False


def as_sources(value: object) -> tuple[str, ...]:
    """Return fingerprints as a file may write them: one alone, or a list."""
    if isinstance(value, str):
        return (value,)
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def descend(data: object, key: Key) -> Any:
    """Return what stands at a key of plain data; ``None`` if nothing does."""
    for step in key:
        is_index = isinstance(data, list) and isinstance(step, int) and step < len(data)
        if not is_index and not (isinstance(data, dict) and step in data):
            return None
        data = data[step]  # type: ignore[index]
    return data


def place_of(segment: SourceSegment) -> Key:
    """Return where the wordings of a task's text stand in their file."""
    return segment.key[:3] if segment.key[0] == "tasks" else segment.key


class OverlayTexts:
    """The texts of one domain's overlay, the locale's shared files included.

    Args:
        locale_folder: the locale's folder.
        domain: tau2's name of the domain.
        installed: fingerprints of the wordings of tasks that are installed, by the place of the
            text: what renders another wording of it is no stale rendering of a changed one.
    """

    def __init__(
        self,
        locale_folder: Path,
        domain: str,
        installed: Mapping[Key, Collection[str]] | None = None,
    ) -> None:
        self._folder = locale_folder
        self._installed = installed or {}
        self.files: dict[str, YamlFile] = {}
        own = [f"{domain}/{name}" for name in _OWN]
        for name in (*_SHARED, *own):
            if (locale_folder / name).is_file():
                self.files[name] = load_yaml(locale_folder / name)
        self._finders = {
            "values": self._value,
            "names": self._name,
            "terms": self._term,
            "prompts": self._prompt,
            "tools": self._tool,
            "messages": self._message,
            "tasks": self._task,
            "policy": self._policy,
        }
        self._places: dict[str, int] = {}
        self._documents: dict[str, list[Section]] = {}

    def find(self, segment: SourceSegment) -> Held | None:
        """Return the text that the overlay has for a segment, whatever English it renders."""
        return self._finders[segment.component](segment)

    def place_sections(self, places: Mapping[str, int]) -> None:
        """Say which section of a localized document belongs to which segment, by its address."""
        self._places.update(places)

    def sections(self, file: str) -> list[Section]:
        """Return the sections of a localized document; none if there is no such document."""
        if file not in self._documents:
            path = self._folder / file
            text = read_text(path) if path.is_file() else ""
            self._documents[file] = split_sections(text.rstrip("\n"))
        return self._documents[file]

    def data(self, file: str) -> Any:
        """Return the content of a YAML file; ``None`` if there is no such file."""
        return self.files[file].data if file in self.files else None

    def _held(self, file: str, key: Key, sources: object, owner: object = None) -> Held | None:
        text = descend(self.data(file), key)
        if not isinstance(text, str) or not text.strip():
            return None
        lines = self.files[file].lines
        known = key
        while known and known not in lines:
            known = known[:-1]
        optional = isinstance(owner, dict) and bool(owner.get("optional"))
        path = self.files[file].path
        return Held(text, as_sources(sources), path, lines.get(known, 1), key, optional)

    def _value(self, segment: SourceSegment) -> Held | None:
        return self._held(segment.file, (*segment.key, "display"), None)

    def _name(self, segment: SourceSegment) -> Held | None:
        return self._held(segment.file, (*segment.key, 0), None)

    def _prompt(self, segment: SourceSegment) -> Held | None:
        if segment.key[0] == "scenario_labels":
            return self._held(segment.file, segment.key, None)
        entry = descend(self.data(segment.file), segment.key)
        sources = entry.get("source") if isinstance(entry, dict) else None
        return self._held(segment.file, (*segment.key, "text"), sources)

    def _tool(self, segment: SourceSegment) -> Held | None:
        side, name, *_ = segment.key
        tool = descend(self.data(segment.file), (side, name))
        owner = tool if segment.container else descend(tool, segment.key[2:-1])
        sources = owner.get("source") if isinstance(owner, dict) else None
        return self._held(segment.file, segment.key, sources, tool)

    @cached_property
    def _messages(self) -> dict[tuple[str, str, str], tuple[int, dict[str, Any]]]:
        """Return each sentence by (file, section, source or pattern), with its place."""
        found = {}
        for file in [name for name in self.files if name.endswith("messages.yaml")]:
            for section, identity in (
                ("messages", "source"),
                ("fragments", "source"),
                ("python", "pattern"),
            ):
                for index, entry in enumerate(descend(self.data(file), (section,)) or ()):
                    if isinstance(entry, dict):
                        key = (file, section, str(entry.get(identity)))
                        found[key] = (index, entry)
        return found

    def _message(self, segment: SourceSegment) -> Held | None:
        section, identity = str(segment.key[0]), str(segment.key[1])
        index, entry = self._messages.get((segment.file, section, identity), (None, {}))
        if index is None:
            return None
        return self._held(segment.file, (section, index, "text"), entry.get("source"), entry)

    def iter_messages(self, file: str) -> Iterator[tuple[str, int, dict[str, Any]]]:
        """Yield (section, place, entry) of each sentence that renders one of tau2's."""
        for (name, section, _), (index, entry) in self._messages.items():
            if name == file and section != "python":
                yield section, index, entry

    def _task(self, segment: SourceSegment) -> Held | None:
        if segment.key == ("domain_label",):
            return self._held(segment.file, segment.key, None)
        base = place_of(segment)
        entry = descend(self.data(segment.file), base)
        if isinstance(entry, dict):
            found = self._choose([((*base, "text"), entry)], segment)
        else:
            many = entry if isinstance(entry, list) else []
            found = self._choose([((*base, i, "text"), e) for i, e in enumerate(many)], segment)
        if found is None:
            return None
        key, rendering = found
        return self._held(segment.file, key, rendering.get("source"), rendering)

    def _choose(
        self, renderings: Sequence[tuple[Key, dict[str, Any]]], segment: SourceSegment
    ) -> tuple[Key, dict[str, Any]] | None:
        for key, rendering in renderings:
            if set(segment.sources) & set(as_sources(rendering.get("source"))):
                return key, rendering
        if segment.key[-1] != 0:
            return None  # only the wording that is run takes the place of an older one
        installed = self._installed.get(place_of(segment), ())
        for key, rendering in renderings:
            if not set(as_sources(rendering.get("source"))) & set(installed):
                return key, rendering
        return None

    def _policy(self, segment: SourceSegment) -> Held | None:
        if segment.key == ("title",):
            return self._held(segment.file, segment.key, None)
        place = self._places.get(segment.address)
        sections = self.sections(segment.file)
        if place is None or place >= len(sections):
            return None
        section = sections[place]
        sources = self.document_sources(segment)
        return Held(section.text, sources, self._folder / segment.file, section.line)

    def document_sources(self, segment: SourceSegment) -> tuple[str, ...]:
        """Return the fingerprints that the manifest has for the document of a section."""
        key = ("documents", segment.key[0], "source")
        return as_sources(descend(self.data(f"{segment.domain}/manifest.yaml"), key))

    @cached_property
    def _terms(self) -> dict[tuple[str, str, str], Term]:
        path = self._folder / "termbase.tsv"
        rows = load_termbase(path) if path.is_file() else ()
        return {(term.domain, term.key, term.english): term for term in rows}

    def _term(self, segment: SourceSegment) -> Held | None:
        domain, key, english = map(str, segment.key)
        term = self._terms.get((domain, key, english))
        if term is None:
            return None
        return Held(term.local, (), self._folder / "termbase.tsv", term.line)


def places_by_order(segments: Sequence[SourceSegment], texts: OverlayTexts) -> dict[str, int]:
    """Return which section of each localized document renders which segment, by their order.

    A document whose number of sections differs from the source's is left out.
    """
    documents: dict[str, list[SourceSegment]] = {}
    for segment in segments:
        if segment.component == "policy" and segment.container:
            documents.setdefault(segment.file, []).append(segment)
    return {
        segment.address: place
        for file, own in documents.items()
        if len(texts.sections(file)) == len(own)
        for place, segment in enumerate(own)
    }
