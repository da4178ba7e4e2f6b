"""What units say of themselves, which words a text is told, how texts stand, what manifests say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.models.checks import CheckWords, Term, TermRules
from jtau_plugin.models.translation import LedgerEntry
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.translation.engine.units import TermUse, Unit, content_key, unit_id
from jtau_plugin.translation.extraction.segment import POLICY, TASK, SourceSegment
from jtau_plugin.translation.glossary import Glossary
from jtau_plugin.translation.items import Item, State
from jtau_plugin.translation.masking import MaskRules, mask
from jtau_plugin.translation.overlay_texts import Held
from jtau_plugin.translation.planning import _is_current, is_protected
from jtau_plugin.translation.provenance import RunInfo, put_artefact
from jtau_plugin.translation.questions import is_wanted

# --- units


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.none()))
def test_a_key_depends_on_what_is_said_and_not_on_its_order(about: dict[str, Any]) -> None:
    turned = dict(reversed(about.items()))
    assert content_key(about) == content_key(turned)
    assert content_key(about) != content_key({**about, "one more": 1, "and more": 2})


@given(st.lists(st.text("ab"), min_size=1, max_size=3), st.lists(st.text("ab"), min_size=1))
def test_ids_are_told_apart_by_their_parts(one: list[str], other: list[str]) -> None:
    assert (unit_id(*one) == unit_id(*other)) == (one == other)


def test_a_unit_says_what_a_translator_needs_and_nothing_that_is_empty() -> None:
    english = "Pay with 'gift card', Ann Lee."
    plain = Unit("u1", TASK, "Wait.", mask("Wait.", TASK, MaskRules()))
    assert plain.as_data() == {"id": "u1", "kind": TASK, "text": "Wait."}
    rules = MaskRules({"gift card": "บัตรของขวัญ"}, frozenset({"Ann", "Lee"}))
    full = Unit(
        "u2",
        TASK,
        english,
        mask(english, TASK, rules),
        terms=(TermUse("pay", "จ่าย"), TermUse("card", "บัตร", "payment")),
        context={"of": "task 1"},
        previous="จ่าย",
    )
    data = full.as_data()
    assert data["terms"] == [
        {"english": "pay", "write": "จ่าย"},
        {"english": "card", "write": "บัตร", "of": "payment"},
    ]
    tokens = data["tokens"]
    assert isinstance(tokens, dict)
    assert {"hides": "gift card", "will read": "บัตรของขวัญ"} in tokens.values()
    assert {"hides": "Ann Lee"} in tokens.values()
    assert data["context"] == {"of": "task 1"}
    assert data["previous translation, of an older wording"] == "จ่าย"


# --- glossary


def glossary(**more: Any) -> Glossary:
    given: dict[str, Any] = {
        "tables": {
            "insurance": {"no": "ไม่มี", "yes": "มี"},
            "cabin": {"basic_economy": "ประหยัดพื้นฐาน", "economy": "ประหยัด"},
            "tier": {"basic_economy": "ขั้นพื้นฐาน"},
        },
        "terms": [
            Term(domain="shop", key="word", english="order", local="คำสั่งซื้อ", line=1),
            Term(domain="shop", key="word", english="pending order", local="รอ", line=2),
            Term(domain="other", key="word", english="flight", local="เที่ยวบิน", line=3),
        ],
        **more,
    }
    return Glossary(
        locale="th",
        domain="shop",
        words=CheckWords(terms=TermRules(keys=("word",))),
        told=frozenset(),
        names=frozenset(),
        persons=frozenset(),
        places=frozenset(),
        **given,
    )


def said(text: str) -> set[tuple[str, str]]:
    return {(use.english, use.local) for use in glossary().uses(text, POLICY)}


def test_a_word_of_a_sentence_is_not_the_value() -> None:
    assert said("There is no insurance.") == set()
    assert said("Write 'no' then.") == {("no", "ไม่มี")}


def test_terms_of_another_domain_are_not_told() -> None:
    assert said("Cancel the orders of a flight.") == {("order", "คำสั่งซื้อ")}


def test_the_longest_words_come_first_and_every_table_has_its_say() -> None:
    uses = glossary().uses("A pending order in basic economy.", POLICY)
    lengths = [len(use.english) for use in uses]
    assert lengths == sorted(lengths, reverse=True)
    told = {(use.english, use.local, use.of) for use in uses}
    assert ("pending order", "รอ", "word") in told
    assert "order" not in {use.english for use in uses}  # it is a part of the longer one
    assert ("basic economy", "ประหยัดพื้นฐาน", "cabin") in told
    assert ("basic economy", "ขั้นพื้นฐาน", "tier") in told


def test_a_value_is_hidden_only_where_it_has_one_form() -> None:
    choices = glossary().rules().choices
    assert choices["economy"] == "ประหยัด"
    assert "basic_economy" not in choices
    assert glossary().rules("tier").choices["basic_economy"] == "ขั้นพื้นฐาน"


# --- how a text stands

TEXT = "ข้อความ"
OWN = fingerprint_text(TEXT)
OTHER = "0" * 64


def held(sources: tuple[str, ...] = ()) -> Held:
    return Held(TEXT, sources, Path("tools.yaml"), 1)


def entry(**more: Any) -> LedgerEntry:
    return LedgerEntry(**{"address": "a#1", "source": OTHER, "text": OWN, **more})


@pytest.mark.parametrize(
    ("known", "written", "is_reviewed_file", "protected"),
    [
        (None, (), False, False),
        (None, (), True, True),
        (entry(origin="machine"), (), False, False),
        # A review of the file before a machine wrote this text does not protect it.
        (entry(origin="machine"), (), True, False),
        (entry(origin="machine", status="reviewed"), (), False, True),
        (entry(origin="machine", status="stale"), (), False, True),
        (entry(origin="person"), (), False, True),
        (entry(origin="machine", text=OTHER), (), False, True),  # edited since
        (entry(origin="machine", text=OTHER), (OWN,), False, False),  # by a run that was killed
        (entry(text=None), (), False, False),
        (entry(text=None), (), True, True),
        (entry(text=None, status="reviewed"), (), False, True),
    ],
)
def test_whose_a_text_is(
    known: LedgerEntry | None, written: tuple[str, ...], is_reviewed_file: bool, protected: bool
) -> None:
    found = is_protected(held(), known, written, is_reviewed_file=is_reviewed_file)
    assert found is protected


def segment(sources: tuple[str, ...] = (), container: str = "") -> SourceSegment:
    return SourceSegment(
        "tools.yaml#1",
        TASK,
        "English.",
        "tools",
        "tools.yaml",
        ("1",),
        sources,
        container=container,
    )


@pytest.mark.parametrize(
    ("own", "sources", "knows", "current"),
    [
        (segment(), (), None, True),  # nothing says what it renders
        (segment(), (), True, True),
        (segment(), (), False, False),
        (segment((OWN,)), (OWN, OTHER), None, True),
        (segment((OWN,)), (OTHER,), None, False),
        (segment((OWN,)), (OTHER,), True, False),
        (segment((OWN,), "whole"), (OTHER,), True, True),  # another part has changed
        (segment((OWN,), "whole"), (OTHER,), False, False),
        (segment((OWN,), "whole"), (OTHER,), None, False),
    ],
)
def test_whether_a_text_renders_what_is_installed(
    own: SourceSegment, sources: tuple[str, ...], knows: bool | None, current: bool
) -> None:
    source = own.fingerprint if knows else OTHER
    known = None if knows is None else entry(source=source)
    assert _is_current(own, held(sources), known) is current


@pytest.mark.parametrize(
    ("state", "origin", "protected", "wanted", "wanted_again"),
    [
        (State.MISSING, None, False, True, True),
        (State.STALE, "machine", False, True, True),
        (State.KEPT, "machine", True, False, False),
        (State.CURRENT, "machine", False, False, True),
        (State.CURRENT, "machine", True, False, False),
        (State.CURRENT, "written", False, False, False),
        (State.CURRENT, None, False, False, False),
    ],
)
def test_what_a_machine_is_to_translate(
    state: State, origin: str | None, protected: bool, wanted: bool, wanted_again: bool
) -> None:
    known = None if origin is None else entry(origin=origin)
    item = Item(segment(), state, held(), known, is_protected=protected)
    assert is_wanted(item) is wanted
    assert is_wanted(item, again=True) is wanted_again


# --- provenance

RUN = RunInfo("openai/x", {"temperature": 0}, "2", "2026-01-02", "tau2", "tau2-bench 1")


def test_a_new_file_of_a_model_claims_no_review() -> None:
    artefacts: dict[str, Any] = {}
    put_artefact(artefacts, "a.yaml", {"segments": 3, "machine": 2}, {"x.py": OTHER}, RUN)
    assert artefacts["a.yaml"] == {
        "translated": "by the model openai/x, prompt version 2",
        "date": "2026-01-02",
        "second_reading": "none",
        "mechanical_checks": "none",
        "human_review": "none",
        "machine": {
            "model": "openai/x",
            "parameters": {"temperature": 0},
            "prompt": "2",
            "date": "2026-01-02",
            "segments": 2,
        },
        "sources": {"x.py": OTHER},
        "counts": {"segments": 3, "machine": 2},
    }


def test_what_a_person_wrote_of_a_file_stays() -> None:
    mine = {"translated": "by hand", "date": "2025-05-05", "human_review": "Ann, round 1"}
    artefacts: dict[str, Any] = {"a.yaml": dict(mine)}
    put_artefact(artefacts, "a.yaml", {"segments": 3, "machine": 1}, {}, RUN)
    assert {name: artefacts["a.yaml"][name] for name in mine} == mine
    assert artefacts["a.yaml"]["machine"]["segments"] == 1


def test_another_model_takes_the_place_of_the_first_and_the_checks_are_due_again() -> None:
    artefacts: dict[str, Any] = {}
    put_artefact(artefacts, "a.yaml", {"machine": 1}, {}, RUN)
    artefacts["a.yaml"] |= {"mechanical_checks": "passed", "human_review": "Ann"}
    put_artefact(artefacts, "a.yaml", {}, {}, RunInfo("b", {}, "3", "2026-02-02", "t", "t 1"))
    found = artefacts["a.yaml"]
    assert found["translated"] == "by the model b, prompt version 3"
    assert found["mechanical_checks"] == "none"
    assert found["human_review"] == "Ann"
