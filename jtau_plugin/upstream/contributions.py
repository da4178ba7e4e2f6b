"""What goes back upstream as code: the declarations, the edits and the new files."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import cast

from jtau_plugin import resources
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


def edits_of(contribution: Contribution) -> dict[str, Edit]:
    """Return what a contribution changes, by path."""
    module = importlib.import_module(f"jtau_plugin.upstream.edits.{contribution.edit}")
    return cast("dict[str, Edit]", module.EDITS)


def added_file(path: str) -> str:
    """Return the content of a file that a contribution adds."""
    return (contributions_path().parent / "files" / path).read_text(encoding="utf-8")
