"""Airline's repaired tasks: the same facts on both layouts, and right by database and policy."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from jtau_plugin.localization.tasks import fingerprint_facts, task_texts
from jtau_plugin.overlays.catalog import get_catalog
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.patching.repairs import load_task_repairs

from .golden import check_golden
from .repair_support import (
    choices,
    default_ids,
    load_tasks,
    repair,
    replay,
    runs,
    unrendered,
    written,
)
from .support import is_main, registry

_FILE = load_task_repairs("airline")
_DEFAULT = default_ids("airline")
_REPAIRED_IDS = sorted({name for own in _FILE.repairs for name in own.tasks}, key=int)
_NOW = datetime(2024, 5, 15, 15)
_FLOWN = {"landed", "flying"}
#: Hours that a city's clock is behind the one in New York.
_BEHIND_NEW_YORK = {"MSP": 1, "LAX": 3}
#: Tasks whose caller is ill, which insurance covers.
_ILL = {"7", "19", "29"}


@pytest.fixture(scope="module")
def installed() -> dict[str, Any]:
    return load_tasks("airline")


@pytest.fixture(scope="module")
def repaired(installed: dict[str, Any]) -> dict[str, Any]:
    return repair(installed.values(), "airline", _DEFAULT)


@cache
def _database() -> Any:
    return registry().get_env_constructor("airline")().tools.db


@pytest.fixture(scope="module")
def db() -> Any:
    """The database as it is installed; never handed to a tool."""
    return _database()


@cache
def _database_text() -> str:
    text: str = _database().model_dump_json()
    return text


def _fresh() -> Any:
    copy = type(_database()).model_validate_json(_database_text())
    return registry().get_env_constructor("airline")(db=copy)


def _after_gold(task: Any) -> Any:
    env = _fresh()
    assert replay(env, task) == []
    return env


def _actions(task: Any, name: str) -> list[Any]:
    return [a for a in task.evaluation_criteria.actions or [] if a.name == name]


def _cancelled(task: Any) -> list[str]:
    return [a.arguments["reservation_id"] for a in _actions(task, "cancel_reservation")]


def _script(task: Any) -> str:
    return str(task.user_scenario)


def _is_other_gold(task: Any, other: Any) -> bool:
    own = (task.evaluation_criteria.actions, other.evaluation_criteria.actions)
    return bool(own[0] != own[1])


def _status(db: Any, flight: Any) -> str:
    status: str = db.flights[flight.flight_number].dates[flight.date].status
    return status


def _may_be_cancelled(db: Any, reservation: Any, *, is_ill: bool) -> bool:
    """Return what the policy says on a cancellation."""
    statuses = {_status(db, flight) for flight in reservation.flights}
    if statuses & _FLOWN:
        return False
    is_recent = _NOW - datetime.fromisoformat(reservation.created_at) <= timedelta(hours=24)
    is_covered = reservation.insurance == "yes" and is_ill
    return is_recent or "cancelled" in statuses or reservation.cabin == "business" or is_covered


def _forbidden_cancellations(task: Any) -> set[str]:
    """Return the reservations that gold cancels against the policy, seen when it does so."""
    env, found = _fresh(), set()
    for action in task.evaluation_criteria.actions or []:
        if action.name == "cancel_reservation":
            name = action.arguments["reservation_id"]
            reservation = env.tools.db.reservations[name]
            if not _may_be_cancelled(env.tools.db, reservation, is_ill=task.id in _ILL):
                found.add(name)
        env.make_tool_call(action.name, requestor=action.requestor, **action.arguments)
    return found


# The facts -----------------------------------------------------------------------------------


def test_all_tasks_have_the_facts_that_both_layouts_share(repaired: dict[str, Any]) -> None:
    assert len(repaired) == 50
    facts = {name: fingerprint_facts(task) for name, task in repaired.items()}
    check_golden("facts_airline.json", facts)


def test_repairing_twice_changes_nothing(repaired: dict[str, Any]) -> None:
    again = repair(repaired.values(), "airline", _DEFAULT)
    assert all(task is repaired[name] for name, task in again.items())


@pytest.fixture(scope="module")
def states(installed: dict[str, Any], repaired: dict[str, Any]) -> dict[str, str]:
    """The state that each gold with a repair reaches; no gold raises."""
    reading, found = _fresh(), {}
    for name, task in repaired.items():
        actions = task.evaluation_criteria.actions or []
        has_write = any(a.name.startswith(("book", "cancel", "send", "update")) for a in actions)
        env = _fresh() if has_write else reading
        assert replay(env, task) == [], name
        if _is_other_gold(installed[name], task):
            found[name] = env.get_db_hash()
    return found


def test_these_golds_reach_another_state_and_no_others(
    installed: dict[str, Any], states: dict[str, str]
) -> None:
    other = {
        name
        for name, state in states.items()
        if _after_gold(installed[name]).get_db_hash() != state
    }
    both = {"39", "44"}
    only_nv = {"2", "7", "9", "23", "27", "29", "33", "35", "37", "38"}
    assert other == (both if is_main() else both | only_nv)
    assert states.keys() - other == (set() if is_main() else {"13"})


# Cancellations -------------------------------------------------------------------------------


def test_every_cancellation_in_gold_is_allowed(
    installed: dict[str, Any], repaired: dict[str, Any]
) -> None:
    faulty = {"39": {"MSJ4OA"}}
    if not is_main():
        nv = {"7": {"XEHM4B"}, "9": {"NQNU5R"}, "37": {"NQNU5R"}, "44": {"S61CZX"}}
        faulty |= nv
    for name, task in repaired.items():
        if _cancelled(task) or _cancelled(installed[name]):
            assert _forbidden_cancellations(installed[name]) == faulty.get(name, set()), name
            if _is_other_gold(installed[name], task):
                assert _forbidden_cancellations(task) == set(), name


def test_9_and_37_leave_a_flown_reservation_alone(db: Any, repaired: dict[str, Any]) -> None:
    assert {_status(db, flight) for flight in db.reservations["NQNU5R"].flights} == {"landed"}
    assert not any("NQNU5R" in _cancelled(repaired[name]) for name in ("9", "37"))


def test_39_cancels_the_business_reservations_only(db: Any, repaired: dict[str, Any]) -> None:
    own = [db.reservations[name] for name in db.users["amelia_davis_8890"].reservations]
    upcoming = [r for r in own if not {_status(db, f) for f in r.flights} & _FLOWN]

    assert {r.reservation_id for r in upcoming if r.cabin == "business"} == {"8C8K4E", "LU15PA"}
    assert _cancelled(repaired["39"]) == ["8C8K4E", "LU15PA"]
    insured = [r for r in upcoming if r.cabin != "business" and r.insurance == "yes"]
    assert [r.reservation_id for r in insured] == ["MSJ4OA"]
    assert not _may_be_cancelled(db, insured[0], is_ill=False)
    assert _may_be_cancelled(db, insured[0], is_ill=True)  # so the script rules an illness out
    assert "your health is fine" in _script(repaired["39"])


@pytest.mark.parametrize(("name", "reservation"), [("43", "9HBUV8"), ("44", "S61CZX")])
def test_an_invented_illness_would_unlock_a_cancellation(
    name: str, reservation: str, db: Any, repaired: dict[str, Any]
) -> None:
    assert _may_be_cancelled(db, db.reservations[reservation], is_ill=True)
    assert reservation not in _cancelled(repaired[name])
    assert re.search(r"\b(?:you are (?:well|healthy)|healthy now)\b", _script(repaired[name]))


@pytest.mark.parametrize("name", ["2", "27", "38"])
def test_no_certificate_without_a_change_or_a_cancellation(
    name: str, repaired: dict[str, Any]
) -> None:
    actions = repaired[name].evaluation_criteria.actions
    assert not any(a.name.startswith(("update", "cancel", "send")) for a in actions)
    assert re.search(r"(?:never|neither|NOT want to) .*cancel", _script(repaired[name]))


# Task 7 --------------------------------------------------------------------------------------


def _paid(reservation: Any) -> int:
    return int(sum(payment.amount for payment in reservation.payment_history))


def test_7_asks_for_a_sum_that_is_the_same_all_along(db: Any, repaired: dict[str, Any]) -> None:
    task, named = repaired["7"], {"XEHM4B", "59XX6W"}

    def upcoming(database: Any) -> dict[str, int]:
        own = database.users["daiki_muller_1116"].reservations
        return {
            name: _paid(database.reservations[name])
            for name in own
            if not {_status(database, f) for f in database.reservations[name].flights} & _FLOWN
        }

    paid = upcoming(db)
    assert paid == {"7WPL39": 402, "XEHM4B": 296, "59XX6W": 624, "3EMQJ6": 306}
    assert sum(paid.values()) == 1628  # what upstream expects
    assert task.evaluation_criteria.communicate_info == ["708"]
    assert "$708" in task.evaluation_criteria.nl_assertions[3]

    env = _fresh()
    for action in task.evaluation_criteria.actions:
        env.make_tool_call(action.name, **action.arguments)
        now = upcoming(env.tools.db)
        assert sum(amount for name, amount in now.items() if name not in named) == 708
        if action.name == "update_reservation_flights":
            assert sum(now.values()) == 1628 + 1072


def test_7_counts_the_insurance_because_the_payments_hold_it(db: Any) -> None:
    reservation = db.reservations["7WPL39"]
    fares = sum(flight.price for flight in reservation.flights) * len(reservation.passengers)
    assert _paid(reservation) - fares == 30 * len(reservation.passengers)


# Bookings ------------------------------------------------------------------------------------


def test_23_books_for_the_people_in_the_profile(db: Any, repaired: dict[str, Any]) -> None:
    task, user = repaired["23"], db.users["mohamed_silva_9265"]
    known = {(p.first_name, p.last_name, p.dob) for p in user.saved_passengers}
    known.add((user.name.first_name, user.name.last_name, user.dob))
    travelling = {
        (p["first_name"], p["last_name"], p["dob"])
        for action in _actions(task, "book_reservation")
        for p in action.arguments["passengers"]
    }

    assert travelling == known
    assert {
        (p.first_name, p.last_name, p.dob) for p in db.reservations["K1NW8N"].passengers
    } == known
    text = _script(task) + " ".join(task.evaluation_criteria.nl_assertions)
    assert not re.search("Aarav|Evelyn", text)  # the "verified" fork leaves them in the script
    assert {"Raj", "Liam"} <= set(re.findall(r"\w+", text))


def test_23_goes_out_with_one_flight_and_back_with_two(db: Any, repaired: dict[str, Any]) -> None:
    flights = _actions(repaired["23"], "book_reservation")[0].arguments["flights"]
    out = [f["flight_number"] for f in flights if f["date"] == "2024-05-26"]
    back = [f["flight_number"] for f in flights if f["date"] == "2024-05-28"]

    assert (out, back) == (["HAT023"], ["HAT204", "HAT100"])
    assert db.flights["HAT204"].origin == "SFO"
    assertion = repaired["23"].evaluation_criteria.nl_assertions[3]
    assert assertion.index("HAT023 on 2024-05-26") < assertion.index("HAT204 and HAT100")


def test_35_books_with_the_customers_own_date_of_birth(
    db: Any, installed: dict[str, Any], repaired: dict[str, Any]
) -> None:
    def passengers(task: Any) -> list[dict[str, str]]:
        (action,) = _actions(task, "book_reservation")
        found: list[dict[str, str]] = action.arguments["passengers"]
        return found

    (passenger,) = passengers(repaired["35"])
    assert passenger["dob"] == db.users["aarav_ahmed_6699"].dob == "1981-05-26"
    assert passenger["dob"] != "1985-05-26"  # what the "verified" fork has
    if not is_main():
        assert passengers(installed["35"])[0]["dob"] == "1985-04-04"
    assert "You are the only passenger" in _script(repaired["35"])
    card = db.users["aarav_ahmed_6699"].payment_methods["credit_card_9074831"]
    assert card.id in repaired["35"].evaluation_criteria.nl_assertions[2]


def test_14_charges_what_it_says(db: Any, repaired: dict[str, Any]) -> None:
    criteria = repaired["14"].evaluation_criteria
    (booking,) = _actions(repaired["14"], "book_reservation")
    fares = sum(
        db.flights[f["flight_number"]].dates[f["date"]].prices["business"]
        for f in booking.arguments["flights"]
    )
    amounts = {m["payment_id"]: m["amount"] for m in booking.arguments["payment_methods"]}

    assert fares * 3 == sum(amounts.values()) == 2613
    assert amounts["credit_card_2198526"] == fares * 3 - 500 - 198 - 129 == 1786
    assert criteria.communicate_info[2] == "1786"
    assert "$1786" in criteria.nl_assertions[4]
    payments = db.reservations["K1NW8N"].payment_history  # a card that was charged nothing
    assert [p.payment_id for p in payments] == ["gift_card_6136092"]


def test_33_charges_a_gold_member_for_no_bag(
    db: Any, installed: dict[str, Any], repaired: dict[str, Any]
) -> None:
    assert db.users["yara_garcia_1905"].membership == "gold"
    reservation = db.reservations["HXDUBJ"]
    assert (reservation.cabin, len(reservation.passengers)) == ("economy", 1)
    (bags,) = _actions(repaired["33"], "update_reservation_baggages")
    assert bags.arguments["total_baggages"] <= 3
    assert bags.arguments["nonfree_baggages"] == 0

    ours = _after_gold(repaired["33"]).tools.db.reservations["HXDUBJ"]
    theirs = _after_gold(installed["33"]).tools.db.reservations["HXDUBJ"]
    assert _paid(theirs) - _paid(ours) == (0 if is_main() else 100)


def test_29_books_another_destination_anew(db: Any, repaired: dict[str, Any]) -> None:
    names = [a.name for a in repaired["29"].evaluation_criteria.actions]
    assert names == ["get_reservation_details", "cancel_reservation", "book_reservation"]
    (booking,) = _actions(repaired["29"], "book_reservation")
    assert db.reservations["VA5SGQ"].destination == "LGA" != booking.arguments["destination"]
    assert len(repaired["29"].evaluation_criteria.nl_assertions) == 3


def _onward(db: Any, origin: str, destination: str, day: str, cabin: str) -> list[Any]:
    """Return (hours, price, seats, flight numbers) for each way with at most one stop that day."""
    flights = [
        (number, flight, flight.dates[day])
        for number, flight in db.flights.items()
        if day in flight.dates and flight.dates[day].status == "available"
    ]
    legs = [
        (*_clock(flight), sale.prices[cabin], sale.available_seats[cabin], number, flight)
        for number, flight, sale in flights
    ]
    ways = []
    for start, end, price, seats, number, flight in legs:
        if flight.origin != origin:
            continue
        if flight.destination == destination:
            ways.append((end - start, price, seats, (number,)))
        for start2, end2, price2, seats2, number2, flight2 in legs:
            is_onward = flight2.origin == flight.destination and start2 >= end
            if is_onward and flight2.destination == destination:
                ways.append((end2 - start, price + price2, min(seats, seats2), (number, number2)))
    return ways


def _clock(flight: Any) -> tuple[float, float]:
    """Return a flight's departure and arrival in hours, as the schedule shows them."""

    def hours(text: str) -> float:
        hour, minute, _ = text.removesuffix("+1").split(":")
        return int(hour) + int(minute) / 60 + (24 if text.endswith("+1") else 0)

    return hours(flight.scheduled_departure_time_est), hours(flight.scheduled_arrival_time_est)


