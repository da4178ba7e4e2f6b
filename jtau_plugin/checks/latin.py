"""Latin words left in a text of another script. For locales that do not write in Latin letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from jtau_plugin.checks.model import (
    ERROR,
    LABEL,
    LIBRARY,
    PROSE,
    VALUE,
    Context,
    Fault,
    Segment,
    of_segment,
)

# What is no word of a language: placeholders, tags, tokens, names with underscores, ids, addresses.
_NO_WORD = re.compile(
    r"""
      \{\w*\} | </?[A-Za-z][\w-]*> | \#\#\#[A-Z-]+\#\#\# | https?://[\w./:?=&%-]+
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+
    | \#?[A-Za-z0-9_.-]*\d[A-Za-z0-9_.-]*      # anything with a digit
    | [A-Za-z]+(?:_[A-Za-z0-9]+)+(?:\(\))?     # snake_case
    | `[^`]*`
    """,
    re.VERBOSE | re.ASCII,
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’.-]*[A-Za-z]", re.ASCII)
_ADDRESS = re.compile(
    r"(?:\d+ )?(?:[A-Z][a-z]+ )+"
    r"(?:Street|St|Avenue|Ave|Lane|Drive|Road|Boulevard|Court|Place|Way)\b"
    r"|(?:Suite|Apt) \d+|\d+ Highway",
    re.ASCII,
)
#: A booking's id may have no digit.
_CODE = re.compile(r"(?<![A-Za-z])[A-Z]{6}(?![A-Za-z])", re.ASCII)
_QUOTED_LATIN = re.compile("「([ -~]+)」", re.ASCII)


@lru_cache(maxsize=256)
def _allowed(context: Context, kind: str) -> frozenset[str]:
    groups = (*context.words.allowed.values(), context.words.allowed_kinds.get(kind, ()))
    words = {word for group in groups for word in group}
    if kind != VALUE:  # a value whose shown form is Latin may be named in any text
        words |= {word for form in context.displays for word in _WORD.findall(form)}
    return frozenset(words)


def _literals(segment: Segment) -> Iterator[str]:
    """Yield what the source has in the same letters: addresses, ids, quoted examples."""
    for pattern in (_ADDRESS, _CODE):
        yield from (match[0] for match in pattern.finditer(segment.target))
    yield from _QUOTED_LATIN.findall(segment.target)


def _without_literals(segment: Segment, context: Context) -> str:
    text = segment.target
    for literal in _literals(segment):
        is_value = literal in context.canonical_values
        if not is_value and (literal in segment.source or not segment.source):
            text = text.replace(literal, " ")
    text = _NO_WORD.sub(" ", text)
    for word in set(_WORD.findall(text)):
        if word.removesuffix("'s") in context.persons | context.places:
            text = re.sub(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", " ", text)
    return text


@of_segment(ERROR, (PROSE - {LIBRARY}) | {LABEL, VALUE})
def check_leftover(segment: Segment, context: Context) -> Iterator[Fault]:
    """No word of the source language is left in a text."""
    text = _without_literals(segment, context)
    left = sorted(set(_WORD.findall(text)) - _allowed(context, segment.kind))
    if left:
        yield Fault(f"left over: {', '.join(left)}", "translate it, or allow it in checks.yaml")


CHECKS = (check_leftover,)
