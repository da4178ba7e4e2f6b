"""What the repairs of documents rest on, run on the installed tools, without any repair.

Each test says which finding it is about. Were one of them to fail with another tau2, the repair's
reason would be gone, and the repair with it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

import pytest

from jtau_plugin.compat.installed import installed_tools
from jtau_plugin.patching.documents import load_document_repairs

from .support import call, is_main, registry

Change = Callable[[list[Any]], list[Any]]


def base_tasks(domain: str) -> list[Any]:
    return list(registry().get_tasks_loader(domain)("base"))


def ids(tasks: Iterable[Any]) -> list[str]:
    return sorted((task.id for task in tasks), key=int)


def new(domain: str) -> Any:
    return registry().get_env_constructor(domain)()


def play(env: Any, task: Any, change: Change = list) -> Any:
    """Return an environment in which the gold actions, changed somehow, have been made."""
    start = task.initial_state
    env.set_state(
        initialization_data=start.initialization_data if start else None,
        initialization_actions=start.initialization_actions if start else None,
        message_history=[],
    )
    for action in change(task.evaluation_criteria.actions or []):
        try:
            env.make_tool_call(action.name, requestor=action.requestor, **action.arguments)
        except ValueError:
            continue
        env.sync_tools()
    return env


def holds(env: Any, task: Any) -> bool:
    assertions = task.evaluation_criteria.env_assertions or []
    return all(env.run_env_assertion(a, raise_assertion_error=False) for a in assertions)


def without(*names: str) -> Change:
    return lambda actions: [action for action in actions if action.name not in names]


# --- telecom ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def telecom() -> list[Any]:
    return base_tasks("telecom")


@pytest.fixture
def phone() -> Any:
    """An English telecom environment; its user is John, abroad as it stands in the database."""
    env = new("telecom")
    env.user_tools.set_user_info(name="John Smith", phone_number="555-123-2002")
    env.sync_tools()
    return env


READS = {
    *("check_sim_status", "check_apn_settings", "check_vpn_status", "run_speed_test"),
    *("check_network_mode_preference", "check_wifi_calling_status"),
}


def faults(task: Any) -> set[str]:
    return {action.func_name for action in task.initial_state.initialization_actions or []}


def shown(env: Any, name: str, **arguments: Any) -> str:
    return str(call(env, name, arguments, "user").content)


def test_t01_t20_the_tools_of_the_phone_are_the_users(phone: Any) -> None:
    tools = installed_tools(phone)
    agent = {name for side, name in tools if side == "assistant"}
    user = {name for side, name in tools if side == "user"}
    manual = phone.policy
    assert (len(agent), len(user), agent & user) == (13, 30, set())
    assert {name for name in user if f"**{name}**" not in manual} == {
        "check_payment_request",
        "make_payment",
    }
    assert not {name for name in agent if f"`{name}(" in manual}
    assert call(phone, "check_status_bar", {}).error


def test_t02_mms_fails_without_the_reboot_after_the_apn_reset(telecom: list[Any]) -> None:
    broken = [task for task in telecom if "break_apn_mms_setting" in faults(task)]
    assert len(broken) == 21
    assert all(holds(play(new("telecom"), task), task) for task in broken)
    no_reboot = without("reboot_device")
    assert not any(holds(play(new("telecom"), task, no_reboot), task) for task in broken)


def test_t03_a_resumed_line_has_no_service_without_a_reboot(telecom: list[Any]) -> None:
    billing = {"send_payment_request", "make_payment", "resume_line"}
    suspended = [
        task
        for task in telecom
        if any(action.name == "resume_line" for action in task.evaluation_criteria.actions)
    ]
    assert len(suspended) == 6
    for task in suspended:
        env = play(
            new("telecom"),
            task,
            lambda actions: sorted(actions, key=lambda action: action.name in billing),
        )
        assert not holds(env, task)
        shown(env, "reboot_device")
        assert holds(env, task)


def test_t04_the_user_pays(telecom: list[Any], phone: Any) -> None:
    payments = [
        action
        for task in telecom
        for action in task.evaluation_criteria.actions
        if action.name == "make_payment"
    ]
    assert [action.requestor for action in payments] == ["user"] * 6
    assert call(phone, "make_payment", {}).error


#: Which faults of a task's id are looked for where in the workflow.
SERVICE = {"unseat_sim_card", "break_apn_settings", "lock_sim_card_pin"} | {
    "overdue_bill_suspension",
    "contract_end_suspension",
}
PERMISSIONS = {f"break_app_{name}" for name in ("storage_permission", "sms_permission")} | {
    "break_app_both_permissions"
}
AFTER_2G = PERMISSIONS | {"bad_wifi_calling", "break_apn_mms_setting"}


def parts(task: Any) -> set[str]:
    """Return the faults that a task's id names."""
    return set(task.id.partition("]")[2].partition("[")[0].split("|"))


