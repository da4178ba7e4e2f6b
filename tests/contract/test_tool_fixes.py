"""The patches of tools: upstream's wrong result, ours, and nothing else different.

An English environment shows what upstream does, with the patches in place: it is out of their scope.
"""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tau2.domains.airline.tools import AirlineTools
from tau2.domains.retail.data_model import RetailDB
from tau2.domains.retail.tools import RetailTools
from tau2.domains.telecom.user_tools import TelecomUserTools
from tau2.environment.tool import as_tool

import jtau_plugin.fixes
from jtau_plugin.compat.wrapping import original_of
from jtau_plugin.errors import PatchError
from jtau_plugin.fixes._vectors import small_shop
from jtau_plugin.patching.cards import load_cards
from jtau_plugin.patching.engine import PatchEngine, get_engine

from .japanese_writing import write_arguments
from .support import call, fresh_domain, is_main, registry, run_python

MODIFY, EXCHANGE = "modify_pending_order_items", "exchange_delivered_order_items"
CANCEL, PAYMENT = "cancel_pending_order", "modify_pending_order_payment"
TARGETS: list[tuple[type, str]] = [
    (RetailTools, MODIFY),
    (RetailTools, EXCHANGE),
    (RetailTools, CANCEL),
    (AirlineTools, "cancel_reservation"),
    (TelecomUserTools, "_connect_vpn"),
    (TelecomUserTools, "_check_status_bar"),
]
OPTIONS = {
    "airline-cancel-once",
    "retail-exchange-different-item",
    "retail-exchange-keeps-pairs",
    "telecom-status-bar-data-icon",
}


@pytest.fixture(autouse=True)
def switch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Apply the patches by a setting; those of the default are on at first and afterwards."""
    monkeypatch.delenv("JTAU_PATCH_UPSTREAM", raising=False)

    def apply(setting: str) -> None:
        monkeypatch.setenv("JTAU_PATCHES", setting)
        get_engine().ensure_applied()

    apply("")
    yield apply
    apply("")


def environment(domain: str) -> Any:
    return registry().get_env_constructor(domain)()


def both(fresh: Callable[[str], Any]) -> tuple[Any, Any]:
    """Return an English retail environment, which is upstream's, and a Japanese one."""
    return fresh("retail"), fresh("ja_retail")


def japanese(env: Any, tool: str, arguments: dict[str, Any]) -> str:
    """Return the answer to a call whose arguments are written in Japanese."""
    catalog = env.jtau_localizer.catalog
    answer = call(env, tool, write_arguments(catalog, tool, arguments))
    assert env.jtau_records.misses == []
    return str(answer.content)


# --- cards, and the engine on the installed tau2 ---


def test_every_card_fits_and_every_fix_has_one() -> None:
    fixes = {name for _, name, _ in pkgutil.iter_modules(jtau_plugin.fixes.__path__)}
    cards = load_cards()

    assert {state.id: state.reason for state in get_engine().verify() if state.state != "fits"} == {
        state.id: f"tau2's layout {'v1_0' if is_main() else 'v0_2'} does not need it"
        for state in get_engine().verify()
        if state.state == "not applicable"
    }
    assert {name for name in fixes if not name.startswith("_")} == {c.patch.fix for c in cards}


def test_tool_patches_are_on_by_default_but_for_the_options(switch: Callable[[str], None]) -> None:
    tools = {card.patch.id for card in load_cards() if card.patch.class_ == "tools"}
    applied = set(get_engine().applied_ids())

    assert applied & tools == tools - OPTIONS
    assert tools >= OPTIONS

    switch("+tools")
    assert set(get_engine().applied_ids()) >= tools
    switch("-tools")
    assert not set(get_engine().applied_ids()) & tools


