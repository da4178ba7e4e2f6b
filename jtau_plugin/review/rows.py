"""What a reviewer is shown: a row for each text whose English is installed.

A text that is too long for one row goes into several, cut between the same lines of both sides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.review.width import visual_lines
from jtau_plugin.translation.documents import join_sections, split_sections
from jtau_plugin.translation.extraction.segment import POLICY
from jtau_plugin.translation.items import Item, State
from jtau_plugin.translation.planning import Plan

#: As many lines as a row of a spreadsheet can show.
MOST_LINES = 22
#: So many more are no reason to cut.
SLACK = 4
#: Files whose texts only make sense as a whole; they are never sampled.
_WHOLE = (".md", "prompts.yaml")
#: What is said of a text's place, in this order, where it is known.
_CONTEXT = (
    "task",
    "tool",
    "called by",
    "parameter",
    "document",
    "is",
    "sense",
    "read by",
    "stands before",
    "said by",
    "placeholders",
    "table",
    "argument of",
    "shared by",
)
_MOST_NAMES = 3
#: How the words of a person who has not read a text as a whole begin in the ledger.
_REMARKS = ("question (", "note (")
_PART = re.compile(r" \[\d+/\d+\]$")


@dataclass(frozen=True)
class Row:
    """A text, or a part of one, beside its English.

    Attributes:
        address: the text's address.
        file: the sheet to which it belongs: a file below the locale's folder.
        kind: what it is.
        english: the installed English.
        translation: the overlay's text.
        context: where it is shown, as (what, value) in English.
        part: which part it is, from 0.
        parts: of how many.
        history: what an earlier review said, as (label, values).
        is_locked: its English is not the one that the overlay renders.
    """

    address: str
    file: str
    kind: str
    english: str
    translation: str
    context: tuple[tuple[str, str], ...] = ()
    part: int = 0
    parts: int = 1
    history: tuple[tuple[str, str], ...] = ()
    is_locked: bool = False

    @property
    def key(self) -> str:
        """The address, with the part where there are several."""
        return f"{self.address} [{self.part + 1}/{self.parts}]" if self.parts > 1 else self.address

    @property
    def english_sha256(self) -> str:
        """The fingerprint of the English."""
        return fingerprint_text(self.english)

    @property
    def translation_sha256(self) -> str:
        """The fingerprint of the translation."""
        return fingerprint_text(self.translation)


def address_of(key: str) -> str:
    """Return the address in the key of a row."""
    return _PART.sub("", key)


def is_whole(file: str) -> bool:
    """Return whether the texts of a file are reviewed all together or not at all."""
    return file.endswith(_WHOLE)


def _paragraphs(text: str) -> list[str]:
    """Cut a text behind its blank lines."""
    pieces: list[list[str]] = [[]]
    for line in text.split("\n"):
        if line.strip() and pieces[-1] and not pieces[-1][-1].strip():
            pieces.append([])
        pieces[-1].append(line)
    return ["\n".join(piece) for piece in pieces]


def _sections(text: str) -> list[str]:
    pieces = [section.text for section in split_sections(text)]
    return pieces if join_sections(pieces) == text else [text]


def _pieces(english: str, text: str) -> list[tuple[str, str]]:
    """Return the smallest pieces in which two texts correspond: lines, else paragraphs, sections.

    Joined with line breaks they are the texts.
    """
    for cut in (lambda t: t.split("\n"), _paragraphs, _sections):
        ours, theirs = cut(english), cut(text)
        if len(ours) == len(theirs):
            return list(zip(ours, theirs, strict=True))
    return [(english, text)]


def split_parts(
    english: str, text: str, most: int = MOST_LINES, slack: int = SLACK
) -> list[tuple[str, str]]:
    """Cut two texts at the same places, so that a part takes no more than ``most`` lines.

    Joined with line breaks the parts are the texts again. Texts that do not correspond stay whole,
    and so does a line that is too long by itself.
    """
    pieces = _pieces(english, text)
    costs = [max(visual_lines(ours), visual_lines(theirs)) for ours, theirs in pieces]
    if sum(costs) <= most + slack:
        return [(english, text)]
    ends = [not (ours + theirs).rpartition("\n")[2].strip() for ours, theirs in pieces]
    cuts = _cuts(costs, ends, most)
    return [
        (
            "\n".join(ours for ours, _ in pieces[start:end]),
            "\n".join(theirs for _, theirs in pieces[start:end]),
        )
        for start, end in zip([0, *cuts], [*cuts, len(pieces)], strict=True)
    ]


def _cuts(costs: Sequence[int], blank: Sequence[bool], most: int) -> list[int]:
    """Return before which pieces to cut: behind a blank line of the second half if there is one."""
    cuts, start = [], 0
    while sum(costs[start:]) > most:
        end = start + 1
        while end < len(costs) and sum(costs[start : end + 1]) <= most:
            end += 1
        half = start + (end - start) // 2
        better = [i for i in range(half + 1, end + 1) if blank[i - 1]]
        cut = better[-1] if better else end
        if cut >= len(costs) or all(blank[cut:]):
            break
        cuts.append(cut)
        start = cut
    return cuts


def _name(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{{{name}}}: {said}" for name, said in value.items())
    if isinstance(value, (list, tuple)):
        names = [str(name) for name in value]
        more = f" … (+{len(names) - _MOST_NAMES})" if len(names) > _MOST_NAMES else ""
        return ", ".join(names[:_MOST_NAMES]) + more
    return str(value)


def _context(item: Item) -> Iterator[tuple[str, str]]:
    context = item.segment.context
    for name in _CONTEXT:
        if context.get(name):
            yield name, _name(context[name])
    if context.get("wording") == "other":
        yield "wording", "other"


def _history(item: Item) -> Iterator[tuple[str, str]]:
    entry = item.entry
    if entry is not None and entry.status == "reviewed":
        yield "reviewed", f"{entry.reviewer or '?'} / {entry.round or '?'} / {entry.date or '?'}"
    is_persons = entry is not None and (entry.reviewer or str(entry.note).startswith(_REMARKS))
    if entry is not None and entry.note and is_persons:
        yield "before", entry.note


def _file(item: Item, plan: Plan) -> str:
    """Return the sheet of a text; the domain's name stands with its first document."""
    if item.segment.key != ("title",):
        return item.segment.file
    documents = (i.segment.file for i in plan.items if i.segment.kind == POLICY)
    return next(documents, item.segment.file)


