"""How each repair and patch stands to the installed tau2, on or off."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from jtau_plugin.cli.patching.english import InstalledDomain
from jtau_plugin.errors import PatchError, RepairError
from jtau_plugin.models.patches import DocumentRepair, Repair, TaskRepair, ToolTextRepair
from jtau_plugin.patching.documents import repair_document
from jtau_plugin.patching.engine import get_engine
from jtau_plugin.patching.repairs import fit_of, is_wildcard
from jtau_plugin.patching.tool_texts import check_tool_texts
from jtau_plugin.upstream.entries import Entry

#: It changes something; the installed tau2 says it right already; it does not fit; not needed.
FITS, SATISFIED, REFUSED, NOT_APPLICABLE = "fits", "satisfied", "refused", "not applicable"
STATES = (FITS, SATISFIED, NOT_APPLICABLE, REFUSED)


@dataclass(frozen=True)
class Standing:
    """How one repair or patch stands.

    Attributes:
        id: the repair.
        state: ``fits``, ``satisfied``, ``refused``, ``not applicable``; of a code patch in this
            process also ``applied``, ``disabled``, ``superseded``.
        reason: why, as a sentence; may be empty.
    """

    id: str
    state: str
    reason: str = ""


def standings(entries: Iterable[Entry]) -> dict[str, Standing]:
    """Return how repairs of data stand to the installed tau2, by id."""
    domains: dict[str, InstalledDomain] = {}
    found = {}
    for entry in entries:
        if entry.kind != "code patch":
            installed = domains.setdefault(entry.domain, InstalledDomain(entry.domain))
            found[entry.id] = _of_data(entry.repair, installed)
    return found


def patch_standings() -> dict[str, Standing]:
    """Return how code patches stand in this process once those that are on are applied, by id."""
    engine = get_engine()
    with contextlib.suppress(PatchError):  # each refused patch has its state
        engine.ensure_applied()
    return {s.id: Standing(s.id, s.state, s.reason) for s in engine.states()}


def verified_patches() -> dict[str, Standing]:
    """Return whether code patches fit and pass their self-checks, on or off, by id."""
    return {s.id: Standing(s.id, s.state, s.reason) for s in get_engine().verify()}


def _of_data(repair: Repair, installed: InstalledDomain) -> Standing:
    if not installed.is_installed:
        return Standing(repair.id, NOT_APPLICABLE, f"tau2 has no domain {installed.name}")
    if isinstance(repair, TaskRepair):
        return task_standing(repair, installed)
    if isinstance(repair, DocumentRepair):
        return document_standing(repair, installed.documents)
    assert isinstance(repair, ToolTextRepair)
    return _tool_text_standing(repair, installed)


def task_standing(repair: TaskRepair, installed: InstalledDomain) -> Standing:
    """Return how a repair of tasks stands to the installed ones.

    A task that the repair names has to fit; of those that it finds by a pattern, some do.
    """
    fits: Counter[str] = Counter()
    problems = []
    for name in named_tasks(repair):
        if name not in installed.tasks:
            problems.append(f"there is no task {name}")
            continue
        fit = fit_of(repair, installed.tasks[name])
        fits[fit] += 1
        if fit == "unfit":
            problems.append(f"task {name}: another value stands at {repair.pointer}")
    for name in _found_tasks(repair, installed.tasks):
        fits[fit_of(repair, installed.tasks[name])] += 1
    if problems:
        return Standing(repair.id, REFUSED, "; ".join(problems))
    if fits["applies"]:
        return Standing(repair.id, FITS, _number(fits["applies"]))
    if fits["satisfied"]:
        return Standing(repair.id, SATISFIED, _number(fits["satisfied"]))
    return Standing(repair.id, NOT_APPLICABLE, "no task has the value that it mends")


def named_tasks(repair: TaskRepair) -> list[str]:
    """Return the tasks that a repair names."""
    return [name for name in repair.tasks if not is_wildcard(name)]


def _found_tasks(repair: TaskRepair, known: Iterable[str]) -> Iterator[str]:
    parts = [name[1:] for name in repair.tasks if is_wildcard(name)]
    for name in known:
        if name not in repair.tasks and any(part in name for part in parts):
            yield name


def _number(count: int) -> str:
    return "1 task" if count == 1 else f"{count} tasks"


def document_standing(repair: DocumentRepair, documents: dict[str, str]) -> Standing:
    """Return how a repair of documents stands to English ones by name."""
    changed, problems = [], []
    installed = [name for name in repair.documents if documents.get(name, "").strip()]
    for name in installed:
        try:
            if repair_document(name, documents[name], [repair]) != documents[name]:
                changed.append(name)
        except RepairError as error:
            problems += [f"{name}: {problem.what}" for problem in error.problems]
    if problems:
        return Standing(repair.id, REFUSED, "; ".join(problems))
    if not installed:
        return Standing(repair.id, NOT_APPLICABLE, "none of its documents is installed")
    if changed:
        return Standing(repair.id, FITS, ", ".join(changed))
    return Standing(repair.id, SATISFIED)


def _tool_text_standing(repair: ToolTextRepair, installed: InstalledDomain) -> Standing:
    english = installed.descriptions
    key = (repair.requestor, repair.tool, repair.parameter)
    if (repair.requestor, repair.tool, "") not in english:
        return Standing(repair.id, NOT_APPLICABLE, f"tau2 has no tool {repair.tool}")
    problems = check_tool_texts([repair], english)
    if problems:
        return Standing(repair.id, REFUSED, "; ".join(problem.what for problem in problems))
    return Standing(repair.id, SATISFIED if english[key] == repair.value else FITS)
