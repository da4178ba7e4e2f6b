"""Whether two final states of a database say the same.

Never runs a tool: two dumps and the domain's rules in, one verdict out. States are compared value
by value. What the rules name is compared for what it says: lists that the policy treats as sets in
any order, and entries whose id a tool made up by their content.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

_DECIMALS = 6
"""Money has two decimals and data volumes three; what is smaller came from adding floats."""


@dataclass(frozen=True)
class GeneratedIds:
    """Entries whose id says only how many were made before.

    Attributes:
        within: path of the part in which the ids are unique; empty for the whole database.
        path: path of the mapping or list of entries, from there.
        id_field: the entry's own field that repeats its id.
        pattern: the ids that the tool makes up.
    """

    within: str
    path: str
    id_field: str
    pattern: str


@dataclass(frozen=True)
class StateRules:
    """What does not matter in a database.

    Attributes:
        unordered: paths of the lists whose order says nothing; ``*`` is any key or index.
        generated: the ids that say nothing.
    """

    unordered: tuple[str, ...] = ()
    generated: tuple[GeneratedIds, ...] = ()


#: By the class of the database. Retail needs none: its tools sort the lists that they are given,
#: and each order's payments can only be made in one order. Segments of a trip are an itinerary.
RULES: Mapping[str, StateRules] = MappingProxyType(
    {
        "FlightDB": StateRules(
            unordered=(
                # The policy speaks of who travels, never of who is first.
                "reservations.*.passengers",
                # At most one certificate, one credit card, three gift cards: which, and how much.
                "reservations.*.payment_history",
                # A list of what somebody holds, in the order of booking.
                "users.*.reservations",
            ),
            generated=(
                GeneratedIds("", "reservations", "reservation_id", "HATHA[TUV]"),
                GeneratedIds("users.*", "payment_methods", "id", "certificate_322132[234]"),
            ),
        ),
        # A customer without a draft bill is given one, with an id that is different in every run.
        "TelecomDB": StateRules(generated=(GeneratedIds("", "bills", "bill_id", "B[0-9a-f]{8}"),)),
    }
)


def is_same_state(gold: Any, predicted: Any, rules: StateRules) -> bool:
    """Tell whether two dumps say the same by a domain's rules."""
    # What differs is little, and settles most cases; only equality has to be seen in the whole.
    if not _is_equal(*_differing(gold, predicted), rules):
        return False
    return _is_equal(gold, predicted, rules)


def _is_equal(gold: Any, predicted: Any, rules: StateRules) -> bool:
    return _to_text(_canonicalize(gold, rules)) == _to_text(_canonicalize(predicted, rules))


def _to_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str, ensure_ascii=False)


def _differing(gold: Any, predicted: Any) -> tuple[Any, Any]:
    """Return both dumps without the second-level entries that are equal in them."""
    if not isinstance(gold, dict) or not isinstance(predicted, dict):
        return gold, predicted
    left, right = dict(gold), dict(predicted)
    for name in gold.keys() & predicted.keys():
        one, other = gold[name], predicted[name]
        if isinstance(one, dict) and isinstance(other, dict):
            same = {key for key in one.keys() & other.keys() if one[key] == other[key]}
            left[name] = {key: value for key, value in one.items() if key not in same}
            right[name] = {key: value for key, value in other.items() if key not in same}
    return left, right


def _canonicalize(dump: Any, rules: StateRules) -> Any:
    state = _plain(dump)
    _sort(state, rules)
    for ids in rules.generated:
        _rename(state, ids)
    # Entries are named by their sorted content, and their names stand in lists of their own.
    _sort(state, rules)
    return state


def _sort(state: Any, rules: StateRules) -> None:
    for path in rules.unordered:
        for values in _find(state, path):
            if isinstance(values, list):
                values.sort(key=_to_text)


def _plain(value: Any) -> Any:
    """Return a copy in which numbers that are the same look the same."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        rounded = round(value, _DECIMALS)
        return int(rounded) if rounded.is_integer() else rounded
    return value


def _find(value: Any, path: str) -> Iterator[Any]:
    """Yield what stands at a path."""
    step, _, rest = path.partition(".")
    if not step:
        yield value
        return
    if isinstance(value, dict):
        found = list(value.values()) if step == "*" else [value[step]] if step in value else []
    else:
        found = list(value) if step == "*" and isinstance(value, list) else []
    for item in found:
        yield from _find(item, rest)


def _rename(state: Any, ids: GeneratedIds) -> None:
    """Replace made-up ids by what their entries say."""
    for part in _find(state, ids.within):
        names = _content_names(part, ids)
        if names:
            renamed = _replace(part, names)
            part.clear()
            part.update(renamed)


def _content_names(part: Any, ids: GeneratedIds) -> dict[str, str]:
    pattern = re.compile(ids.pattern)
    entries: dict[str, Any] = {}
    for group in _find(part, ids.path):
        for entry in group.values() if isinstance(group, dict) else group:
            own = entry.get(ids.id_field) if isinstance(entry, dict) else None
            if isinstance(own, str) and pattern.fullmatch(own):
                entries[own] = entry
    blank = dict.fromkeys(entries, "")
    contents = {own: _to_text(_replace(entry, blank)) for own, entry in entries.items()}
    names, count = {}, dict.fromkeys(contents.values(), 0)
    for own, content in sorted(contents.items()):
        count[content] += 1
        digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
        names[own] = f"{ids.path}:{digest}:{count[content]}"
    return names


def _replace(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {_replace(key, names): _replace(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_replace(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value
