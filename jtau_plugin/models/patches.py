"""The files below ``patches/``: cards of code patches, repairs of tasks, documents and tool texts.

No English of tau2 is written here: what a repair replaces is named by its SHA-256.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from jtau_plugin.models.base import Fingerprint, FrozenModel, Text

#: ``scorer`` is how simulations are graded; the other four are what tasks, documents and tools say.
RepairClass = Literal["scorer", "facts", "text", "rules", "tools"]
REPAIR_CLASSES: tuple[RepairClass, ...] = ("scorer", "facts", "text", "rules", "tools")
#: Classes whose members are on unless they say otherwise. ``tools`` is decided card by card.
DEFAULT_CLASSES = frozenset({"scorer", "facts", "text"})

State = Literal["open", "closed", "merged", "unfiled"]
Verdict = Literal["option", "documented", "refused", "no_change"]
Layouts = Annotated[dict[Literal["v0_2", "v1_0"], tuple[Fingerprint, ...]], Field(min_length=1)]


def _as_tuple(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Fingerprints = Annotated[tuple[Fingerprint, ...], BeforeValidator(_as_tuple)]
Names = Annotated[tuple[str, ...], BeforeValidator(_as_tuple)]


class Upstream(FrozenModel):
    """Where the fault is known upstream.

    Attributes:
        issues: ``#554`` of tau2-bench, or ``tau-bench#37`` of its predecessor; may be empty.
        state: how upstream stands to it.
    """

    issues: tuple[str, ...] = ()
    state: State = "unfiled"


class Repair(FrozenModel):
    """What every repair says about itself.

    Attributes:
        id: unique among all repairs and patches, lower case with hyphens.
        title: one line, as a commit's subject would say it.
        class_: the class that it is switched with.
        why: what is wrong and why this is right, in our own words.
        evidence: what was run or read.
        upstream: where it is known.
        default: on or off without a setting; the class decides when it is left out.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    title: Text
    class_: Annotated[RepairClass, Field(alias="class")]
    why: Text
    evidence: Text
    upstream: Upstream = Upstream()
    default: bool | None = None

    @property
    def is_default(self) -> bool:
        """Whether it is on without a setting."""
        return self.class_ in DEFAULT_CLASSES if self.default is None else self.default


class TaskRepair(Repair):
    """One value of one or more tasks.

    Attributes:
        tasks: ids; ``*`` for every task whose value the guard fits; ``*text`` for those of them
            whose id contains ``text``.
        pointer: a JSON pointer into the task. A segment ``action_id=18_4`` finds the list's element
            that has this value under this key.
        op: ``replace`` and ``remove`` need something there; ``add`` adds where nothing is;
            ``substitute`` exchanges every occurrence of the literal ``find`` in the text there.
        find: the short literal that ``substitute`` exchanges.
        guard: fingerprints of the canonical JSON of the values that are replaced or removed.
        accept: fingerprints of further values that are right as they stand.
        value: the new value.
        fault: the kind of fault.
        gates: what it decides: ``DB``, ``COMMUNICATE``, ``simulation``, ``none``.
    """

    tasks: Annotated[Names, Field(min_length=1)]
    pointer: Annotated[str, Field(pattern=r"^/")]
    op: Literal["replace", "add", "remove", "substitute"] = "replace"
    find: str = ""
    guard: Fingerprints = ()
    accept: Fingerprints = ()
    value: Any = None
    fault: Text
    gates: Text

    @model_validator(mode="after")
    def _check_op(self) -> TaskRepair:
        if self.op != "add" and not self.guard:
            raise ValueError(f"{self.op} needs a guard on the value that stands there")
        if self.op == "remove" and self.value is not None:
            raise ValueError("remove takes no value")
        if self.op != "remove" and self.value is None:
            raise ValueError(f"{self.op} needs a value")
        if (self.op == "substitute") != bool(self.find):
            raise ValueError("find goes with substitute")
        if self.op == "substitute" and not isinstance(self.value, str):
            raise ValueError("substitute needs a text as its value")
        return self


