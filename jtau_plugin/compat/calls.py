"""What a call of a tau2 function passes, parameter by parameter."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any


def read_arguments(function: Callable[..., Any], *args: Any, **kwargs: Any) -> dict[str, Any]:
    """Return what each parameter of a function is given by a call, the defaults included.

    Returns:
        The arguments by name; empty for a call that the function cannot take. Whoever is given
        nothing leaves the call to the function, which says what is wrong with it.
    """
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return {}
    bound.apply_defaults()
    return dict(bound.arguments)
