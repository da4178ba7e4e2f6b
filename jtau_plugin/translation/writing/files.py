"""Files that are there as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from jtau_plugin.errors import TranslationError

#: How the files are named that are not yet in their place.
_LEFT = re.compile(r"\.[\w.-]+\.\w{8}\.tmp")


def write_atomically(path: Path, text: str) -> None:
    """Write a UTF-8 file: whoever reads it sees the old text or the new one, never a part.

    The mode of a file that is replaced stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def writing_into(folder: Path) -> Iterator[None]:
    """Hold a folder for oneself; it is made if it is not there, and goes again if it stays empty.

    Raises:
        TranslationError: if nothing can be written there, or if another run is at it.
    """
    made = []
    try:
        for part in (*reversed(folder.parents), folder):
            if not part.is_dir():
                part.mkdir(exist_ok=True)
                made.append(part)
        probe, name = tempfile.mkstemp(dir=folder, prefix=".jtau.", suffix=".tmp")
        os.close(probe)
        Path(name).unlink()
    except OSError as error:
        _remove_empty(made)
        raise TranslationError(f"nothing can be written into {folder}: {error.strerror}") from error
    try:
        with _locked(folder):
            _sweep(folder)
            yield
    finally:
        _remove_empty(made)


def _sweep(folder: Path) -> None:
    """Remove what a run that was killed has left of files that it was writing."""
    for path in folder.rglob(".*.tmp"):
        if _LEFT.fullmatch(path.name):
            path.unlink(missing_ok=True)


def _remove_empty(folders: list[Path]) -> None:
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            folder.rmdir()


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    try:
        import fcntl  # noqa: PLC0415  (there is none on Windows)
    except ImportError:  # pragma: no cover
        yield
        return
    # The folder itself is locked, so that no file is left in it.
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise TranslationError(
                f"another run is writing into {folder}; wait for it to end"
            ) from None
        except OSError:
            pass  # a file system without locks
        yield
    finally:
        os.close(handle)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
