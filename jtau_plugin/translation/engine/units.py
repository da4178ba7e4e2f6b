"""What is asked of a model, and what came of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from jtau_plugin.translation.masking import Masked


@dataclass(frozen=True)
class TermUse:
    """An approved term or value that occurs in a text.

    Attributes:
        english: the words in which the text has it.
        local: how the locale writes it.
        of: what it is: a kind of term, or the table of a value.
    """

    english: str
    local: str
    of: str = ""


@dataclass(frozen=True)
class Unit:
    """One text to translate, whatever number of places it stands in.

    Attributes:
        id: short and the same in every run.
        kind: what it is, one of the kinds of segments.
        english: the text.
        masked: the text with tokens.
        scope: texts of one scope must differ; empty when they need not.
        table: the table of values that it belongs to; may be empty.
        terms: approved terms that occur in it.
        context: what a translator needs to know.
        previous: the translation of an older wording; may be empty.
    """

    id: str
    kind: str
    english: str
    masked: Masked
    scope: str = ""
    table: str = ""
    terms: tuple[TermUse, ...] = ()
    context: Mapping[str, object] = field(default_factory=dict)
    previous: str = ""

    def as_data(self) -> dict[str, object]:
        """Return everything about it that a model is told, as plain data."""
        masks = {}
        for mask in self.masked.masks:
            told: dict[str, str] = {"hides": mask.text}
            if mask.shown != mask.text:
                told["will read"] = mask.shown
            masks[mask.token] = told
        data: dict[str, object] = {"id": self.id, "kind": self.kind, "text": self.masked.text}
        if masks:
            data["tokens"] = masks
        if self.terms:
            data["terms"] = [
                {"english": t.english, "write": t.local, **({"of": t.of} if t.of else {})}
                for t in self.terms
            ]
        if self.context:
            data["context"] = dict(self.context)
        if self.previous:
            data["previous translation, of an older wording"] = self.previous
        return data


def unit_id(*parts: str) -> str:
    """Return the id of a unit: it depends on what the unit is alone."""
    digest = hashlib.sha256("\0".join(parts).encode("utf-8")).hexdigest()
    return f"u{digest[:12]}"


def content_key(about: Mapping[str, object]) -> str:
    """Return the SHA-256 of plain data; equal data have equal keys."""
    text = json.dumps(about, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


@dataclass(frozen=True)
class Answer:
    """A translation that was accepted.

    Attributes:
        text: the localized text, with everything restored.
        notes: what the checks would still say about it.
        date: when it was made.
        is_paid: whether this run paid for it.
    """

    text: str
    notes: tuple[str, ...] = ()
    date: str = ""
    is_paid: bool = False


@dataclass(frozen=True)
class Failure:
    """A unit for which no usable translation came.

    Attributes:
        reasons: what was wrong with the last attempt.
    """

    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """What is to be said about a translation.

    Attributes:
        text: the text, with what could be derived put right.
        faults: why it cannot be used.
        notes: what should be better.
    """

    text: str
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
