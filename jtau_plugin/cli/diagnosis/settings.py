"""The environment variables that change what the plugin does."""

from __future__ import annotations

import difflib
import os

from jtau_plugin import resources
from jtau_plugin.cli.diagnosis.section import Section
from jtau_plugin.errors import Problem, SettingError

PREFIX = "JTAU_"
#: Every variable that is read anywhere, with what it does when it is set. A test compares this
#: with the code and with README.
VARIABLES = {
    "JTAU_DISABLE": "the plugin is off",
    "JTAU_STRICT_ARGS": "arguments are taken as they are written, nothing is canonicalized",
    "JTAU_ALLOW_STALE": "a run goes on with texts whose English has changed, and says so",
    "JTAU_OVERLAY_PATH": "locales are looked for here first",
}


def _is_on(name: str) -> bool:
    return os.environ.get(name, "") not in ("", "0")


def ask_settings(section: Section) -> None:
    """List what is set, and name what means nothing."""
    given = {name: value for name, value in os.environ.items() if name.startswith(PREFIX)}
    section.facts = {name: given[name] for name in sorted(given)}
    for name in sorted(given):
        if name in VARIABLES:
            if _is_on(name):
                section.notes.append(Problem(f"{name}={given[name]}", VARIABLES[name]))
            continue
        close = difflib.get_close_matches(name, VARIABLES, n=1)
        hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(VARIABLES)}"
        section.problems.append(Problem(f"environment variable {name}", "means nothing", hint))
    try:
        resources.overlay_roots()
    except SettingError as error:
        section.problems.append(Problem("settings", str(error)))
