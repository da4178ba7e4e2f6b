"""The few Japanese words that rules B and N know: yes and no, and the polite endings of a name.

Never holds names, places or enum values: those are the overlay's.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Final

JAPANESE_BOOLEANS: Final[Mapping[str, bool]] = types.MappingProxyType(
    {"はい": True, "有効": True, "オン": True, "いいえ": False, "無効": False, "オフ": False}
)

_HONORIFICS = ("様", "さん")


def strip_honorific(name: str) -> str:
    """Return ``name`` without one 様 or さん at its end; a name that is nothing else stays."""
    for honorific in _HONORIFICS:
        bare = name[: -len(honorific)].rstrip() if name.endswith(honorific) else ""
        if bare:
            return bare
    return name
