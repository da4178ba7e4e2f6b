"""Puts translated sections together to the documents of an overlay."""

from __future__ import annotations

from dataclasses import dataclass, field

from jtau_plugin.translation.documents import join_sections
from jtau_plugin.translation.extraction.documents import document_texts, known_documents
from jtau_plugin.translation.extraction.segment import POLICY
from jtau_plugin.translation.items import Item
from jtau_plugin.translation.writing.entries import Writing


@dataclass
class Documents:
    """The documents of one domain as they will be.

    Attributes:
        texts: content by file below the locale's folder, of those that change.
        sources: by name of the document, the fingerprints that it renders from now on.
        incomplete: files of which a section is missing, so that they cannot be written.
        places: which section renders which segment, by address.
    """

    texts: dict[str, str] = field(default_factory=dict)
    sources: dict[str, list[str]] = field(default_factory=dict)
    incomplete: list[str] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)


def _by_document(writing: Writing) -> dict[str, list[Item]]:
    documents: dict[str, list[Item]] = {}
    for item in writing.items("policy"):
        if item.segment.kind == POLICY:
            documents.setdefault(str(item.segment.key[0]), []).append(item)
    return documents


def put_documents(writing: Writing) -> Documents:
    """Return the documents with their new sections."""
    found = Documents()
    plan = writing.plan
    english = document_texts(known_documents(plan.english, plan.structure))
    for name, items in _by_document(writing).items():
        file = items[0].segment.file
        texts = [_text(item, writing) for item in items]
        if any(item.held is None and item.is_protected for item in items):
            continue  # its sections cannot be told apart
        if any(text is None for text in texts):
            found.incomplete.append(file)
            continue
        source = english[name]
        ending = source[len(source.rstrip("\n")) :]
        found.places.update({item.address: place for place, item in enumerate(items)})
        has_gone = len(items) != len(plan.texts.sections(file))
        if has_gone or any(item.address in writing.new for item in items):
            found.texts[file] = join_sections([text or "" for text in texts]) + ending
        held = list(plan.texts.document_sources(items[0].segment))
        if all(map(writing.is_settled, items)):
            found.sources[name] = held
            if not set(items[0].segment.sources) <= set(held):
                found.sources[name] = writing.renew(held, items[0].segment.sources)
        elif held:
            found.sources[name] = held
    return found


def _text(item: Item, writing: Writing) -> str | None:
    if item.address in writing.new:
        return writing.text(item)
    return item.held.text if item.held is not None else None
