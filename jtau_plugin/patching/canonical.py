"""Values in a task: where a pointer leads, and the fingerprint of what stands there."""

from __future__ import annotations

import hashlib
import json
from typing import Any


class Missing:
    """What a pointer finds where nothing is. The one instance is ``MISSING``."""

    def __repr__(self) -> str:
        return "nothing"


MISSING = Missing()


def drop_none(value: Any) -> Any:
    """Return plain data without the keys whose value is ``None``."""
    if isinstance(value, dict):
        return {key: drop_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [drop_none(item) for item in value]
    return value


def fingerprint_value(value: Any) -> str:
    """Return the SHA-256 of a value's canonical JSON.

    Keys are sorted and those without a value are dropped, so both layouts' dumps of the same facts
    have the same fingerprint.
    """
    text = json.dumps(drop_none(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def split_pointer(pointer: str) -> list[str]:
    """Return the segments of a JSON pointer (RFC 6901), unescaped."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def key_in(container: Any, segment: str) -> Any:
    """Return the key or index that a segment names in a container, or ``MISSING``.

    ``name=value`` names the list's element that has this value under this key.
    """
    if isinstance(container, dict):
        return segment if container.get(segment) is not None else MISSING
    if not isinstance(container, list):
        return MISSING
    name, sign, value = segment.partition("=")
    if sign:
        found = [
            i
            for i, item in enumerate(container)
            if isinstance(item, dict) and str(item.get(name)) == value
        ]
        return found[0] if len(found) == 1 else MISSING
    is_index = segment.isdecimal() and int(segment) < len(container)
    return int(segment) if is_index else MISSING


def find_value(document: Any, pointer: str) -> Any:
    """Return what stands at a pointer, or ``MISSING``."""
    value = document
    for segment in split_pointer(pointer):
        key = key_in(value, segment)
        if key is MISSING:
            return MISSING
        value = value[key]
    return value