def test_t06_a_fault_is_often_left_where_a_step_ends(telecom: list[Any]) -> None:
    each = [parts(task) for task in telecom]
    mms = [parts(task) for task in telecom if task.id.startswith("[mms_issue]")]
    assert sum("airplane_mode_on" in p and bool(p & SERVICE) for p in each) == 35
    assert sum("user_abroad_roaming_disabled_off" in p for p in each) == 20
    assert sum("bad_network_preference" in p and bool(p & AFTER_2G) for p in mms) == 27
    assert sum("break_apn_mms_setting" in p and bool(p & PERMISSIONS) for p in mms) == 14


def test_t19_t27_t28_t29_how_many_tasks(telecom: list[Any]) -> None:
    each = [parts(task) for task in telecom]
    one = {"break_app_storage_permission", "break_app_sms_permission"}
    assert sum(bool(p & one) for p in each) == 21
    assert sum("bad_network_preference" in p for p in each) == 56
    golds = {task.id: {a.name for a in task.evaluation_criteria.actions} for task in telecom}
    assert sum("transfer_to_human_agents" in names for names in golds.values()) == 20
    refuels = [task for task in telecom if "refuel_data" in golds[task.id]]
    permitted = ["refuel 2.0 GB" in task.ticket for task in refuels]
    assert (permitted.count(True), permitted.count(False)) == (20, 30)
    assert not [task for task in refuels if "refuel" in task.ticket.replace("refuel 2.0 GB", "")]


QUOTED = re.compile(r'[「"\']([^」"\']+)[」"\']')


def outputs(env: Any) -> str:
    """Return what the phone prints in the states of which the manual speaks."""
    device = env.user_tools.device
    mode = type(device.network_mode_preference)
    said = []
    for change in (
        env.user_tools.turn_airplane_mode_off,
        lambda: setattr(device, "network_mode_preference", mode("2g_only")),
        lambda: setattr(device, "network_mode_preference", mode("3g_only")),
        lambda: env.user_tools.lock_sim_card("pin"),
        lambda: env.user_tools.lock_sim_card("puk"),
        env.user_tools.unseat_sim_card,
        env.user_tools.break_apn_settings,
        env.user_tools.break_vpn,
        lambda: env.user_tools.set_wifi_calling(True),
    ):
        change()
        said += [shown(env, name) for _, name in installed_tools(env) if name in READS]
    performance = type(env.user_tools.default_vpn_details.server_performance)
    # The default is shared by every environment of the process.
    env.user_tools.default_vpn_details.server_performance = performance("excellent")
    return "\n".join(said)


@pytest.mark.parametrize("domain", ["telecom", "ja_telecom"])
def test_t09_the_repair_quotes_what_is_printed(domain: str) -> None:
    repair = next(
        r for r in load_document_repairs("telecom").repairs if r.id == "telecom-real-outputs"
    )
    edits = repair.documents["tech_support_manual"]
    new_words = (
        [edit.value for edit in edits]
        if domain == "telecom"
        else [s.replace for edit in edits for s in edit.localized["ja"]]
    )
    said = outputs(new(domain))
    quotes = [quote for words in new_words for quote in QUOTED.findall(words)]
    assert len(quotes) >= 9
    assert [quote for quote in quotes if quote not in said] == []


