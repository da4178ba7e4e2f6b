"""English words around a number: currencies, times, and words for "about"; and small numbers.

Never decides anything: see ``jtau_plugin.scoring.number_meaning``.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Final

from jtau_plugin.normalization.quantity_words import QuantityWords

_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)

NUMBER_WORDS: Final[Mapping[str, int]] = types.MappingProxyType(
    {
        **{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7},
        **{"eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12},
    }
)
"""The small numbers that English writes out; ``one`` is left out, being a pronoun as well."""

ENGLISH_QUANTITIES: Final = QuantityWords(
    dollars=(r"(?:us|u\.s\.)?\s?dollars?(?![a-z])", "usd(?![a-z])", r"\$"),
    counters=(),
    native_counters=(),
    other_units=(
        "(?:yen|euros?|pounds?|won|yuan|jpy|eur|gbp|krw|cny|cad|aud|nzd|hkd|sgd|twd|chf|inr)(?![a-z])",
        "(?:cents?|percent|pct|points?|degrees?|dozens?)(?![a-z])",
        "(?:business |working |calendar )?(?:days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|weeks?)"
        "(?![a-z])",
        r"(?:months?|years?|yrs?|nights?|a\.?m\.?|p\.?m\.?|o'?clock)(?![a-z])",
        "(?:[kmgt]b|gigabytes?|megabytes?|terabytes?|gigs?|kg|lbs?|oz|ounces?|cm|mm|km)(?![a-z])",
        "(?:inch(?:es)?|feet|foot|ft|miles?|liters?|litres?|ml|watts?|volts?|mah)(?![a-z])",
        "(?:hundred|thousand|million|billion|trillion|k|m|bn)(?![a-z])",
        f"(?:of )?{_MONTH}(?![a-z])",
    ),
    cents=("(?:and )?[0-9]+ ?cents?(?![a-z])",),
    vague_before=(
        r"(?<![a-z])(?:about|around|approximately|approx\.?|roughly|nearly|almost|circa|estimated"
        r"|at least|a minimum of|(?<!no )(?<!not )(?:more|less|fewer|greater|higher|lower) than"
        r"|close to|over|under|above|below|between|exceeds?|exceeding)(?: a total of)?",
        "[~≈≃≥≤〜~∼±]",
    ),
    vague_after=(
        "or (?:more|less|fewer|so|higher|lower|above|below)(?![a-z])",
        "(?:approximately|approx|roughly|at least|plus)(?![a-z])",
        r"\(?(?:approx|estimated|approximately|about)(?![a-z])",
        "(?:and a half|or thereabouts|-?ish)(?![a-z])",
    ),
    ordinal_before=("(?<![a-z])ending(?: in| with)?", f"(?<![a-z]){_MONTH}\\.?"),
    labels=(
        "(?<![a-z])(?:option|step|gate|suite|apt|room|seat|version|ver|level|line|flight|number"
        r"|no|plan|phase|item|section|question)\.?",
    ),
    alternatives=("or", "to"),
    negative_before=("(?<![a-z])(?:minus|negative)",),
    refund=("refund", "reimburs", "(?:give|giving|get|getting|pay|paid) (?:you )?back"),
)
