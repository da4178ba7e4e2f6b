"""Every repair and patch that this version brings along, and which of them are on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jtau_plugin import resources
from jtau_plugin.errors import Problem, RepairError
from jtau_plugin.models.patches import REPAIR_CLASSES, CodePatch, Repair
from jtau_plugin.patching.cards import load_cards
from jtau_plugin.patching.documents import load_document_repairs
from jtau_plugin.patching.repairs import load_task_repairs
from jtau_plugin.patching.selection import Selection, select, setting


def _folder(kind: str) -> Path:
    return resources.data_root() / "patches" / kind


def repaired_domains() -> tuple[str, ...]:
    """Return tau2's names of the domains whose tasks or documents have repairs, sorted."""
    files = (*_folder("tasks").glob("*.yaml"), *_folder("documents").glob("*.yaml"))
    return tuple(sorted({file.stem for file in files}))


def load_code_patches() -> tuple[CodePatch, ...]:
    """Return what the cards of all code patches say, whether or not they fit the installed tau2.

    Raises:
        PatchError: for cards that cannot be used.
    """
    return tuple(card.patch for card in load_cards())


def _domain_repairs(domain: str) -> Iterator[Repair]:
    yield from load_task_repairs(domain).repairs
    documents = load_document_repairs(domain)
    yield from documents.repairs
    yield from documents.tool_texts


@cache
def all_repairs() -> tuple[Repair, ...]:
    """Return every repair and patch: code first, then domain by domain.

    Raises:
        OverlayError: for a file that cannot be used.
        RepairError: for two that have one id.
    """
    found = [*load_code_patches()]
    rest = [repair for domain in repaired_domains() for repair in _domain_repairs(domain)]
    everything: list[Repair] = [*found, *rest]
    seen: set[str] = set()
    problems = []
    for repair in everything:
        if repair.id in seen:
            what = "two repairs have this id"
            problems.append(Problem(f"patches: {repair.id}", what, "rename one of them"))
        seen.add(repair.id)
    if problems:
        raise RepairError("The repairs cannot be told apart.", problems)
    return tuple(everything)


@lru_cache(maxsize=8)
def _selection(text: str) -> Selection:
    return select(all_repairs(), text)


def active_selection() -> Selection:
    """Return which repairs and patches are on, by default and by ``JTAU_PATCHES``.

    Raises:
        SettingError: for a name that is no class and no repair.
    """
    return _selection(setting())


@lru_cache(maxsize=32)
def _describe(text: str, domain: str) -> dict[str, Any]:
    selection = _selection(text)
    on = [repair for repair in all_repairs() if selection.is_enabled(repair.id)]
    own = [*load_code_patches(), *_domain_repairs(domain)]
    content = [repair.model_dump_json() for repair in own if selection.is_enabled(repair.id)]
    classes = {repair.class_ for repair in on}
    return {
        "classes": [name for name in REPAIR_CLASSES if name in classes],
        "changes": list(selection.changes),
        "fingerprint": hashlib.sha256("\n".join(content).encode("utf-8")).hexdigest(),
    }


def describe_repairs(domain: str) -> dict[str, Any]:
    """Return what a result says of the repairs behind it.

    Args:
        domain: tau2's name of the domain, ``retail``.

    Returns:
        ``classes``: those of which anything is on; ``changes``: what ``JTAU_PATCHES`` changed of
        the defaults; ``fingerprint``: SHA-256 over the content of all that are on for this domain
        and of all code patches that are on.
    """
    return dict(_describe(setting(), domain))
