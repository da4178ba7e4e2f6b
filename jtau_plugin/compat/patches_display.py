"""Readable Japanese in tau2's own console views and documentation; ASCII output is unchanged."""

from __future__ import annotations

import json
from typing import Any

from jtau_plugin.compat.extension import EXTENSION
from jtau_plugin.compat.readable import dump_readable


class _ReadableJson:
    """Stands for the ``json`` module where things are shown to people: keeps non-ASCII text."""

    def __getattr__(self, name: str) -> Any:
        return getattr(json, name)

    @staticmethod
    def dumps(value: Any, **kwargs: Any) -> str:
        """Return JSON text without escaped code points."""
        return dump_readable(value, **kwargs)


def patch_display(module: Any) -> None:
    """Show texts in ``tau2 view`` and in the documentation server as they are read."""
    if getattr(module, "json", None) is json:
        module.json = _ReadableJson()


def patch_view(module: Any) -> None:  # noqa: ARG001  (a hook is given its module)
    """Let ``tau2 view`` show our metrics for our domains: nothing else applies them there."""
    if EXTENSION.ensure_patched is not None:
        EXTENSION.ensure_patched()
