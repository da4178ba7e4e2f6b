"""What the simulated caller did wrong, by rule; kept apart from whatever became of the agent.

Knows the task's script and the conversation, never the gold actions. A rule that cannot be checked,
such as one that needs a script, is silent.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from jtau_plugin.reporting.conversation import Conversation, Turn
from jtau_plugin.reporting.language.identify import OTHER, SWITCHED, Label
from jtau_plugin.reporting.language.masking import BROKEN_TOKEN, CONTROL_TOKEN, fold
from jtau_plugin.reporting.reading import as_mapping
from jtau_plugin.reporting.values import Known, NameBook, find_values

FaultRule = Literal[
    "ended at the first turn",
    "told everything at once",
    "not in the target language",
    "value that the script does not hold",
    "control token inside a sentence",
    "silence",
]
RULES: tuple[FaultRule, ...] = (
    "ended at the first turn",
    "told everything at once",
    "not in the target language",
    "value that the script does not hold",
    "control token inside a sentence",
    "silence",
)
_OPEN_END = re.compile(r"[、,，:：;「『(（]\s*\Z")
#: With fewer values than this a script cannot be told "at once".
_LEAST_VALUES = 3
#: So much of both parts of a script, letter by letter, is a recitation.
_RECITED = 0.8
_GRAM = 4
_PARTS = ("reason_for_call", "known_info")


@dataclass(frozen=True)
class Fault:
    """One thing that the caller did wrong.

    Attributes:
        rule: one of ``RULES``.
        position: of the message in the conversation; -1 if it is none.
        detail: what was found.
    """

    rule: FaultRule
    position: int
    detail: str


@dataclass(frozen=True)
class Script:
    """What the simulated caller was given.

    Attributes:
        parts: the scenario's texts by name.
        others: further texts from which a value may come.
    """

    parts: Mapping[str, str]
    others: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text that the caller was given."""
        return (*self.parts.values(), *self.others)


def read_script(task: Mapping[str, Any]) -> Script:
    """Return the script of a task as it stands in a results file; empty if it has none."""
    scenario = as_mapping(task.get("user_scenario"))
    instructions = scenario.get("instructions")
    if isinstance(instructions, Mapping):
        parts = {str(k): v for k, v in instructions.items() if isinstance(v, str)}
    else:
        parts = {"instructions": instructions} if isinstance(instructions, str) else {}
    others = (scenario.get("persona"), task.get("ticket"))
    return Script(parts, tuple(text for text in others if isinstance(text, str)))


class FaultFinder:
    """Finds the faults of one run's callers.

    Args:
        names: the names of persons that the overlay knows; ``None`` if nobody knows any.
    """

    def __init__(self, names: NameBook | None = None) -> None:
        self._names = names

    def find(
        self,
        conversation: Conversation,
        script: Script,
        labels: Mapping[int, Label],
        reason: str = "",
    ) -> list[Fault]:
        """Return the faults in a conversation, in order.

        Args:
            conversation: what was played.
            script: what the caller was given.
            labels: the language of the caller's turns by their number, as far as it is known.
            reason: the termination reason.
        """
        if conversation.is_solo:
            return []
        turns = conversation.of("user")
        found = [
            *_ends_at_once(turns),
            *self._tells_everything(turns, script),
            *_speaks_otherwise(turns, labels),
            *(self._invents(conversation, script) if script.parts else ()),
            *_breaks_tokens(turns),
            *_is_silent(turns, reason),
        ]
        return sorted(found, key=lambda fault: fault.position)

    def _tells_everything(self, turns: list[Turn], script: Script) -> Iterator[Fault]:
        if not turns:
            return
        first = turns[0]
        parts = [script.parts[name] for name in _PARTS if name in script.parts]
        values = self._values(parts)
        if len(values) >= _LEAST_VALUES and all(map(Known([first.text]).holds, values)):
            detail = f"all {len(values)} values of the script: {', '.join(values)}"
            yield Fault("told everything at once", first.position, detail)
        elif len(parts) == len(_PARTS) and all(_is_recited(p, first.text) for p in parts):
            detail = "the script, word for word"
            yield Fault("told everything at once", first.position, detail)

    def _values(self, texts: Iterable[str]) -> list[str]:
        found: dict[str, None] = {}
        for text in texts:
            found.update((value.written, None) for value in find_values(text))
            if self._names is not None:
                found.update((written, None) for written, _ in self._names.find(text))
        return list(found)

    def _invents(self, conversation: Conversation, script: Script) -> Iterator[Fault]:
        known = Known(script.texts)
        for turn in conversation.turns:
            if turn.side == "user" and not turn.is_scripted:
                for call in turn.calls:
                    known.tell(call.result or "")
                for value in self._unknown(turn.text, known):
                    rule: FaultRule = "value that the script does not hold"
                    yield Fault(rule, turn.position, value)
            known.tell(turn.text)

    def _unknown(self, text: str, known: Known) -> Iterator[str]:
        for value in find_values(CONTROL_TOKEN.sub(" ", text)):
            if not known.holds(value.written):
                yield value.written
        for written, canonical in self._names.find(text) if self._names is not None else ():
            if not known.holds(written) and not known.holds(canonical):
                yield written


def _ends_at_once(turns: list[Turn]) -> Iterator[Fault]:
    if turns and CONTROL_TOKEN.search(turns[0].text):
        token = CONTROL_TOKEN.search(turns[0].text)
        yield Fault("ended at the first turn", turns[0].position, token[0] if token else "")


def _speaks_otherwise(turns: list[Turn], labels: Mapping[int, Label]) -> Iterator[Fault]:
    for turn in turns:
        label = labels.get(turn.number)
        if label in (OTHER, SWITCHED):
            yield Fault("not in the target language", turn.position, str(label))


def _breaks_tokens(turns: list[Turn]) -> Iterator[Fault]:
    for turn in turns:
        text = fold(turn.text)
        rest = CONTROL_TOKEN.sub("\0", text)
        broken = BROKEN_TOKEN.search(rest)
        before, token, after = rest.partition("\0")
        is_inside = bool(token) and (_says_something(after) or bool(_OPEN_END.search(before)))
        if broken is not None:
            detail = f"{broken[0]!r} is no token of tau2's"
        elif is_inside:
            detail = f"…{before[-12:]}{CONTROL_TOKEN.findall(text)[0]}{after[:12]}…"
        else:
            continue
        yield Fault("control token inside a sentence", turn.position, detail)


def _says_something(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _is_silent(turns: list[Turn], reason: str) -> Iterator[Fault]:
    for turn in turns:
        if not turn.calls and not _says_something(turn.text) and not _has_picture(turn.text):
            detail = repr(turn.text) if turn.text.strip() else "an empty message"
            yield Fault("silence", turn.position, detail)
    if reason == "user_error":
        yield Fault("silence", -1, "the user simulator's message was empty or malformed")


def _has_picture(text: str) -> bool:
    """Tell whether a text without letters says something all the same: 👍."""
    return any(unicodedata.category(character) == "So" for character in text)


def _is_recited(part: str, text: str) -> bool:
    """Tell whether a text holds a part of the script almost letter by letter."""
    wanted = {part[i : i + _GRAM] for i in range(len(part) - _GRAM + 1)}
    return bool(wanted) and sum(gram in text for gram in wanted) / len(wanted) >= _RECITED
