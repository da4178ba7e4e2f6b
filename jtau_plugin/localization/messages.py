"""Sentences that tools return or raise, matched whole against the installed tool's own templates.

The English side of every template comes from the installed source; the overlay holds only the
localized side. A line that matches nothing is never guessed at: it stays and is a counted miss.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from jtau_plugin.compat.sources import Part, SourceTemplate
from jtau_plugin.localization.values import Miss, ValueShower
from jtau_plugin.models.overlay import Message, PythonMessage, ValueSpec
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.overlays.tables import Table

_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return ``template`` with each ``{name}`` that has a value replaced by it, in one pass."""
    return _PLACEHOLDER.sub(lambda m: values.get(m[1], m[0]), template)


def placeholders(template: str) -> set[str]:
    """Return the names of the placeholders in a template."""
    return set(_PLACEHOLDER.findall(template))


@dataclass(frozen=True)
class _Pattern:
    regex: re.Pattern[str]
    text: str
    values: Mapping[str, str | ValueSpec]


def _lines_of(parts: Iterable[Part]) -> list[list[Part]]:
    """Split a template at its line ends."""
    lines: list[list[Part]] = [[]]
    for part in parts:
        if part.name:
            lines[-1].append(part)
            continue
        first, *rest = part.text.split("\n")
        if first:
            lines[-1].append(Part(text=first))
        lines += [[Part(text=text)] if text else [] for text in rest]
    return lines


def _fixed_length(parts: Iterable[Part]) -> int:
    return sum(len(part.text) for part in parts)


class MessageBook:
    """The localized sentences of one domain.

    Attributes:
        missing: templates of the installed source that the overlay does not render.
        unused: messages of the overlay whose English the installed source does not have.
        localized: each message in use with the placeholders that its English has.
    """

    def __init__(
        self,
        templates: Iterable[SourceTemplate],
        messages: Iterable[Message],
        python_messages: Iterable[PythonMessage],
        tables: Mapping[str, Table],
        fields: Mapping[str, Any],
    ) -> None:
        self._shower = ValueShower(tables, fields, self.localize)
        by_source = {message.source: message for message in messages}
        self._exact: dict[str, str] = {}
        self.missing: list[SourceTemplate] = []
        self.localized: list[tuple[Message, set[str]]] = []
        found: set[str] = set()
        lines: list[tuple[list[Part], str, Message]] = []
        for template in templates:
            source = fingerprint_text(template.text)
            if source in found:
                continue
            if source not in by_source:
                self.missing.append(template)
                continue
            found.add(source)
            lines += self._lines(template, by_source[source])
        self.unused = [m for m in by_source.values() if m.source not in found]
        # The longest fixed text first: "Item {x} not found" before "{x} not found".
        lines.sort(key=lambda line: _fixed_length(line[0]), reverse=True)
        self._patterns = [p for parts, text, m in lines if (p := self._pattern(parts, text, m))]
        self._patterns += [
            _Pattern(re.compile(m.pattern, re.DOTALL), m.text, {}) for m in python_messages
        ]

    def _lines(
        self, template: SourceTemplate, message: Message
    ) -> list[tuple[list[Part], str, Message]]:
        self.localized.append((message, set(template.placeholders)))
        if message.text is None or message.internal:
            return []
        english, local = _lines_of(template.parts), message.text.split("\n")
        if len(english) != len(local):
            # Outer line ends are no part of a fingerprint, so the overlay may leave them out.
            english = [line for line in english if line]
            local = [line for line in local if line]
        return [(e, text, message) for e, text in zip(english, local, strict=False) if e]

    def _pattern(self, parts: list[Part], text: str, message: Message) -> _Pattern | None:
        if not any(part.name for part in parts):
            self._exact.setdefault("".join(part.text for part in parts), text)
            return None
        pieces, is_anchored = [], False
        for part in parts:
            if not part.name:
                pieces.append(re.escape(part.text))
                is_anchored = True
                continue
            forms = self._shower.closed_forms(message.values.get(part.name))
            if forms is None:
                pieces.append(f"(?P<{part.name}>.*)")
            else:
                choices = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
                pieces.append(f"(?P<{part.name}>{choices})")
                is_anchored = True
        if not is_anchored:
            return None  # a line of open placeholders only would match everything
        return _Pattern(re.compile("".join(pieces)), text, message.values)

    def localize(self, sentence: str, miss: Miss) -> str:
        """Return the localized sentence; each line that no template matches stays and is a miss."""
        shown = self._line(sentence, miss)
        if shown is not None:
            return shown
        lines = sentence.split("\n")
        if len(lines) == 1:
            miss("message", sentence)
            return sentence
        return "\n".join(self._line_or_miss(line, miss) for line in lines)

    def _line_or_miss(self, line: str, miss: Miss) -> str:
        shown = self._line(line, miss)
        if shown is None:
            miss("message", line)
            return line
        return shown

    def _line(self, line: str, miss: Miss) -> str | None:
        if not line.strip():
            return line
        exact = self._exact.get(line)
        if exact is not None:
            return exact
        for pattern in self._patterns:
            match = pattern.regex.fullmatch(line)
            if match is not None:
                return self._render(pattern, match, miss)
        return None

    def _render(self, pattern: _Pattern, match: re.Match[str], miss: Miss) -> str:
        values = {
            name: self._shower.show(value, pattern.values[name], miss)
            if name in pattern.values
            else value
            for name, value in match.groupdict(default="").items()
        }
        return fill(pattern.text, values)
