"""Wordings and spellings that the locale's data forbids."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jtau_plugin.checks.model import ERROR, SHOWN, Context, Fault, Segment, of_segment


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


CHECKS = (check_phrases, check_spelling)
