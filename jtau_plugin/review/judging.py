"""Holds what a reviewer wrote against the overlay as it is: what can be taken, and why not.

Compares only. Every answer that says something ends in exactly one place: taken, already there,
asked, noted or refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.review.book import Answer, is_text
from jtau_plugin.review.cells import compose, forbidden, with_blanks_of
from jtau_plugin.review.rows import Row, address_of, rows_of
from jtau_plugin.review.words import APPROVED, CORRECTED, LOCKED, QUESTION, Reader, Words
from jtau_plugin.translation.documents import split_sections
from jtau_plugin.translation.extraction.segment import LABEL, LITERAL, NAME, POLICY, TERM, VALUE
from jtau_plugin.translation.items import Item

_SINGLE = frozenset({LITERAL, VALUE, NAME, TERM, LABEL})
Refusal = tuple[Answer, str]
Faults = tuple[tuple[bool, str, dict[str, str]], ...]


@dataclass(frozen=True)
class Reading:
    """What a review says of one text.

    Attributes:
        item: the text as it is.
        text: the text as it will be.
        answers: the rows that say so.
        note: what the reviewer had to say.
        is_complete: every part of it was approved or corrected.
    """

    item: Item
    text: str
    answers: tuple[Answer, ...]
    note: str = ""
    is_complete: bool = True

    @property
    def address(self) -> str:
        """The text's address."""
        return self.item.address

    @property
    def old(self) -> str:
        """The text as it is."""
        return self.item.held.text if self.item.held is not None else ""

    @property
    def is_corrected(self) -> bool:
        """Whether the text changes."""
        return self.text != self.old


@dataclass(frozen=True)
class Remark:
    """A question or a note to a text that is not taken as read.

    Attributes:
        item: the text.
        answer: the row.
        is_question: the reviewer is not sure.
    """

    item: Item
    answer: Answer
    is_question: bool


@dataclass
class Judgement:
    """What a file brings.

    Attributes:
        readings: texts that were read.
        remarks: questions and notes.
        refused: rows that are not taken, each with the reason.
        blank: how many rows say nothing.
    """

    readings: list[Reading] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    blank: int = 0


@dataclass(frozen=True)
class _Said:
    """An answer that fits its row: ``text`` is what the row's part will be."""

    answer: Answer
    row: Row
    status: str
    text: str


