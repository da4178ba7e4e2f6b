"""Importing tau2 without its start-up messages, for commands whose own output is the point."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

from loguru import logger

#: litellm asks the network for its price list unless this is set.
LOCAL_PRICES = "LITELLM_LOCAL_MODEL_COST_MAP"


@contextlib.contextmanager
def quiet_tau2() -> Iterator[None]:
    """Keep tau2's log lines away, and whatever it prints off standard output."""
    os.environ.setdefault(LOCAL_PRICES, "True")
    logger.disable("tau2")
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        logger.enable("tau2")
