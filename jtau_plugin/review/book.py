"""What is exported, and what comes back: the same in every format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.review.cells import unguard
from jtau_plugin.review.rows import Row
from jtau_plugin.review.words import LOCKED, Words

#: The columns of a review, in order; those after the status are for the import.
COLUMNS = (
    "address",
    "context",
    "english",
    "translation",
    "correction",
    "note",
    "status",
    "locale",
    "english_sha256",
    "translation_sha256",
)
#: What a reviewer writes into.
OPEN = ("correction", "note", "status")
#: What they compare.
SHOWN = ("english", "translation")
HIDDEN = ("locale", "english_sha256", "translation_sha256")
#: Without these nothing can be taken in: what was read shows that a row is what it was.
REQUIRED = tuple(name for name in COLUMNS if name != "context")
#: What rejects have besides.
REASON = "reason"


@dataclass(frozen=True)
class Book:
    """A review as it is handed out.

    Attributes:
        locale: the locale's id.
        language: its name in its own language.
        words: how the reviewer is addressed.
        rows: what is to be read.
        totals: number of texts by file, of which the rows may be a sample.
        titles: the domains' names in the locale, by tau2's name.
        seed: what the sample was drawn with; empty if it is none.
        version: the version of the locale's texts.
        tau2: the installed tau2.
        date: today.
    """

    locale: str
    language: str
    words: Words
    rows: Sequence[Row]
    totals: Mapping[str, int]
    titles: Mapping[str, str] = field(default_factory=dict)
    seed: str = ""
    version: str = ""
    tau2: str = ""
    date: str = ""

    def files(self) -> dict[str, list[Row]]:
        """Return the rows by sheet."""
        files: dict[str, list[Row]] = {}
        for row in self.rows:
            files.setdefault(row.file, []).append(row)
        return files

    def is_sample(self, file: str) -> bool:
        """Return whether only some of a file's texts are here."""
        return len({row.address for row in self.files()[file]}) < self.totals.get(file, 0)


@dataclass(frozen=True)
class Answer:
    """What a file says in one row.

    Attributes:
        where: the place in the file, for people.
        key: the address, with the part where there are several.
        locale: the locale.
        english_sha256: the fingerprint of the English as it was exported.
        translation_sha256: that of the translation.
        english: the English that stands there; ``None`` if the column is gone.
        translation: the translation that stands there.
        correction: what the reviewer would write instead.
        note: what they have to say.
        status: what they chose, as it was written.
        context: where it is shown, as it was exported.
        fault: why a cell cannot be taken as a text, as (reason, what was found).
    """

    where: str
    key: str
    locale: str
    english_sha256: str
    translation_sha256: str
    english: str | None = None
    translation: str | None = None
    correction: str = ""
    note: str = ""
    status: str = ""
    context: str = ""
    fault: tuple[str, str] | None = None

    @property
    def is_blank(self) -> bool:
        """Whether nothing was written into the row, not into the wrong column either."""
        is_open = not (self.correction.strip() or self.note.strip() or self.status or self.fault)
        return is_open and is_text(self.translation, self.translation_sha256)

    def unguarded(self) -> Answer:
        """Return the row without a table's apostrophes: a spreadsheet made a workbook of one."""
        shown = ((self.english, self.english_sha256), (self.translation, self.translation_sha256))
        if not any(is_text(unguard(t or ""), sha) and not is_text(t, sha) for t, sha in shown):
            return self
        return replace(
            self,
            english=unguard(self.english or ""),
            translation=unguard(self.translation or ""),
            correction=unguard(self.correction),
            note=unguard(self.note),
        )


def is_text(text: str | None, fingerprint: str) -> bool:
    """Return whether a text is the one of a fingerprint; one that is not shown may be."""
    return text is None or fingerprint_text(text) == fingerprint


@dataclass(frozen=True)
class ReviewFile:
    """A review as it came back.

    Attributes:
        form: ``xlsx``, ``csv`` or ``po``.
        answers: its rows.
        ignored: columns and sheets that are not ours.
    """

    form: str
    answers: tuple[Answer, ...]
    ignored: tuple[str, ...] = ()


def context_lines(row: Row, words: Words) -> list[str]:
    """Return what is said of a text's place, in the reviewer's words."""
    lines = [words.kind(row.kind)]
    if row.parts > 1:
        lines.append(words.label("part", part=row.part + 1, parts=row.parts))
    for name, value in row.context:
        said = words.phrase(value) if value in words.known else _in_words(value, words)
        lines.append(said if name == "is" else f"{words.phrase(name)}: {said}")
    return lines + [words.label(name, said=said) for name, said in row.history]


def _in_words(value: str, words: Words) -> str:
    """Return a list of names with the phrases in it in the reviewer's words."""
    return ", ".join(
        f"{name}: {words.phrase(said)}" if colon else name
        for name, colon, said in (piece.partition(": ") for piece in value.split(", "))
    )


def cells_of(row: Row, words: Words, locale: str) -> dict[str, str]:
    """Return what stands in the columns of a row."""
    return {
        "address": row.key,
        "context": "\n".join(context_lines(row, words)),
        "english": row.english.strip("\n"),
        "translation": row.translation.strip("\n"),
        "correction": "",
        "note": "",
        "status": words.statuses[LOCKED] if row.is_locked else "",
        "locale": locale,
        "english_sha256": row.english_sha256,
        "translation_sha256": row.translation_sha256,
    }


def answer_cells(answer: Answer) -> dict[str, str]:
    """Return an answer as the columns of a row, as it was written."""
    return {
        "address": answer.key,
        "context": answer.context,
        "english": answer.english or "",
        "translation": answer.translation or "",
        "correction": answer.correction,
        "note": answer.note,
        "status": answer.status,
        "locale": answer.locale,
        "english_sha256": answer.english_sha256,
        "translation_sha256": answer.translation_sha256,
    }


def answer_of(
    cells: dict[str, str],
    where: str,
    clean: Callable[[str], str] = str,
    fault: tuple[str, str] | None = None,
) -> Answer:
    """Return what a row says; the inverse of ``answer_cells``.

    Args:
        cells: what stands in the columns, by their names.
        where: the row's place.
        clean: brings a text to the form in which it was before the format took it.
        fault: why a cell cannot be taken as a text.
    """

    def text(name: str) -> str:
        return clean(cells.get(name, ""))

    def optional(name: str) -> str | None:
        return clean(cells[name]) if name in cells else None

    return Answer(
        where=where,
        key=text("address"),
        locale=text("locale").strip(),
        english_sha256=text("english_sha256").strip(),
        translation_sha256=text("translation_sha256").strip(),
        english=optional("english"),
        translation=optional("translation"),
        correction=text("correction"),
        note=text("note"),
        status=text("status").strip(),
        context=text("context"),
        fault=fault,
    )
