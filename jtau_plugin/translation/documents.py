"""Cuts a document into its sections, and puts those of two languages side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*")


@dataclass(frozen=True)
class Section:
    """A heading and what follows it, up to the next heading of any level.

    Attributes:
        title: the heading's text; empty for what stands before the first heading.
        line: line of the heading in the document, from 1.
        text: the section's lines, the heading included.
    """

    title: str
    line: int
    text: str


@dataclass(frozen=True)
class SectionPair:
    """A localized section beside its source."""

    name: str
    line: int
    source: str
    target: str


def split_sections(document: str) -> list[Section]:
    """Return the sections of a Markdown document in order; headings in code are none."""
    sections: list[tuple[str, int, list[str]]] = [("", 1, [])]
    is_code = False
    for number, line in enumerate(document.split("\n"), start=1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        heading = None if is_code else _HEADING.fullmatch(line.strip())
        if heading is not None:
            sections.append((heading[2], number, [line]))
        else:
            sections[-1][2].append(line)
    found = [Section(title, line, "\n".join(lines)) for title, line, lines in sections]
    return [section for section in found if section.text.strip()]


def _unique(titles: list[str]) -> Iterator[str]:
    seen: dict[str, int] = {}
    for title in titles:
        seen[title] = seen.get(title, 0) + 1
        yield title if seen[title] == 1 else f"{title} ({seen[title]})"


def pair_sections(source: str, target: str) -> list[SectionPair]:
    """Return the sections of two documents side by side, in order.

    Documents whose numbers of sections differ come back as one pair: which section belongs to
    which is then for a person to say.
    """
    english, local = split_sections(source), split_sections(target)
    if len(english) != len(local):
        return [SectionPair("", 1, source, target)]
    names = _unique([section.title or "(top)" for section in local])
    return [
        SectionPair(name, theirs.line, ours.text, theirs.text)
        for name, ours, theirs in zip(names, english, local, strict=True)
    ]
