"""Exchanges single texts in a YAML file; every other byte of it stays.

The result is read back: an exchange that would say anything else is refused, never written anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import yaml

from jtau_plugin.overlays.yamlfile import Key

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BLOCK = ("|", ">")
_INT = "tag:yaml.org,2002:int"


class CannotExchangeError(ValueError):
    """A text that cannot be put where another stands."""


@dataclass(frozen=True)
class _Place:
    node: yaml.ScalarNode
    in_flow: bool


def _places(node: yaml.Node, key: Key, *, in_flow: bool) -> Iterator[tuple[Key, _Place]]:
    is_flow = in_flow or bool(getattr(node, "flow_style", False))
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            yield from _places(value, (*key, str(name.value)), in_flow=is_flow)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            yield from _places(value, (*key, index), in_flow=is_flow)
    elif isinstance(node, yaml.ScalarNode):
        yield key, _Place(node, in_flow)


def _read(text: str) -> dict[Key, _Place]:
    node = yaml.compose(text, Loader=_LOADER)
    return {} if node is None else dict(_places(node, (), in_flow=False))


def _says(text: str, value: str, *, in_flow: bool) -> bool:
    """Return whether an unquoted or quoted scalar says a value where it would stand."""
    try:
        data = yaml.load(f"[{text}]" if in_flow else f"k: {text}", Loader=_LOADER)  # noqa: S506
    except yaml.YAMLError:
        return False
    return bool(data == ([value] if in_flow else {"k": value}))


def _in_quotes(value: str, style: str, *, in_flow: bool) -> str:
    single = "'" + value.replace("'", "''") + "'"
    double = json.dumps(value, ensure_ascii=False)
    ordered = {"'": [single, double], '"': [double]}.get(style, [value, single, double])
    for text in ordered:
        if "\n" not in text and _says(text, value, in_flow=in_flow):
            return text
    raise CannotExchangeError("no way to write the text on a line")


def _in_block(raw: str, value: str) -> str:
    """Return a block text with another content, indented as before."""
    head, _, body = raw.partition("\n")
    first = next((line for line in body.split("\n") if line.strip()), None)
    if first is None:
        raise CannotExchangeError("the text is empty")
    explicit = re.match(r"[|>][+-]?(\d)", head)
    indent = first[: len(first) - len(first.lstrip(" "))]
    if explicit is not None or value.startswith((" ", "\n")):
        raise CannotExchangeError("the text begins with blanks")
    ending = body[len(body.rstrip()) :]
    lines = value.rstrip("\n").split("\n")
    return f"{head}\n" + "\n".join(indent + line if line else "" for line in lines) + ending


def _new_text(raw: str, place: _Place, old: str, new: str) -> str:
    style = place.node.style
    if style in _BLOCK:
        if style == ">":
            raise CannotExchangeError("the text is folded")
        return _in_block(raw, new)
    stays = raw[len(raw.rstrip()) :]
    if place.node.tag == _INT and new.isdecimal():
        return new + stays
    if raw.strip() == old and _says(new, new, in_flow=place.in_flow) and "\n" not in new:
        return new + stays
    return _in_quotes(new, style or "", in_flow=place.in_flow) + stays


def read_scalars(text: str) -> dict[Key, str]:
    """Return every single value of a YAML text by its key, as it is written there."""
    return {key: place.node.value for key, place in _read(text).items()}


def exchange_texts(text: str, new: Mapping[Key, str]) -> str:
    """Return a YAML text in which the texts at some keys are others, in the style that they had.

    Args:
        text: the file.
        new: what is to stand at each key.

    Raises:
        CannotExchangeError: if that cannot be done without touching anything else.
    """
    places = _read(text)
    pieces: list[tuple[int, int, str]] = []
    for key, value in new.items():
        place = places.get(key)
        if place is None:
            raise CannotExchangeError(f"no single value at {'.'.join(map(str, key))}")
        start, end = place.node.start_mark.index, place.node.end_mark.index
        pieces.append((start, end, _new_text(text[start:end], place, place.node.value, value)))
    result, done = [], 0
    for start, end, piece in sorted(pieces):
        result += [text[done:start], piece]
        done = end
    mended = "".join([*result, text[done:]])
    wanted = {k: (p.node.tag, new.get(k, p.node.value)) for k, p in places.items()}
    if {k: (p.node.tag, p.node.value) for k, p in _read(mended).items()} != wanted:
        raise CannotExchangeError("the file would say something else")
    return mended
