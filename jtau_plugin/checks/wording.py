"""Wordings and spellings that the locale's data forbids, and traces that it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jtau_plugin.checks.model import (
    ERROR,
    SHOWN,
    TRANSLATED,
    Context,
    Fault,
    Segment,
    of_segment,
)
from jtau_plugin.models.checks import Counterpart


@of_segment(ERROR, SHOWN)
def check_phrases(segment: Segment, context: Context) -> Iterator[Fault]:
    """No wording is used that the locale does not want."""
    for phrase in context.words.phrases:
        if phrase.kinds and segment.kind not in phrase.kinds:
            continue
        match = re.search(phrase.pattern, segment.target)
        if match is not None:
            yield Fault(f"{match[0]!r} is not used", phrase.instead)


@of_segment(ERROR, SHOWN)
def check_spelling(segment: Segment, context: Context) -> Iterator[Fault]:
    """Words are spelt in the one way that the locale has chosen."""
    for wrong, right in context.words.spellings.items():
        match = re.search(wrong, segment.target)
        if match is not None:
            yield Fault(f"{match[0]!r} is spelt {right!r}", f"write {right}")


def _fault(counterpart: Counterpart, segment: Segment) -> Fault | None:
    found = list(re.finditer(counterpart.source, segment.source, re.IGNORECASE))
    for match in found:
        group = re.escape(match[1]) if match.re.groups and match[1] is not None else ""
        wanted = counterpart.target.replace("{0}", group)
        if not re.search(wanted, segment.target):
            return Fault(f"nothing renders {match[0]!r} ({counterpart.name})", f"find {wanted}")
    if counterpart.each:
        count = len(re.findall(counterpart.target, segment.target))
        if count < len(found):
            words = ", ".join(match[0] for match in found)
            what = f"{count} renderings of {words} ({counterpart.name}), expected {len(found)}"
            return Fault(what, f"find {counterpart.target}")
    return None


@of_segment(ERROR, TRANSLATED)
def check_conditions(segment: Segment, context: Context) -> Iterator[Fault]:
    """Conditions, limits, negations and units of the source have their counterpart."""
    for counterpart in context.words.counterparts:
        if not counterpart.kinds or segment.kind in counterpart.kinds:
            fault = _fault(counterpart, segment)
            if fault is not None:
                yield fault


CHECKS = (check_conditions, check_phrases, check_spelling)
