"""The shape of a text: the same headings, lists and paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    of_segment,
)

_SHAPE = re.compile(
    r"(?P<indent>\s*)(?:(?P<heading>#{1,6}) |(?P<mark>[-*+]|\d+[.)])\s+|(?P<table>\|))?"
)
_SHOWN = 5


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


def _compare(source: list[str], target: list[str]) -> Iterator[tuple[int, str, str]]:
    for number, (english, local) in enumerate(zip(source, target, strict=False), start=1):
        wanted, found = _shape(english), _shape(local)
        if wanted != found:
            yield number, wanted, found


@of_segment(ERROR, {DOCUMENT})
def check_structure(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """A document has the source's headings, lists and paragraphs, line by line."""
    source, target = segment.source.split("\n"), segment.target.split("\n")
    if len(source) != len(target):
        yield Fault(f"{len(target)} lines, expected {len(source)}", "give each line its own")
    for number, wanted, found in list(_compare(source, target))[:_SHOWN]:
        yield Fault(f"line {number} is {found}, expected {wanted}")


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
