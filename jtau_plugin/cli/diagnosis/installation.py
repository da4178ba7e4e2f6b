"""The Python, the installed copies of this plugin, and how it is loaded."""

from __future__ import annotations

import base64
import csv
import hashlib
import importlib.metadata
import locale
import os
import re
import site
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import jtau_plugin
from jtau_plugin import resources
from jtau_plugin.cli.diagnosis.section import Section
from jtau_plugin.errors import Problem

DISTRIBUTION = "jtau-plugin"
_PACKAGE = Path(jtau_plugin.__file__).resolve().parent
_VERSION = re.compile(r'^__version__ = "([^"]+)"', re.MULTILINE)
#: From this Python on, lines with ``import`` in ``.pth`` files are on their way out (PEP 829).
_START_FILES = (3, 15)
_SECONDS = 60
# ``sys`` alone: what else is imported here would hide what the start of an interpreter imports.
_ASK = (
    "import sys; m = sys.modules.get('jtau_plugin');"
    "on = any(getattr(f, 'jtau_hook', False) for f in sys.meta_path);"
    "print('active' if on else 'not active'); print(m.__file__ if m else '')"
)


@dataclass(frozen=True)
class Copy:
    """A copy of the plugin: its version, and the folder in which it lies."""

    version: str
    folder: Path

    def __str__(self) -> str:
        return f"{self.version} in {self.folder}"


def ask_python(section: Section) -> None:
    """Say which Python runs, and whether it reads and writes Japanese by default."""
    encoding = locale.getpreferredencoding(do_setlocale=False)
    section.facts = {
        "version": ".".join(map(str, sys.version_info[:3])),
        "executable": sys.executable,
        "platform": sys.platform,
        "encoding": encoding,
    }
    if encoding.lower().replace("-", "") not in ("utf8", "cp65001"):
        what = f"text files are {encoding} by default, and tau2 names no encoding for its own"
        section.notes.append(Problem("this Python", what, "set PYTHONUTF8=1"))
    if sys.version_info >= _START_FILES:
        what = "this Python will stop running import lines of .pth files"
        section.notes.append(Problem("this Python", what, "use 'jtau run'"))


def _folders(paths: Iterable[str]) -> Iterator[Path]:
    seen: set[Path] = set()
    for path in paths:
        folder = Path(path).resolve()
        if folder not in seen:
            seen.add(folder)
            yield folder


def find_packages(paths: Iterable[str]) -> list[Copy]:
    """Return the copies of the package on a path, the one that is imported first."""
    found = []
    for folder in _folders(paths):
        init = folder / "jtau_plugin" / "__init__.py"
        if init.is_file():
            match = _VERSION.search(init.read_text(encoding="utf-8", errors="replace"))
            found.append(Copy(match[1] if match else "?", init.parent))
    return found


def find_distributions(paths: Iterable[str]) -> list[tuple[Copy, importlib.metadata.Distribution]]:
    """Return the installations of the distribution on a path, first found first."""
    found = []
    for folder in _folders(paths):
        for distribution in importlib.metadata.distributions(name=DISTRIBUTION, path=[str(folder)]):
            found.append((Copy(distribution.version, folder), distribution))
    return found


def _check_copies(section: Section, what: str, copies: list[Copy]) -> None:
    if len(copies) > 1:
        listed = "; ".join(map(str, copies))
        found = f"{len(copies)} {what} on the path, of which the first is used: {listed}"
        section.problems.append(Problem("sys.path", found, "uninstall all but one"))