class Judge:
    """Judges answers.

    Args:
        items: the texts by address.
        words: in which reasons are given.
        reader: knows the statuses by their words.
    """

    def __init__(self, items: Mapping[str, Item], words: Words, reader: Reader) -> None:
        self._items = items
        # Blanks at the end of an address get lost easily, and some addresses end with one.
        self._trimmed = {address.strip(): address for address in items}
        self._words = words
        self._reader = reader
        self._rows: dict[str, Row] = {}

    def judge(self, answers: Iterable[Answer]) -> Judgement:
        """Return what becomes of some answers."""
        found = Judgement()
        said: dict[str, list[_Said]] = {}
        named = (self._as_exported(answer) for answer in answers)
        for answer in self._once(named, found):
            row = self._row(answer.key)
            fault = self._fault(answer, row)
            if fault or row is None:
                found.refused.append((answer, fault))
                continue
            own = self._said(answer, row)
            if isinstance(own, str):
                found.refused.append((answer, own))
            elif own.status in ("", QUESTION):
                remark = Remark(self._items[row.address], answer, own.status == QUESTION)
                found.remarks.append(remark)
            else:
                said.setdefault(row.address, []).append(own)
        for address, parts in said.items():
            self._read(self._items[address], parts, found)
        self._refuse_contradictions(found)
        return found

    def refuse(self, reading: Reading, reason: str, **values: object) -> Iterator[Refusal]:
        """Yield the rows of a text that is not taken after all."""
        for answer in reading.answers:
            yield answer, self._words.reason(reason, **values)

    # --- rows

    def _key(self, written: str) -> str:
        """Return the key of a row as it is exactly, from what stands in a file."""
        if written in self._items:
            return written
        bare = written.strip()
        address = address_of(bare)
        return self._trimmed.get(bare) or self._trimmed.get(address, address) + bare[len(address) :]

    def _as_exported(self, answer: Answer) -> Answer:
        """Return a row without what files and their encodings do to it."""
        named = replace(answer, key=self._key(answer.key))
        row = self._row(named.key)
        if row is None or is_text(answer.translation, row.translation_sha256):
            return named
        return _repaired(named, row.translation, self._reader.encodings)

    def _row(self, key: str) -> Row | None:
        if key not in self._rows:
            item = self._items.get(address_of(key)) or self._items.get(key)
            if item is not None:
                self._rows.update({row.key: row for row in rows_of(item)})
        return self._rows.get(key)

    def _status(self, answer: Answer) -> str | None:
        status = self._reader.status(answer.status)
        return "" if status == LOCKED else status

    def _says_nothing(self, answer: Answer) -> bool:
        """Return whether a row is as it was exported."""
        status = self._status(answer)
        if status is None:
            return False
        plain = replace(answer, status=status)
        row = self._row(answer.key)
        if row is not None and _is_damaged(answer.translation, row.translation):
            plain = replace(plain, translation=None)
        return plain.is_blank

    def _once(self, answers: Iterable[Answer], found: Judgement) -> Iterator[Answer]:
        """Yield what is said of each row once; what contradicts itself is refused."""
        rows: dict[str, dict[tuple[str, ...], Answer]] = {}
        for answer in answers:
            if self._says_nothing(answer):
                found.blank += 1
                continue
            status = self._status(answer)
            says = (
                answer.correction.strip(),
                answer.note.strip(),
                answer.status if status is None else status,
                answer.english_sha256,
                answer.translation_sha256,
            )
            rows.setdefault(answer.key, {}).setdefault(says, answer)
        for own in rows.values():
            different = list(own.values())
            if len(different) > 1:
                where = ", ".join(answer.where for answer in different)
                reason = self._words.reason("duplicate", where=where)
                found.refused += [(answer, reason) for answer in different]
            else:
                yield different[0]

    # --- what keeps a row from being taken

    def _fault(self, answer: Answer, row: Row | None) -> str:
        """Return why an answer cannot be taken whatever it says; empty if it can."""
        if row is None:
            is_known = address_of(answer.key) in self._items
            return self._words.reason("english-drift" if is_known else "unknown")
        english = answer.english
        found = forbidden(answer.correction + answer.note)
        fault, said = answer.fault or ("", "")
        faults: Faults = (
            (bool(fault), fault, {"found": said}),
            (row.is_locked, "locked", {}),
            (answer.english_sha256 != row.english_sha256, "english-drift", {}),
            (not is_text(english, row.english_sha256), "english-edited", {}),
            (self._status(answer) is None, "status", {"status": answer.status}),
            (bool(found), "characters", {"found": found}),
        )
        return self._first(faults)

    def _first(self, faults: Faults) -> str:
        """Return the first reason that applies; empty if none does."""
        for applies, name, values in faults:
            if applies:
                return self._words.reason(name, **values)
        return ""

    def _said(self, answer: Answer, row: Row) -> _Said | str:
        """Return what an answer says, or why it cannot be taken."""
        status, text = self._status(answer) or "", compose(answer.correction.strip())
        if text and is_text(text, row.translation_sha256):
            # It is what the overlay has already, whatever it had when the file was exported.
            status = QUESTION if status == QUESTION else APPROVED
            return _Said(answer, row, status, row.translation)
        is_line = row.kind in _SINGLE and "\n" not in row.translation
        faults: Faults = (
            (answer.translation_sha256 != row.translation_sha256, "translation-drift", {}),
            (_is_damaged(answer.translation, row.translation), "damaged", {}),
            (not is_text(answer.translation, row.translation_sha256), "translation-edited", {}),
            (not text and status == CORRECTED, "nothing", {}),
            (bool(text) and status == QUESTION, "question", {}),
            (is_line and any(c in text for c in "\n\t"), "lines", {}),
        )
        if reason := self._first(faults):
            return reason
        if not text:
            return _Said(answer, row, status, row.translation)
        return _Said(answer, row, CORRECTED, with_blanks_of(row.translation, text))

    # --- texts

    def _read(self, item: Item, parts: Sequence[_Said], found: Judgement) -> None:
        rows = rows_of(item)
        said = {own.row.part: own for own in parts}
        is_complete = len(said) == len(rows) or _was_read(item)
        answers = tuple(own.answer for own in parts)
        if (
            not is_complete
            and all(own.status == APPROVED for own in parts)
            and not _is_in(item, parts)
        ):
            reason = self._words.reason("parts")
            found.refused += [(answer, reason) for answer in answers]
            return
        pieces = [said[row.part].text if row.part in said else row.translation for row in rows]
        old = item.held.text if item.held is not None else ""
        new = with_blanks_of(old, "\n".join(pieces))
        if item.segment.kind == POLICY and len(split_sections(new)) != len(split_sections(old)):
            reason = self._words.reason("headings")
            found.refused += [(answer, reason) for answer in answers]
            return
        notes = (own.answer.note.strip() for own in parts)
        note = " / ".join(filter(None, notes))
        found.readings.append(Reading(item, new, answers, note, is_complete))

    def _refuse_contradictions(self, found: Judgement) -> None:
        """Refuse texts that stand in one place of a file and of which two things are said."""
        places: dict[object, list[Reading]] = {}
        for reading in found.readings:
            places.setdefault(place_of(reading.item), []).append(reading)
        for own in places.values():
            if len({reading.text for reading in own}) > 1:
                for reading in own:
                    other = ", ".join(r.address for r in own if r is not reading)
                    found.refused += self.refuse(reading, "linked", other=other)
                    found.readings.remove(reading)


