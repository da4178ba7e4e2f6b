"""Makes units of text out of what an overlay lacks: literals first, then prose in waves.

A text is asked for once, however often it stands somewhere. A line that another document has
already is not asked for again: it comes with its translation, so that both say it alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from jtau_plugin.translation.engine.units import Unit, unit_id
from jtau_plugin.translation.extraction.segment import (
    FRAGMENT,
    LABEL,
    LIBRARY,
    LITERAL,
    LITERALS,
    MESSAGE,
    NAME,
    PARAMETER,
    POLICY,
    TEMPLATE,
    TERM,
    VALUE,
    SourceSegment,
)
from jtau_plugin.translation.glossary import Glossary
from jtau_plugin.translation.items import Item, State
from jtau_plugin.translation.masking import mask

#: A shorter line may mean something else elsewhere.
_SHORTEST_LINE = 12
#: Pieces from which code makes longer texts: a blank at their end counts.
_EXACT = frozenset({LITERAL, VALUE, MESSAGE, TEMPLATE, FRAGMENT, LIBRARY})
#: What a prompt has to say besides, in the locale only: in which language to speak.
_ADDITIONS: Mapping[str, str] = {
    "agent_instruction": "Hold the whole conversation with the user in {language}.",
    "agent_instruction_gt": "Hold the whole conversation with the user in {language}.",
    "user_guidelines": "Hold the whole conversation with the agent in {language}.",
    "user_guidelines_tools": "Hold the whole conversation with the agent in {language}.",
}


@dataclass(frozen=True)
class Question:
    """A unit and the segments that its answer serves."""

    unit: Unit
    items: tuple[Item, ...]


def is_wanted(item: Item, *, again: bool = False) -> bool:
    """Return whether a machine is to translate an item.

    Args:
        item: a segment and its text.
        again: also what a machine has translated and nobody has touched since.
    """
    is_open = item.state in (State.MISSING, State.STALE)
    is_machines = item.entry is not None and item.entry.origin == "machine"
    return is_open or (again and is_machines and not item.is_protected)


def _identity(segment: SourceSegment) -> tuple[str, ...]:
    """Return what makes two segments one question."""
    if segment.kind in (LITERAL, VALUE, NAME):
        return ("value", segment.scope, segment.english)
    if segment.kind == TERM:
        return ("term", segment.address)
    if segment.kind == LABEL:
        return ("label", segment.address)
    table = segment.table if segment.kind == PARAMETER else ""
    return ("prose", segment.english, table)


def _group(items: Iterable[Item]) -> list[tuple[str, tuple[Item, ...]]]:
    groups: dict[tuple[str, ...], list[Item]] = {}
    for item in items:
        groups.setdefault(_identity(item.segment), []).append(item)
    return [(unit_id(*key), tuple(own)) for key, own in groups.items()]


def count_units(items: Iterable[Item]) -> int:
    """Return how many texts will be asked for.

    Literals, what domains share and what is a domain's own are asked for apart.
    """
    own = list(items)
    parts = (
        [i for i in own if i.segment.kind in LITERALS],
        [i for i in own if i.segment.kind not in LITERALS and not i.segment.domain],
        [i for i in own if i.segment.kind not in LITERALS and i.segment.domain],
    )
    return sum(len(_group(part)) for part in parts)


def _with_addition(segment: SourceSegment, language: str) -> str:
    name = str(segment.key[-1])
    addition = _ADDITIONS.get(name) if segment.component == "prompts" else None
    if addition is None:
        return segment.english
    return f"{segment.english}\n\n{addition.format(language=language)}"


def _question(
    name: str, items: tuple[Item, ...], glossary: Glossary, lines: Mapping[str, str], language: str
) -> Question:
    segment = items[0].segment
    is_literal = segment.kind in LITERALS
    own = lines if segment.kind == POLICY else {}
    terms = () if is_literal else glossary.uses(segment.english, segment.checked_as)
    # A number inside a value, as in "13-inch", belongs to the value.
    whole = tuple(t.english for t in terms if any(c.isdigit() for c in t.english))
    rules = replace(glossary.rules(segment.table, own), whole=whole)
    unit = Unit(
        id=name,
        kind=segment.kind,
        english=segment.english,
        masked=mask(_with_addition(segment, language), segment.kind, rules),
        scope=segment.scope,
        table=segment.table,
        terms=terms,
        context=segment.context,
        previous=next((item.previous for item in items if item.previous), ""),
    )
    return Question(unit, items)


def literal_questions(items: Iterable[Item], glossary: Glossary, language: str) -> list[Question]:
    """Return the questions that settle words: values of tables, terms, names."""
    wanted = [item for item in items if item.segment.kind in LITERALS]
    ordered = sorted(wanted, key=lambda item: LITERALS.index(item.segment.kind))
    return [_question(name, own, glossary, {}, language) for name, own in _group(ordered)]


def known_lines(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the translation of each longer line of documents, by the line.

    Args:
        pairs: English sections with their translations, line by line alike.
    """
    lines: dict[str, str] = {}
    for english, local in pairs:
        ours, theirs = english.split("\n"), local.split("\n")
        if len(ours) != len(theirs):
            continue
        for line, translated in zip(ours, theirs, strict=True):
            if len(line.strip()) >= _SHORTEST_LINE and translated.strip():
                lines.setdefault(line.strip(), translated.strip())
    return lines


def _waves(groups: Sequence[tuple[str, tuple[Item, ...]]], known: Mapping[str, str]) -> list[int]:
    """Return the wave of each group: a document waits for those that it shares lines with."""
    first: dict[str, int] = dict.fromkeys(known, -1)
    waves = []
    for _, items in groups:
        segment = items[0].segment
        if segment.kind != POLICY:
            waves.append(0)
            continue
        lines = [line.strip() for line in segment.english.split("\n")]
        lines = [line for line in lines if len(line) >= _SHORTEST_LINE]
        wave = 1 + max((first[line] for line in lines if line in first), default=-1)
        for line in lines:
            first.setdefault(line, wave)
        waves.append(wave)
    return waves


def prose_waves(
    items: Iterable[Item], known: Mapping[str, str]
) -> list[list[tuple[str, tuple[Item, ...]]]]:
    """Return the groups of prose that can be asked for together, one wave after another."""
    groups = _group(item for item in items if item.segment.kind not in LITERALS)
    waves = _waves(groups, known)
    found: dict[int, list[tuple[str, tuple[Item, ...]]]] = {}
    for wave, group in zip(waves, groups, strict=True):
        found.setdefault(wave, []).append(group)
    return [found[wave] for wave in sorted(found)]


def prose_questions(
    groups: Sequence[tuple[str, tuple[Item, ...]]],
    glossary: Glossary,
    lines: Mapping[str, str],
    language: str,
) -> list[Question]:
    """Return the questions of one wave of prose."""
    return [_question(name, items, glossary, lines, language) for name, items in groups]


def spread(question: Question, text: str) -> dict[str, str]:
    """Return the answer to a question by address, with each segment's own blanks around it."""
    found = {}
    for item in question.items:
        english = item.segment.english
        before = english[: len(english) - len(english.lstrip())]
        after = english[len(english.rstrip()) :]
        if item.segment.kind not in _EXACT:
            after = "\n" * after.count("\n")
        found[item.address] = f"{before}{text.strip()}{after}"
    return found
