"""Segments of ``names.yaml`` and ``termbase.tsv``: facts of the structure that have local forms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jtau_plugin.translation.extraction.segment import NAME, TERM, SourceSegment, join_address
from jtau_plugin.translation.extraction.structure import Structure

NAMES, TERMS = "names.yaml", "termbase.tsv"
_ASIDE = re.compile(r"\s*\([^)]*\)")
_ROLES = {
    "given": "given name",
    "family": "family name",
    "city": "city",
    "state": "state, by its postal code",
    "country": "country",
}


def extract_names(structure: Structure) -> Iterator[SourceSegment]:
    """Yield names and places for which the locale has a written form that is accepted as input."""
    for role, names in structure.names.items():
        for name in names:
            yield SourceSegment(
                address=join_address(NAMES, role, name),
                kind=NAME,
                english=name,
                component="names",
                file=NAMES,
                key=(role, name),
                scope=f"role {role}",
                context={"is": _ROLES.get(role, role)},
            )


def extract_terms(structure: Structure) -> Iterator[SourceSegment]:
    """Yield the terms of prose; the termbase's other rows repeat the tables of values."""
    for term in structure.terms:
        if term.domain == structure.domain and term.key in structure.term_rules.keys:
            yield SourceSegment(
                address=join_address(TERMS, term.domain, term.key, term.english),
                kind=TERM,
                english=_ASIDE.sub("", term.english).strip() or term.english,
                component="terms",
                file=TERMS,
                key=(term.domain, term.key, term.english),
                context={"domain": term.domain, "is": term.key, **_sense(term.english)},
            )


def _sense(english: str) -> dict[str, object]:
    """Return what a termbase says in brackets about a word: which of its senses is meant."""
    asides = [aside.strip(" ()") for aside in _ASIDE.findall(english)]
    return {"sense": ", ".join(asides)} if asides else {}
