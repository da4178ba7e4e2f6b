"""Other legitimate ways to write one argument, for ``jtau/oracle-wide``.

Knows how people write, never what a tool accepts: each form is what a speaker of the locale may
type for the value at hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from jtau_plugin.models.oracle import Wide
from jtau_plugin.oracle.width import to_digits, to_full_width, to_half_width, to_numerals

_HYPHEN = re.compile(r"(?<=[0-9A-Za-z])-(?=[0-9A-Za-z])")


def _unique(forms: Sequence[str], value: str) -> list[str]:
    """Return the forms in order, each once, without the plain value; never an empty list."""
    return [form for form in dict.fromkeys(forms) if form and form != value] or [value]


def code_forms(value: str, wide: Wide) -> list[str]:
    """Return ways to write an id, an e-mail address, a phone number or a zip code."""
    full = to_full_width(value)
    forms = [full, f"{wide.blank}{value}{wide.blank}"]
    forms += [f"{opening}{value}{closing}" for opening, closing in wide.quotes]
    forms += [f"{opening}{full}{closing}" for opening, closing in wide.quotes[:1]]
    forms += [_HYPHEN.sub(dash, value) for dash in wide.dashes]
    return _unique(forms, value)


def word_forms(words: Sequence[str], value: str, wide: Wide) -> list[str]:
    """Return ways to write a word out of a closed set.

    Args:
        words: the words that mean the value.
        value: the canonical value.
        wide: the locale's habits.
    """
    forms: list[str] = []
    for word in words:
        forms.append(word)
        forms += [f"{opening}{word}{closing}" for opening, closing in wide.quotes[:2]]
        forms += [to_half_width(word), to_full_width(word), f"{wide.blank}{word}{wide.blank}"]
    return _unique(forms, value)


def name_forms(words: Sequence[str], value: str, wide: Wide) -> list[str]:
    """Return ways to write a person's name: the words for it, and the Latin name itself."""
    forms = list(words)
    for word in (*words, value):
        forms += [f"{word}{honorific}" for honorific in wide.honorifics]
    forms += [to_half_width(word) for word in words]
    forms += [f"{wide.blank}{word}{wide.blank}" for word in words]
    return _unique([*forms, to_full_width(value)], value)


def place_forms(words: Sequence[str], value: str) -> list[str]:
    """Return ways to write a city, state or country."""
    forms = [*words, *(to_half_width(word) for word in words), to_full_width(value)]
    return _unique(forms, value)


def line_forms(value: str) -> list[str]:
    """Return ways to write a street line."""
    return _unique([to_full_width(value)], value)


def number_forms(value: float, units: Sequence[str]) -> list[str]:
    """Return ways to write a number, with the units that its parameter may carry."""
    plain = f"{value:,}"
    forms = [to_full_width(plain)]
    words = [unit for unit in units if not unit.isascii()]
    forms += [f"{plain}{unit}" for unit in words]
    forms += [f"{to_full_width(plain)}{unit}" for unit in words]
    return _unique(forms, str(value))


def boolean_forms(value: bool, wide: Wide) -> list[str]:
    """Return words for yes or no."""
    plain = str(value).lower()
    return _unique(wide.booleans.get(plain, ()), plain)


def expression_forms(value: str, wide: Wide) -> list[str]:
    """Return ways to write an arithmetic expression."""
    signs = value
    for operator, sign in wide.operators.items():
        signs = signs.replace(operator, sign)
    return _unique([to_full_width(signs), signs, to_full_width(value)], value)


def date_forms(value: str, wide: Wide) -> list[str]:
    """Return ways to write an ISO date; what is none stays as it is."""
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return [value]
    forms = [_date(notation, day, wide) for notation in wide.dates]
    forms += [to_full_width(form) for form in forms]
    return _unique(forms, value)


def _date(notation: str, day: date, wide: Wide) -> str:
    values = {"Y": str(day.year), "M": str(day.month), "D": str(day.day)}
    era = next((era for era in wide.eras if era.first <= day), None)
    if era is not None:
        values |= {"era": era.name, "E": str(day.year - era.first.year + 1)}
    if wide.weekdays:
        values["W"] = wide.weekdays[day.weekday()]
    if wide.numerals is not None:
        values |= {
            "KY": to_digits(day.year, wide.numerals),
            "KM": to_numerals(day.month, wide.numerals),
            "KD": to_numerals(day.day, wide.numerals),
        }
    try:
        return notation.format(**values)
    except KeyError:
        return ""


def amount_forms(value: str, wide: Wide) -> list[str]:
    """Return ways to say an amount that is followed by its unit (``8276.23``)."""
    whole, _, decimals = value.partition(".")
    grouped = f"{int(whole):,}" + (f".{decimals}" if decimals else "")
    forms = [to_full_width(grouped), value, to_full_width(value)]
    number = int(whole)
    if wide.numerals is not None and not decimals:
        forms.append(to_numerals(number, wide.numerals))
    high, low = divmod(number, 10_000)
    if wide.mixed and not decimals and high and low:
        forms += [wide.mixed.format(high=high, low=f"{low:,}")]
    return _unique(forms, grouped)


def identifier_forms(value: str) -> list[str]:
    """Return ways to say a number that identifies something."""
    return _unique([to_full_width(value)], value)
