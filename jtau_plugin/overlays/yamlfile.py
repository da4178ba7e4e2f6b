"""Reads one YAML file together with the line of every key.

Only plain data comes out: strings, numbers, booleans, lists and mappings with string keys. Anything
else (a duplicate key, a tag, an alias) is an error that names file, line and key.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from jtau_plugin.errors import OverlayError, Problem

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAPPING, _SEQUENCE = "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"
_PLAIN_TAGS = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null")}

Key = tuple["str | int", ...]


@dataclass(frozen=True)
class YamlFile:
    """A parsed file.

    Attributes:
        path: where it was read.
        data: its content as plain data.
        lines: line number (from 1) of each key path.
    """

    path: Path
    data: object
    lines: dict[Key, int]

    def where(self, key: Key) -> str:
        """Return ``file:line: key`` of the nearest enclosing key that has a line."""
        known = key
        while known and known not in self.lines:
            known = known[:-1]
        line = self.lines.get(known, 1)
        name = ".".join(map(str, key)) or "(top level)"
        return f"{self.path}:{line}: {name}"


def read_text(path: Path) -> str:
    """Return the UTF-8 text of ``path``.

    Raises:
        OverlayError: if the file is missing or is not UTF-8; names the first bad byte.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        problem = Problem(str(path), f"cannot be read: {error.strerror}", "restore the file")
        raise OverlayError("An overlay file is missing or unreadable.", [problem]) from error
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        what = f"not UTF-8: byte {error.start} is 0x{raw[error.start]:02x}"
        problem = Problem(f"{path}:{line}", what, "save the file as UTF-8")
        raise OverlayError("An overlay file is not UTF-8.", [problem]) from error


class _Builder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: dict[Key, int] = {}
        self.problems: list[Problem] = []
        self._constructor = yaml.constructor.SafeConstructor()
        self._seen: set[int] = set()

    def _add(self, node: yaml.Node, what: str, hint: str) -> None:
        where = f"{self.path}:{node.start_mark.line + 1}"
        self.problems.append(Problem(where, what, hint))

    def build(self, node: yaml.Node, key: Key) -> object:
        self.lines[key] = node.start_mark.line + 1
        if id(node) in self._seen:
            # What an alias stands for is the same node once more; it may even hold itself.
            self._add(node, "an alias repeats this value", "write it out at each place")
            return None
        self._seen.add(id(node))
        if isinstance(node, yaml.MappingNode) and node.tag == _MAPPING:
            return dict(self._pairs(node, key))
        if isinstance(node, yaml.SequenceNode) and node.tag == _SEQUENCE:
            return [self.build(child, (*key, i)) for i, child in enumerate(node.value)]
        if isinstance(node, yaml.ScalarNode) and node.tag in _PLAIN_TAGS:
            try:
                return self._constructor.construct_object(node)
            except (ValueError, KeyError):
                self._add(node, f"{node.value!r} is no {node.tag}", "write plain text, in quotes")
                return None
        self._add(node, f"unexpected YAML type {node.tag}", "write plain text, in quotes")
        return None

    def _pairs(self, node: yaml.MappingNode, key: Key) -> Iterator[tuple[str, object]]:
        seen: dict[str, int] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            name = key_node.value
            if not isinstance(name, str) or key_node.tag != "tag:yaml.org,2002:str":
                self._add(key_node, f"key {name!r} is no text", "put the key in quotes")
                name = str(name)
            if name in seen:
                self._add(key_node, f"key {name!r} stands twice (first on line {seen[name]})", "")
                continue
            seen[name] = line
            value = self.build(value_node, (*key, name))
            self.lines[key + (name,)] = line  # noqa: RUF005  (Python 3.10 unpacks no subscript)
            yield name, value


def load_yaml(path: Path) -> YamlFile:
    """Return the parsed content of a YAML file.

    Raises:
        OverlayError: for a missing file, bytes that are not UTF-8, broken or truncated YAML,
            duplicate keys and values that are no plain data; all problems of the file at once.
    """
    text = read_text(path)
    try:
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        what = f"not valid YAML: {getattr(error, 'problem', None) or error}"
        hint = "is the file truncated?"
        raise OverlayError("An overlay file is broken.", [Problem(where, what, hint)]) from error
    if node is None:
        problem = Problem(str(path), "the file is empty", "restore the file")
        raise OverlayError("An overlay file is empty.", [problem])
    builder = _Builder(path)
    data = builder.build(node, ())
    if builder.problems:
        raise OverlayError(f"{path.name} cannot be used.", builder.problems)
    return YamlFile(path=path, data=data, lines=builder.lines)
