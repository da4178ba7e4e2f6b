"""The rules of a locale, one callable per kind of parameter, and where they are looked up.

Never selects a rule by looking at a value: the locale and the parameter's kind decide.
"""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from jtau_plugin.normalization.ascii import canonicalize_ascii
from jtau_plugin.normalization.booleans import canonicalize_json_bool
from jtau_plugin.normalization.dates import canonicalize_iso_date
from jtau_plugin.normalization.enums import canonicalize_enum
from jtau_plugin.normalization.expressions import canonicalize_expression
from jtau_plugin.normalization.names import canonicalize_latin_full_name, canonicalize_latin_name
from jtau_plugin.normalization.numbers import canonicalize_number
from jtau_plugin.normalization.places import canonicalize_address_line, canonicalize_place

Table = Mapping[str, str]
"""From the folded form of a word to its canonical value."""


class NumberRule(Protocol):
    """The signature of rule I."""

    def __call__(self, value: object, *, integer: bool, units: Collection[str] = ()) -> object:
        """Return ``value`` as the schema's number, or the very object."""


@dataclass(frozen=True)
class RuleSet:
    """One locale's rules; each is pure, idempotent, and returns unchanged what it does not know."""

    ascii: Callable[[str], str]
    enum: Callable[[str, Table], str]
    date: Callable[[str], str]
    number: NumberRule
    boolean: Callable[[object], object]
    name: Callable[[str, Table], str]
    full_name: Callable[[str, Table, Table], str]
    address_line: Callable[[str], str]
    place: Callable[[str, Table], str]
    expression: Callable[[str], str]


LANGUAGE_FREE: Final = RuleSet(
    ascii=canonicalize_ascii,
    enum=canonicalize_enum,
    date=canonicalize_iso_date,
    number=canonicalize_number,
    boolean=canonicalize_json_bool,
    name=canonicalize_latin_name,
    full_name=canonicalize_latin_full_name,
    address_line=canonicalize_address_line,
    place=canonicalize_place,
    expression=canonicalize_expression,
)
"""What every locale gets that has no rules of its own, English among them."""

_BUILT_IN: Final[Mapping[str, str]] = types.MappingProxyType(
    {"ja": "jtau_plugin.normalization.japanese_rules"}
)

# The one registry of the package. It only ever grows, and a locale's entry never changes.
_registered: Final[dict[str, RuleSet]] = {}


def get_rules(locale: str) -> RuleSet:
    """Return the rules of ``locale`` (``ja``, ``ja-JP``, ``en``), or the language-free ones."""
    tag = _tag(locale)
    return _own_rules(tag) or _own_rules(tag.partition("-")[0]) or LANGUAGE_FREE


def register_rules(locale: str, rules: RuleSet) -> None:
    """Make ``rules`` those of ``locale``; raise ValueError when it has others already."""
    if _own_rules(_tag(locale)) not in (None, rules):
        raise ValueError(f"locale {locale!r} has its normalization rules already")
    _registered[_tag(locale)] = rules


def _own_rules(tag: str) -> RuleSet | None:
    if tag in _BUILT_IN:
        rules: RuleSet = importlib.import_module(_BUILT_IN[tag]).RULES
        return rules
    return _registered.get(tag)


def _tag(locale: str) -> str:
    return locale.replace("_", "-").lower()
