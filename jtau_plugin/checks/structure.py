"""The shape of a text: the same headings, lists and paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from jtau_plugin.checks.model import (
    DOCUMENT,
    ERROR,
    PARAMETER,
    PROMPT,
    TASK,
    TOOL,
    Context,
    Fault,
    Segment,
    of_all,
    of_segment,
)

_SHAPE = re.compile(
    r"(?P<indent>\s*)(?:(?P<heading>#{1,6}) |(?P<mark>[-*+]|\d+[.)])\s+|(?P<table>\|))?"
)


def _shape(line: str) -> str:
    """Return what a line is: blank, a heading of a level, a list item at a depth, or prose."""
    if not line.strip():
        return "blank"
    match = _SHAPE.match(line)
    assert match is not None  # every part of the pattern is optional
    if match["heading"]:
        return f"heading {len(match['heading'])}"
    if match["mark"]:
        return f"item {match['mark']} at {len(match['indent'].expandtabs(4))}"
    if match["table"]:
        return f"table row of {line.count('|')}"
    return "code fence" if line.strip().startswith("```") else "prose"


def _faults(source: list[str], target: list[str]) -> Iterator[tuple[int, Fault]]:
    """Yield (place, fault) of the lines that are other than the source's.

    Where one is missing or too many, only the first: nothing behind it can be compared.
    """
    for place, (english, local) in enumerate(zip(source, target, strict=False)):
        wanted, found = _shape(english), _shape(local)
        if wanted != found:
            yield place, Fault(f"line {place + 1} is {found}, expected {wanted}")
            if len(source) != len(target):
                return


@of_all(ERROR, {DOCUMENT})
def check_structure(
    segments: Sequence[Segment],
    context: Context,  # noqa: ARG001
) -> Iterator[tuple[Segment, Fault]]:
    """A document has the source's headings, lists and paragraphs, line by line."""
    for segment in segments:
        source, target = segment.source.split("\n"), segment.target.split("\n")
        faults = list(_faults(source, target))
        if len(source) != len(target):
            last = min(len(source), len(target)) - 1
            what = f"{len(target)} lines, expected {len(source)}"
            place = faults[0][0] if faults else last
            faults.insert(0, (place, Fault(what, "give each line its own")))
        for place, fault in faults:
            line = replace(segment, line=segment.line + place, target=target[place])
            yield line, fault


def _items(text: str) -> int:
    return sum(_shape(line).startswith("item") for line in text.split("\n"))


@of_segment(ERROR, {TOOL, PARAMETER, TASK, PROMPT})
def check_lists(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """Lists have as many items as the source's; a prompt may have rules of its own besides."""
    if not segment.source:
        return
    wanted, found = _items(segment.source), _items(segment.target)
    if found < wanted or (found > wanted and segment.kind != PROMPT):
        yield Fault(f"{found} items, expected {wanted}", "give each item its own line")


CHECKS = (check_structure, check_lists)
