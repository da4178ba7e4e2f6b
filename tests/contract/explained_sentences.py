"""Explains sentences of tools by the templates of the segments, piece by piece."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jtau_plugin.translation.extraction.segment import FRAGMENT, LIBRARY

from .explained import ENGLISH, Book, Text

NUMBER = re.compile(
    r"[-+]?\$?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?%?"
    r"|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?|\d\d:\d\d:\d\d(?:\+\d)?"
    r"|True|False|None|true|false|null|inf|nan"
)
#: An id has no blank, and a digit or a mark that no word has; or it is a record of six capitals.
ID = re.compile(r"#?(?=[^\s]*[\d_@/])[A-Za-z0-9][\w.@:/#()+-]*|[A-Z]{6}", re.ASCII)
#: What an interpreter calls a type, a function or an attribute.
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*(?:\.<\w+>)?", re.ASCII)
_INPUT = re.compile(r"\[type=\w+, input_value=.*, input_type=[\w.]+\]")
_PLACE = re.compile(r"\\\{(\w+)\\\}")
#: Between the items of a list inside a sentence.
_SEPARATORS = (" | ", "、", ", ", "・", ": ")
_ENUM_MEMBER = re.compile(r"<\w+\.\w+: ('[^']*')>")
_DEPTH = 6

#: (class or "segment", text, addresses of a segment).
Piece = tuple[str, str, tuple[str, ...]]
Pieces = list[Piece]


@dataclass(frozen=True)
class Template:
    """A sentence with places, or one line of it.

    Attributes:
        literal: stands in every sentence that the pattern matches.
    """

    address: str
    line: str
    pattern: re.Pattern[str]
    kind: str
    literal: str = ""


def _compile(line: str) -> re.Pattern[str]:
    seen: set[str] = set()

    def group(match: re.Match[str]) -> str:
        if match[1] in seen:
            return f"(?P={match[1]})"
        seen.add(match[1])
        return f"(?P<{match[1]}>.*)"

    return re.compile(_PLACE.sub(group, re.escape(line)), re.DOTALL)


def fixed_words(line: str) -> str:
    """Return what of a template is no place."""
    return re.sub(r"\{\w+\}", "", line).strip()


def skeleton(line: str) -> str:
    """Return a template with nameless places: what a place is called nobody sees."""
    return re.sub(r"\{\w+\}", "{}", line)


def _templates(text: Text, locale: str) -> Iterator[Template]:
    segment = text.segment
    if segment.kind == LIBRARY and locale == ENGLISH:
        # What the interpreter says is known by its pattern; the sentence is only a sample.
        pattern = re.compile(str(segment.key[1]), re.DOTALL)
        yield Template(segment.address, text.shown, pattern, LIBRARY)
        return
    for line in dict.fromkeys([text.shown, *text.shown.split("\n")]):
        if fixed_words(line):  # a line of places only would explain everything
            literal = max(re.split(r"\{\w+\}", line), key=len)
            yield Template(segment.address, line, _compile(line), segment.kind, literal)


class Sentences:
    """Takes sentences apart into segments and what stands in their places.

    Args:
        book: the segments.
        data: strings of the databases that no locale renders.
        written: what the models of this simulation wrote.
    """

    def __init__(self, book: Book, data: Mapping[str, Any], written: Iterable[str]) -> None:
        self._book = book
        found = [t for text in book.component("messages") for t in _templates(text, book.locale)]
        self._templates = sorted(found, key=lambda t: -len(fixed_words(t.line)))
        self._addresses: dict[str, tuple[str, ...]] = {}
        for template in self._templates:
            known = self._addresses.get(skeleton(template.line), ())
            self._addresses[skeleton(template.line)] = (*known, template.address)
        fixed = (t.line for t in self._templates if t.kind == FRAGMENT and "{" not in t.line)
        # A word that tau2 puts in front of a sentence ends with a blank there.
        words = (v.shown for v in book.component("values") if v.segment.english.endswith(" "))
        self._starts = tuple(dict.fromkeys((*fixed, *words)))
        kept = set(written)
        self._classes: tuple[tuple[str, Callable[[str], object]], ...] = (
            ("written", kept.__contains__),
            ("name", book.names.__contains__),
            ("number", NUMBER.fullmatch),
            ("data", data.__contains__),
            ("id", ID.fullmatch),
        )
        self._memo: dict[tuple[str, int], Pieces | None] = {}

    def explain(self, text: str, depth: int = 0) -> Pieces | None:
        """Return the pieces of a text, or ``None`` if one of them is unknown."""
        key = (text, depth)
        if key not in self._memo:
            self._memo[key] = None
            self._memo[key] = self._find(text, depth)
        return self._memo[key]

    def _find(self, text: str, depth: int) -> Pieces | None:
        if not text.strip():
            return []
        simple = self._simple(text)
        if simple is not None or depth > _DEPTH:
            return simple
        for find in (
            self._by_template,
            self._by_items,
            self._by_notation,
            self._by_start,
            self._by_lines,
        ):
            pieces = find(text, depth)
            if pieces is not None:
                return pieces
        return None

    def _simple(self, text: str) -> Pieces | None:
        if text in self._addresses and "{" not in text:
            return [("segment", text, (*self._addresses[text], *self._otherwise(text)))]
        values = self._book.values_for(text)
        if values:
            return [("segment", text, tuple(values))]
        for name, holds in self._classes:
            if holds(text):
                return [(name, text, ())]
            if name == "written" and text in self._book.hidden:
                return None  # a value that is shown in other words
        return None

    def _otherwise(self, text: str) -> Iterator[str]:
        """Yield the segments with places that a fixed sentence can be read as, too."""
        for template in self._templates:
            if "{" in template.line and template.kind != LIBRARY and template.literal in text:
                match = template.pattern.fullmatch(text)
                if match is not None and self._places(template, match, 1) is not None:
                    yield template.address

    def _by_template(self, text: str, depth: int) -> Pieces | None:
        for template in self._templates:
            is_possible = template.literal in text and (depth == 0 or template.kind != LIBRARY)
            match = template.pattern.fullmatch(text) if is_possible else None
            inner = None if match is None else self._places(template, match, depth)
            if inner is not None:
                return [*self._lines(template.line), *inner]
        return None

    def _places(self, template: Template, match: re.Match[str], depth: int) -> Pieces | None:
        pieces: Pieces = []
        for inner in match.groupdict(default="").values():
            found = self.explain(inner, depth + 1)
            if found is None and template.kind == LIBRARY:
                found = _quoted(inner)
            if found is None:
                return None
            pieces += found
        return pieces

    def _lines(self, template: str) -> Pieces:
        """Return the lines of a template, each with every segment that has it."""
        own = self._addresses[skeleton(template)]
        lines = dict.fromkeys(line for line in template.split("\n") if line.strip())
        return [("segment", line, self._addresses.get(skeleton(line), own)) for line in lines]

    def _by_items(self, text: str, depth: int) -> Pieces | None:
        for separator in _SEPARATORS:
            pieces = self._all(text.split(separator), depth) if separator in text else None
            if pieces is not None:
                return pieces
        return None

    def _by_notation(self, text: str, depth: int) -> Pieces | None:
        """A list, a mapping or a text in Python's notation."""
        try:
            value = ast.literal_eval(_ENUM_MEMBER.sub(r"\1", text))
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return None
        if not isinstance(value, (list, dict, tuple, str)):
            return None
        return self._all([str(leaf) for leaf in leaves_of(value)], depth)

    def _by_start(self, text: str, depth: int) -> Pieces | None:
        """A fixed piece with which a longer result begins, and the rest."""
        for start in self._starts:
            if text.startswith(start):
                own = self._simple(start)
                rest = self.explain(text.removeprefix(start), depth + 1)
                if own is not None and rest is not None:
                    return [*own, *rest]
        return None

    def _by_lines(self, text: str, depth: int) -> Pieces | None:
        return self._all(text.split("\n"), depth) if "\n" in text else None

    def _all(self, parts: Iterable[str], depth: int) -> Pieces | None:
        pieces: Pieces = []
        for part in parts:
            found = self.explain(part, depth + 1)
            if found is None:
                return None
            pieces += found
        return pieces


def _quoted(text: str) -> Pieces | None:
    """What the interpreter quotes: a type or an attribute, or in brackets what it was given."""
    if _NAME.fullmatch(text):
        return [("name", text, ())]
    return [("notation", text, ())] if _INPUT.fullmatch(text) else None


def leaves_of(value: Any) -> Iterator[Any]:
    """Yield everything inside plain data that is no list and no mapping, keys included."""
    if isinstance(value, Mapping):
        yield from value
        yield from leaves_of(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for child in value:
            yield from leaves_of(child)
    else:
        yield value
