"""What the self-checks of the tool patches share: tiny worlds, and ids as agents write them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from jtau_plugin.compat.layout import module
from jtau_plugin.normalization.rules import get_rules

#: Both arms are checked: the control arm writes canonical values, the Japanese one full-width ids.
LOCALES = ("en", "ja")
_WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}


def written(value: str, locale: str) -> str:
    """Return an id as an agent of the locale may write it, after its rule for ids has read it."""
    return get_rules(locale).ascii(value.translate(_WIDE) if locale == "ja" else value)


def differences(expected: dict[str, Any], found: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence for each value that is not the expected one."""
    for name, value in expected.items():
        if found[name] != value:
            yield f"{name} is {found[name]!r}, expected {value!r}"


def check_in_both(check: Callable[[str], Iterator[str]]) -> list[str]:
    """Return what a check finds in each arm, with the arm's locale in front."""
    return [f"{locale}: {what}" for locale in LOCALES for what in check(locale)]


def toolkit_of_ours(path: str, name: str, db: Any, locale: str, domain: str) -> Any:
    """Return a toolkit of tau2's as it is in a domain of ours.

    Args:
        path: tau2's module.
        name: the toolkit's class.
        db: its database.
        locale: the domain's locale.
        domain: tau2's name of the domain.
    """
    toolkit = getattr(module(path), name)(db)
    toolkit.jtau_domain = f"{locale}_{domain}"
    return toolkit


#: Prices of the variants of the one product. What 3 and 4 cost more than 1 and 2 is 5.3, as floats
#: 5.300000000000002.
PRICES = {"1": 10.1, "2": 20.2, "3": 5.3, "4": 30.3}
_METHODS = {
    "gift_card_1": {"source": "gift_card", "id": "gift_card_1", "balance": 100.0},
    "paypal_1": {"source": "paypal", "id": "paypal_1"},
}
_ADDRESS = {
    "address1": "1 Elm",
    "address2": "",
    "city": "Reno",
    "country": "USA",
    "state": "NV",
    "zip": "89501",
}


def small_shop(locale: str, *, status: str, items: tuple[str, ...] = ("1", "2")) -> Any:
    """Return a retail toolkit with one order ``#W1`` of 30.3, paid with PayPal.

    Args:
        locale: whose domain it is.
        status: the order's.
        items: the order's variants of the one product.
    """
    variants = {
        key: {"item_id": key, "options": {"size": key}, "available": True, "price": price}
        for key, price in PRICES.items()
    }
    bought = [
        {"name": "Mug", "product_id": "9", "item_id": key}
        | {"price": PRICES[key], "options": {"size": key}}
        for key in items
    ]
    payment = {"transaction_type": "payment", "amount": 30.3, "payment_method_id": "paypal_1"}
    order = {
        "order_id": "#W1",
        "user_id": "ann_1",
        "address": _ADDRESS,
        "items": bought,
        "status": status,
        "fulfillments": [],
        "payment_history": [payment],
    }
    user = {
        "user_id": "ann_1",
        "name": {"first_name": "Ann", "last_name": "Lee"},
        "address": _ADDRESS,
        "email": "ann@example.com",
        "payment_methods": _METHODS,
        "orders": ["#W1"],
    }
    db = module("tau2.domains.retail.data_model").RetailDB.model_validate(
        {
            "products": {"9": {"name": "Mug", "product_id": "9", "variants": variants}},
            "users": {"ann_1": user},
            "orders": {"#W1": order},
        }
    )
    return toolkit_of_ours("tau2.domains.retail.tools", "RetailTools", db, locale, "retail")
