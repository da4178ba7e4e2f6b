"""English words around a number: currencies, times, and words for "about"; and small numbers.

Never decides anything: see ``jtau_plugin.scoring.number_meaning``.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Final

from jtau_plugin.normalization.quantity_words import QuantityWords


def _words(*words: str) -> str:
    """Return the pattern of one of ``words``, with no Latin letter at either side."""
    return f"(?<![a-z])(?:{'|'.join(words)})(?![a-z])"


def _units(*words: str) -> str:
    """Return the pattern of one of ``words`` after a number, which it may be glued to."""
    return f"(?:{'|'.join(words)})(?![a-z])"


NUMBER_WORDS: Final[Mapping[str, int]] = types.MappingProxyType(
    {
        "two": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "seven": 7,
        "eight": 8,
        "nine": 9,
        "ten": 10,
        "eleven": 11,
        "twelve": 12,
    }
)
"""The small numbers that English writes out; ``one`` is left out, being a pronoun as well."""

_MONTHS = (
    *("jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?"),
    *("aug(?:ust)?", "sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?", "dec(?:ember)?"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_LARGE = ("hundred", "thousand", "million", "billion", "trillion")
_COMPARED = "(?<!no )(?<!not )(?:more|less|fewer|greater|higher|lower) than"

ENGLISH_QUANTITIES: Final = QuantityWords(
    dollars=(_units(r"(?:us|u\.s\.)?\s?dollars?", "usd"), r"\$(?![0-9])"),
    counters=(),
    native_counters=(),
    other_units=(
        _units("yen", "euros?", "pounds?", "yuan", "jpy", "eur", "gbp", "krw", "cny"),
        _units("cad", "aud", "nzd", "hkd", "sgd", "twd", "chf", "inr"),
        _units("cents?", "percent", "pct", "points?", "degrees?", "dozens?"),
        _units("(?:business |working |calendar )?days?", "hours?", "hrs?", "minutes?", "mins?"),
        _units("seconds?", "secs?", "weeks?", "months?", "years?", "yrs?", "nights?"),
        _units(r"a\.?m\.?", r"p\.?m\.?", "o'?clock", *_LARGE, "k", "m", "bn"),
        _units("[kmgt]b", "gigabytes?", "megabytes?", "terabytes?", "gigs?", "kg", "lbs?", "oz"),
        _units("ounces?", "cm", "mm", "km", "inch(?:es)?", "feet", "foot", "ft", "miles?"),
        _units("liters?", "litres?", "ml", "watts?", "volts?", "mah"),
        _units(*(f"(?:of )?{month}" for month in _MONTHS if month != "may"), "may(?=,? ?[0-9])"),
    ),
    cents=(_units("(?:and )?[0-9]+ ?cents?"),),
    vague_before=(
        _words("about", "around", "approximately", "roughly", "nearly", "almost", "circa")
        + "(?: a total of)?",
        _words("at least", "a minimum of", "over", "under", "above", "below", _COMPARED)
        + "(?: a total of)?",
        _words(r"approx\.?", "estimated(?: at)?", "close to", "between", "exceed(?:s|ing)?"),
        _words("between") + r" \$?[0-9][0-9,.]* and",
        "[~≈≃≥≤〜∼±]",
    ),
    vague_before_native=(),
    vague_after=(
        _units("or (?:more|less|fewer|so|higher|lower|above|below|thereabouts)"),
        _units("approximately", "approx", "roughly", "at least", "plus", "and a half", "-?ish"),
        r"\(" + _units("approximately", "approx", "roughly", "about", "estimated"),
    ),
    ordinal_before=(
        _words("ending(?: in| with)?"),
        _words(*_MONTHS) + r"\.?",
        _words(*_TENS, *_LARGE) + "(?: and)?",
    ),
    labels=(
        _words("option", "step", "gate", "suite", "apt", "room", "seat", "version", "ver", "level")
        + r"\.?",
        _words("line", "flight", "number", "no", "plan", "phase", "item", "section", "question")
        + r"\.?",
    ),
    alternatives=(_words("or", "to"),),
    negative_before=(_words("minus", "negative"),),
    refund=("refund", "reimburs", "(?:give|giving|get|getting|pay|paid) (?:you )?back"),
)
