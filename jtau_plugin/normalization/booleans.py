"""Rule B: a truth value written as one of a few exact words.

Never reads 1, 0, "True" or 必要 as a truth value.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Final

from jtau_plugin.normalization.japanese_words import JAPANESE_BOOLEANS
from jtau_plugin.normalization.text import fold_key

_JSON_BOOLEANS: Final[Mapping[str, bool]] = types.MappingProxyType({"true": True, "false": False})


def canonicalize_json_bool(value: object) -> object:
    """Return the truth value that the text ``true`` or ``false`` names; anything else unchanged."""
    return _JSON_BOOLEANS.get(fold_key(value), value) if isinstance(value, str) else value


def canonicalize_bool(value: object) -> object:
    """Return the truth value that ``true``, はい, 有効, オン or an opposite names, or ``value``."""
    if not isinstance(value, str):
        return value
    return JAPANESE_BOOLEANS.get(fold_key(value), canonicalize_json_bool(value))