def test_t17_t18_what_the_phone_accepts(phone: Any) -> None:
    for mode in ("2g_only", "3g_only", "4g_only", "4g_5g_preferred"):
        assert "set to" in shown(phone, "set_network_mode_preference", mode=mode)
        assert mode in shown(phone, "check_network_mode_preference")
    for mode in ("5G", "4G", "LTE", "3G", "2G", "5g", "4G_5G_PREFERRED"):
        assert "not a valid option" in shown(phone, "set_network_mode_preference", mode=mode)
    for permission in ("camera", "location"):
        answer = shown(phone, "grant_app_permission", app_name="messaging", permission=permission)
        assert all(name in answer for name in ("sms", "storage", "phone", "network"))
        assert answer.startswith("Error")
    assert "ackground" not in shown(phone, "check_app_status", app_name="messaging")
    assert "ackground" not in shown(phone, "check_data_restriction_status")


def test_t10_no_tool_changes_a_plan(phone: Any) -> None:
    assert not [name for _, name in installed_tools(phone) if re.search(r"(?<!air)plan", name)]
    assert call(phone, "get_available_plan_ids", {}).error


def test_t11_the_solo_policy_holds_the_manual() -> None:
    solo = registry().get_env_constructor("telecom")(solo_mode=True)
    _, _, support = new("telecom").policy.partition("<tech_support_policy>")
    assert support in solo.policy
    assert not call(solo, "check_status_bar", {}).error


def test_t12_a_bill_has_six_statuses(phone: Any) -> None:
    assert len(type(phone.tools.db.bills[0].status)) == 6


def test_t13_the_refuel_tool_checks_neither_status_nor_ceiling(
    phone: Any, telecom: list[Any]
) -> None:
    for amount in (5, 2):
        answer = call(
            phone,
            "refuel_data",
            {"customer_id": "C1001", "line_id": "L1002", "gb_amount": amount},
        )
        assert not answer.error
    assert phone.tools._get_line_by_id("L1002").data_refueling_gb == 7
    owner = next(c for c in phone.tools.db.customers if "L1003" in c.line_ids)
    assert phone.tools._get_line_by_id("L1003").status == "Suspended"
    arguments = {"customer_id": owner.customer_id, "line_id": "L1003", "gb_amount": 1}
    assert not call(phone, "refuel_data", arguments).error
    amounts = [
        assertion.arguments["expected_amount"]
        for task in telecom
        for assertion in task.evaluation_criteria.env_assertions or []
        if assertion.func_name == "assert_data_refueling_amount"
    ]
    assert amounts == [2.0] * 50


def test_t14_the_resume_tool_checks_neither_bills_nor_contract(phone: Any) -> None:
    phone.tools.suspend_line_for_overdue_bill("C1001", "L1001", "B1234321", contract_ended=True)
    line = phone.tools._get_line_by_id("L1001")
    assert line.contract_end_date < dt.date(2025, 2, 25)
    arguments = {"customer_id": "C1001", "line_id": "L1001"}
    assert not call(phone, "resume_line", arguments).error
    assert line.status == "Active"


def test_t16_a_request_by_the_due_date_blocks_the_overdue_bill(phone: Any) -> None:
    phone.tools.suspend_line_for_overdue_bill("C1001", "L1001", "B1234321", contract_ended=False)
    by_date = phone.tools._get_bill_by_id("B1002")
    assert (by_date.status, by_date.due_date < dt.date(2025, 2, 25)) == ("Issued", True)
    first = call(phone, "send_payment_request", {"customer_id": "C1001", "bill_id": "B1002"})
    second = call(phone, "send_payment_request", {"customer_id": "C1001", "bill_id": "B1234321"})
    assert not first.error
    assert second.error


