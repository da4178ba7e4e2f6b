"""Changes a YAML file where its data change, and nowhere else.

Comments, order, quotes and empty lines of everything that stays are kept byte by byte. The result
is read back: should an edit not say what it was to say, the file is written anew instead.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from typing import Any

import yaml

from jtau_plugin.translation.writing.yamldump import Styled, dump, dump_entry, dump_file, dump_item

_STYLES = ("|", "'", '"')


@dataclass(frozen=True)
class _Edit:
    start: int
    end: int
    text: str


def update_yaml(text: str, data: dict[str, Any]) -> str:
    """Return a YAML text that says ``data``, changed as little as possible."""
    if yaml.safe_load(text) == data:
        return text
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    assert node is not None  # an empty text says nothing that could be a mapping
    editor = _Editor(text if text.endswith("\n") else text + "\n")
    try:
        editor.change(node, data, 0, in_flow=False)
        new = editor.apply()
        if yaml.safe_load(new) == data:
            return new
    except (yaml.YAMLError, _CannotEditError):
        pass
    header = [line[1:].strip() for line in text.splitlines() if line.startswith("#")]
    return dump_file(data, "\n".join(header[:3]))


class _CannotEditError(Exception):
    """An edit that this editor does not know how to make."""


def _plain(node: yaml.Node) -> Any:
    return yaml.constructor.SafeConstructor().construct_document(node)


def _indent(text: str, column: int) -> str:
    pad = " " * column
    return "".join(pad + line if line.strip() else line for line in text.splitlines(True))


class _Editor:
    def __init__(self, text: str) -> None:
        self.text = text
        self.edits: list[_Edit] = []

    def apply(self) -> str:
        """Return the text with all edits made; those of one place in the order they came."""
        pieces, done = [], 0
        for edit in sorted(self.edits, key=lambda edit: (edit.start, edit.end)):
            if edit.start < done:
                raise _CannotEditError
            pieces += [self.text[done : edit.start], edit.text]
            done = edit.end
        return "".join([*pieces, self.text[done:]])

    def _edit(self, start: int, end: int, text: str) -> None:
        self.edits.append(_Edit(start, end, text))

    def change(self, node: yaml.Node, new: Any, column: int, *, in_flow: bool) -> None:
        """Make a node say ``new``.

        Args:
            node: a node of the text.
            new: what it is to say.
            column: where the keys of the mapping around it stand.
            in_flow: whether it stands inside brackets.
        """
        if _same(_plain(node), new):
            return
        is_flow = in_flow or bool(getattr(node, "flow_style", False))
        if isinstance(node, yaml.MappingNode) and isinstance(new, dict) and new:
            self._mapping(node, new, column, is_flow)
        elif isinstance(node, yaml.SequenceNode) and isinstance(new, list) and new and not is_flow:
            self._sequence(node, new)
        else:
            self._replace(node, new, column, in_flow)

    # --- single values, and whatever is written anew as a whole

    def _replace(self, node: yaml.Node, new: Any, column: int, in_flow: bool) -> None:
        start, end = node.start_mark.index, self._end(node)
        if in_flow or getattr(node, "flow_style", False):
            self._edit(start, end, _in_flow(_styled(node, new)))
            return
        rest = self.text[end : self._line_end(end)]
        if isinstance(new, str) and "\n" in new and rest.strip():
            new = Styled(new, '"')  # a comment follows on the line
        rendered = dump_entry("k", _styled(node, new))
        lines = rendered.rstrip("\n").split("\n", 1)
        first = lines[0].removeprefix("k:").lstrip(" ")
        if not isinstance(node, yaml.ScalarNode) and len(lines) > 1 and not first:
            raise _CannotEditError
        body = f"\n{_indent(lines[1], column)}" if len(lines) > 1 else ""
        self._edit(start, end, first + body)

    # --- mappings

    def _mapping(
        self, node: yaml.MappingNode, new: dict[str, Any], column: int, is_flow: bool
    ) -> None:
        own = {str(key.value): (key, value) for key, value in node.value}
        if is_flow:
            if list(own) == [k for k in own if k in new] and own.keys() == new.keys():
                for name, (_, value) in own.items():
                    self.change(value, new[name], column, in_flow=True)
            else:
                self._edit(node.start_mark.index, self._end(node), _in_flow(new))
            return
        if not own:
            raise _CannotEditError
        column = node.start_mark.column
        names = list(own)
        if names[0] not in new and self._is_beside_dash(node):
            raise _CannotEditError  # the first key shares its line with the dash
        for name, (key, value) in own.items():
            if name in new:
                self.change(value, new[name], column, in_flow=False)
            else:
                self._edit(self._line_start(key.start_mark.index), self._pair_end(key, value), "")
        self._insert_pairs(own, new, column)

    def _insert_pairs(
        self, own: dict[str, tuple[yaml.Node, yaml.Node]], new: dict[str, Any], column: int
    ) -> None:
        spaced = self._is_spaced([key.start_mark.index for key, _ in own.values()])
        before: str | None = None
        last = list(own)[-1]
        for name, value in new.items():
            if name in own:
                before = name
                continue
            anchor = own[before if before is not None else last]
            at = self._pair_end(*anchor)
            text = _indent(dump_entry(name, value), column)
            self._edit(at, at, f"\n{text}" if spaced else text)

    def _is_beside_dash(self, node: yaml.Node) -> bool:
        start = node.start_mark.index
        return "-" in self.text[self._line_start(start) : start]

    # --- sequences

    def _sequence(self, node: yaml.SequenceNode, new: list[Any]) -> None:
        items = node.value
        column = node.start_mark.column
        old = [_plain(item) for item in items]
        matcher = difflib.SequenceMatcher(
            None, [_identity(item) for item in old], [_identity(item) for item in new], False
        )
        starts = [self._dash(item) for item in items]
        spaced = self._is_spaced(starts)
        for op, i, j, k, m in matcher.get_opcodes():
            if op == "equal":
                for item, value in zip(items[i:j], new[k:m], strict=True):
                    self.change(item, value, column + 2, in_flow=False)
                continue
            for index in range(i, j):
                self._edit(self._line_start(starts[index]), self._item_end(items[index]), "")
            if k == m:
                continue
            at = self._item_end(items[i - 1]) if i else self._line_start(starts[0])
            text = "".join(_indent(dump_item(value), column) for value in new[k:m])
            self._edit(at, at, f"\n{text}" if spaced and i else text)

    def _dash(self, item: yaml.Node) -> int:
        start = item.start_mark.index
        dash = self.text.rfind("-", 0, start)
        if dash < 0 or self.text[dash + 1 : start].strip():
            raise _CannotEditError
        return dash

    # --- places

    def _end(self, node: yaml.Node) -> int:
        """Return where what a node says ends, blanks and comments behind it left out."""
        if isinstance(node, yaml.ScalarNode):
            end = node.end_mark.index
            if node.style in ("|", ">"):
                start = node.start_mark.index
                end = start + len(self.text[start:end].rstrip())
            return int(end)
        if getattr(node, "flow_style", False) or not node.value:
            return int(node.end_mark.index)
        last = node.value[-1]
        return self._end(last[1] if isinstance(last, tuple) else last)

    def _line_start(self, index: int) -> int:
        return self.text.rfind("\n", 0, index) + 1

    def _line_end(self, index: int) -> int:
        end = self.text.find("\n", index)
        return end if end >= 0 else len(self.text)

    def _pair_end(self, key: yaml.Node, value: yaml.Node) -> int:
        return self._line_end(max(self._end(value), key.end_mark.index)) + 1

    def _item_end(self, item: yaml.Node) -> int:
        return self._line_end(self._end(item)) + 1

    def _is_spaced(self, starts: list[int]) -> bool:
        """Return whether an empty line stands between the last two entries."""
        return len(starts) > 1 and "\n\n" in self.text[starts[-2] : starts[-1]]


def _same(old: Any, new: Any) -> bool:
    return type(old) is type(new) and bool(old == new)


def _identity(item: Any) -> str:
    """Return what makes an entry of a list the same entry after a change."""
    if isinstance(item, dict):
        for name in ("source", "pattern", "id"):
            if name in item:
                return json.dumps(item[name], sort_keys=True)
    return json.dumps(item, sort_keys=True, ensure_ascii=False)


def _styled(node: yaml.Node, new: Any) -> Any:
    """Return a text in the style of the one that it takes the place of."""
    style = getattr(node, "style", None)
    if isinstance(new, str) and not isinstance(new, Styled) and style in _STYLES:
        return Styled(new, '"' if style == "'" and "\n" in new else style)
    return new


def _in_flow(value: Any) -> str:
    if isinstance(value, str) and "\n" in value:
        value = Styled(value, '"')
    if isinstance(value, Styled) and value.style == "|":
        value = Styled(str(value), '"')
    text = dump([value], flow=True).strip()
    return text[1:-1]
