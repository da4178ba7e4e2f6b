"""The words around a number that decide what it counts and whether it is exact.

Holds the shape only; ``japanese_quantities`` and ``english_quantities`` hold the words.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class QuantityWords:
    """One language's words around a number; each entry is a regular expression without groups."""

    dollars: tuple[str, ...]
    """A dollar amount's unit, after the number."""
    counters: tuple[str, ...]
    """What may be glued to a number that counts things."""
    native_counters: tuple[str, ...]
    """The counters that make a numeral of the language's own script a number."""
    other_units: tuple[str, ...]
    """Units that make the number another fact: other currencies, times, percentages."""
    cents: tuple[str, ...]
    """The minor unit: a dollar amount that it follows is not a whole one."""
    vague_before: tuple[str, ...]
    """Words before a number that make it inexact."""
    vague_before_native: tuple[str, ...]
    """The same, before a numeral of the language's own script only (数千)."""
    vague_after: tuple[str, ...]
    """Words after a number, or after its unit, that make it inexact."""
    ordinal_before: tuple[str, ...]
    """Words before a number that make it a rank, a part of a number or a date."""
    labels: tuple[str, ...]
    """Words before a bare number that make it the name of something."""
    alternatives: tuple[str, ...]
    """Words between two bare numbers of which only one holds."""
    negative_before: tuple[str, ...]
    """Words that are a minus sign."""
    refund: tuple[str, ...]
    """Words by which a sentence says that a negative amount is one paid back."""
