"""An overlay's texts, each beside the installed English that it renders.

Only joins: a text without its English, or an English without its text, is ``fit``'s to report.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jtau_plugin.checks.model import (
    DOCUMENT,
    FRAGMENT,
    LABEL,
    LIBRARY,
    MESSAGE,
    PARAMETER,
    POLICY,
    PROMPT,
    SPEECH,
    TASK,
    TOOL,
    VALUE,
    Segment,
)
from jtau_plugin.localization.schemas import alternatives
from jtau_plugin.localization.tasks import task_texts
from jtau_plugin.models.overlay import Message, Parameter, Rendering, ToolText
from jtau_plugin.overlays.catalog import Catalog
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.overlays.yamlfile import Key, YamlFile, load_yaml
from jtau_plugin.translation.documents import pair_sections
from jtau_plugin.translation.english import English

_SIDES = {"agent": "assistant", "user": "user"}
#: Parts of the embedded model's files that hold what it says.
_SPOKEN = ("phrases", "writes", "say")


@dataclass(frozen=True)
class _Place:
    """Makes the segments of one file."""

    file: YamlFile
    prefix: str

    def segment(self, kind: str, key: Key, source: str, target: str, **more: str) -> Segment:
        known = key
        while known and known not in self.file.lines:
            known = known[:-1]
        return Segment(
            address=f"{self.prefix}#{'.'.join(map(str, key))}",
            kind=kind,
            source=source,
            target=target,
            file=str(self.file.path),
            line=self.file.lines.get(known, 1),
            **more,
        )


def collect_segments(catalog: Catalog, english: English) -> list[Segment]:
    """Return every text of a domain's overlay, the locale's shared files included."""
    places = {
        name: _Place(file, name if _is_shared(catalog, file) else f"{catalog.domain}/{name}")
        for name, file in catalog.files.items()
    }
    return [
        *_prompts(catalog, english, places["prompts.yaml"]),
        *_documents(catalog, english, places["manifest.yaml"]),
        *_tools(catalog, english, places["tools.yaml"]),
        *_messages(catalog, english, places),
        *_values(catalog, places["values.yaml"]),
        *_tasks(catalog, english),
        *_speech(catalog),
    ]


def _is_shared(catalog: Catalog, file: YamlFile) -> bool:
    return file.path.parent != catalog.folder


def _prompts(catalog: Catalog, english: English, place: _Place) -> Iterator[Segment]:
    for name, prompt in catalog.prompts.prompts.items():
        key: Key = ("prompts", name, "text")
        yield place.segment(PROMPT, key, english.prompts.get(name, ""), prompt.text)
    for name, label in catalog.prompts.scenario_labels.items():
        yield place.segment(LABEL, ("scenario_labels", name), "", label)


def _documents(catalog: Catalog, english: English, place: _Place) -> Iterator[Segment]:
    yield place.segment(LABEL, ("title",), "", catalog.manifest.title)
    documents = catalog.manifest.documents
    sources = english.documents({name: document.path for name, document in documents.items()})
    for name, source in sources.items():
        target = catalog.documents[name]
        file = documents[name].file
        path = str(catalog.folder / file)
        address = f"{catalog.domain}/{file}"
        yield Segment(address, DOCUMENT, source.strip("\n"), target.strip("\n"), path, 1)
        for pair in pair_sections(source.rstrip("\n"), target.rstrip("\n")):
            where = f"{address}#{pair.name}" if pair.name else address
            yield Segment(where, POLICY, pair.source, pair.target, path, pair.line)


def _tools(catalog: Catalog, english: English, place: _Place) -> Iterator[Segment]:
    for side, requestor in _SIDES.items():
        texts: Mapping[str, ToolText] = getattr(catalog.tools, side)
        for name, text in texts.items():
            tool = english.tools.get((requestor, name))
            if tool is None:
                continue  # a tool of another layout
            key: Key = (side, name)
            source = "\n\n".join(filter(None, (tool.short_desc, tool.long_desc)))
            yield place.segment(
                TOOL, (*key, "description"), source, text.description, scope=f"{side} tools"
            )
            if text.returns is not None:
                returned = tool.returns.model_json_schema()["properties"]["returns"]
                what = returned.get("description") or ""
                yield place.segment(TOOL, (*key, "returns"), what, text.returns)
            schema = tool.params.model_json_schema()
            yield from _parameters(
                text.parameters,
                schema.get("properties", {}),
                schema.get("$defs", {}),
                place,
                (*key, "parameters"),
            )


def _parameters(
    parameters: Mapping[str, Parameter],
    properties: Mapping[str, Any],
    definitions: Mapping[str, Any],
    place: _Place,
    key: Key,
) -> Iterator[Segment]:
    for name, parameter in parameters.items():
        yield from _parameter(parameter, properties.get(name, {}), definitions, place, (*key, name))


def _parameter(
    parameter: Parameter,
    schema: Mapping[str, Any],
    definitions: Mapping[str, Any],
    place: _Place,
    key: Key,
) -> Iterator[Segment]:
    branches = list(alternatives(schema, definitions))
    if parameter.description is not None:
        source = schema.get("description") or ""
        yield place.segment(
            PARAMETER,
            (*key, "description"),
            source,
            parameter.description,
            table=parameter.table or "",
        )
    properties = {k: v for branch in branches for k, v in branch.get("properties", {}).items()}
    yield from _parameters(
        parameter.parameters, properties, definitions, place, (*key, "parameters")
    )
    if parameter.items is not None:
        items = [branch["items"] for branch in branches if "items" in branch]
        yield from _parameter(
            parameter.items, items[0] if items else {}, definitions, place, (*key, "items")
        )


def _messages(
    catalog: Catalog, english: English, places: Mapping[str, _Place]
) -> Iterator[Segment]:
    sources = {fingerprint_text(template.text): template.text for template in english.templates}
    for name in ("shared messages.yaml", "messages.yaml"):
        place = places[name]
        if name.startswith("shared"):
            place = _Place(place.file, "messages.yaml")
        data = place.file.data if isinstance(place.file.data, dict) else {}
        for section, kind in (("messages", MESSAGE), ("fragments", FRAGMENT)):
            for index, entry in enumerate(data.get(section, ())):
                message = Message.model_validate(entry)
                source = sources.get(message.source)
                if message.text is None or message.internal or source is None:
                    continue
                key: Key = (section, index, "text")
                scope = f"{catalog.domain} {section}" if kind == MESSAGE else ""
                yield place.segment(
                    kind, key, source.strip("\n"), message.text.strip("\n"), scope=scope
                )
        for index, entry in enumerate(data.get("python", ())):
            yield place.segment(LIBRARY, ("python", index, "text"), entry["pattern"], entry["text"])


def _values(catalog: Catalog, place: _Place) -> Iterator[Segment]:
    for name, table in catalog.tables.items():
        for canonical, shown in table.display.items():
            key: Key = ("tables", name, canonical)
            yield place.segment(VALUE, key, canonical, shown, scope=f"table {name}")


def _tasks(catalog: Catalog, english: English) -> Iterator[Segment]:
    texts, file = catalog.tasks
    place = _Place(file, f"{catalog.domain}/tasks.yaml")
    yield place.segment(LABEL, ("domain_label",), "", texts.domain_label)
    seen: set[Key] = set()
    for tasks in english.tasks.values():
        for task in tasks:
            own = texts.tasks.get(task.id)
            for pointer, source in task_texts(task):
                if own is not None:
                    entry = own.root.get(pointer)
                    base: Key = ("tasks", task.id, pointer)
                else:
                    entry = texts.shared.get(pointer)
                    base = ("shared", pointer)
                for key, rendering in _fitting(entry, base, source):
                    if key not in seen:
                        seen.add(key)
                        yield place.segment(TASK, key, _own(rendering, source), rendering.text)


def _own(rendering: Rendering, source: str) -> str:
    """Return the English if it is what the text renders, the first of its sources.

    A text renders the script of the newest layout; under an older wording with other facts it is
    not judged by them.
    """
    return source if fingerprint_text(source) == rendering.source[0] else ""


def _fitting(
    entry: Rendering | Sequence[Rendering] | None, key: Key, source: str
) -> Iterator[tuple[Key, Rendering]]:
    """Yield the rendering of a text, with its key; one that is stale is still shown."""
    if isinstance(entry, Rendering):
        yield (*key, "text"), entry
        return
    digest = fingerprint_text(source)
    for index, rendering in enumerate(entry or ()):
        if digest in rendering.source:
            yield (*key, index, "text"), rendering


def _speech(catalog: Catalog) -> Iterator[Segment]:
    """Yield what the embedded model says; it has no English."""
    for folder, prefix in ((catalog.folder.parent, ""), (catalog.folder, f"{catalog.domain}/")):
        for name in ("oracle.yaml", "say.yaml"):
            if (folder / name).is_file():
                file = load_yaml(folder / name)
                place = _Place(file, f"{prefix}{name}")
                for key, text in _strings(file.data, ()):
                    if any(part in _SPOKEN for part in key):
                        yield place.segment(SPEECH, key, "", text)


def _strings(data: object, key: Key) -> Iterator[tuple[Key, str]]:
    if isinstance(data, str):
        yield key, data
    elif isinstance(data, dict):
        for name, child in data.items():
            yield from _strings(child, (*key, name))
    elif isinstance(data, list):
        for index, child in enumerate(data):
            yield from _strings(child, (*key, index))
