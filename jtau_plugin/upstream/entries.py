"""All repairs and patches with what they are and where they are declared."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from jtau_plugin import resources
from jtau_plugin.errors import SettingError
from jtau_plugin.models.patches import (
    CodePatch,
    DocumentRepair,
    Repair,
    TaskRepair,
    ToolTextRepair,
)
from jtau_plugin.patching.catalogue import all_repairs, repaired_domains
from jtau_plugin.patching.documents import load_document_repairs
from jtau_plugin.patching.repairs import load_task_repairs

Kind = Literal["code patch", "task repair", "document repair", "tool text"]
_KINDS: tuple[tuple[type[Repair], Kind], ...] = (
    (CodePatch, "code patch"),
    (TaskRepair, "task repair"),
    (DocumentRepair, "document repair"),
    (ToolTextRepair, "tool text"),
)
_CODE, _TASKS, _DOCUMENTS = "code", "tasks", "documents"


@dataclass(frozen=True)
class Entry:
    """A repair or patch.

    Attributes:
        repair: what is declared.
        kind: what it is.
        domain: tau2's name of the domain that it concerns; empty where it concerns all.
        file: where it is declared, below the folder of patches.
    """

    repair: Repair
    kind: Kind
    domain: str
    file: str

    @property
    def id(self) -> str:
        """The repair's id."""
        return self.repair.id

    @property
    def gates(self) -> str:
        """What it decides, for repairs of data."""
        return str(getattr(self.repair, "gates", ""))

    @property
    def path(self) -> Path:
        """The file that declares it."""
        return resources.data_root() / "patches" / self.file


@cache
def all_entries() -> tuple[Entry, ...]:
    """Return all repairs and patches: code first, then domain by domain.

    Raises:
        OverlayError: for a file that cannot be used.
        RepairError: for repairs that contradict each other or cannot be told apart.
    """
    domains = {
        repair.id: domain
        for domain in repaired_domains()
        for repairs in (load_task_repairs(domain), load_document_repairs(domain))
        for repair in (*repairs.repairs, *getattr(repairs, "tool_texts", ()))
    }
    return tuple(_entry(repair, domains.get(repair.id, "")) for repair in all_repairs())


def _entry(repair: Repair, domain: str) -> Entry:
    kind = next(kind for cls, kind in _KINDS if isinstance(repair, cls))
    if isinstance(repair, CodePatch):
        return Entry(repair, kind, _domain_of(repair), f"{_CODE}/{repair.id}.yaml")
    folder = _TASKS if kind == "task repair" else _DOCUMENTS
    return Entry(repair, kind, domain, f"{folder}/{domain}.yaml")


def _domain_of(patch: CodePatch) -> str:
    """Return the domain whose code a patch changes; empty for what all domains share."""
    module = patch.target.partition(":")[0].split(".")
    return module[2] if module[:2] == ["tau2", "domains"] else ""


def find_entry(name: str) -> Entry:
    """Return the repair or patch of an id.

    Raises:
        SettingError: if there is none, with the nearest ids.
    """
    by_id = {entry.id: entry for entry in all_entries()}
    if name not in by_id:
        raise SettingError(unknown(name, by_id))
    return by_id[name]


def unknown(name: str, known: dict[str, Entry] | set[str]) -> str:
    """Return the sentence that says that there is no repair of this id."""
    near = difflib.get_close_matches(name, known, n=3)
    hint = f"did you mean {', '.join(near)}" if near else "'jtau patches list' shows all"
    return f"there is no repair or patch {name!r} ({hint})"
