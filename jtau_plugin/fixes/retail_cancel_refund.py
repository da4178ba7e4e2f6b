"""A cancelled order refunds what is still paid with each method, once.

Upstream refunds every row of the payment history, rows that are refunds already included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from jtau_plugin.compat.calls import read_arguments
from jtau_plugin.compat.layout import module
from jtau_plugin.compat.scope import is_object_in_scope
from jtau_plugin.fixes._vectors import check_in_both, differences, small_shop, written

_REFUND = "refund"


def make(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return the tool that refunds the net of each payment method."""

    def cancel_pending_order(self: Any, *args: Any, **kwargs: Any) -> Any:
        order = None
        if is_object_in_scope(self):
            order = _find_order(self.db, read_arguments(original, self, *args, **kwargs))
        if order is None or all(row.transaction_type != _REFUND for row in order.payment_history):
            return original(self, *args, **kwargs)
        history = order.payment_history
        paid = _paid_by_method(history)
        # Upstream's own code refunds these rows, and with them each method exactly what it paid.
        order.payment_history = list(paid)
        try:
            return original(self, *args, **kwargs)
        finally:
            order.payment_history = history + order.payment_history[len(paid) :]

    return cancel_pending_order


def _find_order(db: Any, given: dict[str, Any]) -> Any:
    order_id = given.get("order_id")
    return db.orders.get(order_id) if isinstance(order_id, str) else None


def _paid_by_method(history: list[Any]) -> list[Any]:
    """Return a payment for each method with what it has paid and was not refunded."""
    net: dict[str, float] = {}
    for row in history:
        sign = -1 if row.transaction_type == _REFUND else 1
        net[row.payment_method_id] = net.get(row.payment_method_id, 0.0) + sign * row.amount
    payment = module("tau2.domains.retail.data_model").OrderPayment
    rounded = {method: round(amount, 2) for method, amount in net.items()}
    return [
        payment(transaction_type="payment", amount=amount, payment_method_id=method)
        for method, amount in rounded.items()
        if amount > 0
    ]


def check() -> list[str]:
    """Return what is wrong when an order is cancelled after another method has paid it."""
    return check_in_both(_check)


def _check(locale: str) -> Iterator[str]:
    shop = small_shop(locale, status="pending")
    order_id = written("#W1", locale)
    shop.modify_pending_order_payment(
        order_id=order_id, payment_method_id=written("gift_card_1", locale)
    )
    order = shop.cancel_pending_order(order_id=order_id, reason="no longer needed")
    expected = {
        "history": [
            ("payment", 30.3, "paypal_1"),
            ("payment", 30.3, "gift_card_1"),
            ("refund", 30.3, "paypal_1"),
            ("refund", 30.3, "gift_card_1"),
        ],
        "balance": 100.0,
        "status": "cancelled",
    }
    found = {
        "history": [
            (row.transaction_type, row.amount, row.payment_method_id)
            for row in order.payment_history
        ],
        "balance": shop.db.users["ann_1"].payment_methods["gift_card_1"].balance,
        "status": order.status,
    }
    yield from differences(expected, found)
