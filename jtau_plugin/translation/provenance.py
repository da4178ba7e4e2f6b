"""Where the texts of an overlay come from: what its manifests say, and what a run adds to them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jtau_plugin.overlays.yamlfile import load_yaml
from jtau_plugin.translation.items import Item
from jtau_plugin.translation.ledger import Ledgers

NOBODY = "none"
#: How an import of a review says how much of a file was read; the ledger says which texts.
SEGMENTS_REVIEWED = re.compile(r"\d+ of \d+ segments\b")


def _artefacts(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    data = load_yaml(path).data
    artefacts = data.get("artefacts") if isinstance(data, dict) else None
    return artefacts if isinstance(artefacts, dict) else {}


def reviewed_files(folder: Path, domain: str) -> frozenset[str]:
    """Return the files of an overlay, below the locale's folder, that a person has reviewed whole.

    Args:
        folder: the locale's folder.
        domain: tau2's name of the domain.
    """
    shared = _artefacts(folder / "locale.yaml")
    own = {f"{domain}/{n}": a for n, a in _artefacts(folder / domain / "manifest.yaml").items()}
    return frozenset(
        name
        for name, artefact in {**shared, **own}.items()
        if isinstance(artefact, dict) and _is_whole(str(artefact.get("human_review", NOBODY)))
    )


def _is_whole(review: str) -> bool:
    return review != NOBODY and not SEGMENTS_REVIEWED.match(review)


@dataclass(frozen=True)
class RunInfo:
    """What a run says of itself in manifests and ledgers.

    Attributes:
        model: litellm's name of the model; empty when nothing was translated.
        parameters: what it was given besides.
        prompt: version of the words in which it was asked.
        date: today.
        tau2: the distribution whose English is rendered.
        installed: that distribution with its version, as manifests write it.
    """

    model: str
    parameters: Mapping[str, Any]
    prompt: str
    date: str
    tau2: str
    installed: str


def count_file(file: str, items: Iterable[Item], ledgers: Ledgers) -> dict[str, int]:
    """Return how the texts of one file stand, by what the ledger says of them.

    Args:
        file: the file, below the locale's folder.
        items: its texts that a domain has; the ledger may know those of other domains.
        ledgers: the locale's ledgers.
    """
    known = {
        entry.address: entry
        for entry in ledgers.of(file.rpartition("/")[0])
        if entry.address.partition("#")[0] == file and entry.status != "retired"
    }
    counts = Counter({"segments": len({*known, *(item.address for item in items)})})
    for entry in known.values():
        if entry.origin != "written":
            counts[entry.origin] += 1
        if entry.status in ("reviewed", "stale"):
            counts[entry.status] += 1
    return dict(counts)


def put_artefact(
    artefacts: dict[str, Any],
    name: str,
    counts: Mapping[str, int],
    sources: Mapping[str, str],
    run: RunInfo,
) -> None:
    """Say in a manifest what a model has written in a file.

    What a person wrote about the file stays; what a model adds stands beside it.
    """
    entry = artefacts.get(name)
    by_machine = f"by the model {run.model}, prompt version {run.prompt}"
    if entry is None:
        entry = artefacts[name] = {
            "translated": by_machine,
            "date": run.date,
            "second_reading": NOBODY,
            "mechanical_checks": NOBODY,
            "human_review": NOBODY,
        }
    elif entry["translated"].startswith("by the model "):
        entry |= {"translated": by_machine, "date": run.date, "mechanical_checks": NOBODY}
    if counts.get("machine"):
        entry["machine"] = {
            "model": run.model,
            **({"parameters": dict(run.parameters)} if run.parameters else {}),
            "prompt": run.prompt,
            "date": run.date,
            "segments": counts["machine"],
        }
    entry["sources"] = dict(sources)
    entry["counts"] = dict(counts)