def test_t19_mms_needs_both_permissions(phone: Any) -> None:
    phone.user_tools.set_user_location(abroad=False)
    phone.user_tools.turn_airplane_mode_off()
    phone.user_tools.turn_data_on()
    assert phone.user_tools._can_send_mms()
    for permission in ("sms", "storage"):
        phone.user_tools.remove_app_permission("messaging", permission)
        assert not phone.user_tools._can_send_mms()
        phone.user_tools._grant_app_permission("messaging", permission)
    assert phone.user_tools._can_send_mms()


def test_t21_t28_when_data_is_cut_and_when_it_is_slow(phone: Any) -> None:
    phone.user_tools.set_user_location(abroad=False)
    phone.user_tools.turn_airplane_mode_off()
    phone.user_tools.turn_data_on()
    line = phone.tools._get_line_by_phone("555-123-2002")
    limit = phone.tools._get_plan_by_id(line.plan_id).data_limit_gb
    line.data_used_gb = limit + line.data_refueling_gb - 0.1
    phone.sync_tools()
    assert "Excellent" in shown(phone, "run_speed_test")
    shown(phone, "set_network_mode_preference", mode="2g_only")
    assert "Very Poor" in shown(phone, "run_speed_test")
    line.data_used_gb = limit + line.data_refueling_gb
    phone.sync_tools()
    assert "No Connection" in shown(phone, "run_speed_test")


# --- retail ----------------------------------------------------------------------------------

ADDRESS, ITEMS = "modify_pending_order_address", "modify_pending_order_items"


def test_r01_fourteen_golds_change_address_and_items_of_one_order(
    fresh: Callable[[str], Any],
) -> None:
    both = [
        task
        for task in base_tasks("retail")
        if {a.arguments["order_id"] for a in task.evaluation_criteria.actions if a.name == ADDRESS}
        & {a.arguments["order_id"] for a in task.evaluation_criteria.actions if a.name == ITEMS}
    ]
    assert ids(both) == [
        *("41", "42", "71", "72", "78", "96", "97"),
        *("101", "102", "103", "104", "109", "111", "112"),
    ]
    env = fresh("retail")
    for task in both:
        actions = [a for a in task.evaluation_criteria.actions if a.name in (ADDRESS, ITEMS)]
        gold = after(env, actions)
        assert after(env, [a for a in actions if a.name != ADDRESS]) != gold
        assert after(env, [a for a in actions if a.name != ITEMS]) != gold
        assert after(env, sorted(actions, key=lambda a: a.name != ITEMS)) == gold


def after(env: Any, actions: list[Any]) -> list[str]:
    """Return the orders as some actions leave them, and put everything back."""
    db = env.tools.db
    orders = {a.arguments["order_id"]: db.orders[a.arguments["order_id"]] for a in actions}
    users = {order.user_id: db.users[order.user_id] for order in orders.values()}
    before = deepcopy(orders), deepcopy(users)
    for action in actions:
        env.make_tool_call(action.name, requestor=action.requestor, **action.arguments)
    left = [db.orders[name].model_dump_json() for name in sorted(orders)]
    db.orders.update(before[0])
    db.users.update(before[1])
    return left


def test_r02_r03_after_an_item_change_the_address_can_still_be_changed(
    fresh: Callable[[str], Any],
) -> None:
    env = fresh("retail")
    task = next(task for task in base_tasks("retail") if task.id == "41")
    play(env, task)
    order_id = next(
        a.arguments["order_id"] for a in task.evaluation_criteria.actions if a.name == ITEMS
    )
    order = env.tools.db.orders[order_id]
    assert order.status == "pending (item modified)"
    arguments = {"order_id": order_id, "zip": "00000", "country": "USA", "state": "CA"}
    arguments |= {"city": "Oakland", "address1": "1 Elm St", "address2": ""}
    assert not call(env, ADDRESS, arguments).error
    method = next(iter(env.tools.db.users[order.user_id].payment_methods))
    refused = call(
        env, "modify_pending_order_payment", {"order_id": order_id, "payment_method_id": method}
    )
    assert refused.error