def _check_files(section: Section, distribution: importlib.metadata.Distribution) -> None:
    """Compare the installed files with what was installed: a missing or changed one is a problem.

    The hook's own file is left out; removing it is the documented way to live without it.
    """
    # Read here because Python 3.12 leaves missing files out of ``distribution.files``.
    for name, digest, *_ in csv.reader((distribution.read_text("RECORD") or "").splitlines()):
        path = Path(str(distribution.locate_file(name)))
        algorithm, _, expected = digest.partition("=")
        if not expected or path.suffix == ".pth":
            continue
        if not path.is_file():
            section.problems.append(Problem(str(path), "the file is missing", "reinstall"))
            continue
        found = hashlib.new(algorithm, path.read_bytes()).digest()
        if base64.urlsafe_b64encode(found).decode().rstrip("=") != expected:
            what = "the file has changed since it was installed"
            section.problems.append(Problem(str(path), what, "reinstall"))


def ask_plugin(section: Section) -> None:
    """Say which copy of the plugin runs, whether it is whole, and whether there are others."""
    packages = find_packages(sys.path)
    installed = find_distributions(sys.path)
    section.facts = {
        "version": jtau_plugin.__version__,
        "package": str(_PACKAGE),
        "data": str(resources.data_root()),
        "installed": [str(copy) for copy, _ in installed],
    }
    _check_copies(section, "copies of the package", packages)
    _check_copies(section, f"installations of {DISTRIBUTION}", [copy for copy, _ in installed])
    if not installed:
        what = "it runs from a folder and is not installed"
        section.notes.append(Problem(str(_PACKAGE), what, "pip install it"))
    for copy, distribution in installed[:1]:
        if copy.version != jtau_plugin.__version__:
            what = f"version {copy.version} is installed, {jtau_plugin.__version__} is imported"
            section.problems.append(Problem(str(copy.folder), what, "reinstall"))
        _check_files(section, distribution)


def find_pth(folders: Iterable[str]) -> list[Path]:
    """Return the ``.pth`` files in these folders that load the hook."""
    found = []
    for folder in _folders(folders):
        for path in sorted(folder.glob("*.pth")):
            if "jtau_plugin._bootstrap" in path.read_text(encoding="utf-8", errors="replace"):
                found.append(path)
    return found


def _site_folders() -> list[str]:
    folders = list(site.getsitepackages())
    if site.ENABLE_USER_SITE:
        folders.append(site.getusersitepackages())
    return folders


def _ask_fresh_interpreter() -> tuple[str, str, str]:
    """Return the hook's state, the loaded package's file and the messages of a new interpreter."""
    environment = {k: v for k, v in os.environ.items() if k != "JTAU_DISABLE"}
    done = subprocess.run(  # noqa: S603  (our own interpreter, a fixed program)
        [sys.executable, "-c", _ASK],
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=_SECONDS,
        env=environment,
        check=False,
    )
    state, _, file = done.stdout.strip().partition("\n")
    return state or f"failed with exit code {done.returncode}", file, done.stderr.strip()


def ask_loading(section: Section) -> None:
    """Say whether tau2 finds the localized domains when it is started by itself."""
    files = find_pth(_site_folders())
    state, package, messages = _ask_fresh_interpreter()
    group = importlib.metadata.entry_points(group="tau2.plugins")
    section.facts = {
        "pth": [str(file) for file in files],
        "fresh_interpreter": state,
        "entry_points": [f"{point.name} = {point.value}" for point in group],
    }
    if messages:
        what = f"a fresh interpreter says: {messages}"
        section.problems.append(
            Problem(str(files[0]) if files else "this Python", what, "reinstall")
        )
    if state == "active":
        if package and Path(package).resolve().parent != _PACKAGE:
            what = f"a fresh interpreter loads {Path(package).parent}, this command {_PACKAGE}"
            section.problems.append(Problem("sys.path", what, "uninstall all but one"))
    elif files:
        what = f"the hook is installed, yet in a fresh interpreter it is {state}"
        section.problems.append(Problem(str(files[0]), what, "reinstall"))
    else:
        what = "no .pth file loads the hook: 'tau2 run' does not know the localized domains"
        section.notes.append(Problem("site-packages", what, "use 'jtau run', or reinstall"))
