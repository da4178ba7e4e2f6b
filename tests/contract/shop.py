"""Finds, in a retail database, the orders and users that provoke each sentence of the tools."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from .support import is_main

Call = tuple[str, dict[str, Any]]


class Shop:
    """Looks things up in one environment's database and may rearrange it."""

    def __init__(self, db: Any) -> None:
        self.db = db

    def order(self, status: str) -> Any:
        """The first order with this status, one item or more, whose user has a gift card."""
        return next(
            order
            for order in self.db.orders.values()
            if order.status == status and self.gift_card_of(order) and self._has_choice(order)
        )

    def _has_choice(self, order: Any) -> bool:
        return self.variant(order, available=True) is not None and (
            self.variant(order, available=False) is not None
        )

    def gift_card_of(self, order: Any) -> str | None:
        methods = self.db.users[order.user_id].payment_methods
        cards = [name for name, m in methods.items() if m.source == "gift_card"]
        return cards[0] if cards else None

    def variant(self, order: Any, *, available: bool) -> str | None:
        """Another variant of the order's first item."""
        item = order.items[0]
        variants = self.db.products[item.product_id].variants.values()
        found = [
            v.item_id for v in variants if v.available is available and v.item_id != item.item_id
        ]
        return found[0] if found else None

    def set_gift_card(self, order: Any, balance: float) -> str:
        """Set the balance of the gift card of the order's user; return the card's id."""
        card = self.gift_card_of(order)
        assert card is not None
        self.db.users[order.user_id].payment_methods[card].balance = balance
        return card

    def exchange(self, status: str, **changes: Any) -> dict[str, Any]:
        """The arguments of a valid exchange or modification of an order's first item."""
        order = self.order(status)
        return {
            "order_id": order.order_id,
            "item_ids": [order.items[0].item_id],
            "new_item_ids": [self.variant(order, available=True)],
            "payment_method_id": order.payment_history[0].payment_method_id,
            **changes,
        }


class _ForgetfulItems(list[Any]):
    """A list of items that is empty from the second look on.

    The tools count the items before they look for them, so that "Item … not found" can only be
    reached when the database changes in between.
    """

    def __init__(self, items: list[Any], looks: int) -> None:
        super().__init__(items)
        self._looks = looks

    def __iter__(self) -> Any:
        self._looks -= 1
        return super().__iter__() if self._looks >= 0 else iter(())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """Return a list that forgets as soon as this one; copying is no look."""
        items = [deepcopy(item, memo) for item in super().__iter__()]
        return type(self)(items, self._looks)


def _forget(shop: Shop, status: str, looks: int) -> dict[str, Any]:
    arguments = shop.exchange(status)
    order = shop.db.orders[arguments["order_id"]]
    shop.set_gift_card(order, 1e6)
    order.items = _ForgetfulItems(order.items, looks)
    return arguments


def _poor(shop: Shop, status: str) -> dict[str, Any]:
    return shop.exchange(status, payment_method_id=shop.set_gift_card(shop.order(status), -1e6))


def _payment(shop: Shop, **changes: Any) -> dict[str, Any]:
    order = shop.order("pending")
    return {"order_id": order.order_id, "payment_method_id": shop.gift_card_of(order), **changes}


def _two_payments(shop: Shop) -> dict[str, Any]:
    order = shop.order("pending")
    order.payment_history.append(order.payment_history[0])
    return _payment(shop)


def _poor_payment(shop: Shop) -> dict[str, Any]:
    order = shop.order("pending")
    other = next(m for m in shop.db.users[order.user_id].payment_methods)
    order.payment_history[0].payment_method_id = f"not_{other}"
    return _payment(shop, payment_method_id=shop.set_gift_card(order, -1e6))


def _address(shop: Shop, status: str) -> dict[str, Any]:
    line = {"address1": "1 Main St", "address2": "", "city": "Chicago"}
    rest = {"state": "IL", "country": "USA", "zip": "60601"}
    return {"order_id": shop.order(status).order_id, **line, **rest}


def _return(shop: Shop, status: str, **changes: Any) -> dict[str, Any]:
    arguments = shop.exchange(status, **changes)
    del arguments["new_item_ids"]
    return arguments


def _foreign_payment(shop: Shop) -> dict[str, Any]:
    order = shop.order("delivered")
    user = shop.db.users[order.user_id]
    order.payment_history[0].payment_method_id = "credit_card_0000000"
    method = next((n for n, m in user.payment_methods.items() if m.source != "gift_card"), None)
    if method is None:
        card = next(iter(user.payment_methods.values()))
        method = "paypal_0000000"
        user.payment_methods[method] = card.model_copy(update={"source": "paypal"})
        user.payment_methods[method].__class__ = _paypal_class(shop.db)
    return _return(shop, "delivered", payment_method_id=method)


