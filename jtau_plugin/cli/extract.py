"""``jtau extract``: every text of the installed tau2 that a locale renders, with its address."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from jtau_plugin import __version__
from jtau_plugin.cli import output
from jtau_plugin.cli.quiet import quiet_tau2
from jtau_plugin.compat import layout
from jtau_plugin.errors import Problem, SettingError
from jtau_plugin.translation.extraction.domain import UPSTREAM
from jtau_plugin.translation.listing import list_segments, require_domains
from jtau_plugin.translation.writing.files import write_atomically

SUMMARY = "lists every text of the installed tau2 that a locale renders"
#: Version of the JSON: raised when a key is renamed, removed or given another meaning.
SCHEMA = 1
_EXCERPT = 60

Segments = Sequence[dict[str, object]]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jtau extract",
        description="Lists every text of the installed tau2 that a locale renders: where its "
        "rendering lives, what it says, its kind, its fingerprint, what a translator is not shown.",
    )
    add_choice(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--jsonl", action="store_true", help="print one JSON object per line")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to a file; .json or .jsonl")
    return parser


def add_choice(parser: argparse.ArgumentParser, components: Sequence[str] = UPSTREAM) -> None:
    """Give a command the options that choose domains and components."""
    parser.add_argument(
        "--domain",
        action="append",
        default=[],
        metavar="NAME",
        help="tau2's name of a domain; may be repeated; all known ones when left out",
    )
    parser.add_argument(
        "--component",
        action="append",
        default=[],
        choices=components,
        metavar="NAME",
        help=f"one of {', '.join(components)}; may be repeated; all when left out",
    )


def as_data(segments: Segments, problems: Sequence[Problem], installed: str) -> dict[str, object]:
    """Return the format of ``--json``."""
    return {
        "schema": SCHEMA,
        "plugin": __version__,
        "tau2": installed,
        "problems": [str(problem) for problem in problems],
        "segments": list(segments),
    }


def _jsonl(segments: Segments) -> str:
    return "".join(json.dumps(segment, ensure_ascii=False) + "\n" for segment in segments)


def _excerpt(segment: dict[str, object]) -> str:
    text = " ".join(str(segment["english"]).split())
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"


def _print_list(segments: Segments) -> None:
    for segment in segments:
        print(f"{segment['address']}  [{segment['kind']}]  {_excerpt(segment)}")
    kinds = Counter(str(segment["kind"]) for segment in segments)
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    print(f"{len(segments)} segments: {counted}.")


def _write(path: Path, segments: Segments, data: dict[str, object], *, is_lines: bool) -> None:
    text = _jsonl(segments) if is_lines else json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    try:
        write_atomically(path, text)
    except OSError as error:
        raise SettingError(f"{path} cannot be written: {error.strerror}") from error
    print(f"{len(segments)} segments written to {path}", file=sys.stderr)


def main(arguments: Sequence[str]) -> int:
    """List segments.

    Returns:
        0.

    Raises:
        LayoutError: if there is no tau2, or no such domain.
        SettingError: if the file cannot be written.
    """
    given = _parser().parse_args(arguments)
    layout.require_tau2()
    problems: list[Problem] = []
    with quiet_tau2():
        installed = layout.detect_layout()
        domains = require_domains(given.domain)
        segments = list(list_segments(domains, problems, given.component or UPSTREAM))
    data = as_data(segments, problems, f"{installed.distribution} {installed.version}")
    for problem in problems:
        print(f"jtau: {problem}", file=sys.stderr)
    if given.output:
        is_lines = given.jsonl or (given.output.endswith(".jsonl") and not given.json)
        _write(Path(given.output), segments, data, is_lines=is_lines)
    elif given.json:
        output.print_json(data)
    elif given.jsonl:
        print(_jsonl(segments), end="")
    else:
        _print_list(segments)
    return 0
