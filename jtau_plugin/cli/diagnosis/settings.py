"""The environment variables that change what the plugin does."""

from __future__ import annotations

import difflib
import os

from jtau_plugin import resources
from jtau_plugin.cli.diagnosis.section import Section
from jtau_plugin.domains.toolmix import read_tool_mix
from jtau_plugin.errors import Problem, ProblemsError, SettingError
from jtau_plugin.localization.tasks import active_protocol
from jtau_plugin.patching.catalogue import active_selection
from jtau_plugin.scoring.judge import judge_settings

PREFIX = "JTAU_"
#: Every variable that is read anywhere, with what it does when it is set. A test compares this
#: with the code and with README.
VARIABLES = {
    "JTAU_DISABLE": "the plugin is off",
    "JTAU_STRICT_ARGS": "arguments are taken as they are written, nothing is canonicalized",
    "JTAU_ALLOW_STALE": "a run goes on with texts whose English has changed, and says so",
    "JTAU_OVERLAY_PATH": "locales and scenarios are looked for here first",
    "JTAU_CACHE_DIR": "answers of translating models are kept here",
    "JTAU_PROTOCOL": "tasks are loaded for this scoring protocol",
    "JTAU_JUDGE_LLM": "this model judges assertions",
    "JTAU_JUDGE_ARGS": "the judge is called with these arguments",
    "JTAU_PATCHES": "repairs and code patches are switched",
    "JTAU_PATCH_UPSTREAM": "the code patches change tau2's own domains too",
    "JTAU_TOOL_MIX": "the tools of a mixable scenario are described in several languages",
    "JTAU_TOOL_MIX_SEED": "which of the possible mixes it is",
}
#: What is read here may hold a key for a provider.
_SECRET = frozenset({"JTAU_JUDGE_ARGS"})


def _is_on(name: str) -> bool:
    return os.environ.get(name, "") not in ("", "0")


def _judge() -> None:
    judge_settings(("", {}))


def _mix() -> None:
    read_tool_mix(locale for locale, _ in resources.iter_locales())


def ask_settings(section: Section) -> None:
    """List what is set, and name what means nothing."""
    given = {name: value for name, value in os.environ.items() if name.startswith(PREFIX)}
    section.facts = {
        name: "(not shown)" if name in _SECRET else given[name] for name in sorted(given)
    }
    for name in sorted(given):
        if name in VARIABLES:
            if _is_on(name):
                shown = section.facts[name]
                section.notes.append(Problem(f"{name}={shown}", VARIABLES[name]))
            continue
        close = difflib.get_close_matches(name, VARIABLES, n=1)
        hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(VARIABLES)}"
        section.problems.append(Problem(f"environment variable {name}", "means nothing", hint))
    for check in (resources.overlay_roots, active_protocol, active_selection, _mix, _judge):
        try:
            check()
        except (SettingError, ProblemsError) as error:
            section.problems.append(Problem("settings", str(error)))
