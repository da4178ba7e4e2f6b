"""The files of the overlay checks: a locale's words, its termbase's rows, and its exemptions.

Shapes only. What is done with them is decided by ``checks``.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from jtau_plugin.models.base import FrozenModel, Text


def _check_pattern(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r} is no regular expression: {error}") from None
    return pattern


def _are_patterns(value: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_check_pattern(pattern) for pattern in value)


Patterns = Annotated[tuple[Text, ...], AfterValidator(_are_patterns)]
Pattern = Annotated[Text, AfterValidator(_check_pattern)]


class Exemption(FrozenModel):
    """Findings that are justified as they are.

    Attributes:
        check: name of the check.
        address: pattern of the addresses (``*`` stands for anything).
        about: a text that the finding's message holds; without it every finding there is meant.
        reason: why the text is right as it is.
        optional: the text exists on some supported layouts only.
    """

    check: Text
    address: Text
    about: Text | None = None
    reason: Text
    optional: bool = False


class ExemptionsFile(FrozenModel):
    """``exemptions.yaml`` of a locale."""

    exemptions: tuple[Exemption, ...] = ()


class Phrase(FrozenModel):
    """A wording that the locale's texts never use.

    Attributes:
        pattern: regular expression of the wording.
        instead: what is written instead.
        kinds: kinds of segments in which it is looked for; all when empty.
    """

    pattern: Pattern
    instead: Text
    kinds: tuple[Text, ...] = ()


class Counterpart(FrozenModel):
    """A wording of the source that must leave its trace in the text: only, unless, at least.

    Attributes:
        source: regular expression of the English.
        target: regular expression of which the text must have a match; ``{0}`` stands for what the
            first group of ``source`` matched.
        name: what it is, for messages.
        each: the text must have as many matches as the source, not only one.
        kinds: kinds of segments for which this holds; all when empty.
    """

    source: Pattern
    target: Text
    name: Text
    each: bool = False
    kinds: tuple[Text, ...] = ()


class Sense(FrozenModel):
    """A word of the source that is not always the term.

    Attributes:
        term: the term's English, as in the termbase.
        unless: regular expressions of wordings in which the word is no term.
        also: further localized renderings, of the word's other senses.
        kinds: kinds of segments for which this holds; all when empty.
        why: what the other sense is.
    """

    term: Text
    unless: Patterns = ()
    also: tuple[Text, ...] = ()
    kinds: tuple[Text, ...] = ()
    why: Text


class TermRules(FrozenModel):
    """How the termbase is applied to prose.

    Attributes:
        keys: rows with these keys are terms of prose; all others are values of tables.
        tables: the table of ``values.yaml`` that the rows with a key belong to.
        everyday: values of tables that are also everyday words, and not looked for in tasks.
        senses: words that are not always the term.
    """

    keys: tuple[Text, ...] = ()
    tables: dict[str, Text] = {}
    everyday: tuple[Text, ...] = ()
    senses: tuple[Sense, ...] = ()


class LengthRules(FrozenModel):
    """The expected length of a translation, in characters per character of the source.

    Attributes:
        least: shorter is suspicious.
        most: longer is suspicious.
        shortest: sources with fewer characters are not judged.
    """

    least: float = Field(default=0.25, gt=0)
    most: float = Field(default=3.0, gt=0)
    shortest: int = Field(default=40, ge=1)


class CheckWords(FrozenModel):
    """``checks.yaml`` of a locale: the words that its checks go by.

    Attributes:
        allowed: Latin words that stay as they are in any text, by the reason why.
        allowed_kinds: further ones for texts of one kind.
        phrases: wordings that are never used.
        spellings: wrong spelling (a regular expression) to right spelling.
        counterparts: wordings of the source that must leave a trace.
        length: the expected length of a translation.
        terms: how the termbase is applied.
    """

    allowed: dict[str, tuple[Text, ...]] = {}
    allowed_kinds: dict[str, tuple[Text, ...]] = {}
    phrases: tuple[Phrase, ...] = ()
    spellings: dict[Pattern, Text] = {}
    counterparts: tuple[Counterpart, ...] = ()
    length: LengthRules = LengthRules()
    terms: TermRules = TermRules()


class Term(FrozenModel):
    """A row of ``termbase.tsv``.

    Attributes:
        domain: the domain in which the term holds.
        key: what kind of term it is.
        english: the English, variants separated by `` / ``.
        local: the approved form.
        alternatives: forms that are accepted as input and not written.
        line: its line in the file.
    """

    domain: Text
    key: Text
    english: Text
    local: Text
    alternatives: tuple[Text, ...] = ()
    line: int
