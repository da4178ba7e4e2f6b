"""Repairs of documents and tool texts on what is installed: they fit, alone and together.

That the Japanese of a repair says what its English says is for a reader; what a machine can hold
against the two (numbers, terms, structure, register) is held here, as ``jtau check`` does it for the
overlays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jtau_plugin import resources
from jtau_plugin.checks.model import DOCUMENT, PARAMETER, POLICY, TOOL, Finding, Segment
from jtau_plugin.checks.runner import run_checks
from jtau_plugin.compat.installed import installed_documents, installed_tools
from jtau_plugin.localization.policy import render_policy
from jtau_plugin.models.patches import REPAIR_CLASSES, DocumentRepair, DocumentRepairsFile
from jtau_plugin.overlays.catalog import Catalog, get_catalog
from jtau_plugin.patching.documents import (
    load_document_repairs,
    repair_document,
    repair_localized_document,
)
from jtau_plugin.patching.tool_texts import (
    check_tool_texts,
    read_descriptions,
    repair_tool_text,
    repaired_tool_texts,
)
from jtau_plugin.translation.context import make_context
from jtau_plugin.translation.english import English, read_english
from jtau_plugin.translation.segments import collect_segments

from .support import registry

DOMAINS = ("retail", "airline", "telecom")
FILES = {domain: load_document_repairs(domain) for domain in DOMAINS}
REPAIRS = [(domain, repair) for domain in DOMAINS for repair in FILES[domain].repairs]
#: The findings on documents and tools that have to be decided.
FINDINGS = frozenset(
    [
        *(f"T{n:02}" for n in range(1, 32) if n != 30),
        *(f"R{n:02}" for n in range(1, 17)),
        *(f"A{n:02}" for n in range(1, 17)),
        *("X01", "X02"),
    ]
)
#: What the checks find in repaired texts and what is right as it stands.
_RIGHT = {
    # The name of a status, which stands in the section once more than the word for an item.
    ("retail/policy.md#Order", "terms"),
}


class Pair:
    """The documents of a domain in both languages, and what repairs make of them."""

    def __init__(self, domain: str) -> None:
        self.catalog = get_catalog("ja", domain)
        paths = {name: doc.path for name, doc in self.catalog.manifest.documents.items()}
        self.english = installed_documents(paths)

    def mend_english(self, repairs: list[DocumentRepair]) -> dict[str, str]:
        return {name: repair_document(name, text, repairs) for name, text in self.english.items()}

    def mend_japanese(self, repairs: list[DocumentRepair]) -> dict[str, str]:
        return {
            name: repair_localized_document(name, text, repairs, "ja")
            for name, text in self.catalog.documents.items()
        }


PAIRS = {domain: Pair(domain) for domain in DOMAINS}


def of_classes(domain: str, *classes: str) -> list[DocumentRepair]:
    return [repair for repair in FILES[domain].repairs if repair.class_ in classes]


@pytest.mark.parametrize(("domain", "repair"), REPAIRS, ids=[r.id for _, r in REPAIRS])
def test_each_repair_applies_alone_and_changes_what_it_names(
    domain: str, repair: DocumentRepair
) -> None:
    pair = PAIRS[domain]
    english, japanese = pair.mend_english([repair]), pair.mend_japanese([repair])
    assert {n for n in english if english[n] != pair.english[n]} == set(repair.documents)
    says_it_already = {
        name
        for name, edits in repair.documents.items()
        if not any(edit.localized["ja"] for edit in edits)
    }
    changed = {n for n in japanese if japanese[n] != pair.catalog.documents[n]}
    assert changed == set(repair.documents) - says_it_already
    if says_it_already:
        assert "Japanese" in repair.why  # which says why nothing changes there


@pytest.mark.parametrize("classes", [("text",), ("rules",), ("text", "rules")], ids="+".join)
@pytest.mark.parametrize("domain", DOMAINS)
def test_classes_apply_together_and_once(domain: str, classes: tuple[str, ...]) -> None:
    pair, repairs = PAIRS[domain], of_classes(domain, *classes)
    english, japanese = pair.mend_english(repairs), pair.mend_japanese(repairs)
    for name, text in english.items():
        assert repair_document(name, text, repairs) == text
    for name, text in japanese.items():
        assert repair_localized_document(name, text, repairs, "ja") == text


@pytest.mark.parametrize("domain", DOMAINS)
@given(data=st.data())
@settings(max_examples=15)
def test_any_subset_applies_in_any_order(domain: str, data: st.DataObject) -> None:
    pair = PAIRS[domain]
    order = data.draw(st.permutations(FILES[domain].repairs))
    chosen = order[: data.draw(st.integers(0, len(order)))]
    sorted_ = sorted(chosen, key=lambda repair: repair.id)
    assert pair.mend_english(chosen) == pair.mend_english(sorted_)
    assert pair.mend_japanese(chosen) == pair.mend_japanese(sorted_)


def environments() -> Iterator[tuple[str, str, Callable[[], Any]]]:
    constructor = registry().get_env_constructor
    for name in ("retail", "airline", "telecom", "telecom-workflow"):
        yield name, name.partition("-")[0], constructor(name)
    for name in ("telecom", "telecom-workflow"):
        yield f"{name}, solo", "telecom", lambda name=name: constructor(name)(solo_mode=True)


@pytest.mark.parametrize("classes", [(), ("text",), REPAIR_CLASSES], ids=["none", "text", "all"])
@pytest.mark.parametrize(
    ("domain", "make"), [pytest.param(d, make, id=name) for name, d, make in environments()]
)
def test_every_policy_still_composes(
    domain: str, make: Callable[[], Any], classes: tuple[str, ...]
) -> None:
    policy, pair = make().policy, PAIRS[domain]
    repairs = of_classes(domain, *classes)
    english = replace(pair.catalog, documents=pair.mend_english(repairs))
    japanese = replace(pair.catalog, documents=pair.mend_japanese(repairs))
    parts = [name for name, text in pair.english.items() if text in policy]
    assert len(parts) == (2 if domain == "telecom" else 1)
    for catalog in (english, japanese):
        composed = render_policy(catalog, policy, pair.english)
        assert all(composed.count(catalog.documents[name]) == 1 for name in parts)
        assert re.findall(r"</?\w+>", composed) == re.findall(r"</?\w+>", policy)
    if not classes:
        assert render_policy(english, policy, pair.english) == policy


def installed_texts(domain: str) -> dict[tuple[str, str, str], str]:
    texts = {}
    for (requestor, name), tool in installed_tools(
        registry().get_env_constructor(domain)()
    ).items():
        shown = tool.openai_schema["function"]
        for path, text in read_descriptions(shown["description"], shown["parameters"]).items():
            texts[requestor, name, path] = text
    return texts


@pytest.fixture(scope="module")
def tool_texts() -> dict[str, dict[tuple[str, str, str], str]]:
    return {domain: installed_texts(domain) for domain in DOMAINS}


@pytest.mark.parametrize("domain", DOMAINS)
def test_tool_texts_fit_what_is_installed(domain: str, tool_texts: Mapping[str, Any]) -> None:
    repairs = FILES[domain].tool_texts
    assert check_tool_texts(repairs, tool_texts[domain]) == []
    for key, text in repaired_tool_texts(repairs).items():
        assert text != tool_texts[domain].get(key)


@pytest.mark.parametrize("domain", DOMAINS)
def test_tool_texts_replace_a_localized_one(domain: str) -> None:
    catalog = get_catalog("ja", domain)
    for (requestor, name, path), text in repaired_tool_texts(
        FILES[domain].tool_texts, "ja"
    ).items():
        tool = catalog.tool(name, requestor)
        assert tool is not None
        assert repair_tool_text(tool, {path: text}) != tool


class RepairedEnglish(English):
    """The installed English with all repairs made."""

    def documents(self, paths: Mapping[str, str]) -> dict[str, str]:
        repairs = FILES[self.domain].repairs
        return {n: repair_document(n, t, repairs) for n, t in super().documents(paths).items()}


def _segments(catalog: Catalog, english: English, file: DocumentRepairsFile) -> list[Segment]:
    mended = RepairedEnglish(**{f.name: getattr(english, f.name) for f in fields(english)})
    documents = {
        name: repair_localized_document(name, text, file.repairs, "ja")
        for name, text in catalog.documents.items()
    }
    segments = collect_segments(replace(catalog, documents=documents), mended)
    return [
        *(segment for segment in segments if segment.kind in (DOCUMENT, POLICY)),
        *(
            Segment(text.id, PARAMETER if text.parameter else TOOL, text.value, said, text.id, 1)
            for text in file.tool_texts
            for said in text.localized.values()
        ),
    ]


def _is_right(finding: Finding) -> bool:
    return (finding.segment.address, finding.check) in _RIGHT


@pytest.mark.parametrize("domain", DOMAINS)
def test_both_wordings_pass_the_checks_of_the_overlays(domain: str) -> None:
    english, catalog = read_english(domain), get_catalog("ja", domain)
    segments = _segments(catalog, english, FILES[domain])
    findings = run_checks(segments, make_context(catalog, english))
    assert [f"{f.segment.address}: {f.message}" for f in findings if not _is_right(f)] == []


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9_]+(?:'[a-z]+)?", text.lower())


def _runs(text: str) -> set[tuple[str, ...]]:
    words = _words(text)
    return {tuple(words[i : i + 8]) for i in range(len(words) - 7)}


def test_no_eight_words_of_upstreams_are_written_here(tool_texts: Mapping[str, Any]) -> None:
    upstream: set[tuple[str, ...]] = set()
    for domain in DOMAINS:
        for text in (*PAIRS[domain].english.values(), *tool_texts[domain].values()):
            upstream |= _runs(text)
    for path in sorted((resources.data_root() / "patches" / "documents").glob("*.yaml")):
        found = _runs(path.read_text(encoding="utf-8")) & upstream
        assert {" ".join(run) for run in found} == set(), path.name


def test_every_finding_has_a_repair_or_a_decision() -> None:
    repaired = {
        finding
        for file in FILES.values()
        for repair in (*file.repairs, *file.tool_texts)
        for finding in repair.findings
    }
    decided = {f for file in FILES.values() for d in file.decisions for f in d.findings}
    assert len(FINDINGS) == 64
    assert repaired | decided == FINDINGS


def test_defaults_are_those_of_the_classes() -> None:
    everything = [r for file in FILES.values() for r in (*file.repairs, *file.tool_texts)]
    assert {r.class_ for r in everything if r.is_default} == {"text"}
    assert {r.class_ for r in everything if not r.is_default} == {"rules", "tools"}
    assert all(d.by for file in FILES.values() for d in file.decisions if d.verdict == "option")
