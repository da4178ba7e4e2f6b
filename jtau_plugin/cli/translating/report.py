"""What came of a translation, for people and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jtau_plugin.translation.engine.limits import Spent
from jtau_plugin.translation.estimating import Estimate
from jtau_plugin.translation.items import State
from jtau_plugin.translation.planning import Plan
from jtau_plugin.translation.session import DomainReport

_MOST = 20


def spent_data(spent: Spent) -> dict[str, object]:
    """Return what a run took."""
    return {
        "requests": spent.requests,
        "asked": spent.asked,
        "known": spent.known,
        "prompt_tokens": spent.prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "cost": round(spent.cost, 6) if spent.is_priced else None,
    }


def report_data(report: DomainReport) -> dict[str, object]:
    """Return what became of a domain."""
    return {
        "domain": report.domain,
        "translated": report.translated,
        "faults": [
            {"address": f.address, "kind": f.kind, "reasons": list(f.reasons)}
            for f in report.faults
        ],
        "notes": report.notes,
        "kept": report.kept,
        "removed": report.written.removed,
        "incomplete": report.written.incomplete,
        "files": [str(path) for path in report.written.files],
        "problems": [str(problem) for problem in report.problems],
        "complete": report.is_complete,
    }


def plan_data(plan: Plan, seen: set[str]) -> dict[str, Any]:
    """Return what an overlay needs.

    Args:
        plan: what was found in one domain.
        seen: what other domains have listed already; what is listed here is added. Texts that all
            domains share are listed with the first.
    """
    groups = {
        "stale": [item.address for item in plan.of(State.STALE)],
        "missing": [item.address for item in plan.of(State.MISSING)],
        "kept": [item.address for item in plan.of(State.KEPT)],
        "obsolete": [old.address for old in plan.obsolete],
        "problems": [str(problem) for problem in plan.problems],
    }
    own = {name: [line for line in lines if line not in seen] for name, lines in groups.items()}
    seen.update(line for lines in groups.values() for line in lines)
    current = sum(1 for _ in plan.of(State.CURRENT))
    return {"domain": plan.domain, **own, "current": current}


def estimate_data(estimate: Estimate) -> dict[str, object]:
    """Return what a domain would take."""
    return {
        "domain": estimate.domain,
        "segments": estimate.segments,
        "texts": estimate.units,
        "requests": estimate.requests,
        "prompt_tokens": estimate.prompt_tokens,
        "completion_tokens": estimate.completion_tokens,
        "cost": estimate.cost,
    }


def _some(lines: Sequence[str]) -> Iterator[str]:
    yield from (f"  {line}" for line in lines[:_MOST])
    if len(lines) > _MOST:
        yield f"  … and {len(lines) - _MOST} more (--json lists all)"


def print_estimates(estimates: Sequence[Estimate], model: str) -> None:
    """Print what a translation would take."""
    for own in estimates:
        kinds = ", ".join(f"{count} {kind}" for kind, count in own.segments.items())
        print(f"{own.domain}: {sum(own.segments.values())} segments ({kinds or 'nothing to do'})")
        print(
            f"  {own.units} texts in {own.requests} requests, about {own.prompt_tokens:,} tokens "
            f"in and {own.completion_tokens:,} out"
        )
    costs = [own.cost for own in estimates]
    if not model:
        print("No price without --model.")
    elif any(cost is None for cost in costs):
        print(f"The price of {model} is not known.")
    else:
        print(f"About ${sum(cost or 0.0 for cost in costs):.2f} with {model}.")


_TITLES = {
    "stale": "stale",
    "missing": "missing",
    "kept": "stale, and a person's",
    "obsolete": "obsolete",
    "problems": "unclear",
}


def print_plan(name: str, data: Mapping[str, Any]) -> None:
    """Print what an overlay needs, by address, as ``plan_data`` has it."""
    found = {title: data[key] for key, title in _TITLES.items() if data[key]}
    if not found:
        print(f"{name}: renders what is installed.")
    for title, lines in found.items():
        print(f"{name}: {len(lines)} {title}")
        for line in lines:
            print(f"  {line}")


def print_reports(locale: str, reports: Sequence[DomainReport], spent: Spent) -> None:
    """Print what became of each domain."""
    for report in reports:
        count = sum(report.translated.values())
        kinds = ", ".join(f"{n} {kind}" for kind, n in report.translated.items())
        print(f"{locale}/{report.domain}: {count} translated{f' ({kinds})' if kinds else ''}")
        faults = [f"{f.address}: {'; '.join(f.reasons)}" for f in report.faults]
        for title, lines in (
            ("not translated", faults),
            ("not written, for a text is missing", report.written.incomplete),
            ("stale, and a person's: somebody has to look", report.kept),
            ("obsolete, removed", report.written.removed),
            ("written, and worth a look", [f"{a}: {n}" for a, n in report.notes.items()]),
            ("unclear", [str(problem) for problem in report.problems]),
        ):
            if lines:
                print(f"{len(lines)} {title}")
                for line in _some(lines):
                    print(line)
    files = [path for report in reports for path in report.written.files]
    cost = f"${spent.cost:.4f}" if spent.is_priced else "price unknown"
    print(
        f"{len(set(files))} files written; {spent.requests} requests for {spent.asked} texts, "
        f"{spent.known} known before, {cost}."
    )


def hint(folder: Path) -> str:
    """Return the next step after a translation."""
    return (
        f"Look at it: JTAU_OVERLAY_PATH={folder.parent} jtau check {folder.name}; run it: "
        f"JTAU_OVERLAY_PATH={folder.parent} jtau run --domain {folder.name}_…"
    )
