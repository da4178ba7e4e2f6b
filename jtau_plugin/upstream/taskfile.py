"""Upstream's files of tasks: changes single tasks and leaves every other byte as it is.

Where more than one text of a task changes, the task is written anew in the style that it has; one
in no known style is refused.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from jtau_plugin.errors import JtauError


class TaskFileError(JtauError):
    """A file of tasks cannot be read, or a task's text is written in no known style."""


@dataclass(frozen=True)
class _Span:
    start: int
    end: int


class TaskFile:
    """The text of one file that holds a JSON list of tasks.

    Raises:
        TaskFileError: if the text is no JSON list of objects with ids.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._changed: dict[str, str] = {}
        self.tasks: dict[str, dict[str, Any]] = {}
        self._spans: dict[str, _Span] = {}
        decoder = json.JSONDecoder()
        try:
            at = self._skip(0, "[")
            while text[at] != "]":
                task, end = decoder.raw_decode(text, at)
                name = str(task["id"])
                self.tasks[name], self._spans[name] = task, _Span(at, end)
                at = self._skip(end, ",")
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise TaskFileError(f"no JSON list of tasks: {error}") from error

    def _skip(self, at: int, mark: str) -> int:
        """Return the next place with anything but blanks, after ``mark`` if it comes first."""
        at = self._skip_blanks(at)
        if self._text[at] == mark:
            at = self._skip_blanks(at + 1)
        elif mark == "[":
            raise ValueError(f"starts with {self._text[at]!r}")
        return at

    def _skip_blanks(self, at: int) -> int:
        while self._text[at] in " \t\r\n":
            at += 1
        return at

    def replace(
        self, task_id: str, task: dict[str, Any], swapped: tuple[str, str] | None = None
    ) -> None:
        """Put another task in the place of one.

        Args:
            task_id: the task's id.
            task: the new data.
            swapped: where the two differ in one text only, that text before and after.

        Raises:
            TaskFileError: if the task's own text is in no known style.
        """
        span = self._spans[task_id]
        old = self._text[span.start : span.end]
        new = _swap(old, task, swapped) if swapped else None
        self._changed[task_id] = self._rewrite(task_id, old, task) if new is None else new

    def _rewrite(self, task_id: str, old: str, task: dict[str, Any]) -> str:
        start = self._spans[task_id].start
        prefix = self._text[self._text.rfind("\n", 0, start) + 1 : start]
        prefix = prefix if not prefix.strip() else ""
        newline = "\r\n" if "\r\n" in old else "\n"
        for style in self._styles(old, prefix):
            if _write(self.tasks[task_id], style, prefix, newline) == old:
                return _write(task, style, prefix, newline)
        raise TaskFileError(f"task {task_id} is not written as json.dumps writes it")

    def _styles(self, old: str, prefix: str) -> list[tuple[int | None, bool]]:
        """Return the styles that a text may have: its indentation, and whether it is all ASCII."""
        indent = None
        if "\n" in old:
            second = old.split("\n", 2)[1]
            indent = len(second) - len(second.lstrip(" ")) - len(prefix)
        ascii_first = self._text.isascii()
        return [(indent, ascii_first), (indent, not ascii_first)]

    def text(self) -> str:
        """Return the file's text with the replaced tasks."""
        pieces, done = [], 0
        for name, span in self._spans.items():
            if name in self._changed:
                pieces += [self._text[done : span.start], self._changed[name]]
                done = span.end
        return "".join([*pieces, self._text[done:]])


def _swap(old: str, task: dict[str, Any], swapped: tuple[str, str]) -> str | None:
    """Return a task's text with one text in it exchanged, if that is all that it takes."""
    for ensure_ascii in (True, False):
        before, after = (json.dumps(text, ensure_ascii=ensure_ascii) for text in swapped)
        if old.count(before) == 1:
            new = old.replace(before, after)
            return new if json.loads(new) == task else None
    return None


def _write(task: Any, style: tuple[int | None, bool], prefix: str, newline: str) -> str:
    indent, ensure_ascii = style
    text = json.dumps(task, indent=indent, ensure_ascii=ensure_ascii)
    return text.replace("\n", newline + prefix)


def shape_like(value: Any, model: Any) -> Any:
    """Return plain data written with the keys that its model spells out.

    Keys that the model has without a value are added without one, keys take the model's order, and
    a requestor that the model leaves to the default is left to it.

    Args:
        value: a mapping, or a list of them.
        model: what stood there, or one of its neighbours.
    """
    if isinstance(value, list):
        models = [item for item in model if isinstance(item, dict)] if _is_list(model) else []
        return [shape_like(item, models[0]) if models else item for item in value]
    if not isinstance(value, dict) or not isinstance(model, dict):
        return value
    spelt = dict(value)
    if "requestor" not in model and spelt.get("requestor") == "assistant":
        del spelt["requestor"]
    for key, item in model.items():
        if item is None:
            spelt.setdefault(key, None)
    ordered = {key: spelt[key] for key in model if key in spelt}
    return ordered | {key: item for key, item in spelt.items() if key not in ordered}


def _is_list(value: Any) -> bool:
    return isinstance(value, list)
