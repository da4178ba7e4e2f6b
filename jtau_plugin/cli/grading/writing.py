"""The re-graded copy: written whole or not at all, and never over the file it was made from."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jtau_plugin.compat.readable import dump_readable
from jtau_plugin.compat.results_file import SIMULATIONS_FOLDER, ResultsFile
from jtau_plugin.errors import Problem, ResultsError

_TITLE = "The re-graded copy cannot be written."
#: Only of the folder that tau2-bench 1.0 keeps single simulations in; the copy is one file.
_FOLDER_KEYS = ("simulation_index", "format_version")


def check_output(output: Path, files: Sequence[ResultsFile], *, force: bool) -> None:
    """Make sure, before anything is graded, that a copy may be written there.

    Raises:
        ResultsError: if it would overwrite something, or could not be read again.
    """
    problem = _find_problem(output, files, force=force)
    if problem is not None:
        raise ResultsError(_TITLE, [problem])


def _find_problem(output: Path, files: Sequence[ResultsFile], *, force: bool) -> Problem | None:
    where = str(output)
    inputs = [path for file in files for path in file.files]
    if output.is_dir():
        return Problem(where, "is a folder", "name a file")
    if not output.parent.is_dir():
        return Problem(where, f"there is no folder {output.parent}", "make it first")
    if output.exists() and any(path.samefile(output) for path in inputs):
        return Problem(where, "is the file that is graded, which is never changed", "name another")
    if output.exists() and not force:
        return Problem(where, "exists already", "--force overwrites it")
    if (output.parent / SIMULATIONS_FOLDER).is_dir():
        what = f"lies beside a folder {SIMULATIONS_FOLDER}, whose files tau2 would read instead"
        return Problem(where, what, "name a file in another folder")
    return None


def write_results(output: Path, raw: dict[str, Any]) -> None:
    """Write results to a file: completely, or not at all.

    Raises:
        ResultsError: if the file cannot be written.
    """
    text = dump_readable({k: v for k, v in raw.items() if k not in _FOLDER_KEYS}, indent=2)
    try:
        handle, name = tempfile.mkstemp(dir=output.parent, prefix=f".{output.name}.")
    except OSError as error:
        raise ResultsError(_TITLE, [Problem(str(output), error.strerror or str(error))]) from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(output)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            problem = Problem(str(output), error.strerror or str(error))
            raise ResultsError(_TITLE, [problem]) from error
        raise
