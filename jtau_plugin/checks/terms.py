"""The termbase: where the source has a term, the text has its approved form, and no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from jtau_plugin.checks.inflection import term_regex, variants
from jtau_plugin.checks.language import get_language
from jtau_plugin.checks.model import (
    ERROR,
    TRANSLATED,
    VALUE,
    Context,
    Fault,
    Segment,
    of_segment,
)
from jtau_plugin.models.checks import Sense, Term

# What is no prose: placeholders, names of tools and fields, e-mail addresses, code.
_NO_PROSE = re.compile(r"\{\w*\}|\b\w+_\w+\b|\S+@\S+|https?://\S+|<[^>]+>|`[^`]*`")
#: Letters of a wording that no inflection of its first word changes.
_PREFIX = 3


def _blank(match: re.Match[str]) -> str:
    return "\x00" * len(match[0])


@lru_cache(maxsize=256)
def _prose_terms(context: Context) -> tuple[tuple[Term, str], ...]:
    """Return the terms of prose with each of their wordings, the longest wordings first."""
    keys = set(context.words.terms.keys)
    found = [
        (term, wording)
        for term in context.terms
        if term.key in keys
        for wording in variants(term.english)
    ]
    return tuple(sorted(found, key=lambda pair: len(pair[1]), reverse=True))


def _senses(term: Term, segment: Segment, context: Context) -> list[Sense]:
    return [
        sense
        for sense in context.words.terms.senses
        if sense.term == term.english and (not sense.kinds or segment.kind in sense.kinds)
    ]


def find_terms(
    segment: Segment, context: Context, *, nested: bool = False
) -> list[tuple[Term, str]]:
    """Return each term that the source has, with the words in which it has it.

    Args:
        segment: the segment.
        context: what is known about its overlay.
        nested: also a term inside a longer one: "order" in "delivered order".
    """
    text = _NO_PROSE.sub(_blank, segment.source)
    lowered = text.lower()
    found: dict[str, tuple[Term, str]] = {}
    for term, wording in _prose_terms(context):
        if wording[:_PREFIX].lower() not in lowered:
            continue  # spares most of the patterns
        pattern = term_regex(wording)
        if not pattern.search(text):
            continue
        plain = text
        for sense in _senses(term, segment, context):
            for unless in sense.unless:
                plain = re.sub(unless, _blank, plain, flags=re.IGNORECASE)
        match = pattern.search(plain)
        if match is not None:
            found.setdefault(term.english, (term, match[0]))
        if not nested:
            text = pattern.sub(_blank, text)
    return list(found.values())


@lru_cache(maxsize=64)
def _local_forms(context: Context) -> dict[str, frozenset[str]]:
    """Return the approved forms by wording: one wording may be a term twice, of two keys."""
    forms: dict[str, set[str]] = {}
    for term in context.terms:
        for wording in variants(term.english):
            forms.setdefault(wording, set()).add(term.local)
    return {wording: frozenset(local) for wording, local in forms.items()}


def _accepted(term: Term, segment: Segment, context: Context) -> Iterator[str]:
    for wording in variants(term.english):
        yield from sorted(_local_forms(context)[wording])
    for sense in _senses(term, segment, context):
        yield from sense.also


def _has(text: str, local: str, context: Context) -> bool:
    return get_language(context.locale).term_pattern(local).search(text) is not None


@of_segment(ERROR, TRANSLATED)
def check_terms(segment: Segment, context: Context) -> Iterator[Fault]:
    """Where the source has a term, the text has its approved form."""
    for term, words in find_terms(segment, context):
        forms = list(_accepted(term, segment, context))
        if not any(_has(segment.target, form, context) for form in forms):
            yield Fault(
                f"{words!r} is not rendered as {term.local!r}",
                f"termbase.tsv line {term.line}",
            )


@lru_cache(maxsize=256)
def _form_pattern(context: Context) -> re.Pattern[str]:
    """Return the pattern of every form, approved or not, the longest first."""
    forms = {term.local for term in context.terms} | context.displays
    forms |= {form for term in context.terms for form in term.alternatives}
    return re.compile("|".join(map(re.escape, sorted(forms, key=len, reverse=True))) or r"(?!)")


@of_segment(ERROR, TRANSLATED)
def check_alternatives(segment: Segment, context: Context) -> Iterator[Fault]:
    """A form that is only accepted as input is not written."""
    terms = find_terms(segment, context, nested=True)
    if not any(term.alternatives for term, _ in terms):
        return
    written = set(_form_pattern(context).findall(segment.target))
    written -= {term.local for term in context.terms} | context.displays
    for term, _ in terms:
        other = {form for sense in _senses(term, segment, context) for form in sense.also}
        for form in term.alternatives:
            if form in written - other:
                yield Fault(
                    f"{form!r} is written for {term.english!r}, approved is {term.local!r}",
                    f"termbase.tsv line {term.line}",
                )


def _value_rows(segment: Segment, context: Context) -> list[Term]:
    """Return the termbase's rows for a value of a table."""
    table = segment.scope.removeprefix("table ")
    rules = context.words.terms
    rows = [term for term in context.terms if term.english == segment.source]
    own = [term for term in rows if rules.tables.get(term.key) == table]
    return own or [t for t in rows if t.key not in rules.tables and t.key not in rules.keys]


def approved_forms(segment: Segment, context: Context) -> frozenset[str]:
    """Return the forms that the termbase approves for a value; none if it does not know it."""
    return frozenset(term.local for term in _value_rows(segment, context))


@of_segment(ERROR, {VALUE})
def check_term_values(segment: Segment, context: Context) -> Iterator[Fault]:
    """A table shows a value in the form that the termbase approves."""
    rows = _value_rows(segment, context)
    if rows and all(term.local != segment.target for term in rows):
        term = rows[0]
        yield Fault(f"approved is {term.local!r}", f"termbase.tsv line {term.line}")


CHECKS = (check_terms, check_alternatives, check_term_values)
