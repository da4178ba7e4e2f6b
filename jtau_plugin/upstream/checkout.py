"""A user's own checkout of tau2-bench: what its last commit holds. Never written to."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from jtau_plugin.errors import JtauError, Problem, ProblemsError

#: What makes a git repository tau2-bench in the layout that the patches are for.
_MARKS = ("src/tau2/registry.py", "src/tau2/evaluator", "data/tau2/domains")
_LFS = "version https://git-lfs"


class CheckoutError(ProblemsError):
    """A folder is no checkout of tau2-bench that patches can be made for."""


class FileMissingError(JtauError):
    """A file is not in the checkout, or its content is not."""


def run_git(
    arguments: Iterable[str], folder: Path, *, own_settings: bool = True
) -> subprocess.CompletedProcess[bytes]:
    """Run git in a folder and return what it said.

    Args:
        arguments: the command and its arguments.
        folder: where it runs.
        own_settings: whether the user's settings count; not so where the output must be plain.

    Raises:
        CheckoutError: if there is no git.
    """
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name == "GIT_SSH_COMMAND"
    }
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    environment["LC_ALL"] = "C"
    if not own_settings:
        environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    try:
        return subprocess.run(  # noqa: S603  (git, with arguments of our own)
            ["git", *arguments],  # noqa: S607
            cwd=folder,
            env=environment,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError as error:
        problem = Problem("this machine", "there is no git", "install git")
        raise CheckoutError("Patches cannot be made.", [problem]) from error


class Checkout:
    """The last commit of a checkout.

    Args:
        folder: the checkout's own folder.

    Raises:
        CheckoutError: if it is no folder, no git checkout, or not tau2-bench.
    """

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise _refuse(folder, "no such folder", "name a checkout of tau2-bench")
        top = run_git(["rev-parse", "--show-toplevel"], folder)
        if top.returncode != 0:
            hint = "git clone https://github.com/sierra-research/tau2-bench"
            raise _refuse(folder, "no git checkout", hint)
        self.root = Path(os.fsdecode(top.stdout).rstrip("\n"))
        self._texts: dict[str, str] = {}
        tree = run_git(["ls-tree", "-r", "--name-only", "-z", "HEAD"], self.root)
        if tree.returncode != 0:
            raise _refuse(folder, "it has no commit", "check out v1.0.1")
        self._paths = set(os.fsdecode(tree.stdout).split("\0"))
        missing = [mark for mark in _MARKS if not self._holds(mark)]
        if missing:
            what = f"no tau2-bench 1.0: its last commit has no {', '.join(missing)}"
            raise _refuse(folder, what, "name a checkout of tau2-bench at v1.0.1")

    def _holds(self, path: str) -> bool:
        return path in self._paths or any(p.startswith(f"{path}/") for p in self._paths)

    def describe(self) -> str:
        """Return what is checked out, as git names it."""
        named = run_git(["describe", "--tags", "--always"], self.root)
        return os.fsdecode(named.stdout).strip() or "HEAD"

    def author(self) -> str:
        """Return who commits in this checkout, as a mail header names a person; may be empty."""
        parts = [
            os.fsdecode(run_git(["config", key], self.root).stdout).strip()
            for key in ("user.name", "user.email")
        ]
        return "{} <{}>".format(*parts) if all(parts) else ""

    def has(self, path: str) -> bool:
        """Return whether the last commit has a file."""
        return path in self._paths

    def read(self, path: str) -> str:
        """Return the text of a file as it is committed.

        Raises:
            FileMissingError: if the commit has no such file, or its content is not here.
        """
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def _read(self, path: str) -> str:
        if not self.has(path):
            raise FileMissingError(f"{path} is not in this checkout")
        shown = run_git(["cat-file", "blob", f"HEAD:{path}"], self.root)
        if shown.returncode != 0:
            raise FileMissingError(
                f"the content of {path} is not in this checkout (a partial or broken clone; "
                "'git fsck' says more)"
            )
        try:
            text = shown.stdout.decode("utf-8")
        except UnicodeDecodeError as error:
            raise FileMissingError(f"{path} is not UTF-8") from error
        if text.startswith(_LFS):
            raise FileMissingError(f"{path} is a pointer of git-lfs; 'git lfs pull' brings it")
        return text

    def require_clean(self, paths: Iterable[str]) -> None:
        """Make sure that files are as they are committed, since that is what patches are made from.

        Raises:
            CheckoutError: for each file that differs from the last commit.
        """
        wanted = sorted(path for path in set(paths) if self.has(path))
        if not wanted:
            return
        status = run_git(["status", "--porcelain", "-z", "--", *wanted], self.root)
        entries = [entry for entry in os.fsdecode(status.stdout).split("\0") if entry]
        problems = [
            Problem(str(self.root / entry[3:]), "differs from the last commit") for entry in entries
        ]
        if problems:
            raise CheckoutError(
                "Patches are made from the last commit, but files that they touch have changed "
                "since. Commit or stash the changes.",
                problems,
            )


def _refuse(folder: Path, what: str, hint: str) -> CheckoutError:
    return CheckoutError("This checkout cannot be used.", [Problem(str(folder), what, hint)])
