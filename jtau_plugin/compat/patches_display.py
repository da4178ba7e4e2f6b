"""Readable Japanese in tau2's own console views; ASCII output is unchanged."""

from __future__ import annotations

import json
from typing import Any


class _ReadableJson:
    """Stands for the ``json`` module inside the display module: ``dumps`` keeps non-ASCII text."""

    def __getattr__(self, name: str) -> Any:
        return getattr(json, name)

    @staticmethod
    def dumps(value: Any, **kwargs: Any) -> str:
        """Return JSON text without escaped code points."""
        return json.dumps(value, **{"ensure_ascii": False, **kwargs})


def patch_display(module: Any) -> None:
    """Show arguments and results in ``tau2 view`` as they are read."""
    if getattr(module, "json", None) is json:
        module.json = _ReadableJson()
