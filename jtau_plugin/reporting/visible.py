"""Text of results files, made safe to show: what cannot be seen is written out.

Control characters, direction overrides and lone surrogates can hide or reorder what is shown.
"""

from __future__ import annotations

import re

#: C0 and C1 controls except tab and newline, the soft hyphen, zero-width and direction characters,
#: line and paragraph separators, the byte order mark, lone surrogates, noncharacters, and tags. The
#: zero-width joiner stays: names and pictures need it.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200c\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)


def _written(match: re.Match[str]) -> str:
    return f"⟨U+{ord(match[0]):04X}⟩"


def visible(text: str) -> str:
    """Return the text with every hidden character written as ``⟨U+202E⟩``."""
    return _HIDDEN.sub(_written, text.replace("\r\n", "\n"))
