"""What ``jtau check --fix`` has mended, would mend, or leaves to a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jtau_plugin.cli import output
from jtau_plugin.translation.fixing import FixReport
from jtau_plugin.translation.writing.fixes import FixedText


def _status(fix: FixedText, report: FixReport) -> str:
    if fix.kept:
        return "kept"
    return "mended" if report.is_written else "mendable"


def as_data(reports: Sequence[FixReport]) -> list[dict[str, object]]:
    """Return the fixes as plain data; ``status`` is ``mended``, ``mendable`` or ``kept``."""
    return [
        {
            "status": _status(fix, report),
            "file": str(fix.path),
            "line": fix.shown_line,
            "address": fix.address,
            "checks": list(fix.checks),
            "before": fix.before,
            "after": fix.after,
            "reason": fix.kept,
        }
        for report in reports
        for fix in report.fixes
    ]


def _diff(fix: FixedText) -> Iterator[str]:
    before, after = fix.before.split("\n"), fix.after.split("\n")
    if len(before) != len(after):
        yield from (f"    - {line}" for line in before)
        yield from (f"    + {line}" for line in after)
        return
    for old, new in zip(before, after, strict=True):
        if old != new:
            yield f"    - {old}"
            if new:
                yield f"    + {new}"


def _print_group(title: str, fixes: Sequence[FixedText]) -> None:
    if not fixes:
        return
    print(f"{title} ({len(fixes)})")
    for fix in fixes:
        where = f"{output.shown_path(fix.path)}:{fix.shown_line}"
        print(f"  {where}: [{', '.join(fix.checks)}] {fix.kept}".rstrip())
        for line in _diff(fix):
            print(line)
    print()


def print_fixes(reports: Sequence[FixReport]) -> None:
    """Print each fix with its place and what becomes of the text, as a diff."""
    for title, status in (
        ("Mended", "mended"),
        ("Would be mended", "mendable"),
        ("Left to a person", "kept"),
    ):
        fixes = [f for report in reports for f in report.fixes if _status(f, report) == status]
        _print_group(title, fixes)