@pytest.mark.parametrize(
    ("cls", "name"), TARGETS, ids=lambda value: getattr(value, "__name__", value)
)
def test_a_patched_tool_is_known_by_the_same_marks(
    cls: type, name: str, switch: Callable[[str], None]
) -> None:
    switch("+tools")
    patched = vars(cls)[name]
    original = original_of(patched)

    assert patched is not original
    assert {
        k: v for k, v in vars(patched).items() if k.startswith("__") and k != "__wrapped__"
    } == {k: v for k, v in vars(original).items() if k.startswith("__")}
    assert as_tool(patched).openai_schema == as_tool(original).openai_schema
    switch("-tools")
    assert vars(cls)[name] is original


@pytest.mark.parametrize(
    "arguments", [{}, {"order_id": "#W0"}, {"order_id": ["#W0"], "extra": 1}], ids=str
)
@pytest.mark.parametrize("tool", [MODIFY, EXCHANGE, CANCEL])
def test_a_call_that_python_refuses_is_refused_as_ever(
    tool: str, arguments: dict[str, Any], fresh: Callable[[str], Any], switch: Callable[[str], None]
) -> None:
    switch("+tools")
    ours = small_shop("ja", status="pending")
    upstream = small_shop("ja", status="pending")
    del upstream.jtau_domain

    said = []
    for toolkit in (upstream, ours):
        with pytest.raises(TypeError) as error:
            getattr(toolkit, tool)(**arguments)
        said.append(str(error.value))
    assert said[0] == said[1]


def test_a_changed_tool_stops_a_run_before_it_starts(
    monkeypatch: pytest.MonkeyPatch, switch: Callable[[str], None]
) -> None:
    get_engine().revert()
    original = vars(RetailTools)[CANCEL]

    def cancel_pending_order(self: Any, order_id: str, reason: str) -> Any:
        return None

    with monkeypatch.context() as patch:
        patch.setattr(RetailTools, CANCEL, cancel_pending_order)
        with pytest.raises(PatchError) as error:
            fresh_domain().get_environment()
        (problem,) = error.value.problems
        assert "retail-cancel-refund-net.yaml:" in problem.where
        assert "RetailTools.cancel_pending_order has the fingerprint" in problem.what
        assert "JTAU_PATCHES=-retail-cancel-refund-net" in problem.hint
        assert [s.state for s in get_engine().states() if s.id == "retail-cancel-refund-net"] == [
            "refused"
        ]
        assert [s.id for s in get_engine().verify() if s.state == "refused"] == [
            "retail-cancel-refund-net"
        ]
        assert vars(RetailTools)[CANCEL] is cancel_pending_order

        switch("-retail-cancel-refund-net")
        assert "retail-modify-items-per-item" in get_engine().applied_ids()
        assert vars(RetailTools)[CANCEL] is cancel_pending_order
    assert vars(RetailTools)[CANCEL] is original


def test_two_engines_do_not_patch_over_each_other(switch: Callable[[str], None]) -> None:
    """Guards the process's one engine: another one finds the originals below its patches."""
    other = PatchEngine()

    assert [state for state in other.verify() if state.state == "refused"] == []


# --- retail: items of a pending order ---

LISTS_OF_ITEMS = ["20", "21", "36", "37", "100"]


def _call_of(task: Any, tool: str) -> dict[str, Any]:
    """Return the arguments of the one gold call of a tool that lists several items."""
    (action,) = (
        action
        for action in task.evaluation_criteria.actions
        if action.name == tool and len(action.arguments["item_ids"]) > 1
    )
    return dict(action.arguments)


def _reversed(arguments: dict[str, Any]) -> dict[str, Any]:
    lists = ("item_ids", "new_item_ids")
    return {k: v[::-1] if k in lists else v for k, v in arguments.items()}


