"""What the installed tau2 says is listed whole, and an overlay's texts stand at the same addresses."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

from jtau_plugin import resources
from jtau_plugin.overlays.catalog import get_catalog
from jtau_plugin.translation.english import English, read_english
from jtau_plugin.translation.extraction.domain import extract_domain
from jtau_plugin.translation.extraction.segment import COMPONENTS, KINDS, POLICY, SourceSegment
from jtau_plugin.translation.extraction.structure import Structure, find_structure
from jtau_plugin.translation.listing import as_data, base_domains, known_domains, neutral_rules
from jtau_plugin.translation.overlay_texts import OverlayTexts, places_by_order
from jtau_plugin.translation.segments import collect_segments, task_sources

DOMAINS = ["airline", "retail", "telecom"]
JA: Path = resources.data_root() / "overlays" / "ja"


@lru_cache(maxsize=3)
def english_of(domain: str) -> English:
    return read_english(domain)


@lru_cache(maxsize=3)
def segments_of(domain: str) -> tuple[SourceSegment, ...]:
    problems: list[object] = []
    found = extract_domain(english_of(domain), find_structure(domain), COMPONENTS, problems)
    assert problems == []
    return tuple(found)


def test_the_domains() -> None:
    assert set(DOMAINS) < set(base_domains())
    assert "telecom-workflow" not in base_domains()
    assert "ja_retail" not in base_domains()
    assert known_domains() == DOMAINS


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_segment_is_whole(domain: str) -> None:
    segments = segments_of(domain)
    assert {s.kind for s in segments} <= KINDS.keys()
    assert {s.component for s in segments} == COMPONENTS.keys()
    for segment in segments:
        assert segment.english.strip(), segment.address
        assert segment.context or segment.kind == "term", segment.address
        assert segment.address.startswith(segment.file), segment.address


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_text_has_a_rendering_at_its_address(domain: str) -> None:
    """The Japanese overlays render everything, with the fingerprints that are installed."""
    segments = segments_of(domain)
    texts = OverlayTexts(JA, domain, task_sources(segments))
    texts.place_sections(places_by_order(segments, texts))
    for segment in segments:
        held = texts.find(segment)
        if segment.component == "names":
            continue  # several roles may share a form
        assert held is not None, segment.address
        assert set(segment.sources) <= set(held.sources) or not segment.sources, segment.address


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_checks_look_at_the_same_addresses(domain: str) -> None:
    extracted = {segment.address for segment in segments_of(domain)}
    checked = {s.address for s in collect_segments(get_catalog("ja", domain), english_of(domain))}
    own = {
        a
        for a in checked - extracted
        if not a.partition("#")[0].endswith(("oracle.yaml", "say.yaml"))
    }
    assert own == {
        f"{domain}/{d.file}" for d in get_catalog("ja", domain).manifest.documents.values()
    }


@pytest.mark.parametrize("domain", DOMAINS)
def test_sections_make_the_document(domain: str) -> None:
    sections: dict[str, list[str]] = {}
    for segment in segments_of(domain):
        if segment.kind == POLICY:
            sections.setdefault(str(segment.key[0]), []).append(segment.english)
    policies = english_of(domain).policies.values()
    documents = {name: "\n".join(own) for name, own in sections.items()}
    for policy in policies:
        assert any(text in policy for text in documents.values())


def test_without_any_overlay() -> None:
    bare = extract_domain(english_of("retail"), Structure("retail"))
    kinds = Counter(segment.kind for segment in bare)
    with_facts = {s.address for s in segments_of("retail")}
    assert {"policy", "tool", "parameter", "message", "template", "task", "prompt", "label"} <= set(
        kinds
    )
    assert {s.address for s in bare} <= with_facts
    literals = {
        s.address
        for s in extract_domain(english_of("airline"), Structure("airline"))
        if s.kind == "literal"
    }
    assert "airline/values.yaml#tables.book_reservation.cabin.basic_economy" in literals


def test_values_come_from_databases_schemas_and_types() -> None:
    """The tables of a locale add nothing that is not found in tau2, fixed words of code aside."""
    structure = find_structure("retail")
    bare = Structure("retail", fields=structure.fields)
    found = {
        s.address for s in extract_domain(english_of("retail"), bare) if s.component == "values"
    }
    assert found == {s.address for s in segments_of("retail") if s.component == "values"}


def test_what_a_translator_is_told() -> None:
    by_address = {segment.address: segment for segment in segments_of("retail")}
    reason = by_address[
        "retail/tools.yaml#agent.cancel_pending_order.parameters.reason.description"
    ]
    assert reason.context["tool"] == "cancel_pending_order"
    assert reason.context["schema"] == {"type": "string"}
    assert reason.table == "cancel_reason"
    value = by_address["retail/values.yaml#tables.order_status.delivered"]
    assert value.context["fields"] == ["Order.status"]
    assert value.context["in the database"] > 100
    literal = by_address["retail/values.yaml#tables.cancel_reason.no longer needed"]
    assert literal.kind == "literal"
    assert literal.context["argument of"] == ["cancel_pending_order.reason"]
    section = by_address["retail/policy.md#Return delivered order"]
    assert set(section.context) == {"document", "section before", "section after"}


def test_plain_data() -> None:
    rules = neutral_rules(find_structure("retail"))
    task = next(
        s
        for s in segments_of("retail")
        if s.address.endswith("tasks.0./user_scenario/instructions/known_info.text")
    )
    data = as_data(task, rules)
    assert {
        "address",
        "domain",
        "component",
        "kind",
        "english",
        "fingerprint",
        "masked",
    } <= data.keys()
    assert {"text": "Yusuf Rossi", "kind": "person"} in data["masked"]
