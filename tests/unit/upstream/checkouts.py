"""Small git repositories that look like tau2-bench, and changes for them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from jtau_plugin.models.patches import Upstream
from jtau_plugin.upstream.changes import Change, Group
from jtau_plugin.upstream.syntax import AlreadyThereError, AnchorError

TASKS = "data/tau2/domains/shop/tasks.json"
POLICY = "data/tau2/domains/shop/policy.md"
REGISTRY = "src/tau2/registry.py"
#: Twelve lines, so that changes far apart and near each other can be made.
LINES = "".join(f"Line {number}\n" for number in range(1, 13))
FILES = {
    REGISTRY: "registry = {}\n",
    "src/tau2/evaluator/__init__.py": "",
    TASKS: json.dumps([{"id": "1", "text": "a"}, {"id": "2", "text": "b"}], indent=4) + "\n",
    POLICY: LINES,
}


def git(folder: Path, *arguments: str) -> str:
    """Run git as nobody in particular, and return what it printed."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def make_checkout(folder: Path, files: dict[str, str] | None = None) -> Path:
    """Make a repository with one commit."""
    for path, text in (FILES if files is None else files).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())
    git(folder, "init", "-q")
    git(folder, "config", "user.name", "Ann Lee")
    git(folder, "config", "user.email", "ann@example.org")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "start")
    return folder


def replacing(path: str, old: str, new: str) -> Callable:
    """Return what exchanges one line of a file."""

    def make(files):
        text = files.read(path)
        if new in text:
            raise AlreadyThereError
        if text.count(old) != 1:
            raise AnchorError(f"{old!r} stands {text.count(old)} times")
        return {path: text.replace(old, new)}

    return make


def change(name: str, make: Callable, **fields) -> Change:
    """Return a change with the given effect."""
    given = {
        "class_": "facts",
        "group": Group("domain/shop/fix-texts", "texts of shop"),
        "title": f"Change {name}",
        "why": f"Because of {name}.",
        "evidence": "Read.",
        "gates": "DB",
        "upstream": Upstream(),
        **fields,
    }
    return Change(id=name, make=make, **given)


def line_change(number: int, **fields) -> Change:
    """Return a change of one line of the policy."""
    make = replacing(POLICY, f"Line {number}\n", f"Line {number}, changed\n")
    return change(f"line-{number}", make, **fields)