def rows_of(item: Item, file: str = "") -> list[Row]:
    """Return the rows of a text; none if there is no text.

    Args:
        item: the text.
        file: its sheet, if that is not its own file.
    """
    if item.held is None:
        return []
    english, text = item.segment.english.strip("\n"), item.held.text.strip("\n")
    # A value names itself; whatever else was translated says which English it renders.
    pairs = split_parts(english, text)
    return [
        Row(
            address=item.address,
            file=file or item.segment.file,
            kind=item.segment.kind,
            english=own,
            translation=local,
            context=tuple(_context(item)),
            part=part,
            parts=len(pairs),
            history=tuple(_history(item)),
            is_locked=item.state is not State.CURRENT,
        )
        for part, (own, local) in enumerate(pairs)
    ]


def build_rows(plans: Iterable[Plan]) -> list[Row]:
    """Return the rows of some domains: each domain's files in order, then what they share."""
    own: dict[str, list[Row]] = {}
    shared: dict[str, list[Row]] = {}
    seen = set()
    for plan in plans:
        for item in sorted(plan.items, key=lambda i: _RANKS.get(i.segment.component, 0)):
            if item.address in seen:
                continue
            seen.add(item.address)
            file = _file(item, plan)
            files = own if "/" in file else shared
            files.setdefault(file, []).extend(rows_of(item, file))
    return [row for files in (own, shared) for rows in files.values() for row in rows]


#: The order of a domain's sheets: what reads as a whole first.
_RANKS = {
    name: rank
    for rank, name in enumerate(
        ("policy", "prompts", "tools", "messages", "values", "tasks", "terms", "names")
    )
}