@pytest.mark.parametrize("task_id", LISTS_OF_ITEMS)
def test_the_order_of_items_no_longer_decides(
    task_id: str, fresh: Callable[[str], Any], tasks: dict[str, Any]
) -> None:
    arguments = _call_of(tasks[task_id], MODIFY)
    hashes: dict[str, list[str]] = {"retail": [], "ja_retail": [], "en_retail": []}
    for domain, found in hashes.items():
        for turned in (arguments, _reversed(arguments)):
            env = fresh(domain)
            order = env.make_tool_call(MODIFY, **turned)
            found.append(env.get_db_hash())

    assert len(set(hashes["retail"])) == 2  # upstream: another state
    assert len({*hashes["ja_retail"], *hashes["en_retail"]}) == 1
    new = dict(zip(arguments["item_ids"], arguments["new_item_ids"], strict=True))
    before = fresh("retail").tools.db.orders[order.order_id]
    for old_item, item in zip(before.items, order.items, strict=True):
        right = env.tools.db.products[item.product_id].variants[item.item_id]
        assert item.item_id == new.get(old_item.item_id, old_item.item_id)
        assert (item.price, item.options) == (right.price, right.options)
    difference = sum(i.price for i in order.items) - sum(i.price for i in before.items)
    assert order.payment_history[-1].amount == abs(round(difference, 2))


def test_the_prices_of_task_20_and_its_payment(
    fresh: Callable[[str], Any], tasks: dict[str, Any]
) -> None:
    upstream, ours = both(fresh)
    arguments = _call_of(tasks["20"], MODIFY)

    order = upstream.make_tool_call(MODIFY, **arguments)
    assert [item.price for item in order.items] == [261.11] * 4
    assert order.payment_history[-1].amount == 71.96000000000001

    shown = json.loads(japanese(ours, MODIFY, arguments))
    assert [item["price"] for item in shown["items"]] == [54.85, 272.33, 155.33, 261.11]
    assert shown["payment_history"][-1]["amount"] == 71.96


class _Corner:
    """A part of the installed database: one pending order, its user, its products."""

    def __init__(self, db: Any) -> None:
        self._db = db
        self.orders = sorted(o.order_id for o in db.orders.values() if o.status == "pending")

    def choices(self, order_id: str) -> tuple[list[str], list[str], list[str]]:
        """Return the order's items, all variants of their products, and the user's methods."""
        order = self._db.orders[order_id]
        products = [self._db.products[item.product_id] for item in order.items]
        variants = sorted({name for product in products for name in product.variants})
        methods = sorted(self._db.users[order.user_id].payment_methods)
        return [item.item_id for item in order.items], variants, methods

    def toolkit(self, order_id: str, domain: str) -> Any:
        order = self._db.orders[order_id]
        db = RetailDB(
            orders={order_id: order.model_copy(deep=True)},
            users={order.user_id: self._db.users[order.user_id].model_copy(deep=True)},
            products={i.product_id: self._db.products[i.product_id] for i in order.items},
        )
        toolkit = RetailTools(db)
        if domain:
            toolkit.jtau_domain = domain
        return toolkit


@pytest.fixture(scope="module")
def corner(pristine_db: Any) -> _Corner:
    return _Corner(pristine_db)


def _outcome(toolkit: Any, order_id: str, tool: str, **arguments: Any) -> tuple[str, Any]:
    try:
        getattr(toolkit, tool)(order_id=order_id, **arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}", toolkit.db.model_dump()
    return "", toolkit.db.model_dump()


@st.composite
def modifications(draw: st.DrawFn, corner: _Corner, size: int) -> tuple[str, dict[str, Any]]:
    """Calls on installed orders: of any kind, those that are refused among them."""
    order_id = draw(st.sampled_from(corner.orders))
    items, variants, methods = corner.choices(order_id)
    some = st.lists(st.sampled_from([*items, "0"]), min_size=1, max_size=size)
    old = draw(some)
    count = draw(st.sampled_from([len(old)] * 9 + [len(old) + 1]))
    new = draw(st.lists(st.sampled_from([*variants, "0"]), min_size=count, max_size=count))
    method = draw(st.sampled_from([*methods, "paypal_0"]))
    return order_id, {"item_ids": old, "new_item_ids": new, "payment_method_id": method}


