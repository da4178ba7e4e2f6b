"""An overlay's texts, each beside the installed English that it renders.

Only joins: a text without its English, or an English without its text, is ``fit``'s to report.
Addresses are those of ``extraction``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from jtau_plugin.checks.model import DOCUMENT, LABEL, LIBRARY, POLICY, SPEECH, TASK, Segment
from jtau_plugin.overlays.catalog import Catalog
from jtau_plugin.overlays.yamlfile import Key, load_yaml
from jtau_plugin.translation.documents import pair_sections
from jtau_plugin.translation.english import English
from jtau_plugin.translation.extraction.domain import UPSTREAM, extract_domain
from jtau_plugin.translation.extraction.segment import SourceSegment, join_address
from jtau_plugin.translation.extraction.structure import Structure, load_structure
from jtau_plugin.translation.overlay_texts import Held, OverlayTexts, place_of

#: What is said, in the embedded model's words for a locale or a domain.
_SPOKEN = frozenset({"phrases", "writes", "words"})
#: Names an action, in its words for a task.
_NOT_SPOKEN = "before"


def own_structure(catalog: Catalog) -> Structure:
    """Return the facts that an overlay itself has."""
    return load_structure(catalog.folder.parent, catalog.domain)


def task_sources(segments: Sequence[SourceSegment]) -> dict[Key, set[str]]:
    """Return the fingerprints of every installed wording, by the place of the text in its file."""
    found: dict[Key, set[str]] = {}
    for segment in segments:
        if segment.component == "tasks":
            found.setdefault(place_of(segment), set()).update(segment.sources)
    return found


def pair_texts(catalog: Catalog, english: English) -> list[tuple[SourceSegment, Held | None]]:
    """Return what tau2 says in a domain, documents left out, each with the overlay's text."""
    sources = extract_domain(english, own_structure(catalog), UPSTREAM)
    texts = OverlayTexts(catalog.folder.parent, catalog.domain, task_sources(sources))
    return [(source, texts.find(source)) for source in sources if source.kind != POLICY]


def collect_segments(
    catalog: Catalog,
    english: English,
    pairs: Sequence[tuple[SourceSegment, Held | None]] | None = None,
) -> list[Segment]:
    """Return every text of a domain's overlay, the locale's shared files included.

    Args:
        catalog: the overlay.
        english: what it renders.
        pairs: what ``pair_texts`` has found already.
    """
    pairs = pair_texts(catalog, english) if pairs is None else pairs
    said = _said_in_tasks(english, (source for source, _ in pairs))
    return [
        *_joined(pairs),
        *_documents(catalog, english),
        *_speech(catalog.folder.parent, "", {}),
        *_speech(catalog.folder, f"{catalog.domain}/", said),
    ]


def _joined(pairs: Sequence[tuple[SourceSegment, Held | None]]) -> Iterator[Segment]:
    seen = set()
    for source, held in pairs:
        if held is None or (held.path, held.key) in seen:
            continue
        seen.add((held.path, held.key))
        yield join(source, held)


def join(source: SourceSegment, held: Held) -> Segment:
    """Return a text of an overlay beside its English, as the checks look at it."""
    return Segment(
        address=source.address,
        kind=source.checked_as,
        source=_english(source, held),
        target=held.text.strip("\n"),
        file=str(held.path),
        line=held.line,
        scope=source.scope,
        table=source.table if source.component == "tools" else "",
        key=held.key,
    )


def _english(source: SourceSegment, held: Held) -> str:
    if source.kind == LABEL:
        return ""
    if source.kind == LIBRARY:
        return str(source.key[1])
    # A text of a task that renders none of the wordings here is stale, which ``fit`` reports.
    if source.kind == TASK and held.sources and not set(source.sources) & set(held.sources):
        return ""
    return source.english


def _documents(catalog: Catalog, english: English) -> Iterator[Segment]:
    documents = catalog.manifest.documents
    sources = english.documents({name: document.path for name, document in documents.items()})
    for name, source in sources.items():
        target = catalog.documents[name]
        file = documents[name].file
        path = str(catalog.folder / file)
        address = f"{catalog.domain}/{file}"
        yield Segment(address, DOCUMENT, source.strip("\n"), target.strip("\n"), path, 1)
        for pair in pair_sections(source.rstrip("\n"), target.rstrip("\n")):
            where = join_address(address, pair.name) if pair.name else address
            yield Segment(where, POLICY, pair.source, pair.target, path, pair.line)


def _said_in_tasks(english: English, sources: Iterable[SourceSegment]) -> dict[str, str]:
    """Return everything that each task says, repaired or not, its actions included, by id."""
    said = {task.id: [task.model_dump_json()] for tasks in english.tasks.values() for task in tasks}
    for source in sources:
        if source.kind == TASK and source.key[0] == "tasks":
            said.setdefault(str(source.key[1]), []).append(source.english)
    return {task_id: "\n".join(texts) for task_id, texts in said.items()}


def _speech(folder: Path, prefix: str, tasks: Mapping[str, str]) -> Iterator[Segment]:
    """Yield what the embedded model says; it has no English, but a task may know its facts."""
    for name in ("oracle.yaml", "say.yaml"):
        if not (folder / name).is_file():
            continue
        file = load_yaml(folder / name)
        for key, text in _strings(file.data, ()):
            is_spoken = key[-1] != _NOT_SPOKEN if name == "say.yaml" else key[0] in _SPOKEN
            if is_spoken:
                known = key
                while known and known not in file.lines:
                    known = known[:-1]
                address = join_address(f"{prefix}{name}", *key)
                line = file.lines.get(known, 1)
                facts = tasks.get(str(key[0]), "") if name == "say.yaml" else ""
                yield Segment(address, SPEECH, facts, text, str(file.path), line, key=key)


def _strings(data: object, key: Key) -> Iterator[tuple[Key, str]]:
    if isinstance(data, str):
        yield key, data
    elif isinstance(data, dict):
        for name, child in data.items():
            yield from _strings(child, (*key, name))
    elif isinstance(data, list):
        for index, child in enumerate(data):
            yield from _strings(child, (*key, index))
