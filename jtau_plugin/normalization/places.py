"""Rule AD: the parts of a postal address that a tool stores as they come.

Never translates a street line, and never looks up text that is ASCII already: an English agent
that writes Illinois where the tool wants IL is not helped either.
"""

from __future__ import annotations

from collections.abc import Mapping

from jtau_plugin.normalization.text import fold_key, fold_width, text_only


@text_only
def canonicalize_address_line(value: str) -> str:
    """Return ``value`` in ordinary width when that makes it ASCII, otherwise as written."""
    text = fold_width(value)
    return text if text.isascii() else value


@text_only
def canonicalize_place(value: str, table: Mapping[str, str]) -> str:
    """Return the city, state or country that ``table`` (NFKC form to canonical) has for ``value``.

    Text that ordinary width makes ASCII is taken as it then stands; the unknown stays as written.
    """
    text = fold_width(value)
    if text.isascii():
        return text
    if value in table.values():
        return value
    return table.get(fold_key(value), value)
