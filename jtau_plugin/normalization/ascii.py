"""Rule A: ids, e-mail addresses and phone numbers typed with a Japanese keyboard.

Never changes case, never adds or removes a visible ASCII character inside the value.
"""

from __future__ import annotations

from jtau_plugin.normalization.text import (
    drop_invisible,
    fold_dashes,
    fold_width,
    is_printable_ascii,
    strip_quotes,
    text_only,
)


@text_only
def canonicalize_ascii(value: str) -> str:
    """Return ``value`` in printable ASCII, or as written when width alone cannot bring it there."""
    text = drop_invisible(fold_width(value)).strip()
    text = fold_dashes(strip_quotes(text))
    return text if is_printable_ascii(text) else value