@given(st.data())
def test_whatever_upstream_refuses_is_refused_in_its_words(corner: _Corner, data: Any) -> None:
    order_id, arguments = data.draw(modifications(corner, 3))

    plain, _ = _outcome(corner.toolkit(order_id, ""), order_id, MODIFY, **arguments)
    ours = corner.toolkit(order_id, "ja_retail")
    before = ours.db.model_dump()
    said, after = _outcome(ours, order_id, MODIFY, **arguments)

    assert said == plain
    assert (after == before) == bool(said)


@given(st.data())
def test_a_single_item_is_modified_as_ever_apart_from_rounding(corner: _Corner, data: Any) -> None:
    order_id = data.draw(st.sampled_from(corner.orders))
    items, variants, methods = corner.choices(order_id)
    arguments = {
        "item_ids": [data.draw(st.sampled_from(items))],
        "new_item_ids": [data.draw(st.sampled_from(variants))],
        "payment_method_id": data.draw(st.sampled_from(methods)),
    }

    plain, right = _outcome(corner.toolkit(order_id, ""), order_id, MODIFY, **arguments)
    said, found = _outcome(corner.toolkit(order_id, "ja_retail"), order_id, MODIFY, **arguments)

    row = right["orders"][order_id]["payment_history"][-1]
    row["amount"] = round(row["amount"], 2)
    assert (said, found) == (plain, right)


@given(st.data())
def test_any_order_of_a_call_leaves_one_state(corner: _Corner, data: Any) -> None:
    order_id = data.draw(st.sampled_from(corner.orders))
    order = corner.toolkit(order_id, "").db.orders[order_id]
    products = corner.toolkit(order_id, "").db.products
    chosen = data.draw(st.lists(st.sampled_from(order.items), max_size=3, unique_by=id))
    pairs = [
        (item.item_id, data.draw(st.sampled_from(sorted(products[item.product_id].variants))))
        for item in chosen
    ]
    method = data.draw(st.sampled_from(corner.choices(order_id)[2]))

    found = [
        _outcome(
            corner.toolkit(order_id, "en_retail"),
            order_id,
            MODIFY,
            item_ids=[old for old, _ in turned],
            new_item_ids=[new for _, new in turned],
            payment_method_id=method,
        )
        for turned in permutations(pairs)
    ]

    assert all(state == found[0][1] for _, state in found)
    assert len({bool(said) for said, _ in found}) == 1


@pytest.mark.parametrize("pairs", [[("1", "2"), ("1", "3")], [("1", "3"), ("1", "2")]])
def test_equal_items_get_their_variants_in_a_fixed_order(pairs: list[tuple[str, str]]) -> None:
    shop = small_shop("ja", status="pending", items=("1", "4", "1"))
    old, new = ([pair[side] for pair in pairs] for side in (0, 1))
    order = shop.modify_pending_order_items("#W1", old, new, "paypal_1")

    assert [(i.item_id, i.price) for i in order.items] == [("2", 20.2), ("4", 30.3), ("3", 5.3)]


@pytest.mark.parametrize("pairs", [[("1", "2"), ("2", "1")], [("2", "1"), ("1", "2")]])
def test_items_that_swap_their_variants_are_told_apart(pairs: list[tuple[str, str]]) -> None:
    shop = small_shop("ja", status="pending")
    old, new = ([pair[side] for pair in pairs] for side in (0, 1))
    order = shop.modify_pending_order_items("#W1", old, new, "paypal_1")

    assert [(i.item_id, i.price) for i in order.items] == [("2", 20.2), ("1", 10.1)]
    row = order.payment_history[-1]
    assert (row.transaction_type, row.amount) == ("refund", 0.0)


