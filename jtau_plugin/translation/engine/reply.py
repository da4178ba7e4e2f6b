"""Reads what a model answered: as it should be, or as models do it.

Fences and words around the JSON are overlooked, complete answers of a truncated reply are kept, and
what is ambiguous counts as missing. Nothing is guessed.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

_EXCERPT = 120
_TEXTS = frozenset({"text", "translation"})
#: Translations are looked for down to here.
_DEEPEST = 8
_START = re.compile(r"[\[{]")
#: A reply with more broken beginnings of JSON than this is not read on.
_MOST_BROKEN = 200
#: Characters that no text of an overlay holds: controls, halves of pairs, other ends of lines.
_NO_TEXT = frozenset({"Cc", "Cs", "Zl", "Zp"})


@dataclass(frozen=True)
class Reply:
    """What could be read.

    Attributes:
        texts: translation by id of unit.
        faults: by id of unit, why there is none.
        excerpt: the beginning of a reply that holds no translation at all.
        is_empty: it holds none.
    """

    texts: dict[str, str] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    excerpt: str = ""
    is_empty: bool = False


def _objects(content: str) -> Iterator[Any]:
    """Yield the JSON values that start in a text, the outermost first."""
    decoder = json.JSONDecoder(strict=False)
    at = broken = 0
    while broken < _MOST_BROKEN and (match := _START.search(content, at)) is not None:
        try:
            value, end = decoder.raw_decode(content, match.start())
        except (ValueError, RecursionError):
            at = match.end()
            broken += 1
            continue
        yield value
        at = end


def _pairs(value: Any, wanted: Collection[str], depth: int = _DEEPEST) -> Iterator[tuple[str, Any]]:
    """Yield (id, text) from any of the shapes that models give a list of translations."""
    if depth == 0:
        return
    if isinstance(value, list):
        for item in value:
            yield from _pairs(item, wanted, depth - 1)
    elif isinstance(value, dict):
        if "id" in value and (str(value["id"]) in wanted or _TEXTS & value.keys()):
            yield str(value["id"]), _text_of(value)
            return
        for name, item in value.items():
            if name in wanted:
                yield name, _text_of(item) if isinstance(item, dict) else item
            elif isinstance(item, (list, dict)):
                yield from _pairs(item, wanted, depth - 1)


def _text_of(value: dict[str, Any]) -> Any:
    return value.get("text", value.get("translation"))


def _is_text(text: str) -> bool:
    return all(c in "\n\t" or unicodedata.category(c) not in _NO_TEXT for c in text)


def _plain(text: Any) -> Any:
    return text.replace("\r\n", "\n").replace("\r", "\n") if isinstance(text, str) else text


def _fault(texts: list[Any]) -> str:
    usable = [text for text in texts if isinstance(text, str)]
    if not texts:
        return "no translation with this id came back"
    if len(usable) < len(texts):
        return "the translation is no text"
    if len(set(usable)) > 1:
        return "two different translations came back for this id"
    if not _is_text(usable[0]):
        return "the translation holds control characters"
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
                found[name].append(_plain(text))
    texts = {name: own[0] for name, own in found.items() if not _fault(own)}
    faults = {name: fault for name, own in found.items() if (fault := _fault(own))}
    is_empty = not any(found.values())
    excerpt = " ".join(content.split())[:_EXCERPT] if is_empty else ""
    return Reply(texts, faults, excerpt, is_empty)
