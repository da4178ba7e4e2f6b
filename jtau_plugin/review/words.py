"""The words in which a reviewer is addressed: English, unless the locale has words of its own.

What a file holds is found by these words in every language that an overlay has, so that a file can
be read wherever it was written.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

from jtau_plugin import resources
from jtau_plugin.models.review import Passage, ReviewWords
from jtau_plugin.overlays.loader import load_model
from jtau_plugin.translation.extraction.segment import KINDS

NAME = "review.yaml"

APPROVED, CORRECTED, QUESTION, LOCKED = "approved", "corrected", "question", "locked"
#: What a reviewer can choose.
STATUSES = (APPROVED, CORRECTED, QUESTION)

_COLUMNS: Mapping[str, str] = {
    "address": "Address",
    "context": "Context",
    "english": "English",
    "translation": "Current translation",
    "correction": "Correction",
    "note": "Note",
    "status": "Status",
    "locale": "locale",
    "english_sha256": "english_sha256",
    "translation_sha256": "translation_sha256",
    "reason": "Why this was not taken",
}
_STATUSES: Mapping[str, str] = {
    APPROVED: "approved",
    CORRECTED: "corrected",
    QUESTION: "question",
    LOCKED: "locked: the English has changed",
}
_LABELS: Mapping[str, str] = {
    "instructions": "Instructions",
    "title": "Review of the {language} texts",
    "shared": "All domains",
    "sample": "This sheet is a sample: {count} of {total} texts (seed {seed}).",
    "whole": "All {total} texts of this file.",
    "contents": "Contents",
    "sheet": "Sheet",
    "texts": "Texts",
    "made": "Made on {date} from {tau2}; version {version} of the texts.",
    "choose": "Choose from the list, or leave the cell empty.",
    "part": "part {part} of {parts} of one text",
    "reviewed": "reviewed before: {said}",
    "before": "note from before: {said}",
}
_REASONS: Mapping[str, str] = {
    "unknown": "there is no such text; was the address changed, or is it of another version?",
    "english-drift": "the English has changed since the export; export again",
    "english-edited": "the English in this row is not the one that was exported: was the column "
    "edited, or sorted by itself?",
    "translation-drift": "the translation has changed since the export; export again",
    "translation-edited": "the column '{translation}' was edited; write into '{correction}'",
    "damaged": "letters of this row became question marks; save the file as UTF-8",
    "locked": "the English has changed since this was translated; it has to be translated first",
    "duplicate": "several rows of this text say different things: {where}",
    "linked": "this text is also that of {other}, where the review says something else",
    "status": "'{status}' is no status; choose {statuses}",
    "nothing": "the status is '{corrected}', but the column '{correction}' is empty",
    "question": "a correction in question is not taken; change the status once it is settled",
    "parts": "the other parts of this text are not reviewed yet",
    "characters": "it holds characters that no text may have: {found}",
    "lines": "a single line is expected",
    "headings": "the headings of a section stay as many as they are",
    "number": "the cell holds a number or a date, not a text: {found}; format the cell as text "
    "and write it again",
    "formula": "the cell holds a formula, not a text: {found}; put an apostrophe before it",
    "merged": "the file was merged from two that differ; keep one of the two texts",
    "checks": "{found}",
    "file": "{found}",
}
_INSTRUCTIONS: tuple[Passage, ...] = (
    Passage(
        title="What this is about",
        lines=(
            "A program talks with customers and answers their questions.",
            "It reads the texts in this workbook. Please read them as its customers would.",
            "You need no programming for it. Each sheet holds one kind of text.",
        ),
    ),
    Passage(
        title="What to do",
        lines=(
            "Compare '{english}' with '{translation}', row by row.",
            "If the translation is good: choose '{approved}' as '{status}'.",
            "If it is not: write the whole corrected text into '{correction}'.",
            "The status of a corrected text may stay empty or be '{corrected}'.",
            "If you are not sure: choose '{question}' and write your question into '{note}'.",
            "A row that you leave empty counts as not read. You need not do all of them.",
        ),
    ),
    Passage(
        title="What has to stay",
        lines=(
            "Words in braces such as {{name}}, and marks such as ###STOP### and <tag>.",
            "Ids, e-mail addresses, numbers and amounts.",
            "Line breaks, headings and bullets. In a cell, Alt+Enter makes a new line.",
            "Facts and conditions: nothing is added, dropped or made milder.",
        ),
    ),
    Passage(
        title="What may be done with this file",
        lines=(
            "Only '{correction}', '{note}' and '{status}' can be edited.",
            "The arrows in the titles of the columns show only some of the rows.",
            "Grey rows can not be reviewed now: their English has changed.",
            "Save it as a workbook (.xlsx) and send it back.",
        ),
    ),
)
_FONT = "Arial"
_UNREVIEWED = "No person has reviewed this locale yet."
_REVIEWED = (
    "Persons have reviewed texts of this locale (last in round {round}, {date}); human_review in "
    "the manifests says how many of each file."
)


def normal(text: str) -> str:
    """Return a title or status as it is compared: width, case and blanks do not count."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


