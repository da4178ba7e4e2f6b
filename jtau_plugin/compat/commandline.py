"""tau2's own command line: its parser is asked, its ``main`` is run.

Nothing here prints, and no option of tau2's is given another meaning.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jtau_plugin.compat.layout import module

_CLI = "tau2.cli"


@dataclass(frozen=True)
class RunRequest:
    """What ``tau2 run`` was asked, as far as it decides where the results go.

    Attributes:
        domain: the domain to run.
        agent_llm: the agent's model.
        save_to: the name of the results, if given.
        results_dir: the folder of the results, if given.
        takes_results_dir: whether this tau2 has the option ``--results-dir``.
    """

    domain: str
    agent_llm: str
    save_to: str | None
    results_dir: str | None
    takes_results_dir: bool


def parse_run(arguments: Sequence[str]) -> RunRequest | None:
    """Return what tau2's own parser makes of the arguments of ``run``.

    Returns:
        ``None`` when this tau2 does not offer its parser.

    Raises:
        SystemExit: as argparse does, for ``--help`` and for wrong usage.
    """
    add_run_args = getattr(module(_CLI), "add_run_args", None)
    if add_run_args is None:
        return None
    parser = argparse.ArgumentParser(
        prog="jtau run",
        description="Runs 'tau2 run' with the localized domains. Without --save-to the results go "
        "to the folder jtau-results.",
    )
    add_run_args(parser)
    given = parser.parse_args(list(arguments))
    return RunRequest(
        domain=str(given.domain),
        agent_llm=str(given.agent_llm),
        save_to=given.save_to,
        results_dir=getattr(given, "results_dir", None),
        takes_results_dir=hasattr(given, "results_dir"),
    )


def place_results(request: RunRequest, folder: Path, name: str) -> tuple[list[str], Path]:
    """Return the options that send the results to ``folder``, and the file that tau2 will write.

    Args:
        request: what tau2 was asked; what it says about the place stands.
        folder: an absolute path, for what the request leaves open.
        name: the name of the results, unless the request gives one.
    """
    added: list[str] = []
    save_to = request.save_to or name
    if request.takes_results_dir:
        if request.save_to is None:
            added += ["--save-to", name]
        if request.results_dir is None:
            added += ["--results-dir", str(folder)]
        return added, Path(request.results_dir or folder).absolute() / f"{save_to}.json"
    if request.save_to is None:
        # Joined to tau2's own folder, an absolute path stands for itself.
        save_to = str(folder / name)
        added += ["--save-to", save_to]
    own = Path(module("tau2.utils.utils").DATA_DIR) / "simulations"
    return added, (own / save_to).absolute() / "results.json"


def run_tau2(arguments: Sequence[str]) -> int:
    """Run tau2's command line in this process and return its exit code."""
    before, sys.argv = sys.argv, ["tau2", *arguments]
    try:
        result = module(_CLI).main()
    finally:
        sys.argv = before
    return result if isinstance(result, int) else 0
