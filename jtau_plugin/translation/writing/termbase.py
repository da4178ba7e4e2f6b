"""Writes ``termbase.tsv``: rows that are there stay as they are, new ones come behind them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from jtau_plugin.overlays.termbase import COLUMNS
from jtau_plugin.overlays.yamlfile import read_text
from jtau_plugin.translation.items import Item
from jtau_plugin.translation.writing.entries import Data, Writing


def _row(cells: list[str]) -> str:
    return "\t".join(" ".join(cell.split()) for cell in cells)


def _key(item: Item) -> tuple[str, str, str]:
    domain, key, english = map(str, item.segment.key)
    return domain, key, english


def _table_rows(writing: Writing, tables: Mapping[str, Data]) -> dict[tuple[str, str, str], str]:
    """Return the rows that repeat what the tables of values show."""
    structure, rows = writing.plan.structure, {}
    for term in structure.terms:
        table = structure.term_rules.tables.get(term.key)
        entry = tables.get(table or "", {}).get(term.english)
        if term.domain == structure.domain and entry:
            rows[term.domain, term.key, term.english] = str(entry["display"]).strip()
    return rows


def put_terms(path: Path, locale: str, writing: Writing, values: Data) -> str:
    """Return the content of ``termbase.tsv`` with the new terms.

    Args:
        path: the file; it may not exist yet.
        locale: names the column of the approved forms.
        writing: what is written.
        values: the content of ``values.yaml`` as it will be.
    """
    text = read_text(path) if path.is_file() else ""
    lines = text.splitlines() or [_row([name or locale for name in COLUMNS])]
    own = {_key(item) for item in writing.items("terms")}
    rows = {
        _key(item): writing.text(item).strip()
        for item in writing.items("terms")
        if item.address in writing.new
    }
    rows |= _table_rows(writing, values.get("tables") or {})
    places = {tuple(line.split("\t")[:3]): i for i, line in enumerate(lines) if i}
    for key, local in rows.items():
        place = places.get(key)
        if place is None:
            lines.append(_row([*key, local, ""]))
        elif key in own:
            cells = lines[place].split("\t")
            lines[place] = "\t".join([*cells[:3], " ".join(local.split()), *cells[4:]])
    return "\n".join(lines) + "\n"
