"""A judge's answer: every way it is wrapped, and everything that can be wrong in it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.scoring.judge_reader import read_verdicts

TWO = ("The agent refuses.", "エージェントは払い戻しの金額を伝えた。")


def entry(index: int | None, met: object, text: str | None = None, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = {} if index is None else {"index": index}
    if text is not None:
        found["expectedOutcome"] = text
    return {**found, "reasoning": "r", "metExpectation": met, **more}


def results(*entries: Any) -> str:
    return json.dumps({"results": list(entries)}, ensure_ascii=False)


def read(answer: str, assertions: tuple[str, ...] = TWO) -> list[bool]:
    return [verdict.is_met for verdict in read_verdicts(answer, assertions).verdicts]


BOTH = results(entry(1, True), entry(2, False))


class TestWrapping:
    @pytest.mark.parametrize(
        "answer",
        [
            BOTH,
            f"```json\n{BOTH}\n```",
            f"```\n{BOTH}\n```\n",
            f"Here is my verdict [as asked]: {BOTH} I hope that it helps.",
            f"判定は次のとおりです。\n{BOTH}",
            f"<think>{results(entry(1, False), entry(2, False))}</think>{BOTH}",
            f"﻿{BOTH}",
            BOTH.replace("}]", "},\n]").replace("false}", "false,}"),
            BOTH.replace('"r"', '"a, } ] in a text, }"').replace("}]", "},]"),
            json.dumps([entry(1, True), entry(2, False)]),
            f"{json.dumps(entry(1, True))}\n{json.dumps(entry(2, False))}",
            json.dumps({"1": True, "2": False}),
            json.dumps({"results": {"1": entry(None, True), "2": entry(2, False)}}),
            results(entry(2, False), entry(1, True)),
            results(entry(0, True), entry(1, False)),
            results(entry(None, False, TWO[1]), entry(None, True, f"  {TWO[0].upper()} ")),
            results(entry(1, "true"), entry(2, "No")),
            results({"number": "#1", "met": True}, {"number": "2.", "met": False}),
            results(entry(1, True, "The agent declines."), entry(2, False)),
        ],
    )
    def test_is_read(self, answer: str) -> None:
        assert read(answer) == [True, False]

    def test_the_reason_is_kept(self) -> None:
        assert [v.reason for v in read_verdicts(BOTH, TWO).verdicts] == ["r", "r"]

    def test_a_reason_can_be_stored_whatever_it_holds(self) -> None:
        answer = json.dumps({"index": 1, "metExpectation": True, "reasoning": "a\ud800b"})

        assert [v.reason for v in read_verdicts(answer, TWO[:1]).verdicts] == ["a?b"]


class TestIncomplete:
    @pytest.mark.parametrize(
        ("answer", "fault"),
        [
            ("{}", "the answer has no verdict in it"),
            ('{"results": []}', "the answer has no verdict in it"),
            ("[]", "the answer has no verdict in it"),
            (results(entry(1, True)), "no verdict on assertion 2"),
            (results(entry(None, True, TWO[0])), "no verdict on assertion 2"),
            (results(entry(1, True), entry(1, True)), "assertion 1 has more than one verdict"),
            (results(entry(1, True), entry(2, True), entry(2, True)), "more than one verdict"),
            (results(entry(1, True), entry(2, True), entry(3, True)), "there is no assertion 3"),
            (results(entry(1, True), entry(-1, True)), "there is no assertion -1"),
            (results(entry(1, True), entry(2, None)), "neither true nor false"),
            (results(entry(1, True), entry(2, "maybe")), "neither true nor false"),
            (results(entry(1, True), entry(2, 1)), "neither true nor false"),
            (results(entry(1, True), entry(None, True)), "which assertion it is about"),
            (results(entry(1, True), entry(None, True, "Something else.")), "which assertion"),
            (results(entry(1, True, TWO[1]), entry(2, True)), "text of another assertion"),
            (results(entry(1, True), {"index": 2, "reasoning": "r"}), "no verdict on assertion 2"),
            (json.dumps({"results": {"1": entry(2, True), "2": True}}), "which assertion"),
            (f"{results(entry(1, True), entry(2, True))} or {BOTH}", "contradicts itself"),
            (
                f"{results(entry(1, True), entry(2, True))} {results(entry(1, False))}",
                "contradicts",
            ),
            (
                json.dumps(
                    {"results": [entry(1, True), entry(2, True)], "verdicts": [entry(2, False)]}
                ),
                "more than one verdict",
            ),
            (results(entry(1, True), {**entry(2, True), "met": False}), "neither true nor false"),
            (BOTH[: BOTH.index("false")], "no verdict on assertion 2"),
        ],
    )
    def test_is_refused_with_the_reason(self, answer: str, fault: str) -> None:
        reading = read_verdicts(answer, TWO)

        assert reading.verdicts == ()
        assert fault in reading.fault
        assert reading.is_readable

    def test_thoughts_that_were_cut_off_are_no_answer(self) -> None:
        reading = read_verdicts(f"<think>It may be {BOTH}, or", TWO)

        assert reading.verdicts == ()
        assert not reading.is_readable

    def test_a_key_that_stands_twice_decides_nothing(self) -> None:
        answer = '{"index": 1, "metExpectation": true, "metExpectation": false}'

        assert read(answer, TWO[:1]) == []

    @pytest.mark.parametrize(
        "answer",
        ["", "Both are met.", "どちらも満たしています。", "{", "[" * 50_000, '{"results": ['],
    )
    def test_prose_cannot_be_read(self, answer: str) -> None:
        reading = read_verdicts(answer, TWO)

        assert reading.verdicts == ()
        assert not reading.is_readable

    def test_assertions_with_the_same_text_need_a_number(self) -> None:
        same = (TWO[0], TWO[0])

        assert read(results(entry(None, True, TWO[0]), entry(None, True, TWO[0])), same) == []
        assert read(results(entry(1, True, TWO[0]), entry(2, False, TWO[0])), same) == [True, False]


@given(st.lists(st.booleans(), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_any_order_is_read_and_any_loss_is_seen(verdicts: list[bool], random: Any) -> None:
    assertions = tuple(f"Statement {index}." for index in range(len(verdicts)))
    entries = [entry(index, met) for index, met in enumerate(verdicts, start=1)]
    random.shuffle(entries)

    assert read(results(*entries), assertions) == verdicts
    entries[0] = entries[-1]
    assert read(results(*entries), assertions) == (verdicts if len(entries) == 1 else [])


@given(st.text())
def test_nothing_crashes_the_reader(answer: str) -> None:
    assert read(answer) == []


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([*TWO, "true", "results"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["results", "index", "metExpectation", "expectedOutcome", "1", "2"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(_JSON)
def test_verdicts_are_complete_or_absent(value: Any) -> None:
    assert len(read(json.dumps(value))) in (0, len(TWO))
