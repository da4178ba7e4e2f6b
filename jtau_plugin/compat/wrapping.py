"""How functions of tau2 are replaced: once, with the original kept, also where others copied it."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

_MARK = "jtau_original"


def original_of(function: Any) -> Any:
    """Return upstream's function behind a wrapper, or the function itself."""
    return getattr(function, _MARK, function)


def wrap(function: Any, wrapper: Callable[..., Any]) -> Any:
    """Return ``wrapper`` dressed as ``function``; one that is wrapped already is returned."""
    if hasattr(function, _MARK):
        return function
    dressed = functools.wraps(function)(wrapper)
    setattr(dressed, _MARK, function)
    return dressed


def replace_function(module: Any, name: str, make: Callable[[Any], Callable[..., Any]]) -> None:
    """Replace a module's function, also in modules of tau2 that imported it by name.

    Args:
        module: the module that defines it.
        name: the function's name.
        make: takes the original, returns the wrapper.
    """
    original = getattr(module, name)
    if hasattr(original, _MARK):
        return
    replacement = wrap(original, make(original))
    for other_name, other in list(sys.modules.items()):
        if other_name.partition(".")[0] == "tau2" and other is not None:
            for key, value in list(vars(other).items()):
                if value is original:
                    setattr(other, key, replacement)
    setattr(module, name, replacement)


def replace_method(cls: Any, name: str, make: Callable[[Any], Callable[..., Any]]) -> None:
    """Replace a plain method defined on a class."""
    original = cls.__dict__[name]
    if not hasattr(original, _MARK):
        setattr(cls, name, wrap(original, make(original)))


def replace_classmethod(cls: Any, name: str, make: Callable[[Any], Callable[..., Any]]) -> None:
    """Replace a classmethod defined on a class; ``make`` is given the function below it."""
    original = cls.__dict__[name]
    if not isinstance(original, classmethod):
        raise TypeError(f"{cls.__name__}.{name} is no classmethod")
    if not hasattr(original.__func__, _MARK):
        setattr(cls, name, classmethod(wrap(original.__func__, make(original.__func__))))


def replace_property(cls: Any, name: str, make: Callable[[Any], Callable[..., Any]]) -> None:
    """Replace the getter of a property defined on a class."""
    original = cls.__dict__[name]
    if not isinstance(original, property) or original.fget is None:
        raise TypeError(f"{cls.__name__}.{name} is no property")
    if not hasattr(original.fget, _MARK):
        setattr(cls, name, property(wrap(original.fget, make(original.fget))))
