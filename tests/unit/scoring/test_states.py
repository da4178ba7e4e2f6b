"""Final states of a database: what may differ in them, and what may not."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.scoring.states import RULES, GeneratedIds, StateRules, is_same_state

AIRLINE = RULES["FlightDB"]
TELECOM = RULES["TelecomDB"]
NO_RULES = StateRules()
NEW = ("HATHAT", "HATHAU", "HATHAV")


def reservation(name: str, *passengers: str, user: str = "u1", **further: Any) -> dict[str, Any]:
    return {
        "reservation_id": name,
        "user_id": user,
        "passengers": [{"first_name": person} for person in passengers],
        "payment_history": [{"payment_id": "c1", "amount": 10}, {"payment_id": "g1", "amount": 5}],
        "flights": ["out", "back"],
        **further,
    }


def airline(*reservations: dict[str, Any], **methods: dict[str, Any]) -> dict[str, Any]:
    users: dict[str, Any] = {
        user: {"reservations": [], "payment_methods": methods.get(user, {})}
        for user in ("u1", "u2")
    }
    for entry in reservations:
        users[entry["user_id"]]["reservations"].append(entry["reservation_id"])
    return {"reservations": {r["reservation_id"]: r for r in reservations}, "users": users}


def certificates(*amounts: int) -> dict[str, Any]:
    names = [f"certificate_322132{2 + index}" for index in range(len(amounts))]
    return {n: {"id": n, "amount": a} for n, a in zip(names, amounts, strict=True)}


class TestSets:
    def test_passengers_and_payments_have_no_order(self) -> None:
        gold = airline(reservation("R1", "a", "b"))
        other = airline(reservation("R1", "b", "a"))
        other["reservations"]["R1"]["payment_history"].reverse()

        assert is_same_state(gold, other, AIRLINE)
        assert not is_same_state(gold, other, NO_RULES)

    @pytest.mark.parametrize(
        "other",
        [
            airline(reservation("R1", "a", "a")),
            airline(reservation("R1", "a")),
            airline(reservation("R1", "a", "b", "b")),
            airline(reservation("R1", "a", "b", flights=["back", "out"])),
            airline(reservation("R1", "a", "b", cabin="economy")),
            airline(reservation("R1", "a", "b", payment_history=[])),
            airline(reservation("R2", "a", "b")),
            airline(reservation("R1", "a", "b", user="u2")),
        ],
    )
    def test_what_is_different_stays_different(self, other: dict[str, Any]) -> None:
        gold = airline(reservation("R1", "a", "b"))

        assert not is_same_state(gold, other, AIRLINE)
        assert not is_same_state(other, gold, AIRLINE)


class TestGeneratedIds:
    def test_two_bookings_in_either_order(self) -> None:
        first, second = ("a",), ("b",)
        gold = airline(reservation("HATHAT", *first), reservation("HATHAU", *second))
        other = airline(reservation("HATHAT", *second), reservation("HATHAU", *first))

        assert is_same_state(gold, other, AIRLINE)
        assert not is_same_state(gold, other, NO_RULES)

    def test_sets_inside_a_new_booking(self) -> None:
        gold = airline(reservation("HATHAT", "a", "b"), reservation("HATHAU", "c"))
        other = airline(reservation("HATHAT", "c"), reservation("HATHAU", "b", "a"))

        assert is_same_state(gold, other, AIRLINE)

    @pytest.mark.parametrize(
        "other",
        [
            airline(reservation("HATHAT", "a"), reservation("HATHAU", "a")),
            airline(reservation("HATHAT", "b")),
            airline(*(reservation(n, p) for n, p in zip(NEW, "aab", strict=True))),
            airline(reservation("HATHAT", "a"), reservation("HATHAU", "b", user="u2")),
            airline(reservation("HATHAT", "b"), reservation("HATHAU", "a", status="cancelled")),
        ],
    )
    def test_other_bookings(self, other: dict[str, Any]) -> None:
        gold = airline(reservation("HATHAT", "a"), reservation("HATHAU", "b"))

        assert not is_same_state(gold, other, AIRLINE)

    def test_a_booking_in_the_wrong_hands(self) -> None:
        gold = airline(reservation("HATHAT", "a"), reservation("HATHAU", "b", user="u2"))
        swapped = airline(reservation("HATHAT", "b", user="u2"), reservation("HATHAU", "a"))
        wrong = copy.deepcopy(swapped)
        users = wrong["users"]
        users["u1"]["reservations"], users["u2"]["reservations"] = ["HATHAT"], ["HATHAU"]

        assert is_same_state(gold, swapped, AIRLINE)
        assert not is_same_state(gold, wrong, AIRLINE)

    def test_an_existing_id_says_something(self) -> None:
        gold = airline(reservation("R1", "a"), reservation("R2", "b"))
        other = airline(reservation("R1", "b"), reservation("R2", "a"))

        assert not is_same_state(gold, other, AIRLINE)

    def test_certificates_are_a_user_s_own(self) -> None:
        gold = airline(u1=certificates(100, 50))

        assert is_same_state(gold, airline(u1=certificates(50, 100)), AIRLINE)
        assert not is_same_state(gold, airline(u2=certificates(50, 100)), AIRLINE)
        assert not is_same_state(gold, airline(u1=certificates(150)), AIRLINE)
        assert not is_same_state(gold, airline(u1=certificates(100, 51)), AIRLINE)

    def test_bills_with_an_id_of_the_moment(self) -> None:
        def state(bill: str, due: float = 4.0) -> dict[str, Any]:
            bills = [{"bill_id": "B1001", "due": 1.0}, {"bill_id": bill, "due": due}]
            return {"bills": bills, "customers": [{"bill_ids": ["B1001", bill]}]}

        assert is_same_state(state("B0a1b2c3d"), state("Bffffffff"), TELECOM)
        assert not is_same_state(state("B0a1b2c3d"), state("Bffffffff", 5.0), TELECOM)
        assert not is_same_state(state("B1002"), state("Bffffffff"), TELECOM)
        assert not is_same_state(state("B1002"), state("B1003"), TELECOM)


class TestNumbers:
    @pytest.mark.parametrize(
        ("left", "right", "expected"),
        [
            (0.1 + 0.2, 0.3, True),
            (3, 3.0, True),
            (-0.0, 0, True),
            (0.01, 0.02, False),
            (1, "1", False),
            (1, True, False),
            (0, None, False),
            (float("nan"), float("nan"), True),
            (float("inf"), 1e300, False),
        ],
    )
    def test_values(self, left: Any, right: Any, expected: bool) -> None:
        states = ({"orders": {"a": {"v": value}, "b": {}}} for value in (left, right))

        assert is_same_state(*states, NO_RULES) is expected


class TestShapes:
    def test_other_tables(self) -> None:
        assert not is_same_state({"a": {}}, {"a": {}, "b": {}}, AIRLINE)
        assert not is_same_state({"a": {"x": 1}}, {"a": [1]}, AIRLINE)
        assert is_same_state(None, None, AIRLINE)
        assert not is_same_state(None, {}, AIRLINE)

    def test_paths_that_lead_nowhere(self) -> None:
        rules = StateRules(
            unordered=("a.*.b", "c", "d.e"), generated=(GeneratedIds("x.*", "y", "id", "G"),)
        )
        state = {"a": 1, "c": {"k": [2, 1]}, "d": {}, "x": {"p": {"y": {"q": "no entry"}}}}

        assert is_same_state(state, copy.deepcopy(state), rules)

    def test_the_states_are_left_as_they_are(self) -> None:
        gold = airline(reservation("HATHAT", "b", "a"))
        other = airline(reservation("HATHAT", "a", "b"))
        before = copy.deepcopy((gold, other))

        is_same_state(gold, other, AIRLINE)

        assert (gold, other) == before


_PEOPLE = st.lists(st.sampled_from("abc"), min_size=1, max_size=3)


@given(st.lists(st.tuples(_PEOPLE, st.sampled_from(["u1", "u2"])), max_size=3), st.integers())
def test_only_the_order_was_changed(bookings: list[Any], seed: int) -> None:
    shuffler = random.Random(seed)

    def state(chosen: list[Any]) -> dict[str, Any]:
        pairs = zip(NEW, chosen, strict=False)
        return airline(*(reservation(n, *people, user=user) for n, (people, user) in pairs))

    gold = state(bookings)
    shuffled = shuffler.sample(bookings, len(bookings))
    mixed = [(shuffler.sample(people, len(people)), user) for people, user in shuffled]

    assert is_same_state(gold, state(mixed), AIRLINE)
    assert is_same_state(state(mixed), gold, AIRLINE)
    if bookings:
        people, user = mixed[0]
        assert not is_same_state(gold, state([([*people, "d"], user), *mixed[1:]]), AIRLINE)
