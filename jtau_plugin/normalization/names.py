"""Rule N: a person's name in Latin letters, or in katakana through the table of its own role.

Never swaps given and family names, and never romanizes: a katakana name that the table of its
role does not hold stays as written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from jtau_plugin.normalization.japanese_words import strip_honorific
from jtau_plugin.normalization.text import fold_key, is_latin, text_only

_TWO_NAMES = re.compile("(?P<given>[^ ・]+)[ ・](?P<family>[^ ・]+)")


@text_only
def canonicalize_latin_name(value: str, table: Mapping[str, str]) -> str:
    """Return a Latin name in ordinary width and trimmed; anything else as written.

    ``table`` is taken for the sake of the signature and is not read.
    """
    del table
    text = fold_key(value)
    return text if is_latin(text) else value


@text_only
def canonicalize_latin_full_name(
    value: str, given: Mapping[str, str], family: Mapping[str, str]
) -> str:
    """Return a Latin full name in ordinary width and trimmed; anything else as written."""
    del family
    return canonicalize_latin_name(value, given)


@text_only
def canonicalize_name(value: str, table: Mapping[str, str]) -> str:
    """Return the Latin name for ``value``, without one 様 or さん, or ``value`` as written.

    ``table`` leads from the katakana form (NFKC) of one role's names to the Latin one.
    """
    if value in table.values():
        return value
    text = strip_honorific(fold_key(value))
    return _latin(text, table) or value


@text_only
def canonicalize_full_name(value: str, given: Mapping[str, str], family: Mapping[str, str]) -> str:
    """Return ``value`` as Latin given name, blank, family name, or as written.

    A full name is Latin as a whole, or it is two names parted by one blank or ・, given name first.
    """
    text = strip_honorific(fold_key(value))
    if is_latin(text):
        return text
    halves = _TWO_NAMES.fullmatch(text)
    if halves is None:
        return value
    given_name, family_name = _latin(halves["given"], given), _latin(halves["family"], family)
    return f"{given_name} {family_name}" if given_name and family_name else value


def _latin(name: str, table: Mapping[str, str]) -> str | None:
    return name if is_latin(name) else table.get(name)