def _was_read(item: Item) -> bool:
    """Return whether somebody has reviewed a text as it stands, all parts of it."""
    entry, held = item.entry, item.held
    if entry is None or held is None or entry.status != "reviewed":
        return False
    return entry.text == fingerprint_text(held.text)


def _repaired(answer: Answer, text: str, encodings: Iterable[str]) -> Answer:
    """Return a row as it was before an encoding put other letters in the place of some.

    Only letters that can be told are put back; one that became a question mark is lost.
    """
    shown, wanted = (answer.translation or "").strip(), text.strip()
    if shown == wanted or not any(shown == _through(wanted, name) for name in encodings):
        return answer
    letters = {ord(a): b for a, b in zip(shown, wanted, strict=True) if a not in (b, "?")}
    return replace(
        answer,
        translation=(answer.translation or "").translate(letters),
        correction=answer.correction.translate(letters),
    )


def _through(text: str, encoding: str) -> str:
    return text.encode(encoding, "replace").decode(encoding)


def _is_damaged(shown: str | None, text: str) -> bool:
    """Return whether letters of a text became question marks."""
    found, wanted = (shown or "").strip(), text.strip()
    is_like = len(found) == len(wanted) and found != wanted
    return is_like and all(a in (b, "?") for a, b in zip(found, wanted, strict=True))


def _is_in(item: Item, parts: Sequence[_Said]) -> bool:
    """Return whether parts were corrected, and their corrections are in the overlay already."""
    is_persons = item.entry is not None and item.entry.origin == "person"
    return is_persons and all(own.answer.correction.strip() for own in parts)


def place_of(item: Item) -> object:
    """Return where a text stands; two wordings of the English may share a place."""
    held = item.held
    return (held.path, held.key, held.line if not held.key else 0) if held is not None else None
