"""Whose calls a code patch changes: those of our own domains, and all with an opt-in."""

from __future__ import annotations

import os
from typing import Any

from jtau_plugin.compat.tasks import read_mark


def is_upstream_patched() -> bool:
    """Return whether ``JTAU_PATCH_UPSTREAM=1`` lets the code patches change tau2's own domains."""
    return os.environ.get("JTAU_PATCH_UPSTREAM", "") not in ("", "0")


def is_task_in_scope(task: Any) -> bool:
    """Return whether the grading of a task is ours to change."""
    return read_mark(task) is not None or is_upstream_patched()


def is_object_in_scope(subject: Any) -> bool:
    """Return whether a toolkit or environment is of our own domains, or upstream is opted in."""
    return getattr(subject, "jtau_domain", "") != "" or is_upstream_patched()