class Words:
    """The words of one locale.

    Args:
        own: what the locale has of them.
    """

    def __init__(self, own: ReviewWords | None = None) -> None:
        own = own or ReviewWords()
        self.font = own.font or _FONT
        self.encodings = own.encodings
        self.columns = {**_COLUMNS, **own.columns}
        self.statuses = {**_STATUSES, **own.statuses}
        self.instructions = own.instructions or _INSTRUCTIONS
        self.unreviewed = own.unreviewed or _UNREVIEWED
        self.reviewed = own.reviewed or _REVIEWED
        self._kinds = {**KINDS, **own.kinds}
        self._sheets = own.sheets
        self._context = own.context
        self._reasons = {**_REASONS, **own.reasons}
        self._labels = {**_LABELS, **own.labels}

    def label(self, name: str, **values: object) -> str:
        """Return one of the single sentences."""
        return self._labels[name].format(**values)

    def kind(self, kind: str) -> str:
        """Return what a text is."""
        return self._kinds.get(kind, kind)

    def sheet(self, stem: str) -> str:
        """Return the title of a file's sheet."""
        return self._sheets.get(stem, stem)

    @property
    def known(self) -> Mapping[str, str]:
        """The phrases of the context column that have words of their own."""
        return self._context

    def phrase(self, english: str) -> str:
        """Return a word or phrase of the context column."""
        return self._context.get(english, english)

    def reason(self, name: str, **values: object) -> str:
        """Return why something was not taken."""
        return self._reasons[name].format(**{**self.named(), **values})

    def named(self) -> dict[str, str]:
        """Return the words that sentences refer to: columns and statuses."""
        chosen = {name: self.statuses[name] for name in STATUSES}
        return {**self.columns, **chosen, "statuses": ", ".join(chosen.values())}


def load_words(locale_folder: Path) -> Words:
    """Return the words of a locale; a locale without ``review.yaml`` is addressed in English.

    Raises:
        OverlayError: if the file cannot be used.
    """
    path = locale_folder / NAME
    return Words(load_model(path, ReviewWords)[0] if path.is_file() else None)


def every_words() -> Iterator[Words]:
    """Yield the English words and those of each locale that can be found."""
    yield Words()
    for _, folder in resources.iter_locales():
        if (folder / NAME).is_file():
            yield load_words(folder)


def _lookup(words: tuple[Words, ...]) -> tuple[dict[str, str], dict[str, str]]:
    columns: dict[str, str] = {}
    statuses: dict[str, str] = {}
    for own in words:
        columns |= {normal(title): name for name, title in own.columns.items()}
        statuses |= {normal(title): name for name, title in own.statuses.items()}
    columns |= {normal(name): name for name in _COLUMNS}
    statuses |= {normal(name): name for name in _STATUSES}
    return columns, statuses


class Reader:
    """Finds columns and statuses by their words, in any language that an overlay has."""

    def __init__(self, words: tuple[Words, ...] | None = None) -> None:
        own = tuple(every_words()) if words is None else words
        self.encodings = tuple(dict.fromkeys(name for w in own for name in w.encodings))
        #: Sheets that are only read by people.
        self.unread = frozenset(w.label("instructions") for w in own)
        self._columns, self._statuses = _lookup(own)

    def column(self, title: str) -> str | None:
        """Return the name of a column; ``None`` for one that is not ours."""
        return self._columns.get(normal(title))

    def status(self, written: str) -> str | None:
        """Return a status by what was written; ``""`` for none and ``None`` for an unknown one."""
        return self._statuses.get(normal(written)) if normal(written) else ""
