"""``jtau patches list``: every repair and patch, whether it is on, and how it stands now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jtau_plugin.cli import output
from jtau_plugin.cli.patching.standing import FITS, Standing, patch_standings, standings
from jtau_plugin.cli.quiet import quiet_tau2
from jtau_plugin.compat import layout
from jtau_plugin.patching.catalogue import active_selection
from jtau_plugin.upstream.entries import Entry, all_entries

#: Version of the JSON: raised when a key is renamed, removed or given another meaning.
SCHEMA = 1
_TITLE = 60


@dataclass(frozen=True)
class Listed:
    """One line of the list.

    Attributes:
        entry: the repair or patch.
        is_on: whether it is on, by default and by ``JTAU_PATCHES``.
        standing: how it stands now; a repair that is on and fits is ``applied``.
    """

    entry: Entry
    is_on: bool
    standing: Standing


def listed(classes: Sequence[str]) -> list[Listed]:
    """Return the repairs and patches of some classes, of all when none is named."""
    return _listed([e for e in all_entries() if not classes or e.repair.class_ in classes])


def listed_one(entry: Entry) -> Listed:
    """Return one repair or patch as it stands."""
    return _listed([entry])[0]


def _listed(entries: Sequence[Entry]) -> list[Listed]:
    selection = active_selection()
    on = {entry.id for entry in entries if selection.is_enabled(entry.id)}
    found = _now([entry for entry in entries if entry.id in on])
    off = {entry.id: Standing(entry.id, "disabled") for entry in entries if entry.id not in on}
    return [Listed(e, e.id in on, {**found, **off}[e.id]) for e in entries]


def _now(entries: Sequence[Entry]) -> dict[str, Standing]:
    """Return how repairs that are on stand; only that they are on where there is no tau2."""
    if not layout.is_installed() or layout.is_impostor():
        return {entry.id: Standing(entry.id, "on", "no tau2 is installed") for entry in entries}
    with quiet_tau2():
        of_data = standings(entries)
        of_code = patch_standings() if any(e.kind == "code patch" for e in entries) else {}
    applied = {
        name: Standing(name, "applied", one.reason) if one.state == FITS else one
        for name, one in of_data.items()
    }
    return {**of_code, **applied}


def as_data(found: Sequence[Listed]) -> dict[str, object]:
    """Return the list as plain data: the format of ``--json``."""
    return {
        "schema": SCHEMA,
        "repairs": [
            {
                "id": one.entry.id,
                "class": one.entry.repair.class_,
                "kind": one.entry.kind,
                "domain": one.entry.domain,
                "title": one.entry.repair.title,
                "default": one.entry.repair.is_default,
                "on": one.is_on,
                "state": one.standing.state,
                "reason": one.standing.reason,
                "gates": one.entry.gates,
                "upstream": one.entry.repair.upstream.model_dump(mode="json"),
            }
            for one in found
        ],
    }


def print_list(found: Sequence[Listed]) -> None:
    """Print the list in columns."""
    rows = [["ID", "CLASS", "ON", "STATE", "UPSTREAM", "TITLE"]]
    rows += [_row(one) for one in found]
    output.print_table(rows)
    on = sum(1 for one in found if one.is_on)
    print(
        f"\n{len(found)} repairs and patches, {on} on. A star marks what differs from the default."
    )


def _row(one: Listed) -> list[str]:
    repair = one.entry.repair
    star = "" if one.is_on == repair.is_default else "*"
    title = repair.title
    return [
        one.entry.id,
        repair.class_,
        ("yes" if one.is_on else "no") + star,
        one.standing.state,
        " ".join([*repair.upstream.issues, repair.upstream.state]),
        title if len(title) <= _TITLE else f"{title[: _TITLE - 1]}…",
    ]
