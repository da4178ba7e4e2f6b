"""Runs ``jtau translate`` in processes of its own that are killed in the middle.

The processes are forked, so that they need not import litellm and tau2 again; what kills them is
``SIGKILL``, which nothing can catch.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

KILLED = -signal.SIGKILL


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fork(work: Callable[[], int], output: Path) -> int:
    """Run something in a process of its own; return its pid."""
    pid = os.fork()
    if pid:
        return pid
    code = 99
    try:
        # A shell that starts something in the background has it ignore this.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with output.open("a", encoding="utf-8") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
            with contextlib.redirect_stdout(file), contextlib.redirect_stderr(file):
                code = work()
                file.flush()
    finally:
        os._exit(code)


def wait(pid: int) -> int:
    """Return how a process ended: its exit code, or minus the signal."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def dying_at_write(number: int, work: Callable[[], int]) -> Callable[[], int]:
    """Return work that is killed just before, or just after, it puts a file in its place.

    Args:
        number: which half of a step: even numbers before a file is there, odd ones after.
        work: what is done.
    """
    real, count = Path.replace, 0

    def replace(self: Path, target: Path) -> Path:
        nonlocal count
        if count == number:
            die()
        done = real(self, target)
        count += 1
        if count == number:
            die()
        count += 1
        return done

    def run() -> int:
        Path.replace = replace  # type: ignore[method-assign]
        return work()

    return run


def files_of(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder by its path."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@dataclass
class Diary:
    """What a journal says was asked and answered.

    Attributes:
        again: keys that were asked for after their answer was on the disk.
        answered: keys whose answer is on the disk, and need not be bettered.
    """

    again: list[str] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)


def read_diary(lines: Iterable[str]) -> Diary:
    """Return what the lines of a journal say."""
    found = Diary()
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue  # torn by the kill
        if record["type"] == "ask":
            found.again += [key for key in record["keys"] if key in found.answered]
        elif record["type"] == "answers":
            found.answered |= {k for k, a in record["answers"].items() if not a.get("open")}
    return found