@pytest.mark.parametrize("name", ["15", "16"])
def test_15_and_16_have_one_cheapest_way_in_economy(
    name: str, db: Any, repaired: dict[str, Any]
) -> None:
    (update,) = _actions(repaired[name], "update_reservation_flights")
    wanted = tuple(f["flight_number"] for f in update.arguments["flights"])
    by_price = {
        cabin: min(
            (way for way in _onward(db, "ATL", "PHL", "2024-05-24", cabin) if way[2] > 0),
            key=lambda way: way[1],
        )
        for cabin in ("economy", "basic_economy")
    }

    assert by_price["economy"][1:] == (207, by_price["economy"][2], wanted)
    assert by_price["basic_economy"][1] == 123  # what "the cheapest economy flight" may lead to


def test_21_cannot_have_the_fastest_way_back(db: Any, repaired: dict[str, Any]) -> None:
    ways = sorted(_onward(db, "DEN", "IAH", "2024-05-27", "economy"))
    (update,) = _actions(repaired["21"], "update_reservation_flights")
    wanted = tuple(f["flight_number"] for f in update.arguments["flights"])[2:]

    assert ways[0][:1] + ways[0][2:] == (5, 0, ("HAT229", "HAT266"))
    assert ways[1][:1] + ways[1][2:] == (6, 12, wanted)


