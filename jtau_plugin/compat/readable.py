"""JSON text as it is read: characters as they are, never as escaped code points.

Half a surrogate pair is the one exception. It is no character, cannot be sent as UTF-8, and a model
that was cut off inside an emoji writes one; it stays escaped, as upstream writes it.
"""

from __future__ import annotations

import json
import re
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")


def dump_readable(value: Any, **settings: Any) -> str:
    """Return the JSON text of ``value``; ``settings`` are those of ``json.dumps``."""
    text = json.dumps(value, **{"ensure_ascii": False, **settings})
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
