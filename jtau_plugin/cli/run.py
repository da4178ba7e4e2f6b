"""``jtau run``: tau2's own ``run`` with the localized domains, without any hook in site-packages.

Adds no option of its own: what it was given goes to tau2. Where tau2 is not told where to write,
the results go to the folder ``jtau-results`` instead of tau2's own installation.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from jtau_plugin._bootstrap import is_disabled
from jtau_plugin.cli.quiet import LOCAL_PRICES
from jtau_plugin.compat import commandline, hooks, layout

SUMMARY = "runs 'tau2 run' with the localized domains (all options are tau2's)"
RESULTS_FOLDER = Path("jtau-results")
#: Models that this plugin brings along: no network is needed, so none is asked for prices.
_EMBEDDED = "jtau/"


def _value(arguments: Sequence[str], option: str) -> str:
    """Return what an option is given, written in either form, or an empty text."""
    for position, argument in enumerate(arguments):
        if argument == option and position + 1 < len(arguments):
            return arguments[position + 1]
        if argument.startswith(f"{option}="):
            return argument.partition("=")[2]
    return ""


def _is_embedded(arguments: Sequence[str]) -> bool:
    models = [_value(arguments, option) for option in ("--agent-llm", "--user-llm")]
    return all(model.startswith(_EMBEDDED) for model in models)


def make_run_name(request: commandline.RunRequest, folder: Path) -> str:
    """Return a name for the results that is not taken in ``folder``."""
    model = request.agent_llm.rstrip("/").rpartition("/")[2]
    stem = f"{datetime.now():%Y%m%d_%H%M%S}_{request.domain}_{model}"
    stem = re.sub(r"[^\w.-]+", "-", stem)
    name, number = stem, 1
    while (folder / name).exists() or (folder / f"{name}.json").exists():
        number += 1
        name = f"{stem}-{number}"
    return name


def _say_where(file: Path) -> None:
    try:
        shown = file.relative_to(Path.cwd())
    except ValueError:
        shown = file
    print(f"\nResults: {shown}\nLook at them: tau2 view --file {shlex.quote(str(shown))}")


def main(arguments: Sequence[str]) -> int:
    """Run tau2 with the arguments, and say at the end where the results are.

    Raises:
        LayoutError: if there is no tau2.
        JtauError: whatever a localized domain refuses.
    """
    layout.require_tau2()
    if is_disabled():
        print("jtau: JTAU_DISABLE is set, so tau2 runs without localized domains", file=sys.stderr)
    if _is_embedded(arguments):
        os.environ.setdefault(LOCAL_PRICES, "True")
    hooks.activate()
    request = commandline.parse_run(arguments)
    if request is None:
        return commandline.run_tau2(["run", *arguments])
    folder = Path.cwd() / RESULTS_FOLDER
    added, file = commandline.place_results(request, folder, make_run_name(request, folder))
    try:
        return commandline.run_tau2(["run", *added, *arguments])
    finally:
        # Also after an error: what had been simulated until then is in the file.
        if file.is_file():
            _say_where(file)
