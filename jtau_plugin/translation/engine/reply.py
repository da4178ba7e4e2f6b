"""Reads what a model answered: as it should be, or as models do it.

Fences and words around the JSON are overlooked, complete answers of a truncated reply are kept, and
what is ambiguous counts as missing. Nothing is guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

_EXCERPT = 120


@dataclass(frozen=True)
class Reply:
    """What could be read.

    Attributes:
        texts: translation by id of unit.
        faults: by id of unit, why there is none.
        excerpt: the beginning of a reply that holds no translation at all.
    """

    texts: dict[str, str] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    excerpt: str = ""


def _objects(content: str) -> Iterator[Any]:
    """Yield the JSON values that start in a text, the outermost first."""
    decoder = json.JSONDecoder(strict=False)
    at = 0
    while (match := re.compile(r"[\[{]").search(content, at)) is not None:
        try:
            value, end = decoder.raw_decode(content, match.start())
        except ValueError:
            at = match.end()
            continue
        yield value
        at = end


def _pairs(value: Any, wanted: Collection[str]) -> Iterator[tuple[str, Any]]:
    """Yield (id, text) from any of the shapes that models give a list of translations."""
    if isinstance(value, list):
        for item in value:
            yield from _pairs(item, wanted)
    elif isinstance(value, dict):
        if "id" in value:
            yield str(value["id"]), value.get("text", value.get("translation"))
            return
        for name, item in value.items():
            if name in wanted:
                yield name, item.get("text") if isinstance(item, dict) else item
            elif isinstance(item, (list, dict)):
                yield from _pairs(item, wanted)


def _fault(texts: list[Any]) -> str:
    usable = [text for text in texts if isinstance(text, str)]
    if not texts:
        return "no translation with this id came back"
    if len(usable) < len(texts):
        return "the translation is no text"
    if len(set(usable)) > 1:
        return "two different translations came back for this id"
    return "" if usable[0].strip() else "the translation is empty"


def parse_reply(content: str, wanted: Collection[str]) -> Reply:
    """Return the translations in a model's reply.

    Args:
        content: what the model wrote.
        wanted: ids of the units that were asked for; others are ignored.
    """
    found: dict[str, list[Any]] = {name: [] for name in wanted}
    for value in _objects(content):
        for name, text in _pairs(value, wanted):
            if name in found:
                found[name].append(text)
    texts = {name: own[0] for name, own in found.items() if not _fault(own)}
    faults = {name: fault for name, own in found.items() if (fault := _fault(own))}
    is_empty = not any(found.values())
    excerpt = " ".join(content.split())[:_EXCERPT] if is_empty else ""
    return Reply(texts, faults, excerpt)