def test_a_gift_card_that_covers_the_difference_to_the_cent_is_enough() -> None:
    """The differences are -4.8 and 10.1; upstream adds them up to 5.300000000000002."""
    arguments = ("#W1", ["1", "2"], ["3", "4"], "gift_card_1")
    shops = [small_shop("ja", status="pending") for _ in range(3)]
    cards = [shop.db.users["ann_1"].payment_methods["gift_card_1"] for shop in shops]
    cards[0].balance = cards[1].balance = 5.30
    cards[2].balance = 5.29
    del shops[0].jtau_domain

    with pytest.raises(ValueError, match="balance"):
        shops[0].modify_pending_order_items(*arguments)
    shops[1].modify_pending_order_items(*arguments)
    assert cards[1].balance == 0.0
    before = shops[2].db.model_dump()
    with pytest.raises(ValueError, match="balance"):
        shops[2].modify_pending_order_items(*arguments)
    assert shops[2].db.model_dump() == before


def test_the_products_are_no_part_of_the_order(fresh: Callable[[str], Any], tasks: Any) -> None:
    env = fresh("ja_retail")
    order = env.make_tool_call(MODIFY, **_call_of(tasks["20"], MODIFY))
    products = env.tools.db.products
    for item in order.items:
        assert item.options is not products[item.product_id].variants[item.item_id].options


# --- retail: refunds of a cancelled order ---


def _moved_and_cancelled(env: Any) -> tuple[list[tuple[str, str]], list[float]]:
    card = env.tools.db.users["ethan_lopez_6291"].payment_methods["gift_card_7219486"]
    balances = [card.balance]
    for tool, arguments in (
        (PAYMENT, {"payment_method_id": "credit_card_9789590"}),
        (CANCEL, {"reason": "no longer needed"}),
    ):
        given = {"order_id": "#W6779827", **arguments}
        if env.domain_name == "retail":
            assert not call(env, tool, given).error
        else:
            japanese(env, tool, given)
        balances.append(card.balance)
    rows = env.tools.db.orders["#W6779827"].payment_history
    assert {row.amount for row in rows} == {4079.45}
    return [(row.transaction_type, row.payment_method_id) for row in rows], balances


def test_a_cancelled_order_is_refunded_once(fresh: Callable[[str], Any]) -> None:
    gift, credit = "gift_card_7219486", "credit_card_9789590"
    moved = [("payment", gift), ("payment", credit), ("refund", gift)]
    upstream, ours = both(fresh)

    rows, balances = _moved_and_cancelled(upstream)
    assert rows == [*moved, ("refund", gift), ("refund", credit), ("refund", gift)]
    assert balances == [49.0, 4128.45, 12287.35]

    rows, balances = _moved_and_cancelled(ours)
    assert rows == [*moved, ("refund", credit)]
    assert balances == [49.0, 4128.45, 4128.45]


def test_an_order_that_was_never_moved_is_cancelled_as_ever(corner: _Corner) -> None:
    for order_id in corner.orders[:60]:
        for reason in ("ordered by mistake", "because"):
            found = [
                _outcome(corner.toolkit(order_id, domain), order_id, CANCEL, reason=reason)
                for domain in ("", "ja_retail")
            ]
            assert found[0] == found[1]


def test_a_refused_cancellation_leaves_the_history(corner: _Corner) -> None:
    shop = small_shop("ja", status="pending")
    shop.modify_pending_order_payment("#W1", "gift_card_1")
    before = shop.db.model_dump()

    with pytest.raises(ValueError, match="reason"):
        shop.cancel_pending_order("#W1", "because")
    assert shop.db.model_dump() == before


# --- telecom: what leaks from one phone to the next ---


def _performance(env: Any) -> str:
    return str(env.user_tools.device.vpn_details.server_performance.value)


def test_a_broken_vpn_stays_in_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    # An English task of another test may have left the class with a poor default: that is the leak.
    left = TelecomUserTools.default_vpn_details
    default = type(left).model_validate({**left.model_dump(), "server_performance": "excellent"})
    monkeypatch.setattr(TelecomUserTools, "default_vpn_details", default.model_copy())

    ours = environment("ja_telecom")
    ours.user_tools.break_vpn()
    assert _performance(ours) == "poor"
    assert TelecomUserTools.default_vpn_details == default
    english = environment("telecom")
    english.user_tools.connect_vpn()
    assert _performance(english) == "excellent"

    environment("telecom").user_tools.break_vpn()  # upstream changes the object on the class
    later = environment("telecom")
    later.user_tools.connect_vpn()
    assert _performance(later) == "poor"
    for domain in ("ja_telecom", "en_telecom"):
        env = environment(domain)
        env.user_tools.connect_vpn()
        assert _performance(env) == "excellent"
        assert env.user_tools._run_speed_test() == (220.0, "Excellent")


