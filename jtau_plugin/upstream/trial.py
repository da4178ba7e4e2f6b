"""Tries the patches before they are handed out: each alone, and every series in its order."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from jtau_plugin.errors import Problem, ProblemsError
from jtau_plugin.upstream.changes import Change
from jtau_plugin.upstream.checkout import run_git
from jtau_plugin.upstream.dataedits import Files
from jtau_plugin.upstream.patchfile import write_text
from jtau_plugin.upstream.stack import Patch, Stack, stack_up

_HINT = "report this as a fault of jtau"


class ExportError(ProblemsError):
    """The patches cannot be written where they should be, or do not apply."""


class Trial:
    """A place outside of any repository with the files that patches touch.

    Args:
        base: the last commit.
        paths: the files that are touched.
        folder: a folder that does not exist yet.
    """

    def __init__(self, base: Files, paths: Iterable[str], folder: Path) -> None:
        self._files = base
        self._folder = folder
        self._base = folder / "base"
        self._base.mkdir(parents=True)
        for path in sorted(set(paths)):
            if base.has(path):
                write_text(self._base / path, base.read(path))

    def try_alone(self, patches: Iterable[Patch]) -> list[Problem]:
        """Return a problem for each patch that does not apply to the last commit."""
        return [
            Problem(f"patch {patch.id}", f"does not apply alone: {said}", _HINT)
            for patch in patches
            if (said := self._apply([patch], self._base, check=True))
        ]

    def try_series(self, patches: Sequence[Patch], stack: Stack) -> list[Problem]:
        """Return a problem for each patch that does not apply in order, or has another effect."""
        folder = self._copy()
        if not self._apply(patches, folder):
            return _differences(folder, stack.changed)
        folder = self._copy()
        problems = [
            Problem(f"patch {patch.id}", f"does not apply in its series: {said}", _HINT)
            for patch in patches
            if (said := self._apply([patch], folder))
        ]
        return problems + _differences(folder, stack.changed)

    def neighbours(self, patches: Sequence[Patch], changes: Mapping[str, Change]) -> list[str]:
        """Return the ids of patches for the last commit that do not apply after those before them.

        The others then have the effect of their changes; if not so, no patch does.

        Args:
            patches: patches for the last commit.
            changes: the changes by id.
        """
        folder = self._copy()
        failed = []
        if self._apply(patches, folder):
            folder = self._copy()
            failed = [patch.id for patch in patches if self._apply([patch], folder)]
        rest = stack_up((changes[p.id] for p in patches if p.id not in failed), self._files)
        is_right = not rest.left and not _differences(folder, rest.changed)
        return failed if is_right else [patch.id for patch in patches]

    def _copy(self) -> Path:
        folder = self._folder / "copy"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self._base, folder)
        return folder

    def _apply(self, patches: Sequence[Patch], folder: Path, *, check: bool = False) -> str:
        """Apply patches in a folder, or only try it; return what git says when one does not go."""
        names = []
        for number, patch in enumerate(patches):
            file = self._folder / f"{number}.patch"
            write_text(file, patch.text)
            names.append(str(file))
        arguments = ["apply", *(["--check"] if check else []), *names]
        done = run_git(arguments, folder, own_settings=False)
        if done.returncode == 0:
            return ""
        return done.stderr.decode("utf-8", "replace").strip() or "git apply failed"


def _differences(folder: Path, wanted: Mapping[str, str]) -> list[Problem]:
    """Return a problem for each file of a folder that is not as it should be."""
    what = "is not what the changes make of it after the patches"
    return [
        Problem(path, what, _HINT)
        for path, text in wanted.items()
        if not (folder / path).is_file() or (folder / path).read_bytes() != text.encode("utf-8")
    ]
