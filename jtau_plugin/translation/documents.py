"""Cuts a document into its sections, and puts those of two languages side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*")
#: What stands before the first heading.
TOP = "(top)"


@dataclass(frozen=True)
class Section:
    """A heading and what follows it, up to the next heading of any level.

    Attributes:
        title: the heading's text; empty for what stands before the first heading.
        line: its first line in the document, from 1.
        text: the section's lines, the heading included.
    """

    title: str
    line: int
    text: str


@dataclass(frozen=True)
class SectionPair:
    """A localized section beside its source.

    Attributes:
        name: the source's heading, numbered where several sections have it.
        line: the localized section's line in its document.
        source: the English section.
        target: the localized one.
    """

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
    if len(sections) > 1 and not "".join(sections[0][2]).strip():
        # Blank lines before the first heading belong to it, so that joining gives the document.
        _, first, blank = sections.pop(0)
        title, _, lines = sections[0]
        sections[0] = (title, first, [*blank, *lines])
    found = [Section(title, line, "\n".join(lines)) for title, line, lines in sections]
    return [section for section in found if section.text.strip()]


def _unique(titles: list[str]) -> Iterator[str]:
    seen: dict[str, int] = {}
    for title in titles:
        seen[title] = seen.get(title, 0) + 1
        yield title if seen[title] == 1 else f"{title} ({seen[title]})"


def name_sections(sections: Sequence[Section]) -> list[str]:
    """Return a name for each section: its heading, numbered where several have the same."""
    return list(_unique([section.title or TOP for section in sections]))


def join_sections(texts: Sequence[str]) -> str:
    """Return the document of which these are the sections."""
    return "\n".join(texts)


def pair_sections(source: str, target: str) -> list[SectionPair]:
    """Return the sections of two documents side by side, in order.

    Documents whose numbers of sections differ come back as one pair: which section belongs to
    which is then for a person to say.
    """
    english, local = split_sections(source), split_sections(target)
    if len(english) != len(local):
        return [SectionPair("", 1, source, target)]
    return [
        SectionPair(name, theirs.line, ours.text, theirs.text)
        for name, ours, theirs in zip(name_sections(english), english, local, strict=True)
    ]
