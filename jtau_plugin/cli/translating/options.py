"""The options that say which model translates, how it is asked, and where the texts go."""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import time
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from jtau_plugin.errors import Problem, SettingError
from jtau_plugin.translation.engine.cache import VARIABLE, default_cache_dir
from jtau_plugin.translation.engine.client import (
    ModelSettings,
    require_model,
    require_parameters,
)
from jtau_plugin.translation.engine.echo import MODEL as ECHO
from jtau_plugin.translation.engine.limits import Limits
from jtau_plugin.translation.estimating import price

_DAY = "SOURCE_DATE_EPOCH"


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def _amount(text: str) -> float:
    number = float(text)
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text} is no number from 0")
    return number


def _seconds(text: str) -> float:
    number = _amount(text)
    if not number:
        raise argparse.ArgumentTypeError("0 seconds are none")
    return number


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return number


def _parameter(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"{text!r} is no NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Give a command the options about the model."""
    group = parser.add_argument_group("the model")
    group.add_argument("--model", metavar="MODEL", help=f"any model of litellm, or {ECHO}")
    group.add_argument("--api-base", default="", metavar="URL", help="address of the service")
    group.add_argument(
        "--param",
        action="append",
        default=[],
        type=_parameter,
        metavar="NAME=VALUE",
        help="a further parameter for the model, as JSON (temperature=0 unless named)",
    )
    group.add_argument(
        "--concurrency",
        type=_positive,
        default=4,
        metavar="N",
        help="requests at a time; default 4",
    )
    group.add_argument(
        "--rpm", type=_amount, default=0.0, metavar="N", help="requests a minute; no limit when 0"
    )
    group.add_argument(
        "--max-retries",
        type=_count,
        default=4,
        metavar="N",
        help="how often a request that fails is made again, and a text that cannot be used is "
        "asked for; default 4",
    )
    group.add_argument(
        "--timeout", type=_seconds, default=120.0, metavar="SECONDS", help="default 120"
    )
    group.add_argument(
        "--first-wait",
        type=_amount,
        default=1.0,
        metavar="SECONDS",
        help="before a request is made again; doubled each time; default 1",
    )
    group.add_argument(
        "--batch", type=_positive, default=20, metavar="N", help="texts a request; default 20"
    )
    group.add_argument(
        "--max-cost",
        type=_amount,
        metavar="DOLLARS",
        help="make no further request from there; those on the way are still paid",
    )
    group.add_argument(
        "--cache",
        metavar="DIR",
        help=f"folder of kept answers; default {VARIABLE} or ~/.cache/jtau",
    )
    group.add_argument("--no-cache", action="store_true", help="keep answers for this run only")


def add_writing_options(parser: argparse.ArgumentParser) -> None:
    """Give a command the options about what is written and where."""
    parser.add_argument("--out", metavar="DIR", type=Path, help="folder in which the locale lies")
    parser.add_argument(
        "--structure",
        metavar="LOCALE",
        help="whose overlay gives the facts that are the same in every language; default ja",
    )
    parser.add_argument(
        "--accept-old",
        action="store_true",
        help="a renewed text keeps its old fingerprints too: it serves another layout as well",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def model_settings(given: argparse.Namespace, *, is_asked: bool = True) -> ModelSettings:
    """Return how the model is asked; embedded models are made known to litellm.

    Args:
        given: the command line.
        is_asked: whether it will be; else nothing is required of it, not even a key.

    Raises:
        SettingError: for a model that cannot be asked, an embedded one that cannot translate, or
            parameters that are not for a user to set.
    """
    model = given.model or ""
    require_parameters(dict(given.param))
    if model == ECHO:
        from jtau_plugin.translation.engine.provider import register_echo  # noqa: PLC0415

        register_echo()
    elif model.startswith("jtau/"):
        raise SettingError(f"--model {model}: plays simulations and does not translate; use {ECHO}")
    elif model and is_asked:
        require_model(model, given.api_base)
    if is_asked and given.max_cost is not None and price(model, 1, 1) is None:
        raise SettingError(
            f"--max-cost: the price of {model} is not known, so nothing would stop the run there"
        )
    parameters = {"temperature": 0, **dict(given.param)}
    return ModelSettings(
        model=model,
        parameters={name: value for name, value in parameters.items() if value is not None},
        api_base=given.api_base,
        timeout=given.timeout,
        max_retries=given.max_retries,
        first_wait=given.first_wait,
        rpm=given.rpm,
        concurrency=given.concurrency,
    )


def limits(given: argparse.Namespace) -> Limits:
    """Return how much is asked for at a time."""
    return Limits(batch=given.batch, attempts=1 + given.max_retries, cost=given.max_cost)


def cache_dir(given: argparse.Namespace) -> Path:
    """Return where answers and diaries are kept."""
    return Path(given.cache).expanduser() if given.cache else default_cache_dir()


def journal_path(given: argparse.Namespace, folder: Path) -> Path:
    """Return the diary of the runs that write a locale."""
    name = hashlib.sha256(str(folder.resolve()).encode("utf-8")).hexdigest()[:12]
    return cache_dir(given) / "runs" / f"{folder.name}-{name}.jsonl"


def today() -> str:
    """Return the date that texts get: ``SOURCE_DATE_EPOCH`` if it is set.

    Raises:
        SettingError: if that is no number of seconds.
    """
    given = os.environ.get(_DAY)
    try:
        seconds = float(given or time.time())
        return _date(seconds)
    except (ValueError, OverflowError, OSError):
        what = f"{given!r} is no number of seconds"
        raise SettingError(str(Problem(f"environment variable {_DAY}", what))) from None


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).date().isoformat()
