"""How functions of tau2 are replaced: once, with the original kept, also where others copied it.

Hooks replace for good (``replace_…``); the patch engine replaces through ``Replacement``, which
knows the way back. Either may lie above the other on one function.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from jtau_plugin.compat.layout import module

#: What a wrapper of ours was put around.
_BELOW = "jtau_original"
#: Set by hooks. A wrapper put around a hook's wrapper copies it, so it says "hooked" of both.
_HOOKED = "jtau_hooked"

Make = Callable[[Any], Callable[..., Any]]


def _below(function: Any) -> Any:
    below = getattr(function, _BELOW, None)
    # functools.wraps copies attributes, so a stranger's wrapper around ours has our mark as well.
    return below if getattr(function, "__wrapped__", None) is below else None


def original_of(function: Any) -> Any:
    """Return the function below all our wrappers, or the function itself.

    Somebody else's wrapper ends the search: what it does is not ours to skip.
    """
    while (below := _below(function)) is not None:
        function = below
    return function


def _dress(function: Any, wrapper: Callable[..., Any]) -> Any:
    if wrapper is function:
        raise ValueError("the new function is the old one")
    dressed = functools.wraps(function)(wrapper)
    setattr(dressed, _BELOW, function)
    return dressed


def wrap(function: Any, wrapper: Callable[..., Any]) -> Any:
    """Return ``wrapper`` dressed as ``function``; one that is hooked already is returned."""
    if hasattr(function, _HOOKED):
        return function
    dressed = _dress(function, wrapper)
    setattr(dressed, _HOOKED, True)
    return dressed


def _modules_of_tau2() -> Iterator[Any]:
    for name, found in list(sys.modules.items()):
        if name.partition(".")[0] == "tau2" and found is not None:
            yield found


def _exchange(old: Any, new: Any) -> None:
    """Put ``new`` wherever a module of tau2 holds ``old``."""
    for holder in _modules_of_tau2():
        for key, value in list(vars(holder).items()):
            if value is old:
                setattr(holder, key, new)


def replace_function(module: Any, name: str, make: Make) -> None:
    """Replace a module's function, also in modules of tau2 that imported it by name.

    Args:
        module: the module that defines it.
        name: the function's name.
        make: takes the original, returns the wrapper.
    """
    original = getattr(module, name)
    if hasattr(original, _HOOKED):
        return
    replacement = wrap(original, make(original))
    _exchange(original, replacement)
    setattr(module, name, replacement)


def replace_method(cls: Any, name: str, make: Make) -> None:
    """Replace a plain method defined on a class."""
    original = cls.__dict__[name]
    if not hasattr(original, _HOOKED):
        setattr(cls, name, wrap(original, make(original)))


def replace_classmethod(cls: Any, name: str, make: Make) -> None:
    """Replace a classmethod defined on a class; ``make`` is given the function below it."""
    original = cls.__dict__[name]
    if not isinstance(original, classmethod):
        raise TypeError(f"{cls.__name__}.{name} is no classmethod")
    if not hasattr(original.__func__, _HOOKED):
        setattr(cls, name, classmethod(wrap(original.__func__, make(original.__func__))))


def replace_property(cls: Any, name: str, make: Make) -> None:
    """Replace the getter of a property defined on a class."""
    original = cls.__dict__[name]
    if not isinstance(original, property) or original.fget is None:
        raise TypeError(f"{cls.__name__}.{name} is no property")
    if not hasattr(original.fget, _HOOKED):
        setattr(cls, name, property(wrap(original.fget, make(original.fget))))


@dataclass(frozen=True)
class Slot:
    """Where a function of tau2 is kept.

    Attributes:
        owner: the module or class whose namespace holds it.
        name: its name there.
    """

    owner: Any
    name: str

    @property
    def entry(self) -> Any:
        """What the namespace holds: a function, or the descriptor around one."""
        return vars(self.owner)[self.name]

    @property
    def function(self) -> Any:
        """The plain function in the entry; ``None`` when there is none."""
        entry = self.entry
        if isinstance(entry, classmethod | staticmethod):
            entry = entry.__func__
        elif isinstance(entry, property):
            entry = entry.fget
        return entry if isinstance(entry, FunctionType) else None


def find_slot(target: str) -> Slot | None:
    """Return where ``module:Qualified.name`` is defined, or ``None`` where there is no such thing.

    What a class only inherits is not defined there.

    Raises:
        ImportError: the module is there and cannot be imported.
    """
    module_name, _, path = target.partition(":")
    try:
        owner = module(module_name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module_name}.".startswith(f"{error.name}."):
            return None
        raise
    *owners, name = path.split(".")
    for step in owners:
        owner = vars(owner).get(step)
        if not inspect.isclass(owner):
            return None
    return Slot(owner, name) if name in vars(owner) else None


class Replacement:
    """One function of tau2 with a wrapper in its place, and the way back.

    Args:
        slot: where the function is kept; it holds a function now.
        make: takes the function that is there, returns the wrapper.
    """

    def __init__(self, slot: Slot, make: Make) -> None:
        self.slot = slot
        self._before = slot.entry
        self._after = _entry_like(self._before, _dress(slot.function, make(slot.function)))

    def is_below(self, above: Replacement | None) -> bool:
        """Return whether the wrapper lies directly below another one of ours.

        Args:
            above: the other; ``None`` asks whether the wrapper is the outermost in its slot.
        """
        found = vars(self.slot.owner).get(self.slot.name) if above is None else above._before
        return found is self._after

    def install(self) -> None:
        """Put the wrapper in place, for modules of tau2 that imported the function by name too."""
        self._swap(self._before, self._after)

    def revert(self) -> None:
        """Put back the very object that was there; the caller has seen that it is on top."""
        self._swap(self._after, self._before)

    def _swap(self, old: Any, new: Any) -> None:
        if not inspect.isclass(self.slot.owner):
            _exchange(old, new)
        setattr(self.slot.owner, self.slot.name, new)


def _entry_like(entry: Any, function: Any) -> Any:
    if isinstance(entry, classmethod | staticmethod):
        return type(entry)(function)
    if isinstance(entry, property):
        return property(function, entry.fset, entry.fdel, entry.__doc__)
    return function
