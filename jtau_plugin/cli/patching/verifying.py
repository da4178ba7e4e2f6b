"""``jtau patches verify``: holds every repair against the installed tau2 and all the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations

from jtau_plugin import __version__, resources
from jtau_plugin.cli import output
from jtau_plugin.cli.patching.english import InstalledDomain
from jtau_plugin.cli.patching.standing import (
    REFUSED,
    STATES,
    Standing,
    standings,
    verified_patches,
)
from jtau_plugin.errors import Problem, ProblemsError, RepairError
from jtau_plugin.models.patches import TaskRepair
from jtau_plugin.overlays.catalog import get_catalog
from jtau_plugin.patching.canonical import fingerprint_value, split_pointer
from jtau_plugin.patching.catalogue import load_code_patches, repaired_domains
from jtau_plugin.patching.documents import (
    load_document_repairs,
    repair_document,
    repair_localized_document,
)
from jtau_plugin.patching.repairs import apply_repair, fit_of, is_wildcard, load_task_repairs
from jtau_plugin.patching.tool_texts import repaired_tool_texts
from jtau_plugin.upstream.contributions import check_contributions
from jtau_plugin.upstream.entries import Entry, all_entries

#: Version of the JSON: raised when a key is renamed, removed or given another meaning.
SCHEMA = 1


@dataclass(frozen=True)
class Verification:
    """What was found.

    Attributes:
        entries: all repairs and patches.
        standings: how each stands to the installed tau2, by id.
        problems: everything that is wrong.
    """

    entries: tuple[Entry, ...]
    standings: dict[str, Standing]
    problems: tuple[Problem, ...]


def verify() -> Verification:
    """Check every repair and patch, on or off.

    Raises:
        LayoutError: if there is no tau2.
    """
    try:
        entries = all_entries()
    except ProblemsError as error:
        return Verification((), {}, error.problems)
    problems: list[Problem] = []
    found = standings(entries)
    try:
        found |= verified_patches()
    except ProblemsError as error:
        problems += error.problems
    problems += [
        Problem(f"{entry.path}: {entry.id}", found[entry.id].reason, "read it again and renew it")
        for entry in entries
        if entry.id in found and found[entry.id].state == REFUSED
    ]
    refused = {name for name, standing in found.items() if standing.state == REFUSED}
    for domain in repaired_domains():
        problems += _together(InstalledDomain(domain), refused)
    problems += check_contributions({patch.id for patch in load_code_patches()})
    return Verification(entries, found, tuple(dict.fromkeys(problems)))


def _together(installed: InstalledDomain, refused: set[str]) -> Iterator[Problem]:
    """Yield what repairs of one domain do to each other, those aside that do not fit anyway."""
    if installed.is_installed:
        tasks = load_task_repairs(installed.name).repairs
        yield from task_conflicts([r for r in tasks if r.id not in refused], installed)
        yield from _document_conflicts(installed, refused)


def task_conflicts(repairs: Iterable[TaskRepair], installed: InstalledDomain) -> Iterator[Problem]:
    """Yield each pair of repairs whose order decides what becomes of a task."""
    for left, right in combinations(repairs, 2):
        if _overlap(left.pointer, right.pointer):
            shared = [
                name
                for name, task in installed.tasks.items()
                if _concerns(left, name)
                and _concerns(right, name)
                and fit_of(left, task) == fit_of(right, task) == "applies"
                and not _go_together(left, right, task)
            ]
            if shared:
                where = f"repairs {left.id} and {right.id}"
                what = f"both write {right.pointer} of {len(shared)} tasks, {shared[0]} is one"
                yield Problem(where, what, "make one repair of them")


def _overlap(left: str, right: str) -> bool:
    pairs = zip(split_pointer(left), split_pointer(right), strict=False)
    return all(a == b for a, b in pairs)


def _concerns(repair: TaskRepair, name: str) -> bool:
    return any(one[1:] in name if is_wildcard(one) else one == name for one in repair.tasks)


def _go_together(left: TaskRepair, right: TaskRepair, task: dict[str, object]) -> bool:
    """Return whether two repairs of one task give the same in either order."""
    results = set()
    for order in ((left, right), (right, left)):
        document = deepcopy(task)
        for repair in order:
            if fit_of(repair, document) != "applies":
                return False
            apply_repair(repair, document)
        results.add(fingerprint_value(document))
    return len(results) == 1


def _document_conflicts(installed: InstalledDomain, refused: set[str]) -> Iterator[Problem]:
    """Yield what stands against all repairs of the domain's documents and tool texts at once."""
    declared = load_document_repairs(installed.name)
    repairs = [repair for repair in declared.repairs if repair.id not in refused]
    texts = [text for text in declared.tool_texts if text.id not in refused]
    for name, english in installed.documents.items():
        if english.strip():
            yield from _caught(repair_document, name, english, repairs)
    yield from _caught(repaired_tool_texts, texts)
    for locale, folder in resources.iter_locales():
        if (folder / installed.name).is_dir():
            yield from _caught(repaired_tool_texts, texts, locale)
            for name, text in get_catalog(locale, installed.name).documents.items():
                yield from _caught(repair_localized_document, name, text, repairs, locale)


def _caught(repair: Callable[..., object], *arguments: object) -> Iterator[Problem]:
    """Yield the problems of a repair that is tried."""
    try:
        repair(*arguments)
    except RepairError as error:
        yield from error.problems


def as_data(found: Verification, installed: str) -> dict[str, object]:
    """Return the verification as plain data: the format of ``--json``."""
    return {
        "schema": SCHEMA,
        "plugin": __version__,
        "tau2": installed,
        "ok": not found.problems,
        "repairs": [
            {
                "id": entry.id,
                "class": entry.repair.class_,
                "kind": entry.kind,
                "domain": entry.domain,
                "state": found.standings[entry.id].state,
                "reason": found.standings[entry.id].reason,
            }
            for entry in found.entries
            if entry.id in found.standings
        ],
        "problems": [
            {"where": one.where, "what": one.what, "hint": one.hint} for one in found.problems
        ],
    }


def print_verification(found: Verification, installed: str) -> None:
    """Print how many repairs of each kind stand how, and what is wrong."""
    counts: dict[str, Counter[str]] = {}
    for entry in found.entries:
        if entry.id in found.standings:
            counts.setdefault(entry.kind, Counter())[found.standings[entry.id].state] += 1
    rows = [["KIND", *(state.upper() for state in STATES)]]
    rows += [[kind, *(str(count[state]) for state in STATES)] for kind, count in counts.items()]
    output.print_table(rows)
    if found.problems:
        print(f"\nProblems ({len(found.problems)})")
        for problem in found.problems:
            print(f"  - {problem}")
    else:
        print(f"\nEverything fits {installed}.")
