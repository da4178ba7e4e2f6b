"""``review.yaml``: the words in which a locale's reviewers are addressed."""

from __future__ import annotations

import codecs
from typing import Annotated

from pydantic import AfterValidator

from jtau_plugin.models.base import FrozenModel, Text


def _check_encoding(name: str) -> str:
    try:
        return codecs.lookup(name).name
    except LookupError:
        raise ValueError(f"{name!r} is no encoding that Python knows") from None


Encoding = Annotated[str, AfterValidator(_check_encoding)]


class Passage(FrozenModel):
    """A paragraph of the instructions.

    Attributes:
        title: its heading.
        lines: its sentences; ``{name}`` stands for the word of a column or a status.
    """

    title: Text
    lines: tuple[Text, ...]


class ReviewWords(FrozenModel):
    """What a reviewer reads besides the texts; what is left out is English.

    Attributes:
        font: a typeface that has the locale's letters.
        encodings: encodings besides Unicode in which spreadsheets of the locale write tables.
        columns: titles of the columns, by name.
        statuses: words for what a reviewer can say of a text, by name.
        kinds: what a text is, by kind.
        sheets: titles of sheets, by name of the file without its ending.
        context: words of the column that says where a text is shown, by the English.
        reasons: why something was not taken, by name.
        labels: other single words and sentences, by name.
        instructions: the first sheet.
        unreviewed: the sentence in ``locale.yaml`` that says that nobody has reviewed the locale.
        reviewed: what stands there once somebody has.
    """

    font: Text | None = None
    encodings: tuple[Encoding, ...] = ()
    columns: dict[str, Text] = {}
    statuses: dict[str, Text] = {}
    kinds: dict[str, Text] = {}
    sheets: dict[str, Text] = {}
    context: dict[str, Text] = {}
    reasons: dict[str, Text] = {}
    labels: dict[str, Text] = {}
    instructions: tuple[Passage, ...] = ()
    unreviewed: Text | None = None
    reviewed: Text | None = None
