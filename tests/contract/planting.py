"""Plants faults into a copy of an overlay, many at once, and tells where each of them stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jtau_plugin.checks.model import Finding

from .overlay_copy import OverlayCopy


@dataclass(frozen=True)
class Planted:
    """One fault.

    Attributes:
        check: the check that must say so.
        file: the file, below the locale's folder.
        old: what stands there; the first place counts.
        new: what it becomes.
        says: what the finding must mention; may be empty.
        anywhere: any line of the file will do: an entry is gone, a bracket is open, or the other
            one of two entries is named.
    """

    check: str
    file: str
    old: str
    new: str
    says: str = ""
    anywhere: bool = False


def plant(copy: OverlayCopy, faults: Iterable[Planted]) -> dict[Planted, tuple[int, int]]:
    """Plant faults and return the first and the last line of each.

    Every fault is planted in the text as it was shipped, so that the order does not matter; two
    faults never share a place.
    """
    by_file: dict[str, list[Planted]] = {}
    for fault in faults:
        by_file.setdefault(fault.file, []).append(fault)
    lines: dict[Planted, tuple[int, int]] = {}
    for name, own in by_file.items():
        path = copy.path(name)
        text = path.read_bytes().decode("utf-8")
        places = []
        for fault in own:
            at = text.find(fault.old)
            assert at >= 0, f"{fault.old!r} is not in {name}"
            places.append((at, fault))
        pieces, done, line = [], 0, 1
        for at, fault in sorted(places, key=lambda place: place[0]):
            assert at >= done, f"{fault.old!r} in {name} is taken by another fault"
            pieces += [text[done:at], fault.new]
            line += text.count("\n", done, at)
            last = line + fault.new.count("\n") + (not fault.new)
            lines[fault] = (line, last)
            line += fault.new.count("\n")
            done = at + len(fault.old)
        path.write_bytes("".join([*pieces, text[done:]]).encode("utf-8"))
    return lines


def find(
    fault: Planted, place: tuple[int, int], findings: Sequence[Finding], folder: Path
) -> list[Finding]:
    """Return the findings of a fault's check at its file and line."""
    return [
        finding
        for finding in findings
        if finding.check == fault.check
        and finding.segment.file == str(folder / fault.file)
        and (fault.anywhere or _touches(finding, place))
        and fault.says in finding.message
    ]


def touching(
    fault: Planted, place: tuple[int, int], findings: Sequence[Finding], folder: Path
) -> list[Finding]:
    """Return whatever is found at the place of a fault, by any check."""
    return [
        finding
        for finding in findings
        if finding.segment.file == str(folder / fault.file)
        and _touches(finding, place)
        and _is_about(finding, place)
    ]


def _touches(finding: Finding, place: tuple[int, int]) -> bool:
    first, last = place
    line = finding.segment.line
    return line <= last and first <= line + _height(finding)


def _is_about(finding: Finding, place: tuple[int, int]) -> bool:
    """Return whether a finding is about a text at a place, or about just this line."""
    return bool(finding.segment.target) or place[0] <= finding.segment.line <= place[1]


def _height(finding: Finding) -> int:
    """Return how many lines a text may go on behind the line of its key."""
    segment = finding.segment
    if segment.file.endswith(".md"):
        return segment.target.count("\n")
    return segment.target.count("\n") + 1 if segment.target else 6
