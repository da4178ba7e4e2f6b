"""The embedded model's files: what each may hold.

Shapes only. Every file is optional; a locale without them is played in a neutral form that
``oracle.book`` builds from the locale's own texts.
"""

from __future__ import annotations

import re
from datetime import date

from pydantic import Field, RootModel, field_validator

from jtau_plugin.models.base import FrozenModel, Text


def _check_patterns(patterns: tuple[str, ...]) -> tuple[str, ...]:
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"{pattern!r} is no regular expression: {error}") from None
    return patterns


class Rewrite(FrozenModel):
    """Replaces each match of a regular expression."""

    pattern: Text
    to: str

    @field_validator("pattern")
    @classmethod
    def _is_pattern(cls, value: str) -> str:
        return _check_patterns((value,))[0]


class FirstPerson(FrozenModel):
    """How a scenario, which speaks to the caller, becomes what the caller says.

    Attributes:
        sentence_end: the characters that end a sentence.
        secret: a sentence that matches one of these, its asides included, is never said.
        drop: nor is one that without its unsaid asides matches one of these: an instruction.
        drop_aside: so is an aside in parentheses that matches one of these.
        aside: regular expression of an aside.
        rewrite: replacements in order, tried on each sentence.
    """

    sentence_end: Text
    secret: tuple[Text, ...] = ()
    drop: tuple[Text, ...] = ()
    drop_aside: tuple[Text, ...] = ()
    aside: Text
    rewrite: tuple[Rewrite, ...] = ()

    @field_validator("secret", "drop", "drop_aside")
    @classmethod
    def _are_patterns(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return _check_patterns(value)


class Heard(FrozenModel):
    """What the caller understands of an agent that is not the embedded one."""

    means: Text
    patterns: tuple[Text, ...]

    @field_validator("patterns")
    @classmethod
    def _are_patterns(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return _check_patterns(value)


class Era(FrozenModel):
    """A named span of years; ``first`` is its first day."""

    name: Text
    first: date


class Numerals(FrozenModel):
    """The locale's own numerals.

    Attributes:
        digits: ten characters, zero to nine.
        places: names of 1, 10, 100 and 1000 (the first is empty).
        myriads: names of 1, 10,000, 100,000,000 … (the first is empty).
    """

    digits: str = Field(min_length=10, max_length=10)
    places: tuple[str, ...]
    myriads: tuple[str, ...]


class Wide(FrozenModel):
    """Other legitimate written forms, for ``jtau/oracle-wide``.

    Attributes:
        quotes: pairs of quotation marks that may enclose a value.
        blank: a blank that may surround a value.
        honorifics: what may follow a person's name.
        dashes: signs that may stand for a hyphen inside a code.
        operators: other signs for arithmetic operators.
        booleans: words for ``true`` and ``false``.
        dates: notations of a date; ``{Y}``, ``{M}``, ``{D}`` are numbers, ``{era}`` and ``{E}``
            an era and its year, ``{W}`` the weekday, ``{KY}``, ``{KM}``, ``{KD}`` numerals.
        eras: newest first.
        weekdays: names from Monday on.
        numerals: the locale's own numerals.
        mixed: notation of a large number as multiples of 10,000 and a rest, with ``{high}`` and
            ``{low}``.
    """

    quotes: tuple[tuple[str, str], ...] = ()
    blank: str = ""
    honorifics: tuple[Text, ...] = ()
    dashes: tuple[Text, ...] = ()
    operators: dict[str, Text] = {}
    booleans: dict[str, tuple[Text, ...]] = {}
    dates: tuple[Text, ...] = ()
    eras: tuple[Era, ...] = ()
    weekdays: tuple[Text, ...] = ()
    numerals: Numerals | None = None
    mixed: str = ""


class Grouping(FrozenModel):
    """Which numbers are amounts, told by the unit that follows.

    Attributes:
        units: after a number, these make it an amount, which is written with thousands commas.
        money: those among them that want two decimals or none.
    """

    units: tuple[Text, ...] = ()
    money: tuple[Text, ...] = ()


class OracleFile(FrozenModel):
    """``oracle.yaml`` of a locale.

    Attributes:
        phrases: variants by name; ``{name}`` is filled in.
        bullet: what stands before each line of a list.
        first_person: from scenario to speech.
        numbers: which numbers are amounts.
        wide: other written forms.
        heard: in order, the first match counts.
    """

    phrases: dict[str, tuple[Text, ...]]
    bullet: str = ""
    first_person: FirstPerson
    numbers: Grouping = Grouping()
    wide: Wide = Wide()
    heard: tuple[Heard, ...] = ()


class WriteTexts(FrozenModel):
    """How a writing tool is spoken of.

    Attributes:
        title: what is done, as a noun.
        lines: the details, one line each; a line whose values are all empty is left out.
        notes: what has to be said with them.
        done: said when it has been done.
    """

    title: Text
    lines: tuple[Text, ...]
    notes: tuple[Text, ...] = ()
    done: Text


class DomainOracleFile(FrozenModel):
    """``oracle.yaml`` of a domain.

    Attributes:
        phrases: variants that replace or add to those of the locale.
        writes: texts by writing tool.
        requests: what the caller is asked to do, as a noun, by the caller's tool.
        words: small building blocks (an item, a payment method) by name.
    """

    phrases: dict[str, tuple[Text, ...]] = {}
    writes: dict[str, WriteTexts] = {}
    requests: dict[str, Text] = {}
    words: dict[str, Text] = {}


class Talk(FrozenModel):
    """An exchange before an action, where the caller decides or changes their mind.

    Attributes:
        before: number of the action (from 0; writes and hand-overs count), or the tool's name,
            which stands for its first call.
        agent: what the agent says; the locale's own question when left out.
        user: what the caller answers.
    """

    before: int | Text = 0
    agent: Text | None = None
    user: Text


class TaskLines(FrozenModel):
    """What is said in one task beyond what follows from its facts.

    Attributes:
        say: sentences for what must be communicated, ``{}`` for each value in order.
        forms: a value's form in this locale.
        first: the sentences are said before the first action, not after the last.
        opening: the caller's concern, instead of the converted scenario.
        identity: what the caller says about themselves, instead of the converted scenario.
        corrections: said one after the other when a look-up fails.
        refusal: why the request cannot be met, when nothing is to be done.
        talks: exchanges before actions.
    """

    say: tuple[Text, ...] = ()
    forms: dict[str, Text] = {}
    first: bool = False
    opening: Text | None = None
    identity: Text | None = None
    corrections: tuple[Text, ...] = ()
    refusal: Text | None = None
    talks: tuple[Talk, ...] = ()


class SayFile(RootModel[dict[str, TaskLines]]):
    """``say.yaml``: lines by task id."""

    model_config = {"frozen": True}
