"""Draws some rows of a large file: the same ones for the same seed, some of every kind.

Nothing random: a row's lot is the hash of seed and address, so that a new text upstream changes no
other lot.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence

from jtau_plugin.review.rows import Row, is_whole


def _lot(seed: str, name: str) -> str:
    return hashlib.sha256(f"{seed}\0{name}".encode()).hexdigest()


def _stratum(row: Row) -> tuple[str, str]:
    """Return what a row is: its kind, and within the kind its place."""
    return row.kind, dict(row.context).get("is", "")


def _group(row: Row) -> str:
    """Return what a row belongs to, so that a sample has something of many of them."""
    context = dict(row.context)
    names = (context.get(name, "") for name in ("task", "tool", "table", "said by"))
    return next(filter(None, names), row.address)


def allocate(sizes: Mapping[tuple[str, str], int], count: int) -> dict[tuple[str, str], int]:
    """Share out ``count`` among strata by their sizes; each gets one while there is any left."""
    total = sum(sizes.values())
    count = min(count, total)
    order = sorted(sizes, key=lambda s: (-sizes[s], s))
    shares = dict.fromkeys(sizes, 0)
    for stratum in order[:count]:
        shares[stratum] = 1
    left = count - sum(shares.values())
    exact = {s: max(0.0, count * sizes[s] / total - shares[s]) for s in order}
    weight = sum(exact.values()) or 1.0
    for stratum in order:
        whole = min(int(exact[stratum] * left / weight), sizes[stratum] - shares[stratum])
        shares[stratum] += whole
    while sum(shares.values()) < count:
        open_ = [s for s in order if shares[s] < sizes[s]]
        neediest = max(open_, key=lambda s: count * sizes[s] / total - shares[s])
        shares[neediest] += 1
    return shares


def _draw(rows: Sequence[Row], count: int, seed: str) -> list[Row]:
    """Draw from one stratum, one of each group before a second one of any."""
    ranks: dict[str, int] = {}
    ranked = []
    for row in sorted(rows, key=lambda r: _lot(seed, r.address)):
        group = _group(row)
        ranks[group] = ranks.get(group, 0) + 1
        ranked.append((ranks[group], _lot(seed, row.address), row))
    return [row for _, _, row in sorted(ranked, key=lambda r: r[:2])[:count]]


def sample(rows: Iterable[Row], count: int, seed: str = "0") -> list[Row]:
    """Return the rows with at most ``count`` texts of each file that is not reviewed whole.

    Args:
        rows: every row, in order.
        count: how many texts.
        seed: another seed draws other ones.
    """
    files: dict[str, list[Row]] = {}
    for row in rows:
        files.setdefault(row.file, []).append(row)
    chosen: list[Row] = []
    for file, own in files.items():
        chosen += own if is_whole(file) else _sample_file(own, count, seed)
    return chosen


def _sample_file(rows: Sequence[Row], count: int, seed: str) -> list[Row]:
    # A text in several parts is drawn as one; what cannot be reviewed is not drawn.
    firsts = [row for row in rows if row.part == 0 and not row.is_locked]
    if len(firsts) <= count:
        return list(rows)
    strata = _by(firsts, _stratum)
    shares = allocate({name: len(own) for name, own in strata.items()}, count)
    drawn = {row.address for name, own in strata.items() for row in _draw(own, shares[name], seed)}
    return [row for row in rows if row.address in drawn]


def _by(
    rows: Iterable[Row], key: Callable[[Row], tuple[str, str]]
) -> dict[tuple[str, str], list[Row]]:
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found
