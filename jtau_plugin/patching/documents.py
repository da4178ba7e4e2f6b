"""Repairs of the documents that the agent reads: text in, text out.

Knows no tau2 and no overlay: the English is found by fingerprints of its lines, a localized text by
the exact passage that a repair names. All repairs are placed on the text as it came before any is
made, so their order does not matter, and what is repaired already stays as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from pathlib import Path

from jtau_plugin import resources
from jtau_plugin.errors import OverlayError, Problem, RepairError
from jtau_plugin.models.patches import (
    DocumentEdit,
    DocumentRepair,
    DocumentRepairsFile,
    Substitution,
)
from jtau_plugin.overlays.loader import load_model
from jtau_plugin.overlays.yamlfile import YamlFile

_DRIFT = "the text has changed: read it again and renew the repair"


@cache
def load_document_repairs(domain: str) -> DocumentRepairsFile:
    """Return the repairs of a domain's documents and tool texts, read once; none without a file.

    Args:
        domain: tau2's name of the domain, ``telecom``.

    Raises:
        RepairError: for everything that is wrong in the file, collected.
    """
    path = resources.data_root() / "patches" / "documents" / f"{domain}.yaml"
    return read_document_repairs(path) if path.is_file() else DocumentRepairsFile(domain=domain)


def read_document_repairs(path: Path) -> DocumentRepairsFile:
    """Return the content of one ``patches/documents/<domain>.yaml``.

    Raises:
        RepairError: for everything that is wrong in the file, collected.
    """
    try:
        content, file = load_model(path, DocumentRepairsFile)
    except OverlayError as error:
        raise RepairError(f"{path.name} cannot be used.", error.problems) from error
    problems = list(_check_file(content, file))
    if problems:
        raise RepairError(f"{path.name} cannot be used.", problems)
    return content


def _check_file(content: DocumentRepairsFile, file: YamlFile) -> Iterator[Problem]:
    if content.domain != file.path.stem:
        what = f"domain is {content.domain!r}, expected {file.path.stem!r}"
        yield Problem(file.where(("domain",)), what, "correct it, or rename the file")
    seen: set[str] = set()
    for section in ("repairs", "tool_texts"):
        for index, repair in enumerate(getattr(content, section)):
            if repair.id in seen:
                where = file.where((section, index, "id"))
                yield Problem(where, f"{repair.id!r} is the id of another repair", "rename one")
            seen.add(repair.id)


def fingerprint_lines(lines: Sequence[str]) -> str:
    """Return the SHA-256 of some lines, blind to what blanks they end with: an edit's guard."""
    text = "\n".join(line.rstrip() for line in lines)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def repair_document(name: str, text: str, repairs: Iterable[DocumentRepair]) -> str:
    """Return an English document with some repairs made.

    Args:
        name: the document's name in the manifest.
        text: the document as it is installed, or as some of the repairs have left it.
        repairs: the repairs that are on; those of other documents are passed over.

    Raises:
        RepairError: for every guard that does not fit, and for repairs that contradict each other.
    """
    lines = _repair(name, text.split("\n"), list(_edits(name, repairs)), _place_edit)
    return "\n".join(lines)


def repair_localized_document(
    name: str, text: str, repairs: Iterable[DocumentRepair], locale: str
) -> str:
    """Return a localized document with some repairs made.

    Args:
        name: the document's name in the manifest.
        text: the overlay's document, or what some of the repairs have left of it.
        repairs: the repairs that are on; those of other documents are passed over.
        locale: whose wording is used, ``ja``.

    Raises:
        RepairError: for every passage that is not there as often as a repair says, for a repair
            without a wording in this locale, and for repairs that contradict each other.
    """
    places = list(_edits(name, repairs))
    characters = _repair(name, list(text), places, partial(_place_substitutions, locale=locale))
    return "".join(characters)


@dataclass(frozen=True)
class _Place:
    """One edit of one repair in one document."""

    repair: str
    document: str
    number: int
    edit: DocumentEdit

    def problem(self, what: str, hint: str = _DRIFT) -> Problem:
        return Problem(f"repair {self.repair}: {self.document}, edit {self.number}", what, hint)


@dataclass(frozen=True)
class _Change:
    """What one edit does at one place: ``text`` takes the place of ``start`` to ``end``.

    Attributes:
        claimed: the span that the edit needs as it is; no other edit may need it too.
    """

    place: _Place
    start: int
    end: int
    claimed: tuple[int, int]
    text: Sequence[str]


def _edits(name: str, repairs: Iterable[DocumentRepair]) -> Iterator[_Place]:
    for repair in repairs:
        for number, edit in enumerate(repair.documents.get(name, ()), start=1):
            yield _Place(repair.id, name, number, edit)


#: Where an edit changes a text; nothing where it is done already; or why it does not fit.
_Finder = Callable[[_Place, list[str]], "list[_Change] | Problem"]


def _repair(name: str, text: list[str], places: list[_Place], find: _Finder) -> list[str]:
    """Return a text (lines or characters) with each edit made where ``find`` places it."""
    changes, problems = _collect(text, places, find)
    if not problems:
        text = _apply(text, changes)
        again, problems = _collect(text, places, find)
        problems += [
            change.place.problem("what it changes stands in the repaired text again")
            for change in again
        ]
    if problems:
        raise RepairError(f"The document {name} cannot be repaired.", problems)
    return text


