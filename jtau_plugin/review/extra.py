"""The libraries of the extra ``review``; asked for when they are needed and not before."""

from __future__ import annotations

import importlib
from typing import Any

from jtau_plugin.errors import SettingError

_PACKAGES = {"xlsx": "openpyxl", "po": "polib"}


def require(form: str) -> Any:
    """Return the library that reads and writes a format.

    Raises:
        SettingError: if it is not installed.
    """
    name = _PACKAGES[form]
    try:
        return importlib.import_module(name)
    except ImportError:
        what = f"reading and writing .{form} takes {name}, which is not installed"
        hint = "pip install 'jtau-plugin[review]', or use csv"
        raise SettingError(f"{what} ({hint})") from None
