"""What goes back upstream as code: the declarations, the edits and the new files."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path
from typing import cast

from jtau_plugin import resources
from jtau_plugin.errors import Problem
from jtau_plugin.models.upstream import Contribution, ContributionsFile
from jtau_plugin.overlays.loader import load_model

Edit = Callable[[str], str]


def contributions_path() -> Path:
    """Return where the contributions are declared."""
    return resources.data_root() / "patches" / "upstream" / "contributions.yaml"


@cache
def load_contributions() -> ContributionsFile:
    """Return the declared contributions; none if there is no file.

    Raises:
        OverlayError: for everything that is wrong in the file, collected.
    """
    path = contributions_path()
    if not path.is_file():
        return ContributionsFile(contributions=())
    return load_model(path, ContributionsFile)[0]


def check_contributions(patches: Collection[str]) -> list[Problem]:
    """Return what is wrong with the contributions.

    Args:
        patches: the ids of all code patches; each has to go upstream, or has a reason not to.
    """
    declared, where = load_contributions(), str(contributions_path())
    named = [name for one in declared.contributions for name in one.patches]
    named += [name for one in declared.without for name in one.patches]
    problems = [
        Problem(where, f"there is no code patch {name!r}", "correct its id")
        for name in sorted(set(named) - set(patches))
    ]
    problems += [
        Problem(
            where, f"code patch {name!r} is not mentioned", "add what goes upstream, or why not"
        )
        for name in sorted(set(patches) - set(named))
    ]
    for one in declared.contributions:
        try:
            edits_of(one)
        except (ImportError, AttributeError) as error:
            problems.append(Problem(f"{where}: {one.id}", str(error), "add the module"))
        problems += [
            Problem(f"{where}: {one.id}", f"there is no file {path}", "add it below files/")
            for path in one.adds
            if not (contributions_path().parent / "files" / path).is_file()
        ]
    return problems


def edits_of(contribution: Contribution) -> dict[str, Edit]:
    """Return what a contribution changes, by path."""
    module = importlib.import_module(f"jtau_plugin.upstream.edits.{contribution.edit}")
    return cast("dict[str, Edit]", module.EDITS)


def added_file(path: str) -> str:
    """Return the content of a file that a contribution adds."""
    return (contributions_path().parent / "files" / path).read_text(encoding="utf-8")
