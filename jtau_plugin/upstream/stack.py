"""Changes on top of each other, and the patches that they make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jtau_plugin.upstream.changes import Change
from jtau_plugin.upstream.dataedits import Files
from jtau_plugin.upstream.patchfile import as_mail, difference, message_of
from jtau_plugin.upstream.syntax import AlreadyThereError, AnchorError
from jtau_plugin.upstream.taskfile import TaskFileError


@dataclass(frozen=True)
class Step:
    """A change at its place.

    Attributes:
        change: the change.
        before: the texts that it changes, by path; ``None`` for a file that is not there yet.
        after: the new texts.
    """

    change: Change
    before: Mapping[str, str | None]
    after: Mapping[str, str]


@dataclass(frozen=True)
class Patch:
    """A patch as a file.

    Attributes:
        id: the change's id.
        name: the file's name.
        text: its content.
    """

    id: str
    name: str
    text: str


class Stack:
    """Files with some changes made on top of each other.

    Attributes:
        changed: the texts that differ from the base by now.
        steps: the changes that were made.
        left: why others could not be made, by their ids.
    """

    def __init__(self, base: Files) -> None:
        self._base = base
        self.changed: dict[str, str] = {}
        self.steps: list[Step] = []
        self.left: dict[str, str] = {}

    def has(self, path: str) -> bool:
        """Return whether there is such a file by now."""
        return path in self.changed or self._base.has(path)

    def read(self, path: str) -> str:
        """Return a file's text as it is by now."""
        return self.changed[path] if path in self.changed else self._base.read(path)

    def put(self, change: Change) -> None:
        """Make a change on top of those before it."""
        try:
            after = change.make(self)
        except AlreadyThereError:
            self.left[change.id] = "an earlier patch of the series does the same"
        except (AnchorError, TaskFileError) as error:
            self.left[change.id] = f"not in the series: {error}"
        else:
            before = {path: self.read(path) if self.has(path) else None for path in after}
            self.steps.append(Step(change, before, after))
            self.changed |= after


def stack_up(changes: Iterable[Change], base: Files) -> Stack:
    """Return the stack of some changes, in their order."""
    stack = Stack(base)
    for change in changes:
        stack.put(change)
    return stack


def make_patches(
    steps: Sequence[Step], author: str, scratch: Path, *, numbered: bool
) -> list[Patch]:
    """Return the patches of some changes.

    Args:
        steps: the changes.
        author: whose commits they are.
        scratch: a folder for intermediate files, which no other file is in.
        numbered: whether they are a series.
    """
    patches = []
    for number, step in enumerate(steps, start=1):
        name = step.change.id
        text = difference(step.before, step.after, scratch)
        place = (number, len(steps)) if numbered else None
        mail = as_mail(message_of(step.change), text, author, place)
        prefix = f"{number:04d}-" if numbered else ""
        patches.append(Patch(name, f"{prefix}{name}.patch", mail))
    return patches
