"""Reads a judge's answer: exactly one verdict per assertion, or the reason why there is none.

Tolerates how an answer is wrapped (fences, prose, trailing commas), never what is missing in it: no
verdict is made up, and of two verdicts on one assertion none is chosen.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_INDEX_KEYS = ("index", "number", "no", "id")
_TEXT_KEYS = ("expectedOutcome", "assertion", "statement", "text")
_MET_KEYS = ("metExpectation", "met", "satisfied", "verdict", "result")
_REASON_KEYS = ("reasoning", "reason", "justification", "explanation")
_LIST_KEYS = ("results", "result", "verdicts", "assertions")
_WORDS = {"true": True, "yes": True, "met": True, "false": False, "no": False, "not met": False}

# Thoughts that the answer opens with and never ends were cut off before any verdict.
_THOUGHTS = re.compile(
    r"<think(?:ing)?>.*?</think(?:ing)?>|\A\s*<think(?:ing)?>.*", re.DOTALL | re.IGNORECASE
)
_NUMBER = re.compile(r"\W{0,2}([0-9]{1,4})\W{0,2}")
_OPENING = re.compile(r"[{\[]")
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)

_MAX_LENGTH = 200_000
_MAX_VALUES = 200


@dataclass(frozen=True)
class Verdict:
    """What the judge says of one assertion."""

    is_met: bool
    reason: str


@dataclass(frozen=True)
class Reading:
    """What was read of an answer.

    Attributes:
        verdicts: one per assertion, in the order of the assertions; empty if they are not complete.
        fault: why they are not complete; empty if they are.
        is_readable: whether the answer has JSON in it at all.
    """

    verdicts: tuple[Verdict, ...]
    fault: str = ""
    is_readable: bool = True


class _FaultError(ValueError):
    """Why an answer is not one verdict per assertion."""


def read_verdicts(answer: str, assertions: Sequence[str]) -> Reading:
    """Return the verdicts of an answer on numbered assertions.

    An entry names its assertion by number, counted from 1; its text alone will do if no other
    assertion has it. An entry whose text is another assertion's contradicts itself.
    """
    values = list(_json_values(_THOUGHTS.sub(" ", answer[:_MAX_LENGTH])))
    lists = [entries for value in values if (entries := _entries(value))]
    if not values:
        return Reading((), "the answer has no JSON in it", is_readable=False)
    if not lists:
        return Reading((), "the answer has no verdict in it")
    complete, fault = [], ""
    # One value may hold all verdicts, or each a value of its own.
    for entries in [*lists, *([[e for own in lists for e in own]] if len(lists) > 1 else [])]:
        try:
            complete.append(_in_order(entries, assertions))
        except _FaultError as error:
            fault = str(error)
    if not complete:
        return Reading((), fault)
    decided = [verdict.is_met for verdict in complete[-1]]
    others = [[verdict.is_met for verdict in verdicts] for verdicts in complete]
    if any(other != decided for other in others) or _is_contradicted(decided, lists, assertions):
        return Reading((), "the answer contradicts itself")
    return Reading(complete[-1])


def _json_values(text: str) -> Iterator[Any]:
    """Yield each JSON object and array of a text, from left to right."""
    decoder = json.JSONDecoder(object_pairs_hook=_unique_keys)
    position = 0
    for _ in range(_MAX_VALUES):
        opening = _OPENING.search(text, position)
        if opening is None:
            return
        start = position = opening.start()
        try:
            value, position = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = _end_of_value(text, start)
            value = _mended(decoder, text[start:end]) if end else None
            position = end if value is not None else start + 1
        if value is not None:
            yield value


def _mended(decoder: json.JSONDecoder, text: str) -> Any:
    """Return a value that only trailing commas kept from being read, or ``None``."""
    parts, last = [], 0
    for string in _STRING.finditer(text):
        parts += [_TRAILING_COMMA.sub("", text[last : string.start()]), string.group()]
        last = string.end()
    parts.append(_TRAILING_COMMA.sub("", text[last:]))
    try:
        return decoder.decode("".join(parts))
    except (ValueError, RecursionError):
        return None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _end_of_value(text: str, start: int) -> int:
    """Return where the brackets that open at ``start`` are closed again; 0 if they never are."""
    depth, position = 0, start
    while position < len(text):
        char = text[position]
        if char == '"':
            string = _STRING.match(text, position)
            if string is None:
                return 0
            position = string.end()
            continue
        depth += (char in "{[") - (char in "}]")
        position += 1
        if depth == 0:
            return position
    return 0


@dataclass(frozen=True)
class _Entry:
    index: int | None
    text: str | None
    is_met: bool | None
    reason: str


def _entries(value: Any) -> list[_Entry]:
    """Return the verdicts that a JSON value holds; an empty list if it is about something else."""
    if isinstance(value, list):
        return [_entry(item) for item in value if isinstance(item, dict) and _is_entry(item)]
    lists = [value[key] for key in _LIST_KEYS if isinstance(value.get(key), list | dict)]
    if lists:
        return [entry for held in lists for entry in _entries(held)]
    if _is_entry(value):
        return [_entry(value)]
    numbered = {key: _number(key) for key in value}
    if not value or None in numbered.values():
        return []
    return [_numbered_entry(number, value[key]) for key, number in numbered.items()]


def _is_entry(value: dict[str, Any]) -> bool:
    return any(key in value for key in _MET_KEYS)


def _entry(value: dict[str, Any]) -> _Entry:
    return _Entry(
        index=_number(_first(value, _INDEX_KEYS)),
        text=_text(_first(value, _TEXT_KEYS)),
        is_met=_one_decision(value),
        reason=_storable(_text(_first(value, _REASON_KEYS)) or ""),
    )


def _numbered_entry(number: int | None, value: Any) -> _Entry:
    if not isinstance(value, dict):
        return _Entry(number, None, _decision(value), "")
    own = _entry(value)
    if own.index not in (None, number):
        return _Entry(None, None, None, "")
    return _Entry(number, own.text, own.is_met, own.reason)


def _first(value: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((value[key] for key in keys if key in value), None)


def _number(value: Any) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    found = _NUMBER.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(found[1]) if found else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _storable(text: str) -> str:
    """Return a text without lone surrogates, which no results file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _decision(value: Any) -> bool | None:
    return value if isinstance(value, bool) else _WORDS.get(str(value).strip().lower())


