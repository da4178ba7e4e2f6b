"""Segments of the documents that an agent follows: one per section."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jtau_plugin.compat.installed import find_documents, installed_documents
from jtau_plugin.models.overlay import Document
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.translation.documents import Section, name_sections, split_sections
from jtau_plugin.translation.english import English
from jtau_plugin.translation.extraction.segment import LABEL, POLICY, SourceSegment, join_address
from jtau_plugin.translation.extraction.structure import Structure


def known_documents(english: English, structure: Structure) -> dict[str, Document]:
    """Return the documents of a domain's policies by name.

    Those of the structure that are installed, else every document that stands whole in a policy.
    """
    if structure.documents:
        paths = {name: document.path for name, document in structure.documents.items()}
        texts = installed_documents(paths)
        return {n: d for n, d in structure.documents.items() if texts[n].strip()}
    found = {}
    for path, text in find_documents(english.domain).items():
        if any(text.strip() in policy for policy in english.policies.values()):
            file = path.rpartition("/")[2]
            name = file.partition(".")[0]
            found[name] = Document(file=file, path=path, source=(fingerprint_text(text),))
    return found


def document_texts(documents: Mapping[str, Document]) -> dict[str, str]:
    """Return the installed English of each document by name."""
    return installed_documents({name: document.path for name, document in documents.items()})


def _neighbours(sections: list[Section], index: int) -> dict[str, object]:
    around = {"before": index - 1, "after": index + 1}
    titles = {name: sections[at].title for name, at in around.items() if 0 <= at < len(sections)}
    return {f"section {name}": title for name, title in titles.items() if title}


def extract_documents(english: English, structure: Structure) -> Iterator[SourceSegment]:
    """Yield the sections of each document, in order, and the domain's name."""
    manifest = f"{english.domain}/manifest.yaml"
    yield SourceSegment(
        address=join_address(manifest, "title"),
        kind=LABEL,
        english=english.domain,
        component="policy",
        file=manifest,
        key=("title",),
        context={"is": "the name of the domain in lists, in a word or two"},
    )
    documents = known_documents(english, structure)
    for name, text in document_texts(documents).items():
        file = f"{english.domain}/{documents[name].file}"
        sections = split_sections(text.rstrip("\n"))
        titles = name_sections(sections)
        for index, (title, section) in enumerate(zip(titles, sections, strict=True)):
            yield SourceSegment(
                address=join_address(file, title),
                kind=POLICY,
                english=section.text,
                component="policy",
                file=file,
                key=(name, index),
                sources=(fingerprint_text(text),),
                container=file,
                context={"document": name, **_neighbours(sections, index)},
            )