class Decision(FrozenModel):
    """A finding that is not repaired, and why.

    Attributes:
        findings: the findings' short names: a document finding's id (``T08``), or
            ``<task id> <fault>``.
        verdict: ``option`` (can be switched on), ``documented``, ``refused``, ``no_change``.
        why: the reason, in our own words.
        by: the option's id or class, for ``option``.
    """

    findings: Annotated[Names, Field(min_length=1)]
    verdict: Verdict
    why: Text
    by: str = ""


class TaskRepairsFile(FrozenModel):
    """``patches/tasks/<domain>.yaml``."""

    domain: Text
    repairs: tuple[TaskRepair, ...] = ()
    decisions: tuple[Decision, ...] = ()


class Substitution(FrozenModel):
    """What a document repair does to the localized document of one locale.

    Attributes:
        find: the exact localized text; empty if the localized document already says it right.
        replace: what stands there instead.
        count: in how many places.
    """

    find: Text
    replace: str
    count: Annotated[int, Field(ge=1)] = 1


class DocumentEdit(FrozenModel):
    """One change in a document: by whole lines, which the guard names.

    Attributes:
        op: what is done with the guarded lines. ``substitute`` exchanges the literal ``find``.
        guard: SHA-256 of each known wording of the lines: right-stripped, joined with newlines.
        lines: how many lines the guard covers.
        count: in how many places the document has them.
        find: the short literal that ``substitute`` exchanges.
        value: the new lines, or the literal's replacement, in English.
        localized: the same change in each locale's document.
    """

    op: Literal["replace", "insert_after", "insert_before", "remove", "substitute"]
    guard: Annotated[Fingerprints, Field(min_length=1)]
    lines: Annotated[int, Field(ge=1)] = 1
    count: Annotated[int, Field(ge=1)] = 1
    find: str = ""
    value: str = ""
    localized: dict[str, tuple[Substitution, ...]]

    @model_validator(mode="after")
    def _check_op(self) -> DocumentEdit:
        if (self.op == "substitute") != bool(self.find):
            raise ValueError("find goes with substitute")
        if (self.op == "remove") == bool(self.value):
            raise ValueError("remove takes no value, the others need one")
        return self


class DocumentRepair(Repair):
    """A change in documents that the agent reads.

    Attributes:
        findings: ids of the findings that it mends.
        documents: edits by the document's name in the manifest.
        gates: what it decides.
    """

    findings: Names = ()
    documents: Annotated[dict[str, tuple[DocumentEdit, ...]], Field(min_length=1)]
    gates: Text = "none"


class ToolTextRepair(Repair):
    """Another description of a tool or of one of its parameters.

    Attributes:
        findings: ids of the findings that it mends.
        requestor: whose tool it is.
        tool: its name.
        parameter: a parameter's path as ``tools.yaml`` writes it; empty for the tool itself.
        guard: fingerprints of the English descriptions that are replaced.
        value: the new description in English.
        localized: the new description by locale.
    """

    findings: Names = ()
    requestor: Literal["assistant", "user"] = "assistant"
    tool: Text
    parameter: str = ""
    guard: Annotated[Fingerprints, Field(min_length=1)]
    value: Text
    localized: dict[str, Text]
    gates: Text = "none"


class DocumentRepairsFile(FrozenModel):
    """``patches/documents/<domain>.yaml``."""

    domain: Text
    repairs: tuple[DocumentRepair, ...] = ()
    tool_texts: tuple[ToolTextRepair, ...] = ()
    decisions: tuple[Decision, ...] = ()


class CodePatch(Repair):
    """``patches/code/<id>.yaml``: the card of a code patch.

    Attributes:
        target: ``module:Qualified.name`` of the function that is replaced.
        fix: the module below ``jtau_plugin.fixes`` that replaces it.
        layouts: accepted fingerprints of the target's source, by layout; a layout that is left out
            does not need the patch.
        scope: whose calls it changes: ``localized`` are our domains.
        required: whether a run of our domains stops when it is refused.
        retire_when: what has to happen before it can go.
        supersedes: ids of patches that this one makes needless.
    """

    target: Annotated[str, Field(pattern=r"^[\w.]+:[\w.]+$")]
    fix: Annotated[str, Field(pattern=r"^[a-z_][a-z0-9_]*$")]
    layouts: Layouts
    scope: Literal["localized"] = "localized"
    required: bool = True
    retire_when: Text
    supersedes: Names = ()
