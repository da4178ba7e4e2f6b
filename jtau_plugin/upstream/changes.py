"""Each repair as a change of upstream's files, ready to become one commit.

A change takes the files as they are and returns them as they should be; it says by an error that
they are right already, or that it does not fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jtau_plugin.models.patches import Repair, Upstream
from jtau_plugin.models.upstream import Contribution
from jtau_plugin.patching.catalogue import repaired_domains
from jtau_plugin.patching.documents import load_document_repairs
from jtau_plugin.patching.repairs import load_task_repairs
from jtau_plugin.upstream import contributions
from jtau_plugin.upstream.dataedits import (
    Files,
    Make,
    Normalize,
    document_edit,
    document_paths,
    task_edit,
    tool_text_edit,
)
from jtau_plugin.upstream.syntax import AlreadyThereError, AnchorError


@dataclass(frozen=True)
class Group:
    """What goes into one issue and one pull request.

    Attributes:
        branch: the branch's name in upstream's convention.
        title: what it is about, without the commit's type.
        type: ``fix`` or ``feat``.
        scores: whether scores before and after it may differ.
    """

    branch: str
    title: str
    type: str = "fix"
    scores: bool = True


@dataclass(frozen=True)
class Change:
    """One commit.

    Attributes:
        id: the repair's or the contribution's.
        covers: further ids that stand for it.
        class_: the class that it is switched with; empty for what is no repair.
        group: what it goes upstream with.
        title: one line.
        why: what is wrong.
        evidence: what was run or read.
        gates: what it decides.
        upstream: where it is known.
        make: returns the new text of each file that changes.
        contribution: where it is a change of code, all that is said about it.
    """

    id: str
    class_: str
    group: Group
    title: str
    why: str
    evidence: str
    gates: str
    upstream: Upstream
    make: Make
    covers: tuple[str, ...] = ()
    contribution: Contribution | None = None


_TASK_GROUPS = {
    "facts": ("fix-task-facts", "tasks of {} that are wrong or cannot be solved"),
    "text": ("fix-task-wording", "slips in the tasks of {}"),
    "rules": ("fix-task-rules", "tasks of {} that contradict the policy"),
    "tools": ("fix-tasks", "tasks of {}"),
}
_DOCUMENT_GROUPS = {
    "facts": ("fix-policy", "errors in the documents of {}"),
    "text": ("fix-policy-wording", "slips in the documents of {}"),
    "rules": ("fix-policy-rules", "documents of {} that contradict tools or golds"),
    "tools": ("fix-policy-tools", "what the documents of {} say about tools"),
}


def _group(domain: str, class_: str, names: dict[str, tuple[str, str]]) -> Group:
    branch, title = names[class_]
    return Group(f"domain/{domain}/{branch}", title.format(domain))


def all_changes(normalize: Normalize) -> list[Change]:
    """Return a change for every contribution and every repair of data, in the order of a series.

    Args:
        normalize: brings a task's raw data to the form that guards are taken from.

    Raises:
        OverlayError: for a file below ``patches/`` that cannot be used.
        RepairError: for repairs that contradict each other.
    """
    found = [_contributed(c) for c in contributions.load_contributions().contributions]
    for domain in repaired_domains():
        found += _of_tasks(domain, normalize)
        found += _of_documents(domain)
    return found


def _of_tasks(domain: str, normalize: Normalize) -> Iterator[Change]:
    for repair in load_task_repairs(domain).repairs:
        group = _group(domain, repair.class_, _TASK_GROUPS)
        yield _of_repair(repair, group, repair.gates, task_edit(repair, domain, normalize))


def _of_documents(domain: str) -> Iterator[Change]:
    repairs, paths = load_document_repairs(domain), document_paths(domain)
    for repair in repairs.repairs:
        group = _group(domain, repair.class_, _DOCUMENT_GROUPS)
        yield _of_repair(repair, group, repair.gates, document_edit(repair, paths))
    branch, title = f"domain/{domain}/fix-tool-descriptions", f"tool descriptions of {domain}"
    for text in repairs.tool_texts:
        yield _of_repair(text, Group(branch, title), text.gates, tool_text_edit(text, domain))


def _of_repair(repair: Repair, group: Group, gates: str, make: Make) -> Change:
    return Change(
        id=repair.id,
        class_=repair.class_,
        group=group,
        title=repair.title,
        why=repair.why,
        evidence=repair.evidence,
        gates=gates,
        upstream=repair.upstream,
        make=make,
    )


def _contributed(contribution: Contribution) -> Change:
    return Change(
        id=contribution.id,
        covers=contribution.patches,
        class_=contribution.class_ or "",
        group=Group(
            contribution.branch,
            contribution.title,
            contribution.type,
            scores=contribution.class_ is not None,
        ),
        title=contribution.title,
        why=contribution.problem,
        evidence=contribution.evidence,
        gates="",
        upstream=contribution.upstream,
        make=lambda files: _make_contribution(contribution, files),
        contribution=contribution,
    )


def _make_contribution(contribution: Contribution, files: Files) -> dict[str, str]:
    changed = {}
    for path, edit in contributions.edits_of(contribution).items():
        try:
            changed[path] = edit(files.read(path))
        except AlreadyThereError:
            continue
        except AnchorError as error:
            raise AnchorError(f"{path}: {error}") from error
    if not changed:
        raise AlreadyThereError
    for path in contribution.adds:
        content = contributions.added_file(path)
        if files.has(path) and files.read(path) != content:
            raise AnchorError(f"there is a file {path} already")
        if not files.has(path):
            changed[path] = content
    return changed
