"""ACTION: which call carries out which gold action."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.scoring.actions import (
    Call,
    GoldAction,
    carries_out,
    is_same_value,
    match_actions,
)

SEND = GoldAction("send", {"to": "U1", "amount": 50})


class TestOneCall:
    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            ({"to": "U1", "amount": 50}, True),
            ({"amount": 50, "to": "U1"}, True),
            ({"to": "U1", "amount": 50.0}, True),
            ({"to": "U1", "amount": 50, "note": "x"}, True),
            ({"to": "U1"}, False),
            ({}, False),
            ({"to": "U1", "amount": "50"}, False),
            ({"to": "U1", "amount": 5}, False),
            ({"to": "U1", "amount": None}, False),
        ],
    )
    def test_gold_s_arguments_decide(self, arguments: dict[str, Any], expected: bool) -> None:
        assert carries_out(Call("send", arguments), SEND) is expected

    def test_another_tool(self) -> None:
        assert not carries_out(Call("sent", SEND.arguments), SEND)

    def test_another_caller(self) -> None:
        call = Call("send", SEND.arguments, "user")

        assert not carries_out(call, SEND)
        assert carries_out(call, SEND, any_requestor=True)

    @pytest.mark.parametrize(
        ("keys", "arguments", "expected"),
        [
            ((), {}, True),
            ((), {"to": "somebody else"}, True),
            (("to",), {"to": "U1", "amount": 7}, True),
            (("to",), {"amount": 50}, False),
            (("to", "note"), {"to": "U1"}, True),
            (("to", "note"), {"to": "U1", "note": "x"}, False),
        ],
    )
    def test_only_the_named_arguments_count(
        self, keys: tuple[str, ...], arguments: dict[str, Any], expected: bool
    ) -> None:
        gold = GoldAction("send", SEND.arguments, keys=keys)

        assert carries_out(Call("send", arguments), gold) is expected


class TestValues:
    @pytest.mark.parametrize(
        ("left", "right"),
        [
            (1, True),
            (0, False),
            (1, "1"),
            (None, ""),
            (None, False),
            ([1, 2], [2, 1]),
            ([1], [1, 1]),
            ({"a": 1}, {"a": True}),
            ({"a": 1}, {"a": 1, "b": None}),
            ([{"a": 1}], [{"a": "1"}]),
            ("economy", "Economy"),
        ],
    )
    def test_different(self, left: Any, right: Any) -> None:
        assert not is_same_value(left, right)
        assert not is_same_value(right, left)

    @pytest.mark.parametrize(
        ("left", "right"),
        [
            (2, 2.0),
            (True, True),
            (None, None),
            ({"a": [1, {"b": 2}]}, {"a": [1.0, {"b": 2.0}]}),
            ([], ()),
        ],
    )
    def test_same(self, left: Any, right: Any) -> None:
        assert is_same_value(left, right)
        assert is_same_value(right, left)


class TestMatching:
    def test_one_call_serves_once(self) -> None:
        assert match_actions([SEND, SEND], [Call("send", SEND.arguments)]) == [0, None]

    def test_a_repeated_call_serves_twice(self) -> None:
        call = Call("send", SEND.arguments)

        assert match_actions([SEND, SEND], [call, call]) == [0, 1]

    def test_a_broad_gold_action_leaves_the_narrow_one_its_call(self) -> None:
        """Taking the first call that fits would leave the second gold action without one."""
        broad = GoldAction("send", {}, keys=())
        both = [Call("send", SEND.arguments), Call("send", {"to": "U2"})]

        assert match_actions([broad, SEND], both) == [1, 0]

    def test_nothing_expected(self) -> None:
        assert match_actions([], [Call("send", {})]) == []

    def test_nothing_called(self) -> None:
        assert match_actions([SEND], []) == [None]


_ARGUMENTS = st.dictionaries(st.sampled_from("ab"), st.integers(0, 1), max_size=2)
_CALLS = st.lists(st.builds(Call, st.sampled_from("xy"), _ARGUMENTS), max_size=5)
_KEYS = st.none() | st.lists(st.sampled_from("ab"), unique=True).map(tuple)
_GOLDS = st.lists(
    st.builds(GoldAction, st.sampled_from("xy"), _ARGUMENTS, st.just("assistant"), _KEYS),
    max_size=4,
)


@given(golds=_GOLDS, calls=_CALLS)
def test_as_many_as_possible_are_matched(golds: list[GoldAction], calls: list[Call]) -> None:
    found = match_actions(golds, calls)

    used = [index for index in found if index is not None]
    assert len(used) == len(set(used))
    assert all(
        carries_out(calls[i], gold) for gold, i in zip(golds, found, strict=True) if i is not None
    )
    places = [*range(len(calls)), *[None] * len(golds)]
    best = max(
        sum(
            i is not None and carries_out(calls[i], gold)
            for gold, i in zip(golds, order, strict=True)
        )
        for order in set(permutations(places, len(golds)))
    )
    assert len(used) == best
