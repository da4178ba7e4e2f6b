"""``jtau patches export``: patches for a checkout of tau2-bench, and what became of each repair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jtau_plugin import __version__
from jtau_plugin.cli import output
from jtau_plugin.cli.quiet import quiet_tau2
from jtau_plugin.compat import layout
from jtau_plugin.errors import Problem, ProblemsError
from jtau_plugin.patching.catalogue import load_code_patches
from jtau_plugin.upstream.changes import Change, all_changes
from jtau_plugin.upstream.checkout import Checkout
from jtau_plugin.upstream.contributions import load_contributions
from jtau_plugin.upstream.entries import unknown
from jtau_plugin.upstream.export import NOBODY, Export, export

#: Version of the JSON: raised when a key is renamed, removed or given another meaning.
SCHEMA = 1
_STATES = ("written", "already upstream", "impossible")


def make_export(
    repo: Path, out: Path, ids: Sequence[str], classes: Sequence[str], *, force: bool
) -> Export:
    """Write the patches that were asked for; all of them when nothing is named.

    Raises:
        LayoutError: if there is no tau2, whose model reads the tasks.
        ProblemsError: for ids that are unknown or have nothing to bring upstream, for a checkout
            or a folder that cannot be used.
    """
    layout.require_tau2()
    with quiet_tau2():
        task = layout.module("tau2.data_model.tasks").Task

    def normalize(raw: dict[str, Any]) -> dict[str, Any]:
        document: dict[str, Any] = task.model_validate(raw).model_dump(mode="json")
        return document

    changes = choose(all_changes(normalize), ids, classes)
    return export(Checkout(repo), changes, out, force=force)


def choose(changes: Sequence[Change], ids: Sequence[str], classes: Sequence[str]) -> list[Change]:
    """Return the changes of some ids and classes; a code patch stands for what it brings upstream.

    Raises:
        ProblemsError: for each id that is unknown or has nothing to bring upstream.
    """
    problems = list(_unknown_ids(changes, ids))
    if problems:
        raise ProblemsError("These cannot be exported.", problems)
    return [
        change
        for change in changes
        if (not ids or {change.id, *change.covers} & set(ids))
        and (not classes or change.class_ in classes)
    ]


def _unknown_ids(changes: Sequence[Change], ids: Sequence[str]) -> list[Problem]:
    known = {name for change in changes for name in (change.id, *change.covers)}
    without = {name: one.why for one in load_contributions().without for name in one.patches}
    patches = {patch.id for patch in load_code_patches()}
    problems = []
    for name in ids:
        if name in without:
            what = f"{name} has nothing to bring upstream: {without[name]}"
            problems.append(Problem("--id", what))
        elif name in patches - known:
            what = f"nothing is written yet that brings {name} upstream"
            problems.append(Problem("--id", what))
        elif name not in known:
            problems.append(Problem("--id", unknown(name, known | patches)))
    return problems


def as_data(done: Export, out: Path) -> dict[str, object]:
    """Return the export as plain data: the format of ``--json``."""
    return {
        "schema": SCHEMA,
        "plugin": __version__,
        "checkout": done.checkout,
        "author": done.author,
        "out": str(out),
        "neighbours": list(done.neighbours),
        "repairs": [
            {
                "id": outcome.change.id,
                "covers": list(outcome.change.covers),
                "class": outcome.change.class_ or None,
                "title": outcome.change.title,
                "branch": outcome.change.group.branch,
                "state": outcome.state,
                "reason": outcome.reason,
                "files": list(outcome.files),
                "patches": list(outcome.patches),
            }
            for outcome in done.outcomes
        ],
    }


def print_export(done: Export, out: Path) -> None:
    """Print what was written, what is upstream already, and what is impossible."""
    counts = Counter(outcome.state for outcome in done.outcomes)
    for state in _STATES:
        print(f"{state.capitalize()}: {counts[state]}")
        if state == "already upstream":
            names = [o.change.id for o in done.outcomes if o.state == state]
            print(f"  {', '.join(names)}" if names else "  -")
            continue
        output.print_table(
            [
                ["", outcome.change.id, outcome.reason or outcome.change.title]
                for outcome in done.outcomes
                if outcome.state == state
            ]
        )
    if done.author == NOBODY:
        print(f"The checkout names nobody (git config user.name), so the author is {NOBODY}.")
    print(f"Made for {done.checkout}; each patch was tried. {out / 'README.md'} says how to go on.")