def test_30_has_two_nonstop_flights_and_names_one(db: Any, repaired: dict[str, Any]) -> None:
    ways = _onward(db, "LAS", "IAH", "2024-05-19", "economy")
    nonstop = [way[3][0] for way in ways if len(way[3]) == 1 and way[2] >= 2]
    assert sorted(nonstop) == ["HAT175", "HAT266"]
    assert "HAT266" not in {f.flight_number for f in db.reservations["1N99U6"].flights}
    assert "The nonstop flight you are after is HAT266" in _script(repaired["30"])


def test_35_has_one_second_cheapest_way(db: Any, repaired: dict[str, Any]) -> None:
    ways = _onward(db, "JFK", "SFO", "2024-05-24", "economy")
    prices = sorted((price, numbers) for _, price, seats, numbers in ways if seats > 0)
    (booking,) = _actions(repaired["35"], "book_reservation")
    wanted = tuple(f["flight_number"] for f in booking.arguments["flights"])

    assert prices[0][0] < prices[1][0] < prices[2][0]
    assert prices[1] == (290, wanted)


# Task 32 -------------------------------------------------------------------------------------


def test_32_stays_below_its_limit_in_both_steps_together_only(
    db: Any, repaired: dict[str, Any]
) -> None:
    after = _after_gold(repaired["32"]).tools.db.reservations["OWZ4XL"]
    amounts = [int(p.amount) for p in after.payment_history]

    assert amounts == [522, 396, -510]
    assert amounts[1] > 100 >= sum(amounts[1:])
    assert "you pay in the end" in _script(repaired["32"])


