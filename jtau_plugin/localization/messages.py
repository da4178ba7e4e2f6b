"""Sentences that tools return or raise, matched whole against the installed tool's own templates.

The English side of every template comes from the installed source; the overlay holds only the
localized side. A sentence that matches nothing is never guessed at: it stays and is a counted miss.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from jtau_plugin.compat.sources import SourceTemplate
from jtau_plugin.models.overlay import Message, PythonMessage
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.overlays.tables import Table


@dataclass(frozen=True)
class _Pattern:
    regex: re.Pattern[str]
    text: str
    tables: Mapping[str, Table]

    def localize(self, sentence: str) -> str | None:
        match = self.regex.fullmatch(sentence)
        if match is None:
            return None
        values = {
            name: self.tables[name].localize(value) if name in self.tables else value
            for name, value in match.groupdict(default="").items()
        }
        return fill(self.text, values)


_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return ``template`` with each ``{name}`` that has a value replaced by it, in one pass."""
    return _PLACEHOLDER.sub(lambda m: values.get(m[1], m[0]), template)


def placeholders(template: str) -> set[str]:
    """Return the names of the placeholders in a template."""
    return set(_PLACEHOLDER.findall(template))


def _compile(template: SourceTemplate) -> re.Pattern[str]:
    pieces = [f"(?P<{p.name}>.*)" if p.name else re.escape(p.text) for p in template.parts]
    return re.compile("".join(pieces), re.DOTALL)


def _fixed_length(template: SourceTemplate) -> int:
    return sum(len(part.text) for part in template.parts)


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
    ) -> None:
        by_source = {message.source: message for message in messages}
        self._exact: dict[str, str] = {}
        self._patterns: list[_Pattern] = []
        self.missing: list[SourceTemplate] = []
        self.localized: list[tuple[Message, set[str]]] = []
        found: set[str] = set()
        # The longest fixed text first: "Item {x} not found" before "{x} not found".
        for template in sorted(templates, key=_fixed_length, reverse=True):
            source = fingerprint_text(template.text)
            if source in found:
                continue
            if source not in by_source:
                self.missing.append(template)
                continue
            found.add(source)
            self._add(template, by_source[source], tables)
        self.unused = [m for m in by_source.values() if m.source not in found]
        self._patterns += [
            _Pattern(re.compile(m.pattern, re.DOTALL), m.text, {}) for m in python_messages
        ]

    def _add(
        self, template: SourceTemplate, message: Message, tables: Mapping[str, Table]
    ) -> None:
        self.localized.append((message, set(template.placeholders)))
        if not template.placeholders:
            self._exact[template.text] = message.text
            return
        own = {name: tables[table] for name, table in message.values.items()}
        self._patterns.append(_Pattern(_compile(template), message.text, own))

    def localize(self, sentence: str) -> str | None:
        """Return the localized sentence, or ``None`` if no template matches it whole."""
        exact = self._exact.get(sentence)
        if exact is not None:
            return exact
        for pattern in self._patterns:
            localized = pattern.localize(sentence)
            if localized is not None:
                return localized
        return None
