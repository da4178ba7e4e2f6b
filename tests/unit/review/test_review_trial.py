"""Corrections that break an overlay are found, by themselves or by halving, and only those go."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from review_rows import make_item

from jtau_plugin.review.judging import Reading
from jtau_plugin.review.trial import Found, Objection, Settled, settle

Rule = Callable[[frozenset[str]], list[Objection]]


class FakeTrial:
    """Objects by a rule to what is corrected; counts how often it is asked."""

    def __init__(self, rule: Rule, before: Sequence[Objection] = ()) -> None:
        self._rule = rule
        self._before = tuple(before)
        self.runs = 0

    def run(self, files: dict[str, str]) -> Found:
        self.runs += 1
        return Found((*self._before, *self._rule(frozenset(files))))

    def new_errors(self, found: Found) -> list[Objection]:
        return [o for o in found.objections if o.is_error and o not in self._before]


def error(address: str, message: str = "wrong") -> Objection:
    return Objection(address, "numbers", message, is_error=True)


def corrected(name: str, kind: str = "task") -> Reading:
    return Reading(make_item(name, kind=kind), "new", ())


def run(readings: Sequence[Reading], trial: FakeTrial) -> Settled:
    def edit(some: Sequence[Reading]) -> dict[str, str]:
        return {reading.address: reading.text for reading in some}

    return settle(readings, edit, trial)  # type: ignore[arg-type]


def names(readings: Sequence[Reading]) -> list[str]:
    return [reading.address.partition("#")[2] for reading in readings]


def test_what_the_checks_object_to_goes_and_the_rest_stays() -> None:
    bad = corrected("b")
    trial = FakeTrial(lambda files: [error(bad.address)] if bad.address in files else [])
    settled = run([corrected("a"), bad, corrected("c")], trial)
    assert names(settled.readings) == ["a", "c"]
    assert [(r.address, why) for r, why in settled.refused] == [(bad.address, "wrong [numbers]")]
    assert set(settled.files) == {corrected("a").address, corrected("c").address}


def test_what_was_wrong_before_is_nobodys_fault() -> None:
    before = [error("elsewhere"), error(corrected("a").address, "old")]
    settled = run([corrected("a")], FakeTrial(lambda files: [], before))
    assert names(settled.readings) == ["a"]
    assert not settled.refused


@given(st.integers(1, 40), st.data())
def test_the_one_with_which_others_stop_being_right_is_found(
    count: int, data: st.DataObject
) -> None:
    readings = [corrected(f"k{i:02}") for i in range(count)]
    bad = readings[data.draw(st.integers(0, count - 1))]
    trial = FakeTrial(lambda files: [error("elsewhere")] if bad.address in files else [])
    settled = run(readings, trial)
    assert [reading for reading, _ in settled.refused] == [bad]
    assert settled.refused[0][1] == "elsewhere: wrong [numbers]"
    assert len(settled.readings) == count - 1
    assert trial.runs <= 2 + count.bit_length()


def test_of_prose_and_a_value_that_do_not_agree_with_others_the_value_goes() -> None:
    value, prose = corrected("value", "value"), corrected("prose")

    def rule(files: frozenset[str]) -> list[Objection]:
        # The prose has the new word, another text the old one.
        if value.address in files:
            return [error("elsewhere")]
        return [error(prose.address)] if prose.address in files else []

    settled = run([value, prose], FakeTrial(rule))
    assert {reading.address for reading, _ in settled.refused} == {value.address, prose.address}
    assert settled.files == {}


def test_a_value_and_all_that_follow_it_are_taken_together() -> None:
    value, *prose = [corrected("value", "value"), corrected("p"), corrected("q")]
    needed = {value.address, *(p.address for p in prose)}
    trial = FakeTrial(lambda files: [] if files in (frozenset(), needed) else [error("elsewhere")])
    assert names(run([value, *prose], trial).readings) == ["value", "p", "q"]


def test_approvals_are_not_tried_and_warnings_pass() -> None:
    item = make_item("a")
    approval = Reading(item, item.held.text, ())
    trial = FakeTrial(lambda files: [])
    assert run([approval], trial).readings == (approval,)
    assert trial.runs == 0
    own = corrected("b")
    warning = Objection(own.address, "length", "long", is_error=False)
    settled = run([approval, own], FakeTrial(lambda files: [warning] if files else []))
    assert settled.warnings == (warning,)
    assert settled.readings == (approval, own)


@pytest.mark.parametrize(
    ("key", "is_mine"),
    [("a.text", True), ("a", True), ("a.text.more", True), ("b.text", False), ("", False)],
)
def test_a_file_that_cannot_be_used_is_the_fault_of_who_wrote_there(
    key: str, is_mine: bool
) -> None:
    own, other = corrected("a"), corrected("zz")
    broken = Objection(f"shop/tasks.yaml#{key}", "overlay", "twice", is_error=True)
    trial = FakeTrial(lambda files: [broken] if own.address in files else [])
    settled = run([own, other], trial)
    assert [reading for reading, _ in settled.refused] == [own]
    assert settled.refused[0][1].startswith("shop/") is not is_mine


def test_every_subset_of_bad_corrections_is_sorted_out() -> None:
    readings = [corrected(name) for name in "abcd"]
    for size in range(5):
        for bad in itertools.combinations(readings, size):
            gone = {reading.address for reading in bad}
            trial = FakeTrial(lambda files, gone=gone: [error("x")] if files & gone else [])
            assert {r.address for r, _ in run(readings, trial).refused} == gone
