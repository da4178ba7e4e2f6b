"""``patches/upstream/contributions.yaml``: what goes back upstream as code, and what does not."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from jtau_plugin.models.base import FrozenModel, Text
from jtau_plugin.models.patches import RepairClass, Upstream

Name = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]


class Contribution(FrozenModel):
    """One change of upstream's code, as one commit and one pull request.

    Attributes:
        id: its name, that of the code patch where there is one.
        patches: ids of the code patches that mend the same here.
        class_: the class of those patches; none for what is no repair.
        type: the commit's type, as upstream writes it.
        branch: the branch to propose it from, in upstream's naming.
        title: the commit's subject, without the type.
        problem: what is wrong, and what comes of it.
        solution: what is changed.
        impact: which parts change, and whose scores may.
        evidence: what was run or read.
        upstream: where it is known.
        dependencies: ids of contributions that have to come first.
        edit: the module below ``upstream/edits``.
        adds: new files by their path, which lie below ``patches/upstream/files``.
        changelog: the line for upstream's changelog.
    """

    id: Name
    patches: tuple[Name, ...] = ()
    class_: Annotated[RepairClass | None, Field(alias="class")] = None
    type: Literal["fix", "feat"]
    branch: Annotated[str, Field(pattern=r"^(feature|fix|domain)/[a-z0-9/_-]+$")]
    title: Annotated[str, Field(max_length=66)]
    problem: Text
    solution: Text
    impact: Text
    evidence: Text
    upstream: Upstream = Upstream()
    dependencies: tuple[Name, ...] = ()
    edit: Annotated[str, Field(pattern=r"^[a-z_][a-z0-9_]*$")]
    adds: tuple[str, ...] = ()
    changelog: Text


class NoContribution(FrozenModel):
    """Code patches that have nothing to bring upstream, and why."""

    patches: Annotated[tuple[Name, ...], Field(min_length=1)]
    why: Text


class ContributionsFile(FrozenModel):
    """``patches/upstream/contributions.yaml``."""

    contributions: tuple[Contribution, ...]
    without: tuple[NoContribution, ...] = ()

    @model_validator(mode="after")
    def _check_ids(self) -> ContributionsFile:
        ids = [contribution.id for contribution in self.contributions]
        for name in ids:
            if ids.count(name) > 1:
                raise ValueError(f"two contributions have the id {name!r}")
        for contribution in self.contributions:
            for name in contribution.dependencies:
                if name not in ids[: ids.index(contribution.id)]:
                    raise ValueError(f"{contribution.id!r} depends on {name!r}, not before it")
        return self
