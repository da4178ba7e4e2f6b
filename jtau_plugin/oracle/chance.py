"""Choices that look varied and are the same in every run, thread and process."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def stable_number(*seed: object) -> int:
    """Return a number that depends on the seed alone."""
    return zlib.crc32("|".join(map(str, seed)).encode("utf-8"))


def choose(options: Sequence[T], *seed: object) -> T:
    """Return one of the options, always the same for a seed."""
    return options[stable_number(*seed) % len(options)]
