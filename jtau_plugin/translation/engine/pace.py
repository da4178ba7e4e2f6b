"""How fast a service may be asked: requests per minute, pauses that it asks for, growing waits."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

_LONGEST = 60.0
_LONGEST_ASKED = 600.0
_MINUTE = 60.0
_MOST_DOUBLED = 32
_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]*)?")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds a service asks to wait, in any of the forms that it may say so."""
    lowered = {name.lower(): str(value).strip() for name, value in headers.items()}
    milliseconds = lowered.get("retry-after-ms", "")
    if _SECONDS.fullmatch(milliseconds):
        return min(float(milliseconds) / 1000, _LONGEST_ASKED)
    value = lowered.get("retry-after", "")
    if _SECONDS.fullmatch(value):
        return min(float(value), _LONGEST_ASKED)
    try:
        moment = parsedate_to_datetime(value)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    wait: float = (moment - datetime.now(timezone.utc)).total_seconds()
    return max(0.0, min(wait, _LONGEST_ASKED))


def backoff(attempt: int, base: float) -> float:
    """Return how long to wait before another attempt: doubled each time, half of it by chance."""
    whole = min(_LONGEST, base * 2.0 ** min(attempt, _MOST_DOUBLED))
    return whole * (0.5 + random.random() / 2)  # noqa: S311  (no secret depends on it)


class Pace:
    """Lets requests through one after another.

    Args:
        rpm: requests per minute; no limit when 0.
    """

    def __init__(self, rpm: float = 0) -> None:
        self._gap = _MINUTE / rpm if rpm > 0 else 0.0
        self._next = 0.0

    async def turn(self) -> None:
        """Wait until the next request may be made."""
        while (wait := self._next - time.monotonic()) > 0:
            await asyncio.sleep(wait)
        self._next = time.monotonic() + self._gap

    def pause(self, seconds: float) -> None:
        """Hold every request back for a while, because the service said so."""
        self._next = max(self._next, time.monotonic() + seconds)
