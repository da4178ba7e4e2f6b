"""Segments of ``messages.yaml``: the sentences that tools return or raise, and their pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from jtau_plugin.compat.sources import SourceTemplate
from jtau_plugin.models.overlay import Message
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.translation.english import English
from jtau_plugin.translation.extraction.library import english_of_pattern
from jtau_plugin.translation.extraction.segment import (
    FRAGMENT,
    LIBRARY,
    MESSAGE,
    TEMPLATE,
    SourceSegment,
    join_address,
    short,
)
from jtau_plugin.translation.extraction.structure import Structure

SHARED = "messages.yaml"


def group_templates(english: English, structure: Structure) -> dict[str, list[SourceTemplate]]:
    """Return the sentences of a domain's tools by fingerprint, with every place of each.

    Only a domain whose tools answer in prose renders the pieces of longer results.
    """
    groups: dict[str, list[SourceTemplate]] = {}
    for template in english.templates:
        if structure.fragments or template.kind != "fragment":
            groups.setdefault(fingerprint_text(template.text), []).append(template)
    return groups


def _is_fragment(source: str, places: Sequence[SourceTemplate], structure: Structure) -> bool:
    if source in structure.fragments or source in structure.messages:
        return source in structure.fragments
    return all(template.kind == "fragment" for template in places)


def _is_shared(places: Sequence[SourceTemplate], english: English) -> bool:
    return all(template.cls in english.shared_classes for template in places)


def _placeholders(fact: Message | None, template: SourceTemplate) -> dict[str, object]:
    shown: dict[str, object] = {}
    for name in template.placeholders:
        spec = fact.values.get(name) if fact is not None else None
        shown[name] = "shown in the locale" if spec is not None else "shown as it is"
    return shown


def extract_messages(english: English, structure: Structure) -> Iterator[SourceSegment]:
    """Yield each sentence and piece of a sentence once, those that every domain shares included."""
    for source, places in group_templates(english, structure).items():
        fact = structure.messages.get(source) or structure.fragments.get(source)
        is_shared = fact is None and (
            source in structure.shared_messages or _is_shared(places, english)
        )
        fact = structure.shared_messages.get(source) if is_shared else fact
        if fact is not None and (fact.text is None or fact.internal):
            continue  # a word of a table, or never shown
        section = "messages"
        if not is_shared and _is_fragment(source, places, structure):
            section = "fragments"
        file = SHARED if is_shared else f"{english.domain}/messages.yaml"
        yield _segment(english, file, (section, source), places, fact)


def _segment(
    english: English,
    file: str,
    key: tuple[str, str],
    places: Sequence[SourceTemplate],
    fact: Message | None,
) -> SourceSegment:
    first, (section, source) = places[0], key
    kind = TEMPLATE if first.placeholders else MESSAGE
    context: dict[str, object] = {
        "said by": list(dict.fromkeys(template.at for template in places)),
        "is": "an error" if first.kind == "raise" else "a result",
    }
    if first.placeholders:
        context["placeholders"] = _placeholders(fact, first)
    segment = SourceSegment(
        address=join_address(file, section, short(source), "text"),
        kind=kind,
        english=first.text.strip("\n"),
        component="messages",
        file=file,
        key=key,
        sources=(source,),
        scope=f"{english.domain} messages",
        optional=fact is not None and fact.optional,
        context=context,
    )
    if section == "fragments":
        context["is"] = "a piece of a result"
        segment = replace(segment, kind=FRAGMENT, scope="")
    return segment


def message_places(english: English) -> Mapping[str, tuple[str, ...]]:
    """Return the functions in which each sentence stands, by fingerprint."""
    places: dict[str, dict[str, None]] = {}
    for template in english.templates:
        places.setdefault(fingerprint_text(template.text), {})[template.at] = None
    return {source: tuple(own) for source, own in places.items()}


def extract_library(structure: Structure) -> Iterator[SourceSegment]:
    """Yield the sentences of the interpreter and of libraries, written out from their patterns."""
    for message in structure.python:
        english = english_of_pattern(message.pattern)
        if not english.strip():
            continue
        source = fingerprint_text(message.pattern)
        yield SourceSegment(
            address=join_address(SHARED, "python", short(source), "text"),
            kind=LIBRARY,
            english=english,
            component="messages",
            file=SHARED,
            key=("python", message.pattern),
            sources=(),
            context={"said by": "the interpreter or a library, when a tool is called wrongly"},
        )
