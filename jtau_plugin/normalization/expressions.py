"""The arithmetic expression of the calculator tool.

Never computes and never repairs the arithmetic: only the signs are brought to ASCII.
"""

from __future__ import annotations

from jtau_plugin.normalization.ascii import canonicalize_ascii
from jtau_plugin.normalization.text import is_printable_ascii, text_only

_OPERATORS = str.maketrans({"×": "*", "÷": "/", "\u2212": "-"})


@text_only
def canonicalize_expression(value: str) -> str:
    """Return ``value`` by rule A with ×, ÷ and − as ``*``, ``/`` and ``-``, or as written."""
    text = canonicalize_ascii(value.translate(_OPERATORS))
    return text if is_printable_ascii(text) else value
