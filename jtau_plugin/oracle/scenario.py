"""What the caller says about themselves and their concern, from the scenario in the locale.

The scenario speaks to the caller; here it becomes the caller's own speech. Nothing is added:
sentences are taken over, put into the first person, or left out when they are instructions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from jtau_plugin.models.oracle import FirstPerson


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _matches(text: str, patterns: tuple[str, ...]) -> bool:
    return any(_pattern(pattern).search(text) for pattern in patterns)


def _sentences(text: str, ends: str) -> Iterator[str]:
    for line in text.splitlines():
        for sentence in re.findall(f"[^{re.escape(ends)}]+[{re.escape(ends)}]?", line):
            if sentence.strip():
                yield sentence.strip()


def _without_asides(sentence: str, rules: FirstPerson) -> str:
    def keep(found: re.Match[str]) -> str:
        return "" if _matches(found.group(), rules.drop_aside) else found.group()

    return _pattern(rules.aside).sub(keep, sentence)


def speak(text: str, rules: FirstPerson) -> list[str]:
    """Return the sentences of a scenario text as the caller says them.

    Args:
        text: a text of the scenario, addressed to the caller.
        rules: the locale's rules.
    """
    said = []
    for sentence in _sentences(text, rules.sentence_end):
        if _matches(sentence, rules.secret):
            continue
        plain = _without_asides(sentence, rules)
        if _matches(plain, rules.drop):
            continue
        for rewrite in rules.rewrite:
            plain = _pattern(rewrite.pattern).sub(rewrite.to, plain)
        if plain.strip(rules.sentence_end + " "):
            said.append(plain)
    return said


def _texts(scenario: Any, *names: str) -> list[str]:
    instructions = scenario.instructions
    if isinstance(instructions, str):
        return [instructions]
    return [text for name in names if (text := getattr(instructions, name, None))]


def concern(scenario: Any, rules: FirstPerson | None) -> str:
    """Return why the caller calls; without rules the scenario's own text."""
    return _spoken(_texts(scenario, "reason_for_call"), rules)


def identity(scenario: Any, rules: FirstPerson | None) -> str:
    """Return who the caller is: first what they do not know, then what they know."""
    if isinstance(scenario.instructions, str):
        return ""
    return _spoken(_texts(scenario, "unknown_info", "known_info"), rules)


def _spoken(texts: list[str], rules: FirstPerson | None) -> str:
    if rules is None:
        return "\n".join(texts)
    sentences = [sentence for text in texts for sentence in speak(text, rules)]
    # What does not end like a sentence is an item of a list, and stays on a line of its own.
    lines = [s if s.endswith(tuple(rules.sentence_end)) else f"\n{s}\n" for s in sentences]
    return "".join(lines).replace("\n\n", "\n").strip()


def known_text(scenario: Any) -> str:
    """Return every text of the scenario, to look for an e-mail address or a user id in it."""
    return "\n".join(_texts(scenario, "known_info", "reason_for_call", "task_instructions"))
