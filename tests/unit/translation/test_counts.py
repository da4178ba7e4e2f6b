"""What a manifest counts is what the ledger has, of all domains where they share a file."""

from __future__ import annotations

from jtau_plugin.models.translation import LedgerEntry
from jtau_plugin.translation.extraction.segment import TERM, SourceSegment
from jtau_plugin.translation.inventory import ledger_counts
from jtau_plugin.translation.items import Item, State
from jtau_plugin.translation.ledger import Ledgers
from jtau_plugin.translation.provenance import count_file

FILE = "termbase.tsv"


def _item(domain: str, number: int) -> Item:
    address = f"{FILE}#{domain}.term.{number}"
    return Item(SourceSegment(address, TERM, "x", "terms", FILE, (domain,)), State.CURRENT)


def _entry(domain: str, number: int, **more: str) -> LedgerEntry:
    return LedgerEntry(
        address=f"{FILE}#{domain}.term.{number}", source="0" * 64, text="1" * 64, **more
    )


def test_a_shared_file_is_counted_whole(tmp_path):
    ledgers = Ledgers(tmp_path, ["retail", "airline"])
    for entry in (
        _entry("retail", 1, origin="machine"),
        _entry("airline", 1, origin="machine"),
        _entry("airline", 2, origin="person", status="reviewed"),
        _entry("airline", 3, origin="machine", status="stale"),
        _entry("airline", 4, origin="machine", status="retired"),
    ):
        ledgers.put(entry)
    counts = count_file(FILE, [_item("retail", 1), _item("retail", 2)], ledgers)
    assert counts == {"segments": 5, "machine": 3, "person": 1, "reviewed": 1, "stale": 1}
    ledgers.save()
    # The check of the record counts alike.
    found = ledger_counts(tmp_path, FILE)
    assert {name: found[name] for name in counts if name != "segments"} == {
        name: count for name, count in counts.items() if name != "segments"
    }
