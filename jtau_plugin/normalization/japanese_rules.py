"""The rules of the locale ``ja``: the language-free ones, and Japanese dates, names and booleans.

Imported only when a Japanese environment asks for it.
"""

from __future__ import annotations

import dataclasses
from typing import Final

from jtau_plugin.normalization.booleans import canonicalize_bool
from jtau_plugin.normalization.dates import canonicalize_date
from jtau_plugin.normalization.names import canonicalize_full_name, canonicalize_name
from jtau_plugin.normalization.rules import LANGUAGE_FREE

RULES: Final = dataclasses.replace(
    LANGUAGE_FREE,
    date=canonicalize_date,
    boolean=canonicalize_bool,
    name=canonicalize_name,
    full_name=canonicalize_full_name,
)
