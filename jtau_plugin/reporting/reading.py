"""Reading what a results file may hold anything in: what is of another kind counts as not there."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def as_mapping(value: Any) -> Mapping[str, Any]:
    """Return an object, or an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: Any) -> list[Any]:
    """Return a list, or an empty one for anything else."""
    return value if isinstance(value, list) else []


def as_mappings(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list."""
    return [item for item in as_list(value) if isinstance(item, Mapping)]


def as_number(value: Any) -> float | None:
    """Return a finite number, or ``None`` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
