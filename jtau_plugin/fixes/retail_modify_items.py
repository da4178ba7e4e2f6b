"""Each modified item gets the price and the options of its own new variant, whatever the order.

Upstream gives all of them the last variant's, and keeps the price difference unrounded.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from jtau_plugin.compat.calls import read_arguments
from jtau_plugin.compat.scope import is_object_in_scope
from jtau_plugin.fixes._vectors import check_in_both, differences, small_shop, written


def make(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return the tool that looks each item's variant up itself.

    Upstream's own code judges the call and computes the payment, on a copy of the order: it refuses
    what it always refuses, in its own words.
    """

    def modify_pending_order_items(self: Any, *args: Any, **kwargs: Any) -> Any:
        def call() -> Any:
            return original(self, *args, **kwargs)

        given = read_arguments(original, self, *args, **kwargs) if is_object_in_scope(self) else {}
        order = _get(self.db.orders, given.get("order_id"))
        if order is None:
            return call()
        card = _gift_card(self.db, order, given["payment_method_id"])
        payment, status = _try_on_copy(self.db.orders, given["order_id"], card, call)
        signed = payment.amount if payment.transaction_type == "payment" else -payment.amount
        difference = round(signed, 2)
        if card is not None and card.balance < difference:
            return call()
        if card is not None:
            card.balance = round(card.balance - difference, 2)
        kind = "payment" if difference > 0 else "refund"
        row = {"transaction_type": kind, "amount": abs(difference)}
        order.payment_history.append(payment.model_copy(update=row))
        _exchange(self.db, order, zip(given["item_ids"], given["new_item_ids"], strict=True))
        order.status = status
        return order

    return modify_pending_order_items


def _get(table: dict[str, Any], key: Any) -> Any:
    return table.get(key) if isinstance(key, str) else None


def _gift_card(db: Any, order: Any, method_id: Any) -> Any:
    """Return the gift card of this id, or ``None`` for any other method and for none."""
    user = db.users.get(order.user_id)
    method = None if user is None else _get(user.payment_methods, method_id)
    return method if method is not None and method.source == "gift_card" else None


def _try_on_copy(
    orders: dict[str, Any], order_id: str, card: Any, call: Callable[[], Any]
) -> tuple[Any, str]:
    """Make a call that leaves order and gift card as they are.

    Returns:
        The payment that it adds to the order, and the status that the order would have.
    """
    order, balance = orders[order_id], None if card is None else card.balance
    copy = orders[order_id] = order.model_copy(deep=True)
    if card is not None:
        card.balance = math.inf  # upstream compares it with a sum that is not rounded
    try:
        call()
    finally:
        orders[order_id] = order
        if card is not None:
            card.balance = balance
    return copy.payment_history[-1], copy.status


def _exchange(db: Any, order: Any, pairs: Iterator[tuple[str, str]]) -> None:
    items: defaultdict[str, list[Any]] = defaultdict(list)
    for item in order.items:
        items[item.item_id].append(item)
    # Sorted: which of two equal items gets which variant must not depend on the call's order.
    for old_id, new_id in sorted(pairs):
        item = items[old_id].pop(0)
        variant = db.products[item.product_id].variants[new_id]
        item.item_id = new_id
        item.price = variant.price
        item.options = dict(variant.options)


def check() -> list[str]:
    """Return what is wrong when two items are modified, in either order of the call."""
    return check_in_both(_check)


def _check(locale: str) -> Iterator[str]:
    for pairs in ([("1", "3"), ("2", "4")], [("2", "4"), ("1", "3")]):
        shop = small_shop(locale, status="pending")
        order = shop.modify_pending_order_items(
            order_id=written("#W1", locale),
            item_ids=[written(old, locale) for old, _ in pairs],
            new_item_ids=[written(new, locale) for _, new in pairs],
            payment_method_id=written("gift_card_1", locale),
        )
        expected = {
            "items": [("3", 5.3, {"size": "3"}), ("4", 30.3, {"size": "4"})],
            "payment": ("payment", 5.3, "gift_card_1"),
            "balance": 94.7,
        }
        payment = order.payment_history[-1]
        found = {
            "items": [(item.item_id, item.price, item.options) for item in order.items],
            "payment": (payment.transaction_type, payment.amount, payment.payment_method_id),
            "balance": shop.db.users["ann_1"].payment_methods["gift_card_1"].balance,
        }
        yield from differences(expected, found)