def test_32_needs_two_steps_for_the_state_of_gold(repaired: dict[str, Any]) -> None:
    _, last = _actions(repaired["32"], "update_reservation_flights")
    once = _fresh()
    once.make_tool_call(last.name, **last.arguments)

    assert [int(p.amount) for p in once.tools.db.reservations["OWZ4XL"].payment_history] == [
        522,
        -114,
    ]
    assert once.get_db_hash() != _after_gold(repaired["32"]).get_db_hash()


# Task 44 -------------------------------------------------------------------------------------


def _directions(reservation: Any) -> list[list[Any]]:
    """Return a round trip's flights as two lists, other flights as one."""
    flights = list(reservation.flights)
    if reservation.flight_type != "round_trip":
        return [flights]
    turn = next(i for i, f in enumerate(flights) if f.origin == reservation.destination)
    return [flights[:turn], flights[turn:]]


def _moment(db: Any, flight: Any, *, is_arrival: bool, is_local: bool) -> float:
    """Return hours since the first of May, in New York's time if the schedule is local time."""
    own = db.flights[flight.flight_number]
    place = own.destination if is_arrival else own.origin
    shift = _BEHIND_NEW_YORK.get(place, 0) if is_local else 0
    return int(flight.date[-2:]) * 24 + _clock(own)[is_arrival] + shift


