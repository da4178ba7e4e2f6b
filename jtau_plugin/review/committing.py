"""Writes several files as one: all of them are there with their new texts, or none is."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from jtau_plugin.errors import Problem, ReviewError
from jtau_plugin.translation.writing.files import write_atomically


def commit(
    folder: Path, files: Mapping[str, str], expected: Mapping[str, str | None]
) -> list[Path]:
    """Write files below a folder.

    Everything is written beside its place first; only then are the files renamed, one after the
    other. Should a renaming fail, those that went before are put back.

    Args:
        folder: the folder.
        files: new texts by path below it.
        expected: what the files say now; ``None`` for one that is not there.

    Returns:
        The paths that were written.

    Raises:
        ReviewError: if a file says something else by now, or cannot be written.
    """
    _require_unchanged(folder, files, expected)
    waiting: dict[Path, Path] = {}
    done: list[Path] = []
    try:
        for name, text in files.items():
            path = folder / name
            waiting[path] = _write_beside(path, text)
        for path, new in waiting.items():
            new.replace(path)
            done.append(path)
    except OSError as error:
        for path in done:
            _put_back(path, expected.get(path.relative_to(folder).as_posix()))
        problem = Problem(str(error.filename or folder), f"cannot be written: {error.strerror}")
        raise ReviewError("Nothing was taken in.", [problem]) from error
    finally:
        for new in waiting.values():
            new.unlink(missing_ok=True)
    return done


def _require_unchanged(
    folder: Path, files: Mapping[str, str], expected: Mapping[str, str | None]
) -> None:
    problems = []
    for name in files:
        path = folder / name
        found = path.read_bytes().decode("utf-8", "replace") if path.is_file() else None
        if found != expected.get(name):
            what = "it changed while the review was read"
            problems.append(Problem(str(path), what, "import the review again"))
    if problems:
        raise ReviewError("Nothing was taken in.", problems)


def _write_beside(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    new = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    return new


def _put_back(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink(missing_ok=True)
    else:
        write_atomically(path, text)
