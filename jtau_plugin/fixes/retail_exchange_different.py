"""An item is exchanged for another one: the same item as the new one is refused.

Upstream refuses it where a pending order is modified; its sentence from there is used here too.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from jtau_plugin.compat.calls import read_arguments
from jtau_plugin.compat.layout import module
from jtau_plugin.compat.scope import is_object_in_scope
from jtau_plugin.compat.sources import extract_templates
from jtau_plugin.fixes._vectors import check_in_both, differences, small_shop, written
from jtau_plugin.overlays.fingerprint import fingerprint_text

_TOOLS = "tau2.domains.retail.tools"
#: The sentence with which ``modify_pending_order_items`` refuses the same item.
_SENTENCE = "478cce414f441b49d73d1e2e50597a3d24bf05bfd5bb544808e086b7f20ba49d"


def make(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return the tool that refuses the same item, after everything that upstream refuses."""

    def exchange_delivered_order_items(self: Any, *args: Any, **kwargs: Any) -> Any:
        given: dict[str, Any] = {}
        if is_object_in_scope(self):
            given = read_arguments(original, self, *args, **kwargs)
        if not _has_same_item(given):
            return original(self, *args, **kwargs)
        _try_on_copy(self.db.orders, given["order_id"], lambda: original(self, *args, **kwargs))
        raise ValueError(_sentence())

    return exchange_delivered_order_items


def _has_same_item(given: dict[str, Any]) -> bool:
    old_ids, new_ids = given.get("item_ids"), given.get("new_item_ids")
    if not (isinstance(old_ids, list) and isinstance(new_ids, list)):
        return False
    return any(old == new for old, new in zip(old_ids, new_ids, strict=False))


def _try_on_copy(orders: dict[str, Any], order_id: Any, call: Callable[[], Any]) -> None:
    """Make a call that changes the fields of one order, and leave the order as it was."""
    order = orders.get(order_id) if isinstance(order_id, str) else None
    if order is None:
        call()
        return
    orders[order_id] = order.model_copy()
    try:
        call()
    finally:
        orders[order_id] = order


@cache
def _sentence() -> str:
    source = inspect.getsource(module(_TOOLS))
    found = [t.text for t in extract_templates(source) if fingerprint_text(t.text) == _SENTENCE]
    if not found:
        raise LookupError(f"{_TOOLS} has no sentence with the fingerprint {_SENTENCE}")
    return found[0]


def check() -> list[str]:
    """Return what is wrong when an item is exchanged for itself, and for another one."""
    return check_in_both(_check)


def _check(locale: str) -> Iterator[str]:
    for new_id, expected in (("1", "delivered"), ("3", "exchange requested")):
        shop = small_shop(locale, status="delivered")
        said = ""
        try:
            shop.exchange_delivered_order_items(
                order_id=written("#W1", locale),
                item_ids=[written("1", locale)],
                new_item_ids=[written(new_id, locale)],
                payment_method_id=written("paypal_1", locale),
            )
        except ValueError as error:
            said = str(error)
        found = {"status": shop.db.orders["#W1"].status, "refusal": said}
        refusal = _sentence() if new_id == "1" else ""
        yield from differences({"status": expected, "refusal": refusal}, found)