def _hours(db: Any, flights: list[Any], *, is_local: bool = False) -> float:
    start = _moment(db, flights[0], is_arrival=False, is_local=is_local)
    return _moment(db, flights[-1], is_arrival=True, is_local=is_local) - start


def _short_trips(db: Any, *, is_local: bool = False) -> set[str]:
    own = [db.reservations[name] for name in db.users["sophia_silva_7557"].reservations]
    return {
        r.reservation_id
        for r in own
        if not {_status(db, f) for f in r.flights} & _FLOWN
        and all(_hours(db, way, is_local=is_local) <= 3 for way in _directions(r))
    }


def test_44_upgrades_what_is_short_by_the_times_as_they_are_shown(
    db: Any, repaired: dict[str, Any]
) -> None:
    updates = _actions(repaired["44"], "update_reservation_flights")
    upgraded = {a.arguments["reservation_id"] for a in updates}

    assert upgraded == _short_trips(db) == {"NM1VX1", "H8Q05L"}
    assert _hours(db, _directions(db.reservations["KC18K6"])[0]) == 7
    # As local times, as the policy calls them, one of the two would be too long:
    assert _short_trips(db, is_local=True) == {"H8Q05L"}
    script = _script(repaired["44"])
    assert "as the airline's system shows them" in script
    assert "no conversion between time zones" in script


def test_44_names_the_cost_of_its_upgrades(db: Any, repaired: dict[str, Any]) -> None:
    after = _after_gold(repaired["44"]).tools.db
    costs = {
        name: _paid(after.reservations[name]) - _paid(db.reservations[name])
        for name in ("NM1VX1", "H8Q05L", "KC18K6")
    }

    assert costs == {"NM1VX1": 484, "H8Q05L": 163, "KC18K6": 0}
    assertions = repaired["44"].evaluation_criteria.nl_assertions
    assert "$647" in assertions[1]
    assert assertions[4].startswith("Agent does not upgrade KC18K6")


