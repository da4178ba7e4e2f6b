"""Makes the patches for a checkout, tries them, and writes them into a folder of their own.

``alone/`` has each patch for the last commit as it is. Where two change neighbouring lines, they do
not go on top of each other that way; so ``series/`` has all of them stacked, and the folder of each
pull request has those of one subject stacked.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jtau_plugin.errors import Problem
from jtau_plugin.upstream.changes import Change
from jtau_plugin.upstream.checkout import Checkout, FileMissingError
from jtau_plugin.upstream.issues import Proposal, issue_text, pull_request_text, readme_text
from jtau_plugin.upstream.patchfile import write_text
from jtau_plugin.upstream.stack import Patch, Stack, Step, make_patches, stack_up
from jtau_plugin.upstream.syntax import AlreadyThereError, AnchorError
from jtau_plugin.upstream.taskfile import TaskFileError
from jtau_plugin.upstream.trial import ExportError, Trial

#: Whose commits they are where the checkout does not say.
NOBODY = "Your Name <you@example.org>"
_PATTERNS = ("alone/*.patch", "series/*.patch", "pull-requests/*/*.patch", "pull-requests/*/*.md")


@dataclass(frozen=True)
class Outcome:
    """What became of one change.

    Attributes:
        change: the change.
        state: ``written``, ``already upstream`` or ``impossible``.
        reason: why it is impossible, or why it is not in the series.
        files: the files that it changes.
        patches: the files that it was written to, below the folder.
    """

    change: Change
    state: str
    reason: str = ""
    files: tuple[str, ...] = ()
    patches: tuple[str, ...] = ()


@dataclass(frozen=True)
class Export:
    """What was made.

    Attributes:
        outcomes: one for each change that was asked for, in order.
        checkout: what is checked out.
        author: whose commits they are.
        neighbours: ids whose patch in ``alone/`` does not go on top of those before it.
    """

    outcomes: tuple[Outcome, ...]
    checkout: str
    author: str
    neighbours: tuple[str, ...]


@dataclass(frozen=True)
class _Parts:
    """Everything that is written, before it is."""

    alone: list[Patch]
    series: list[Patch]
    proposals: list[tuple[Proposal, list[Patch]]]
    neighbours: list[str]


def export(checkout: Checkout, changes: Sequence[Change], out: Path, *, force: bool) -> Export:
    """Write patches for the changes that fit, with the texts for upstream.

    Args:
        checkout: what the patches are for; it is only read.
        changes: what is wanted, in the order of the series.
        out: the folder that they are written to.
        force: whether a folder with something in it may be used; earlier patches go.

    Raises:
        ExportError: if the folder cannot be used, or a patch that was made does not apply.
        CheckoutError: if a file that would be patched differs from the last commit.
    """
    _require_folder(out, checkout, force=force)
    results = [_make_alone(change, checkout) for change in changes]
    steps = [result for result in results if isinstance(result, Step)]
    checkout.require_clean(path for step in steps for path in step.after)
    series = stack_up((step.change for step in steps), checkout)
    author = checkout.author() or NOBODY
    with tempfile.TemporaryDirectory(prefix="jtau-export-") as scratch:
        parts = _make_parts(checkout, steps, series, author, Path(scratch))
    files = _write_parts(out, parts)
    write_text(out / "README.md", readme_text(checkout.describe(), author, parts.neighbours))
    outcomes = tuple(
        _written(result, files, series) if isinstance(result, Step) else result
        for result in results
    )
    return Export(outcomes, checkout.describe(), author, tuple(parts.neighbours))


def _require_folder(out: Path, checkout: Checkout, *, force: bool) -> None:
    where, root = out.resolve(), checkout.root.resolve()
    if where == root or root in where.parents:
        what = "lies in the checkout, which is left as it is"
        raise _unusable(out, what, "name a folder elsewhere")
    if out.exists() and not out.is_dir():
        raise _unusable(out, "is no folder", "name a folder")
    if out.is_dir() and any(out.iterdir()) and not force:
        raise _unusable(out, "is not empty", "name a new folder, or use --force")


def _unusable(out: Path, what: str, hint: str) -> ExportError:
    return ExportError("The patches cannot be written.", [Problem(str(out), what, hint)])


def _make_alone(change: Change, checkout: Checkout) -> Step | Outcome:
    try:
        after = change.make(checkout)
    except AlreadyThereError:
        return Outcome(change, "already upstream")
    except (AnchorError, FileMissingError, TaskFileError, SyntaxError) as error:
        return Outcome(change, "impossible", str(error))
    before = {path: checkout.read(path) if checkout.has(path) else None for path in after}
    return Step(change, before, after)


def _make_parts(
    checkout: Checkout, steps: list[Step], series: Stack, author: str, scratch: Path
) -> _Parts:
    """Return all patches, each of them tried.

    Raises:
        ExportError: for each patch that does not apply, or has another effect than its change.
    """
    trial = Trial(checkout, (path for step in steps for path in step.after), scratch / "trial")
    pairs = scratch / "pairs"
    pairs.mkdir()
    alone = make_patches(steps, author, pairs, numbered=False)
    stacked = make_patches(series.steps, author, pairs, numbered=True)
    problems = trial.try_alone(alone) + trial.try_series(stacked, series)
    proposals = []
    for members in _groups(steps).values():
        stack = stack_up(members, checkout)
        patches = make_patches(stack.steps, author, pairs, numbered=True)
        problems += trial.try_series(patches, stack)
        group = members[0].group
        own = [step.change for step in stack.steps]
        proposals.append((Proposal(group, own, [p.name for p in patches]), patches))
    if problems:
        raise ExportError("Patches were made that do not hold. None was written.", problems)
    changes = {step.change.id: step.change for step in steps}
    return _Parts(alone, stacked, proposals, trial.neighbours(alone, changes))


def _groups(steps: Sequence[Step]) -> dict[str, list[Change]]:
    groups: dict[str, list[Change]] = {}
    for step in steps:
        groups.setdefault(step.change.group.branch, []).append(step.change)
    return groups


def _write_parts(out: Path, parts: _Parts) -> dict[str, list[str]]:
    """Write all files; return those of each change by its id."""
    out.mkdir(parents=True, exist_ok=True)
    for pattern in _PATTERNS:
        for earlier in out.glob(pattern):
            earlier.unlink()
    folders = [("alone", parts.alone), ("series", parts.series)]
    for proposal, patches in parts.proposals:
        folder = f"pull-requests/{proposal.name}"
        write_text(out / folder / "issue.md", issue_text(proposal))
        write_text(out / folder / "pull-request.md", pull_request_text(proposal))
        folders.append((folder, patches))
    written: dict[str, list[str]] = {}
    for folder, patches in folders:
        for patch in patches:
            write_text(out / folder / patch.name, patch.text)
            written.setdefault(patch.id, []).append(f"{folder}/{patch.name}")
    return written


def _written(step: Step, files: Mapping[str, list[str]], series: Stack) -> Outcome:
    name = step.change.id
    return Outcome(
        change=step.change,
        state="written",
        reason=series.left.get(name, ""),
        files=tuple(step.after),
        patches=tuple(files[name]),
    )
