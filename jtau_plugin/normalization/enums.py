"""Rule E: a word out of the closed set of one (tool, parameter).

Never guesses: a word that the table does not hold, letter for letter, stays as written.
"""

from __future__ import annotations

from collections.abc import Mapping

from jtau_plugin.normalization.text import fold_key, strip_quotes, text_only


def fold_enum(text: str) -> str:
    """Return the form under which ``text`` is looked up: NFKC, trimmed, one pair of quotes off."""
    return strip_quotes(fold_key(text))


@text_only
def canonicalize_enum(value: str, table: Mapping[str, str]) -> str:
    """Return the canonical value that ``table`` (folded form to canonical) holds for ``value``.

    A value that is canonical already, and one that the table does not know, come back unchanged.
    """
    if value in table.values():
        return value
    return table.get(fold_enum(value), value)