def test_44_has_no_cancellation_by_either_clock(db: Any, repaired: dict[str, Any]) -> None:
    own = [db.reservations[name] for name in db.users["sophia_silva_7557"].reservations]
    upcoming = [r for r in own if not {_status(db, f) for f in r.flights} & _FLOWN]
    for is_local in (False, True):
        long = {
            r.reservation_id
            for r in upcoming
            for f in r.flights
            if _hours(db, [f], is_local=is_local) > 4
        }
        assert long == {"S61CZX"}
    assert _cancelled(repaired["44"]) == []


# Assertions and texts ------------------------------------------------------------------------


def test_27_demands_no_promise_that_is_not_kept(db: Any, repaired: dict[str, Any]) -> None:
    assert db.users["ethan_martin_2396"].membership == "silver"
    silver, certificate = repaired["27"].evaluation_criteria.nl_assertions[1:]
    assert "Silver" in silver
    assert "compensation" not in silver
    assert re.search("(?:no|n't issue a) certificate", certificate)


def test_8_asserts_the_name_in_the_database(db: Any, repaired: dict[str, Any]) -> None:
    name = db.users["sophia_silva_7557"].name
    assertion = repaired["8"].evaluation_criteria.nl_assertions[2]
    assert re.search(rf"\b{name.first_name} {name.last_name}\b", assertion)


def test_9_searches_on_the_day_that_it_asserts(db: Any, repaired: dict[str, Any]) -> None:
    (search,) = _actions(repaired["9"], "search_direct_flight")
    assert search.arguments["date"] == "2024-05-22" == db.reservations["M20IZO"].flights[0].date
    assert "May 22 2024" in repaired["9"].evaluation_criteria.nl_assertions[2]


@pytest.mark.parametrize("name", _REPAIRED_IDS)
def test_japanese_is_there_with_each_repair_switched_off_or_on_alone(
    name: str, installed: dict[str, Any]
) -> None:
    own = [each.id for each in _FILE.repairs if name in each.tasks]
    for enabled in choices(own, _DEFAULT):
        tasks = repair([installed[name]], "airline", enabled)
        assert unrendered(tasks.values(), "airline") == [], sorted(set(own) & enabled)


def test_repaired_texts_are_rendered_alike_on_both_layouts(repaired: dict[str, Any]) -> None:
    """Where a pointer has several renderings, the first is that of what both layouts end with."""
    texts, _ = get_catalog("ja", "airline").tasks
    for task in repaired.values():
        for pointer, english in task_texts(task):
            entry = texts.tasks[task.id].root[pointer]
            first = entry[0] if isinstance(entry, tuple) else entry
            assert fingerprint_text(english) in first.source, (task.id, pointer)


def test_renderings_of_one_text_differ() -> None:
    texts, _ = get_catalog("ja", "airline").tasks
    for name, own in texts.tasks.items():
        for pointer, entry in own.root.items():
            if isinstance(entry, tuple):
                assert len({r.text for r in entry}) == len(entry), (name, pointer)
                sources = [source for r in entry for source in r.source]
                assert len(set(sources)) == len(sources), (name, pointer)


def test_amounts_and_reservations_are_the_same_in_japanese(repaired: dict[str, Any]) -> None:
    """Each amount and each id of a repaired text stands in its Japanese too."""
    texts, _ = get_catalog("ja", "airline").tasks
    touched = {(name, own.pointer) for own in _FILE.repairs for name in own.tasks}
    for name, task in repaired.items():
        for pointer, english in task_texts(task):
            if not any((name, own) in touched for own in (pointer, pointer.rpartition("/")[0])):
                continue
            entry = texts.tasks[name].root[pointer]
            japanese = (entry[0] if isinstance(entry, tuple) else entry).text
            for token in re.findall(r"\$\d+|\b(?=\w*\d)[A-Z0-9]{6}\b|\bHAT\d+\b", english):
                assert token.removeprefix("$") in japanese, (name, pointer, token)


def test_no_text_of_ours_is_tau2s(installed: dict[str, Any]) -> None:
    theirs = {run for task in installed.values() for _, t in task_texts(task) for run in runs(t)}
    for own, text in written("airline"):
        assert theirs.isdisjoint(runs(text)), own


def test_decisions_stand_once() -> None:
    names = [name for decision in _FILE.decisions for name in decision.findings]
    assert len(names) == len(set(names))


def test_repairs_stand_in_the_order_of_the_tasks() -> None:
    order = [int(own.tasks[0]) for own in _FILE.repairs]
    assert all(left <= right for left, right in pairwise(order))