def _one_decision(value: dict[str, Any]) -> bool | None:
    """Return what an entry decides, or ``None`` when its keys disagree."""
    decisions = {_decision(value[key]) for key in _MET_KEYS if key in value}
    return decisions.pop() if len(decisions) == 1 else None


def _first_number(entries: list[_Entry], count: int) -> int:
    """Return 0 only if counting from 0 is the one way to read the numbers."""
    return 0 if {entry.index for entry in entries} == set(range(count)) else 1


def _is_contradicted(
    decided: list[bool], lists: list[list[_Entry]], assertions: Sequence[str]
) -> bool:
    """Tell whether an entry anywhere, also in an incomplete list, says otherwise."""
    known = [_fold(text) for text in assertions]
    first = min(_first_number(entries, len(known)) for entries in lists)
    for entry in (entry for entries in lists for entry in entries):
        try:
            place = _place(entry, known, first)
        except _FaultError:
            continue
        if entry.is_met not in (None, decided[place]):
            return True
    return False


def _in_order(entries: list[_Entry], assertions: Sequence[str]) -> tuple[Verdict, ...]:
    """Return one verdict per assertion.

    Raises:
        _FaultError: if there is not exactly one for each.
    """
    known = [_fold(text) for text in assertions]
    first = _first_number(entries, len(known))
    verdicts: dict[int, Verdict] = {}
    for entry in entries:
        place = _place(entry, known, first)
        if place in verdicts:
            raise _FaultError(f"assertion {place + 1} has more than one verdict")
        if entry.is_met is None:
            raise _FaultError(f"the verdict on assertion {place + 1} is neither true nor false")
        verdicts[place] = Verdict(entry.is_met, entry.reason)
    missing = [str(place + 1) for place in range(len(known)) if place not in verdicts]
    if missing:
        raise _FaultError(f"no verdict on assertion {', '.join(missing)}")
    return tuple(verdicts[place] for place in range(len(known)))


def _place(entry: _Entry, known: list[str], first: int) -> int:
    """Return which assertion an entry is about, counted from 0."""
    said = None if entry.text is None else _fold(entry.text)
    same = [place for place, text in enumerate(known) if text == said]
    if entry.index is None:
        if len(same) != 1:
            raise _FaultError("a verdict does not say which assertion it is about")
        return same[0]
    place = entry.index - first
    if not 0 <= place < len(known):
        raise _FaultError(f"there is no assertion {entry.index}")
    if same and place not in same:
        raise _FaultError(f"verdict {entry.index} repeats the text of another assertion")
    return place


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