def _collect(
    text: list[str], places: Iterable[_Place], find: _Finder
) -> tuple[list[_Change], list[Problem]]:
    changes: list[_Change] = []
    problems: list[Problem] = []
    for place in places:
        found = find(place, text)
        if isinstance(found, Problem):
            problems.append(found)
        else:
            changes += found
    changes.sort(key=lambda change: change.claimed)
    return changes, problems + list(_conflicts(changes))


def _conflicts(changes: Sequence[_Change]) -> Iterator[Problem]:
    for first, second in combinations(changes, 2):
        if second.claimed[0] < first.claimed[1]:
            what = f"changes the same passage as repair {first.place.repair}"
            yield second.place.problem(what, "switch one of them off, or let one do both")


def _apply(text: list[str], changes: Sequence[_Change]) -> list[str]:
    pieces: list[str] = []
    done = 0
    for change in changes:
        pieces += [*text[done : change.start], *change.text]
        done = change.end
    return pieces + text[done:]


def _place_edit(place: _Place, lines: Sequence[str]) -> list[_Change] | Problem:
    """Return where an edit changes the English; nothing where all of it is done already."""
    edit = place.edit
    starts = list(_guarded(edit, lines))
    if len(starts) != edit.count:
        if not starts and _is_done(edit, lines):
            return []
        times = f"{len(starts)} times" if starts else "nowhere"
        return place.problem(f"the guarded lines stand {times}, expected {edit.count} times")
    if edit.op == "substitute":
        for start in starts:
            held = "\n".join(lines[start : start + edit.lines]).count(edit.find)
            if held != 1:
                what = f"{edit.find!r} stands {held} times in the guarded lines, expected once"
                return place.problem(what, "name a longer literal")
    return [change for start in starts for change in _change_lines(place, start, lines)]


def _guarded(edit: DocumentEdit, lines: Sequence[str]) -> Iterator[int]:
    """Yield where the guarded lines start."""
    start = 0
    while start + edit.lines <= len(lines):
        if fingerprint_lines(lines[start : start + edit.lines]) in edit.guard:
            yield start
            start += edit.lines
        else:
            start += 1


def _value_lines(edit: DocumentEdit) -> list[str]:
    return edit.value.removesuffix("\n").split("\n")


def _change_lines(place: _Place, start: int, lines: Sequence[str]) -> Iterator[_Change]:
    edit, end = place.edit, start + place.edit.lines
    claimed = (start, end)
    if edit.op == "substitute":
        new = "\n".join(lines[start:end]).replace(edit.find, edit.value).split("\n")
        yield _Change(place, start, end, claimed, new)
    elif edit.op in ("replace", "remove"):
        new = _value_lines(edit) if edit.op == "replace" else []
        yield _Change(place, start, end, claimed, new)
    else:
        new = _value_lines(edit)
        at = end if edit.op == "insert_after" else start
        there = lines[at : at + len(new)] if at == end else lines[max(0, at - len(new)) : at]
        if list(there) != new:
            yield _Change(place, at, at, claimed, new)


def _is_done(edit: DocumentEdit, lines: Sequence[str]) -> bool:
    """Return whether a text without the guarded lines has what an edit puts in their place."""
    if edit.op == "remove":
        return True
    if edit.op == "replace":
        new = _value_lines(edit)
        windows = (lines[i : i + len(new)] for i in range(len(lines) - len(new) + 1))
        return sum(list(window) == new for window in windows) >= edit.count
    if edit.op != "substitute":
        return False
    size = edit.lines + edit.value.count("\n") - edit.find.count("\n")
    windows = (lines[i : i + size] for i in range(len(lines) - size + 1))
    return sum(_was_substituted(edit, "\n".join(window)) for window in windows) >= edit.count


def _was_substituted(edit: DocumentEdit, text: str) -> bool:
    """Return whether taking the literal back, at one place, gives the guarded lines."""
    at = text.find(edit.value)
    while at >= 0:
        before = text[:at] + edit.find + text[at + len(edit.value) :]
        if fingerprint_lines(before.split("\n")) in edit.guard:
            return True
        at = text.find(edit.value, at + 1)
    return False


def _place_substitutions(
    place: _Place, characters: list[str], locale: str
) -> list[_Change] | Problem:
    """Return where an edit changes a localized text; nothing where all of it is done already."""
    text = "".join(characters)
    substitutions = place.edit.localized.get(locale)
    if substitutions is None:
        return place.problem(f"no wording for the locale {locale!r}", "add it")
    changes = []
    for substitution in substitutions:
        starts = list(_passages(substitution, text))
        if len(starts) != substitution.count:
            if not starts and text.count(substitution.replace) >= substitution.count:
                continue
            times = f"{len(starts)} times" if starts else "nowhere"
            what = f"{substitution.find!r} stands {times}, expected {substitution.count} times"
            return place.problem(what)
        for start in starts:
            end = start + len(substitution.find)
            changes.append(_Change(place, start, end, (start, end), list(substitution.replace)))
    return changes


def _passages(substitution: Substitution, text: str) -> Iterator[int]:
    """Yield where a passage starts that is not part of its own replacement."""
    find, replace = substitution.find, substitution.replace
    start = 0
    for part in text.split(replace) if find in replace else [text]:
        at = part.find(find)
        while at >= 0:
            yield start + at
            at = part.find(find, at + len(find))
        start += len(part) + len(replace)
