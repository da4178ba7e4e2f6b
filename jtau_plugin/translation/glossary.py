"""The approved words of a locale, as far as they are settled: what is told a translator of prose.

Finds terms and values in a text; never puts one into it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from jtau_plugin.checks.inflection import term_regex, variants
from jtau_plugin.checks.model import Choices, Context, Segment
from jtau_plugin.checks.terms import find_terms
from jtau_plugin.models.checks import CheckWords, Term
from jtau_plugin.translation.engine.units import TermUse
from jtau_plugin.translation.masking import MaskRules

#: A shorter value is told only where the text marks it: "no" in a sentence is not the value "no".
_SHORTEST = 3
_MARKED = re.compile(
    r"(?<!\w)'([^'\n]+)'(?!\w)|\"([^\"\n]+)\"|“([^”\n]+)”|\*\*([^*\n]+)\*\*|`([^`]+)`"
)
_MOST_FORMS = 6


def _words(value: str) -> str:
    """Return a value as prose writes it."""
    return value.replace("_", " ").strip()


def _wordings(term: Term, words: str) -> list[tuple[str, str]]:
    """Return the wording of a term that a text has, without its inflection, and its rendering.

    A row may hold several wordings, and as many renderings in the same order.
    """
    english, local = variants(term.english), variants(term.local)
    if len(english) != len(local):
        local = (term.local,) * len(english)
    pairs = zip(english, local, strict=True)
    return [p for p in pairs if term_regex(p[0]).fullmatch(words)][:1] or [(words, term.local)]


class Glossary:
    """Terms and values of one domain of a locale.

    Args:
        locale: the locale's id.
        domain: tau2's name of the domain.
        words: the words that the locale's checks go by.
        terms: rows of the termbase that have an approved form.
        tables: by table, canonical value to the form that is shown.
        told: names of the tables in which written arguments are looked up.
        names: names of tools, parameters and fields.
        persons: names of persons.
        places: names of places.
    """

    def __init__(
        self,
        *,
        locale: str,
        domain: str,
        words: CheckWords,
        terms: Iterable[Term],
        tables: Mapping[str, Mapping[str, str]],
        told: frozenset[str],
        names: frozenset[str],
        persons: frozenset[str],
        places: frozenset[str],
    ) -> None:
        self.tables = {name: dict(table) for name, table in tables.items()}
        choices = {}
        for name, table in self.tables.items():
            forms = {value: value for value in table}
            forms.update({shown: value for value, shown in table.items()})
            choices[name] = Choices(display=table, forms=forms)
        self.context = Context(
            locale=locale,
            domain=domain,
            words=words,
            terms=tuple(term for term in terms if term.domain == domain),
            tables=choices,
            told=told,
            names=names,
            persons=persons,
            places=places,
        )

    @cached_property
    def _shown(self) -> dict[str, dict[str, list[str]]]:
        """Return the forms of each value with their tables, by the value in words."""
        found: dict[str, dict[str, list[str]]] = {}
        for name, table in self.tables.items():
            for value, shown in table.items():
                found.setdefault(_words(value), {}).setdefault(shown, []).append(name)
        return found

    def rules(self, table: str = "", lines: Mapping[str, str] | None = None) -> MaskRules:
        """Return what a text hides: values that it marks and that are shown in one form only.

        Args:
            table: the table of the parameter that the text describes; its values come first.
            lines: whole lines that are translated already.
        """
        single: dict[str, str] = {}
        for own in self.tables.values():
            for value, shown in own.items():
                single[value] = "" if single.get(value, shown) != shown else shown
        choices = {value: shown for value, shown in single.items() if shown}
        choices.update(self.tables.get(table, {}))
        return MaskRules(choices, self.context.persons, lines or {})

    def uses(self, english: str, kind: str) -> tuple[TermUse, ...]:
        """Return the approved terms and values that occur in a text, the longest first."""
        segment = Segment("", kind, english, "", "", 1)
        found = {
            (word.lower(), local): TermUse(word, local, term.key)
            for term, words in find_terms(segment, self.context)
            for word, local in _wordings(term, words)
        }
        for use in self._values(english):
            found.setdefault((use.english.lower(), use.local), use)
        return tuple(sorted(found.values(), key=lambda use: (-len(use.english), use.english)))

    def _values(self, english: str) -> Iterator[TermUse]:
        lowered = english.lower()
        marked = {_words("".join(groups)) for groups in _MARKED.findall(english)}
        for words, forms in self._shown.items():
            is_marked = words in marked
            if len(forms) > _MOST_FORMS or (len(words) < _SHORTEST and not is_marked):
                continue
            if words.lower() not in lowered:
                continue
            if is_marked or term_regex(words).search(english):
                for shown, tables in forms.items():
                    yield TermUse(words, shown, ", ".join(tables))