def test_r04_an_order_has_seven_statuses(pristine_db: Any) -> None:
    order = next(iter(pristine_db.orders.values()))
    annotation = type(order).model_fields["status"].annotation
    assert len(annotation.__args__) == 7


@pytest.mark.parametrize("first", ["exchange", "return"])
def test_r05_a_delivered_order_takes_one_exchange_or_one_return(
    first: str, fresh: Callable[[str], Any]
) -> None:
    env = fresh("retail")
    order = next(o for o in env.tools.db.orders.values() if o.status == "delivered")
    item = order.items[0].item_id
    own = {
        "order_id": order.order_id,
        "item_ids": [item],
        "payment_method_id": order.payment_history[0].payment_method_id,
    }
    other = env.tools.db.products[order.items[0].product_id].variants
    new_item = next(v.item_id for v in other.values() if v.available)
    calls = {
        "exchange": ("exchange_delivered_order_items", {**own, "new_item_ids": [new_item]}),
        "return": ("return_delivered_order_items", own),
    }
    assert not call(env, *calls[first]).error
    assert [bool(call(env, *each).error) for each in calls.values()] == [True, True]


def test_r12_the_examples_of_ids(fresh: Callable[[str], Any]) -> None:
    env = fresh("retail")
    assert call(env, "get_product_details", {"product_id": "6086499569"}).error
    assert not call(env, "get_product_details", {"product_id": "2892623495"}).error
    assert "1199058591" in env.tools.db.products["2892623495"].variants
    if is_main():
        assert call(env, "get_item_details", {"item_id": "6086499569"}).error
        assert not call(env, "get_item_details", {"item_id": "1199058591"}).error
    tasks = str([task.model_dump() for task in base_tasks("retail")])
    assert not [i for i in ("2892623495", "1199058591") if i in tasks]


def test_r15_the_calculator_rounds(english: Any) -> None:
    assert call(english, "calculate", {"expression": "0.125*1"}).content == "0.12"


# --- airline ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def airline() -> Any:
    """An English airline environment, for what is refused or read."""
    return new("airline")


def minutes(flight: Any) -> int:
    times = (flight.scheduled_departure_time_est, flight.scheduled_arrival_time_est)
    start, end = (int(t[:2]) * 60 + int(t[3:5]) + 1440 * ("+1" in t) for t in times)
    return end - start


def test_a01_times_are_est_and_44_turns_on_it(airline: Any) -> None:
    flights = airline.tools.db.flights
    took: dict[tuple[str, str], set[int]] = {}
    for flight in flights.values():
        took.setdefault((flight.origin, flight.destination), set()).add(minutes(flight))
    both_ways = [(a, b) for a, b in took if a < b and (b, a) in took]
    assert len(both_ways) == 49
    assert all(took[a, b] == took[b, a] for a, b in both_ways)
    assert minutes(flights["HAT208"]) == 180  # 240 from Newark to Minneapolis, were it local
    task = next(task for task in base_tasks("airline") if task.id == "44")
    gold = play(new("airline"), task).get_db_hash()
    shorter: Change = lambda actions: [  # noqa: E731
        a
        for a in actions
        if not (a.name.startswith("update") and a.arguments["reservation_id"] == "NM1VX1")
    ]
    assert play(new("airline"), task, shorter).get_db_hash() != gold


def test_a02_two_statuses_are_missing_from_the_policy(airline: Any) -> None:
    dates = [day.status for f in airline.tools.db.flights.values() for day in f.dates.values()]
    assert (dates.count("landed"), dates.count("cancelled")) == (3981, 373)
    assert [s for s in ("landed", "cancelled") if f"**{s}**" in airline.policy] == []