def test_the_default_in_the_source_is_the_one_that_the_fix_restores() -> None:
    code = (
        "from tau2.domains.telecom.user_tools import TelecomUserTools as T\n"
        "print(T.default_vpn_details.server_performance.value)"
    )

    assert run_python(code, JTAU_DISABLE="1").stdout.split()[-1] == "excellent"


def test_connecting_twice_says_what_it_says() -> None:
    env = environment("ja_telecom")
    first, second = (call(env, "toggle_airplane_mode", {}, "user") for _ in range(2))
    assert not first.error
    assert not second.error
    env.user_tools.connect_vpn()
    assert env.user_tools._connect_vpn() is None


# --- with the option for tau2's own domains ---


def test_upstream_s_own_domains_only_when_asked(
    fresh: Callable[[str], Any], tasks: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = _call_of(tasks["20"], MODIFY)
    monkeypatch.setenv("JTAU_PATCH_UPSTREAM", "1")

    order = fresh("retail").make_tool_call(MODIFY, **arguments)

    assert [item.price for item in order.items] == [54.85, 272.33, 155.33, 261.11]


# --- options ---


def test_a_reservation_is_cancelled_once(switch: Callable[[str], None]) -> None:
    switch("+airline-cancel-once")
    arguments = {"reservation_id": "XEHM4B"}
    upstream, ours = environment("airline"), environment("ja_airline")

    for _ in range(2):
        assert not call(upstream, "cancel_reservation", arguments).error
        shown = json.loads(japanese(ours, "cancel_reservation", arguments))
    history = [
        [payment.amount for payment in env.tools.db.reservations["XEHM4B"].payment_history]
        for env in (upstream, ours)
    ]

    assert history == [[296, -296, -296, 296], [296, -296]]
    assert [payment["amount"] for payment in shown["payment_history"]] == [296, -296]
    answer = call(ours, "cancel_reservation", {"reservation_id": "XXXXXX"})
    assert answer.error


def test_an_item_is_not_exchanged_for_itself(
    fresh: Callable[[str], Any], switch: Callable[[str], None]
) -> None:
    switch("+retail-exchange-different-item")
    upstream, ours = both(fresh)
    order = ours.tools.db.orders["#W4817420"]
    same = order.items[0].item_id
    arguments = {
        "order_id": "#W4817420",
        "item_ids": [same],
        "new_item_ids": [same],
        "payment_method_id": order.payment_history[0].payment_method_id,
    }
    before = ours.get_db_hash()

    accepted = upstream.make_tool_call(EXCHANGE, **arguments)
    assert (accepted.status, accepted.exchange_price_difference) == ("exchange requested", 0)
    said = japanese(ours, EXCHANGE, arguments)
    assert said == "Error: 新しいアイテムIDは、元のアイテムIDとは異なるものにしてください。"
    assert ours.get_db_hash() == before
    assert ours.tools.db.orders["#W4817420"] is order

    # What upstream refuses comes first, and what is no exchange for itself goes through.
    foreign = {**arguments, "payment_method_id": "paypal_0"}
    for env in (upstream, ours):
        env.tools.db.orders["#W4817420"].status = "delivered"
    plain = call(upstream, EXCHANGE, foreign).content
    assert call(ours, EXCHANGE, foreign).content != said
    assert "Payment method" in plain
    assert "見つかりません" in call(ours, EXCHANGE, {**arguments, "order_id": "#W0"}).content


def test_an_exchange_keeps_its_pairs(
    fresh: Callable[[str], Any], tasks: dict[str, Any], switch: Callable[[str], None]
) -> None:
    switch("+retail-exchange-keeps-pairs")
    arguments = _call_of(tasks["58"], EXCHANGE)
    pairs = list(zip(arguments["item_ids"], arguments["new_item_ids"], strict=True))
    upstream, ours = both(fresh)
    found = {}
    for name, env, turned in (
        ("upstream", upstream, arguments),
        ("ours", ours, arguments),
        ("ours reversed", fresh("ja_retail"), _reversed(arguments)),
    ):
        changed = env.make_tool_call(EXCHANGE, **turned)
        found[name] = list(zip(changed.exchange_items, changed.exchange_new_items, strict=True))

    assert pairs == [("7441167885", "3815173328"), ("3478699712", "6017636844")]
    assert found["upstream"] == [("3478699712", "3815173328"), ("7441167885", "6017636844")]
    assert found["ours"] == found["ours reversed"] == sorted(pairs)


@pytest.mark.parametrize("is_on", [True, False])
def test_a_phone_without_network_shows_no_data_icon(
    is_on: bool, switch: Callable[[str], None]
) -> None:
    switch("+telecom-status-bar-data-icon")
    shown = {}
    for domain in ("telecom", "ja_telecom"):
        env = environment(domain)
        env.user_tools.unseat_sim_card()
        env.user_tools.device.data_enabled = is_on
        shown[domain] = str(call(env, "check_status_bar", {}, "user").content)
        if domain == "ja_telecom":
            assert env.jtau_records.misses == []

    assert "Data Disabled" in shown["telecom"]
    icons = [len(text.split(" | ")) for text in shown.values()]
    assert icons[1] == icons[0] - (1 if is_on else 0)


def test_a_phone_with_network_shows_what_it_shows(switch: Callable[[str], None]) -> None:
    before = call(environment("ja_telecom"), "check_status_bar", {}, "user").content
    switch("+telecom-status-bar-data-icon")

    assert call(environment("ja_telecom"), "check_status_bar", {}, "user").content == before


# --- gold still goes through ---

_TOUCHED = {
    "retail": {EXCHANGE},
    "airline": {"cancel_reservation"},
    "telecom": {"disconnect_vpn", "check_status_bar", "toggle_airplane_mode", "toggle_data"},
}


def _replay(env: Any, task: Any) -> tuple[list[str], list[bool]]:
    state = task.initial_state
    if state is not None:
        env.set_state(state.initialization_data, state.initialization_actions, [])
    said = []
    for action in task.evaluation_criteria.actions or []:
        try:
            env.make_tool_call(action.name, requestor=action.requestor, **action.arguments)
            env.sync_tools()
            said.append("")
        except ValueError as error:
            said.append(str(error))
    return said, [
        env.run_env_assertion(assertion, raise_assertion_error=False)
        for assertion in task.evaluation_criteria.env_assertions or []
    ]


@pytest.mark.slow
@pytest.mark.parametrize("domain", _TOUCHED)
def test_gold_goes_through_with_every_option(domain: str, switch: Callable[[str], None]) -> None:
    """Of the base tasks, those whose gold calls a patched tool."""
    found = []
    for setting in ("-tools", "+tools"):
        switch(setting)
        tasks = [
            task
            for task in registry().get_tasks_loader(f"ja_{domain}")("base")
            if {action.name for action in task.evaluation_criteria.actions or []} & _TOUCHED[domain]
        ]
        text = environment(domain).tools.db.model_dump_json()
        outcomes = {}
        for task in tasks:
            db = {} if domain != "retail" else {"db": RetailDB.model_validate_json(text)}
            env = registry().get_env_constructor(f"ja_{domain}")(**db)
            outcomes[task.id] = _replay(env, task)
        found.append(outcomes)

    assert len(found[0]) > 5
    assert found[0] == found[1]
    assert all(all(assertions) for _, assertions in found[0].values())
