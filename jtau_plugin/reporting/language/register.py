"""In which register a turn is: by the ends of its sentences, and by rules that are data.

A diagnostic. Quotations and asides are not the speaker's register, and an item of a list is no
sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from jtau_plugin.models.measures import RegisterRules
from jtau_plugin.reporting.language.masking import drop_tokens

Level = Literal["polite", "plain", "mixed"]


@dataclass(frozen=True)
class Register:
    """The register of a turn.

    Attributes:
        level: ``None`` if no sentence end says anything.
        rules: ids of the rules that fired, in order, each once.
        slips: ids of the wordings found that customer service avoids.
    """

    level: Level | None
    rules: tuple[str, ...] = ()
    slips: tuple[str, ...] = ()


class RegisterReader:
    """Tells the register of turns of one language.

    Args:
        rules: the language's rules.
    """

    def __init__(self, rules: RegisterRules) -> None:
        self._sentence = re.compile(rules.sentence)
        self._ignored = [re.compile(pattern) for pattern in rules.ignored]
        self._list_item = re.compile(rules.list_item)
        self._trailing = rules.trailing
        self._ends = [
            (rule.id, rule.level, re.compile(rule.pattern))
            for rule in rules.rules
            if rule.level != "slip"
        ]
        self._slips = [
            (rule.id, re.compile(rule.pattern)) for rule in rules.rules if rule.level == "slip"
        ]

    def read(self, text: str) -> Register:
        """Return the register of a turn."""
        said = drop_tokens(text)
        for pattern in self._ignored:
            said = pattern.sub("", said)
        found: dict[str, str] = {}
        for line in said.split("\n"):
            if self._list_item.match(line):
                continue
            for match in self._sentence.finditer(line):
                fired = self._end_of(match[0])
                if fired is not None:
                    found.setdefault(*fired)
        levels = set(found.values())
        level: Level | None = None
        if levels:
            level = "mixed" if len(levels) > 1 else "polite" if "polite" in levels else "plain"
        slips = tuple(name for name, pattern in self._slips if pattern.search(said))
        return Register(level, tuple(found), slips)

    def _end_of(self, sentence: str) -> tuple[str, str] | None:
        """Return id and level of the rule that a sentence's end fires."""
        body = sentence.rstrip(self._trailing)
        return next(
            ((name, level) for name, level, pattern in self._ends if pattern.search(body)), None
        )
