"""Names of persons: the same letters on both sides, as the database has them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from jtau_plugin.checks.model import ERROR, TASK, Context, Fault, Segment, of_segment

_WORD = re.compile(r"[A-Z][a-z]{2,}")


def _names(text: str, context: Context) -> set[str]:
    """Return the names in a text; only beside another name is a word surely one."""
    found = set()
    words = [(match[0], match.start(), match.end()) for match in _WORD.finditer(text)]
    for (first, _, end), (second, start, _) in itertools.pairwise(words):
        if start - end == 1 and {first, second} <= context.persons:
            found |= {first, second}
    return found


@of_segment(ERROR, {TASK})
def check_people(segment: Segment, context: Context) -> Iterator[Fault]:
    """Names of persons are the same on both sides, in Latin letters."""
    if not segment.source:
        return
    wanted, found = _names(segment.source, context), _names(segment.target, context)
    for name in sorted(wanted - found):
        yield Fault(f"the name {name!r} is missing", "write it as the source does")
    for name in sorted(found - wanted):
        if name not in segment.source:
            yield Fault(f"the name {name!r} is not in the source", "write it as the source does")


CHECKS = (check_people,)
