"""Where the overlays and patches lie: a checkout, an editable install, or a wheel.

Finds folders; never reads a data file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from jtau_plugin.errors import Problem, SettingError

_PACKAGE = Path(__file__).resolve().parent


def data_root() -> Path:
    """Return the folder that holds ``overlays/`` and ``patches/``.

    A wheel carries them as ``jtau_plugin/_data``; in a checkout or an editable install they lie
    beside the package.
    """
    packed = _PACKAGE / "_data"
    return packed if packed.is_dir() else _PACKAGE.parent


def overlay_roots() -> list[Path]:
    """Return the folders that may hold locales, a user's own first.

    ``JTAU_OVERLAY_PATH`` names further folders (separated like ``PATH``); a locale found in an
    earlier folder hides the same locale in a later one.

    Raises:
        SettingError: if ``JTAU_OVERLAY_PATH`` names a folder that does not exist.
    """
    roots: list[Path] = []
    for name in filter(None, os.environ.get("JTAU_OVERLAY_PATH", "").split(os.pathsep)):
        path = Path(name).expanduser()
        if not path.is_dir():
            where = "environment variable JTAU_OVERLAY_PATH"
            raise SettingError(str(Problem(where, f"no folder {path}", "name an existing folder")))
        roots.append(path)
    roots.append(data_root() / "overlays")
    return roots


def iter_locales() -> Iterator[tuple[str, Path]]:
    """Yield ``(locale, folder)`` for each folder with a ``locale.yaml``, first found wins."""
    seen: set[str] = set()
    for root in overlay_roots():
        if not root.is_dir():
            continue
        for folder in sorted(root.iterdir()):
            if folder.name not in seen and (folder / "locale.yaml").is_file():
                seen.add(folder.name)
                yield folder.name, folder


def iter_domains(locale_folder: Path) -> Iterator[str]:
    """Yield the names of the domains in a locale: its folders that hold a ``manifest.yaml``."""
    for folder in sorted(locale_folder.iterdir()):
        if (folder / "manifest.yaml").is_file():
            yield folder.name
