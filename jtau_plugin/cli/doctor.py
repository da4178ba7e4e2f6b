"""``jtau doctor``: says what is installed, what is loaded, and what is wrong.

Whatever is wrong becomes a line of its report; it raises nothing of its own.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from jtau_plugin import __version__
from jtau_plugin.cli import output
from jtau_plugin.cli.diagnosis import benchmark, installation, overlays, settings
from jtau_plugin.cli.diagnosis.section import Section, collect
from jtau_plugin.cli.quiet import quiet_tau2
from jtau_plugin.errors import Problem

SUMMARY = "says what is installed, what is loaded, and what is wrong"
#: Version of the JSON: raised when a key is renamed, removed or given another meaning.
SCHEMA = 1

#: The subjects in their order; the first ones import nothing of tau2.
SECTIONS: dict[str, Callable[[Section], None]] = {
    "plugin": installation.ask_plugin,
    "python": installation.ask_python,
    "loading": installation.ask_loading,
    "settings": settings.ask_settings,
    "tau2": benchmark.ask_tau2,
    "hooks": benchmark.ask_hooks,
    "domains": benchmark.ask_domains,
    "overlays": overlays.ask_overlays,
    "patches": overlays.ask_patches,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jtau doctor",
        description="Says what is installed, what is loaded, and what is wrong. "
        "Exits with 1 if there is a problem; notes are no problem.",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def examine() -> list[Section]:
    """Ask about every subject; what is off by ``JTAU_DISABLE`` is examined as if it were on."""
    with quiet_tau2():
        sections = []
        for name, ask in SECTIONS.items():
            sections.append(collect(Section(name), ask))
            if name == "settings":
                os.environ.pop("JTAU_DISABLE", None)
    return sections


def _findings(sections: Sequence[Section], kind: str) -> list[tuple[str, Problem]]:
    """Return each finding once: what stops tau2 from being imported is found by several."""
    found: dict[Problem, str] = {}
    for section in sections:
        for problem in getattr(section, kind):
            found.setdefault(problem, section.name)
    return [(name, problem) for problem, name in found.items()]


def as_data(sections: Sequence[Section]) -> dict[str, object]:
    """Return the report as plain data: the format of ``--json``."""

    def listed(kind: str) -> list[dict[str, str]]:
        return [
            {"section": name, "where": p.where, "what": p.what, "hint": p.hint}
            for name, p in _findings(sections, kind)
        ]

    return {
        "schema": SCHEMA,
        "plugin": __version__,
        "ok": not _findings(sections, "problems"),
        "problems": listed("problems"),
        "notes": listed("notes"),
        "sections": {section.name: section.facts for section in sections},
    }


def _shown(value: object) -> str:
    if value is None or value in ([], ""):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)


def _rows(section: str, facts: Mapping[str, object], prefix: str = "") -> Iterator[list[str]]:
    for key, value in facts.items():
        if isinstance(value, dict):
            yield from _rows(section, value, f"{prefix}{key}: ")
        else:
            yield [section, f"{prefix}{key}", _shown(value)]


def _print_report(sections: Sequence[Section]) -> None:
    rows = [row for section in sections for row in _rows(section.name, section.facts)]
    names = [row[0] for row in rows]
    shown = [
        [name if index == 0 or names[index - 1] != name else "", *row[1:]]
        for index, (name, row) in enumerate(zip(names, rows, strict=True))
    ]
    output.print_table(shown)
    for title, kind in (("Notes", "notes"), ("Problems", "problems")):
        found = _findings(sections, kind)
        if found:
            print(f"\n{title} ({len(found)})")
            for _, problem in found:
                print(f"  - {problem}")
    if not _findings(sections, "problems"):
        print("\nNo problem found.")


def main(arguments: Sequence[str]) -> int:
    """Print the report; return 1 if there is a problem, else 0."""
    given = _parser().parse_args(arguments)
    sections = examine()
    data = as_data(sections)
    if given.json:
        output.print_json(data)
    else:
        _print_report(sections)
    return 0 if data["ok"] else 1