def _paypal_class(db: Any) -> type:
    methods = (m for user in db.users.values() for m in user.payment_methods.values())
    return next(type(m) for m in methods if m.source == "paypal")


def _cancel(shop: Shop, status: str, reason: str) -> Call:
    return "cancel_pending_order", {"order_id": shop.order(status).order_id, "reason": reason}


EXCHANGE, MODIFY = "exchange_delivered_order_items", "modify_pending_order_items"
PAYMENT, RETURN = "modify_pending_order_payment", "return_delivered_order_items"
ADDRESS, BY_NAME = "modify_pending_order_address", "find_user_id_by_name_zip"
_NOBODY = {"first_name": "No", "last_name": "Body", "zip": "00000"}

#: One provocation for each place in the tools that raises or returns a sentence.
PROVOCATIONS: dict[str, Callable[[Shop], Call]] = {
    "order not found": lambda s: ("get_order_details", {"order_id": "#W0"}),
    "user not found": lambda s: ("get_user_details", {"user_id": "no_body_0000"}),
    "user not found by name": lambda s: (BY_NAME, dict(_NOBODY)),
    "user not found by email": lambda s: ("find_user_id_by_email", {"email": "x@example.com"}),
    "product not found": lambda s: ("get_product_details", {"product_id": "0"}),
    "variant not found": lambda s: (EXCHANGE, s.exchange("delivered", new_item_ids=["0"])),
    "method not found": lambda s: (
        EXCHANGE,
        s.exchange("delivered", payment_method_id="paypal_0"),
    ),
    "calculate": lambda s: ("calculate", {"expression": "2 + x"}),
    "cancel delivered": lambda s: _cancel(s, "delivered", "no longer needed"),
    "cancel without reason": lambda s: _cancel(s, "pending", "because"),
    "exchange pending": lambda s: (EXCHANGE, s.exchange("pending")),
    "exchange unknown": lambda s: (EXCHANGE, s.exchange("delivered", item_ids=["1"])),
    "exchange numbers": lambda s: (EXCHANGE, s.exchange("delivered", new_item_ids=[])),
    "exchange forgotten": lambda s: (EXCHANGE, _forget(s, "delivered", 1)),
    "exchange unavailable": lambda s: (
        EXCHANGE,
        s.exchange("delivered", new_item_ids=[s.variant(s.order("delivered"), available=False)]),
    ),
    "exchange poor": lambda s: (EXCHANGE, _poor(s, "delivered")),
    "address delivered": lambda s: (ADDRESS, _address(s, "delivered")),
    "modify delivered": lambda s: (MODIFY, s.exchange("delivered")),
    "modify unknown": lambda s: (MODIFY, s.exchange("pending", item_ids=["1"])),
    "modify numbers": lambda s: (MODIFY, s.exchange("pending", new_item_ids=[])),
    "modify same": lambda s: (
        MODIFY,
        s.exchange("pending", new_item_ids=[s.order("pending").items[0].item_id]),
    ),
    "modify forgotten": lambda s: (MODIFY, _forget(s, "pending", 1)),
    "modify forgotten late": lambda s: (MODIFY, _forget(s, "pending", 2)),
    "modify unavailable": lambda s: (
        MODIFY,
        s.exchange("pending", new_item_ids=[s.variant(s.order("pending"), available=False)]),
    ),
    "modify poor": lambda s: (MODIFY, _poor(s, "pending")),
    "payment delivered": lambda s: (
        PAYMENT,
        _payment(s, order_id=s.order("delivered").order_id),
    ),
    "two payments": lambda s: (PAYMENT, _two_payments(s)),
    "same payment": lambda s: (
        PAYMENT,
        _payment(s, payment_method_id=s.order("pending").payment_history[0].payment_method_id),
    ),
    "poor payment": lambda s: (PAYMENT, _poor_payment(s)),
    "return pending": lambda s: (RETURN, _return(s, "pending")),
    "return elsewhere": lambda s: (RETURN, _foreign_payment(s)),
    "return unknown": lambda s: (RETURN, _return(s, "delivered", item_ids=["1"])),
    **({"item not found": lambda s: ("get_item_details", {"item_id": "0"})} if is_main() else {}),
    "transfer": lambda s: ("transfer_to_human_agents", {"summary": "要約"}),
}