def test_a03_a11_what_the_tools_refuse_as_payment(airline: Any) -> None:
    db = airline.tools.db
    reservation, certificate = next(
        (r, method)
        for r in db.reservations.values()
        for method, card in db.users[r.user_id].payment_methods.items()
        if card.source == "certificate" and r.flights
    )
    base = {"reservation_id": reservation.reservation_id, "payment_id": certificate}
    bags = {
        "total_baggages": reservation.total_baggages,
        "nonfree_baggages": reservation.nonfree_baggages,
    }
    same = [{"flight_number": f.flight_number, "date": f.date} for f in reservation.flights]
    assert call(airline, "update_reservation_baggages", {**base, **bags}).error
    flights = {**base, "cabin": reservation.cabin, "flights": same}
    assert call(airline, "update_reservation_flights", flights).error


@pytest.mark.parametrize("name", ["LWTEDF", "LL1840", "3JA7XV", "UDIGI7", "N0C84K"])
def test_a04_a_cabin_change_wants_every_flight_available(name: str, airline: Any) -> None:
    db = airline.tools.db
    reservation = db.reservations[name]
    statuses = {db.flights[f.flight_number].dates[f.date].status for f in reservation.flights}
    assert not statuses & {"landed", "flying"}
    card = next(
        method
        for method, kind in db.users[reservation.user_id].payment_methods.items()
        if kind.source == "credit_card"
    )
    arguments = {
        "reservation_id": name,
        "cabin": "business" if reservation.cabin != "business" else "economy",
        "flights": [
            {"flight_number": f.flight_number, "date": f.date} for f in reservation.flights
        ],
        "payment_id": card,
    }
    assert "not available" in str(call(airline, "update_reservation_flights", arguments).content)


def test_a05_the_gold_of_37_goes_on_after_the_refusal(airline: Any) -> None:
    db = airline.tools.db
    legs = db.reservations["NQNU5R"].flights
    assert "landed" in {db.flights[leg.flight_number].dates[leg.date].status for leg in legs}
    task = next(task for task in base_tasks("airline") if task.id == "37")
    assert "transfer_to_human_agents" not in {a.name for a in task.evaluation_criteria.actions}
    upgrade = [a for a in task.evaluation_criteria.actions if a.name.startswith("update")]
    assert [a.arguments["reservation_id"] for a in upgrade] == ["M20IZO"]


def test_a08_a_booking_is_checked_against_no_rule(airline: Any) -> None:
    db = airline.tools.db
    flight, date, day = next(
        (flight, date, day)
        for flight in db.flights.values()
        for date, day in flight.dates.items()
        if day.status == "available" and day.available_seats["economy"] >= 6
    )
    user, card = next(
        (user, method)
        for user in db.users.values()
        for method, kind in user.payment_methods.items()
        if kind.source == "credit_card"
    )
    passenger = {"first_name": "Ann", "last_name": "Lee", "dob": "1990-01-01"}
    arguments = {
        "user_id": user.user_id,
        "origin": "XXX",
        "destination": "YYY",
        "flight_type": "one_way",
        "cabin": "economy",
        "flights": [{"flight_number": flight.flight_number, "date": date}],
        "passengers": [passenger] * 6,
        "payment_methods": [{"payment_id": card, "amount": day.prices["economy"] * 6}],
        "total_baggages": 0,
        "nonfree_baggages": 0,
        "insurance": "no",
    }
    invented = {**arguments, "payment_methods": [{"payment_id": "payment_1", "amount": 1}]}
    assert call(airline, "book_reservation", invented).error
    assert not call(airline, "book_reservation", arguments).error


def test_a13_a_search_leaves_out_what_cannot_be_booked(airline: Any) -> None:
    flights = airline.tools.db.flights.values()
    day = "2024-05-15"
    there = [f for f in flights if (f.origin, f.destination) == ("JFK", "ATL") and day in f.dates]
    found = call(
        airline, "search_direct_flight", {"origin": "JFK", "destination": "ATL", "date": day}
    )
    assert (len(there), found.content) == (4, "[]")
