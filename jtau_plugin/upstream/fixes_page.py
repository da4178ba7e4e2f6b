"""FIXES.md: every repair and patch, what is not repaired and why, and what goes back upstream."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from jtau_plugin.models.patches import REPAIR_CLASSES, Decision, RepairClass, Upstream
from jtau_plugin.patching.catalogue import repaired_domains
from jtau_plugin.patching.documents import load_document_repairs
from jtau_plugin.patching.repairs import load_task_repairs
from jtau_plugin.upstream.contributions import load_contributions
from jtau_plugin.upstream.entries import Entry, all_entries

COMMAND = "jtau patches list --markdown > FIXES.md"
_INTRO = f"""\
# Fixes

What this project mends in tau2-bench, and what it leaves as it is. Made from the files below
`patches/` by `{COMMAND}`; do not edit.

`JTAU_PATCHES=-id,+class` switches single repairs and whole classes. `jtau patches show ID` tells
everything about one: why it is right, what was run, where it is known. `jtau patches verify` holds
all of them against the installed tau2, and `jtau patches export` makes commits of them for a
checkout of tau2-bench.
"""
_CLASSES: dict[RepairClass, str] = {
    "scorer": "How simulations are graded and counted.",
    "facts": "What makes a task wrong or unsolvable.",
    "text": "Slips that change no rule.",
    "rules": "Where a document contradicts the tools or the golds.",
    "tools": "What tools do, and what they are described as.",
}
_COMMON = "all domains"
_VERDICTS = {
    "option": "can be switched on",
    "documented": "documented",
    "refused": "refused",
    "no_change": "right as it is",
}


def fixes_page() -> str:
    """Return the page.

    Raises:
        OverlayError: for a file below ``patches/`` that cannot be used.
        RepairError: for repairs that contradict each other.
    """
    entries = all_entries()
    parts = [_INTRO.rstrip(), _overview(entries)]
    parts += [part for name in REPAIR_CLASSES for part in _of_class(name, entries)]
    parts += ["## Not repaired", *_decisions()]
    parts += ["## Back upstream", *_contributions()]
    return "\n\n".join(parts) + "\n"


def _overview(entries: Sequence[Entry]) -> str:
    rows = []
    for name in REPAIR_CLASSES:
        own = [entry for entry in entries if entry.repair.class_ == name]
        kinds = Counter(entry.kind for entry in own)
        what = ", ".join(f"{number} {_plural(kind, number)}" for kind, number in kinds.items())
        on = sum(1 for entry in own if entry.repair.is_default)
        rows.append((f"[{name}](#{name})", _CLASSES[name], what or "none", f"{on} of {len(own)}"))
    return _table(("class", "what", "members", "on by default"), rows)


def _plural(kind: str, number: int) -> str:
    if number == 1:
        return kind
    return f"{kind}es" if kind.endswith("ch") else f"{kind}s"


def _of_class(name: RepairClass, entries: Sequence[Entry]) -> Iterator[str]:
    own = [entry for entry in entries if entry.repair.class_ == name]
    yield f"## {name}"
    yield _CLASSES[name] if own else f"{_CLASSES[name]} None in this version."
    for domain in sorted({entry.domain for entry in own}):
        yield f"### {name}: {domain or _COMMON}"
        members = [entry for entry in own if entry.domain == domain]
        yield _table(
            ("id", "what", "on by default", "decides", "known upstream"),
            [_row(entry) for entry in members],
        )


def _row(entry: Entry) -> tuple[str, ...]:
    repair = entry.repair
    return (
        f"`{repair.id}`",
        repair.title,
        "yes" if repair.is_default else "no",
        entry.gates or "–",
        _known(repair.upstream),
    )


def _known(upstream: Upstream) -> str:
    state = "" if upstream.state == "unfiled" and upstream.issues else upstream.state
    return " ".join(filter(None, (", ".join(map(_issue, upstream.issues)), state)))


def _issue(name: str) -> str:
    repository, _, number = name.partition("#")
    owner = f"sierra-research/{repository or 'tau2-bench'}"
    return f"[{name}](https://github.com/{owner}/issues/{number})"


def _decisions() -> Iterator[str]:
    for domain in repaired_domains():
        found: list[Decision] = [
            *load_task_repairs(domain).decisions,
            *load_document_repairs(domain).decisions,
        ]
        if found:
            yield f"### {domain}"
            yield _table(("finding", "verdict", "why"), [_decided(one) for one in found])


def _decided(decision: Decision) -> tuple[str, ...]:
    verdict = _VERDICTS[decision.verdict]
    if decision.by:
        verdict += f": `{decision.by}`"
    return ", ".join(decision.findings), verdict, decision.why


def _contributions() -> Iterator[str]:
    declared = load_contributions()
    yield (
        "Repairs of data go back as they are, one commit each. What goes back as code, with a "
        "regression test each:"
    )
    yield _table(
        ("id", "what", "branch", "known upstream", "code patches"),
        [
            (
                f"`{one.id}`",
                f"{one.type}: {one.title}",
                f"`{one.branch}`",
                _known(one.upstream),
                ", ".join(f"`{name}`" for name in one.patches) or "–",
            )
            for one in declared.contributions
        ],
    )
    if declared.without:
        yield "Code patches that have nothing to bring upstream:"
        yield _table(
            ("code patches", "why"),
            [(", ".join(f"`{n}`" for n in one.patches), one.why) for one in declared.without],
        )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
