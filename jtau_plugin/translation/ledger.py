"""``ledger.jsonl``: for each text of an overlay, which English it renders and who wrote it.

One line per text, sorted by address, beside the manifest of a domain and beside ``locale.yaml`` for
what all domains share. No run of a model reads it, and it is no part of an overlay's fingerprint: a
review that changes no text changes no result. A text without a line is one that was written before
there was a ledger; the manifest says how it came to be.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pydantic import ValidationError

from jtau_plugin.errors import OverlayError, Problem
from jtau_plugin.models.translation import LedgerEntry
from jtau_plugin.overlays.yamlfile import read_text
from jtau_plugin.translation.writing.files import write_atomically

NAME = "ledger.jsonl"


def load_ledger(folder: Path) -> dict[str, LedgerEntry]:
    """Return the entries of a folder's ledger by address; none if there is no ledger.

    Raises:
        OverlayError: for each line that cannot be used.
    """
    path = folder / NAME
    if not path.is_file():
        return {}
    entries: dict[str, LedgerEntry] = {}
    problems = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            entry = LedgerEntry.model_validate_json(line)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = f"{path}:{number}"
            what = f"{'.'.join(map(str, first['loc'])) or 'line'}: {first['msg']}"
            problems.append(Problem(where, what, "restore the line, or remove it"))
            continue
        if entry.address in entries:
            problems.append(Problem(f"{path}:{number}", f"{entry.address} stands twice"))
        entries[entry.address] = entry
    if problems:
        raise OverlayError(f"{NAME} cannot be used.", problems)
    return entries


def dump_ledger(entries: Iterable[LedgerEntry]) -> str:
    """Return the content of a ledger; equal entries give equal files."""
    lines = sorted(
        (
            json.dumps(entry.model_dump(exclude_defaults=True), ensure_ascii=False)
            for entry in entries
        ),
    )
    return "".join(f"{line}\n" for line in lines)


def save_ledger(folder: Path, entries: Mapping[str, LedgerEntry]) -> bool:
    """Write a folder's ledger, if it has changed; return whether it has.

    Args:
        folder: a domain's folder, or the locale's.
        entries: all entries by address.
    """
    path = folder / NAME
    text = dump_ledger(entries.values())
    if (path.read_text(encoding="utf-8") if path.is_file() else "") == text:
        return False
    write_atomically(path, text)
    return True


class Ledgers:
    """The ledgers of a locale: the shared one, and one per domain.

    Args:
        locale_folder: the locale's folder.
        domains: tau2's names of the domains.
    """

    def __init__(self, locale_folder: Path, domains: Iterable[str]) -> None:
        self._folder = locale_folder
        self._entries = {
            name: load_ledger(locale_folder / name) for name in ("", *dict.fromkeys(domains))
        }

    def get(self, address: str) -> LedgerEntry | None:
        """Return the entry of a text."""
        return self._entries.get(_domain(address), {}).get(address)

    def put(self, entry: LedgerEntry) -> None:
        """Set the entry of a text."""
        self._entries.setdefault(_domain(entry.address), {})[entry.address] = entry

    def drop(self, address: str) -> None:
        """Forget a text."""
        self._entries.get(_domain(address), {}).pop(address, None)

    def of(self, domain: str) -> Iterator[LedgerEntry]:
        """Yield the entries of a domain, or with an empty name those that all domains share."""
        yield from self._entries.get(domain, {}).values()

    def save(self) -> list[Path]:
        """Write the ledgers that have changed and return their paths."""
        return [
            self._folder / name / NAME
            for name, entries in self._entries.items()
            if save_ledger(self._folder / name, entries)
        ]


def _domain(address: str) -> str:
    file = address.partition("#")[0]
    return file.rpartition("/")[0]
