"""What the checks need to know about a language, and where a locale's is looked up.

A locale with nothing registered is read as plain text, which is enough for ids and placeholders.
"""

from __future__ import annotations

import importlib
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from jtau_plugin.checks.inflection import variants
from jtau_plugin.checks.model import Check, Context, Segment
from jtau_plugin.checks.reading import Reading, read_digits

#: Returns the text of a segment with something mended, or as it is.
Fix = Callable[[Segment, Context], str]


def literal_term(local: str) -> re.Pattern[str]:
    """Return the pattern of a term that is written as it stands.

    Of forms that a slash separates one is enough, and an aside in brackets may be left out.
    """
    forms = {local, *variants(local)}
    ordered = sorted(filter(None, forms), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, ordered)), re.IGNORECASE)


@dataclass(frozen=True)
class Language:
    """A language's own part of the checks.

    Attributes:
        read_numbers: reads the numbers of a text, those in words included.
        term_pattern: the pattern of an approved term in running text, its inflections included.
        checks: checks of this language only.
        fixes: mends what its checks find and what can be derived.
    """

    read_numbers: Callable[[str], Reading] = read_digits
    term_pattern: Callable[[str], re.Pattern[str]] = literal_term
    checks: tuple[Check, ...] = ()
    fixes: tuple[Fix, ...] = ()


PLAIN: Final = Language()
"""What every locale gets that has no language registered."""

_BUILT_IN: Final[Mapping[str, str]] = types.MappingProxyType({"ja": "jtau_plugin.checks.japanese"})

# The one registry of the package. It only ever grows, and a locale's entry never changes.
_registered: Final[dict[str, Language]] = {}


def get_language(locale: str) -> Language:
    """Return the language of ``locale`` (``ja``, ``ja-JP``), or the plain one."""
    tag = _tag(locale)
    return _own_language(tag) or _own_language(tag.partition("-")[0]) or PLAIN


def register_language(locale: str, language: Language) -> None:
    """Make ``language`` that of ``locale``; raise ValueError when it has another already."""
    if _own_language(_tag(locale)) not in (None, language):
        raise ValueError(f"locale {locale!r} has its checks already")
    _registered[_tag(locale)] = language


def _own_language(tag: str) -> Language | None:
    if tag in _BUILT_IN:
        language: Language = importlib.import_module(_BUILT_IN[tag]).LANGUAGE
        return language
    return _registered.get(tag)


def _tag(locale: str) -> str:
    return locale.replace("_", "-").lower()
