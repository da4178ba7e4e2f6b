"""``jtau patches show``: everything about one repair or patch."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator

from jtau_plugin.cli.patching.listing import SCHEMA, Listed
from jtau_plugin.models.patches import CodePatch, DocumentRepair, Repair, TaskRepair, ToolTextRepair
from jtau_plugin.upstream.contributions import load_contributions

_WIDTH = 88
_INDENT = " " * 14


def as_data(one: Listed) -> dict[str, object]:
    """Return everything about a repair as plain data: the format of ``--json``."""
    repair = one.entry.repair
    return {
        "schema": SCHEMA,
        "kind": one.entry.kind,
        "domain": one.entry.domain,
        "file": str(one.entry.path),
        "on": one.is_on,
        "default": repair.is_default,
        "state": one.standing.state,
        "reason": one.standing.reason,
        "contributions": _contributions(repair.id),
        "repair": repair.model_dump(mode="json", by_alias=True),
    }


def _contributions(name: str) -> list[str]:
    declared = load_contributions().contributions
    return [one.id for one in declared if name in (one.id, *one.patches)]


def print_repair(one: Listed) -> None:
    """Print everything about a repair."""
    repair = one.entry.repair
    print(f"{repair.id}: {repair.title}\n")
    reason = f" ({one.standing.reason})" if one.standing.reason else ""
    on = f"{'yes' if one.is_on else 'no'}, by default {'yes' if repair.is_default else 'no'}"
    known = ", ".join([*repair.upstream.issues, repair.upstream.state])
    for name, text in (
        ("kind", f"{one.entry.kind}{f' of {one.entry.domain}' if one.entry.domain else ''}"),
        ("class", repair.class_),
        ("on", on),
        ("state", f"{one.standing.state}{reason}"),
        ("declared in", str(one.entry.path)),
        ("upstream", known),
        ("back upstream", ", ".join(_contributions(repair.id)) or "as its own commit"),
        ("why", repair.why),
        ("evidence", repair.evidence),
        *_details(repair),
    ):
        _print_field(name, text)


def _print_field(name: str, text: str) -> None:
    lines = [
        line
        for paragraph in str(text).split("\n")
        for line in textwrap.wrap(paragraph, _WIDTH - len(_INDENT), break_long_words=False) or [""]
    ]
    print(f"{name:<{len(_INDENT)}}{lines[0]}")
    for line in lines[1:]:
        print(f"{_INDENT}{line}".rstrip())


def _details(repair: Repair) -> Iterator[tuple[str, str]]:
    """Yield what only repairs of this kind say."""
    if isinstance(repair, CodePatch):
        yield "target", repair.target
        yield "fix", f"jtau_plugin.fixes.{repair.fix}"
        for layout, accepted in repair.layouts.items():
            yield layout, "\n".join(accepted)
        yield "required", "yes" if repair.required else "no"
        yield "retire when", repair.retire_when
    elif isinstance(repair, TaskRepair):
        yield "fault", repair.fault
        yield "decides", repair.gates
        yield "tasks", ", ".join(repair.tasks)
        yield "pointer", repair.pointer
        yield "operation", repair.op
        yield from _guards(repair.guard, repair.accept)
        if repair.find:
            yield "find", repair.find
        if repair.value is not None:
            yield "value", _value(repair.value)
    elif isinstance(repair, ToolTextRepair):
        yield "decides", repair.gates
        yield "findings", ", ".join(repair.findings)
        yield "tool", f"{repair.tool} {repair.parameter}".strip()
        yield from _guards(repair.guard, ())
        yield "value", repair.value
        yield from (("value " + locale, text) for locale, text in repair.localized.items())
    elif isinstance(repair, DocumentRepair):
        yield from _document_details(repair)


def _document_details(repair: DocumentRepair) -> Iterator[tuple[str, str]]:
    yield "decides", repair.gates
    yield "findings", ", ".join(repair.findings)
    for name, edits in repair.documents.items():
        for edit in edits:
            yield "document", f"{name}: {edit.op.replace('_', ' ')}"
            yield from _guards(edit.guard, ())
            if edit.find:
                yield "find", edit.find
            if edit.value:
                yield "value", edit.value
            for locale, substitutions in edit.localized.items():
                for one in substitutions:
                    yield f"find {locale}", one.find
                    yield f"value {locale}", one.replace


def _guards(guard: tuple[str, ...], accept: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    if guard:
        yield "guards", "\n".join(guard)
    if accept:
        yield "accepts", "\n".join(accept)


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
