"""An exchange is stored pair by pair: which item becomes which can be told from the order.

Upstream sorts the two lists apart, so exchanges that differ only in the pairing look the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from jtau_plugin.compat.calls import read_arguments
from jtau_plugin.compat.scope import is_object_in_scope
from jtau_plugin.fixes._vectors import check_in_both, differences, small_shop, written


def make(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return the tool that sorts the pairs, not the two lists."""

    def exchange_delivered_order_items(self: Any, *args: Any, **kwargs: Any) -> Any:
        order = original(self, *args, **kwargs)
        if is_object_in_scope(self):
            given = read_arguments(original, self, *args, **kwargs)
            pairs = sorted(zip(given["item_ids"], given["new_item_ids"], strict=True))
            order.exchange_items = [old for old, _ in pairs]
            order.exchange_new_items = [new for _, new in pairs]
        return order

    return exchange_delivered_order_items


def check() -> list[str]:
    """Return what is wrong when two items are exchanged, in either order of the call."""
    return check_in_both(_check)


def _check(locale: str) -> Iterator[str]:
    for pairs in ([("1", "4"), ("2", "3")], [("2", "3"), ("1", "4")]):
        shop = small_shop(locale, status="delivered")
        order = shop.exchange_delivered_order_items(
            order_id=written("#W1", locale),
            item_ids=[written(old, locale) for old, _ in pairs],
            new_item_ids=[written(new, locale) for _, new in pairs],
            payment_method_id=written("paypal_1", locale),
        )
        expected = {
            "items": ["1", "2"],
            "new items": ["4", "3"],
            "difference": 5.3,
            "status": "exchange requested",
        }
        found = {
            "items": order.exchange_items,
            "new items": order.exchange_new_items,
            "difference": order.exchange_price_difference,
            "status": order.status,
        }
        yield from differences(expected, found)
