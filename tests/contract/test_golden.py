"""A handful of results as a model reads them, kept as golden files."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .golden import check_golden
from .shop import PROVOCATIONS, Shop
from .support import call, is_main

_READS: dict[str, tuple[str, dict[str, Any]]] = {
    "order": ("get_order_details", {"order_id": "#W2378156"}),
    "user": ("get_user_details", {"user_id": "yusuf_rossi_9620"}),
    "product": ("get_product_details", {"product_id": "9523456873"}),
    "list": ("list_all_product_types", {}),
    "item": ("get_item_details", {"item_id": "9612497925"}),
    "user id": ("find_user_id_by_email", {"email": "yusuf.rossi7301@example.com"}),
    "calculation": ("calculate", {"expression": "（１２．５＋３）×２"}),
    "transfer": ("transfer_to_human_agents", {"summary": "返金についてのお問い合わせ"}),
}


def test_results_are_as_they_were_read(reading: Any) -> None:
    rendered = {}
    for name, (tool, arguments) in _READS.items():
        if name == "item" and not is_main():
            continue
        content = call(reading, tool, arguments).content
        rendered[name] = json.loads(content) if content.startswith("{") else content

    check_golden("retail_results.json", rendered, frozenset({"item"}))


def test_orders_after_each_write_are_as_they_were_read(fresh: Callable[[str], Any]) -> None:
    writes: dict[str, Callable[[Shop], tuple[str, dict[str, Any]]]] = {
        "cancelled": lambda s: (
            "cancel_pending_order",
            {"order_id": s.order("pending").order_id, "reason": "不要になった"},
        ),
        "modified": lambda s: ("modify_pending_order_items", s.exchange("pending")),
        "exchanged": lambda s: ("exchange_delivered_order_items", s.exchange("delivered")),
        "returned": lambda s: (
            "return_delivered_order_items",
            {k: v for k, v in s.exchange("delivered").items() if k != "new_item_ids"},
        ),
    }
    rendered = {}
    for name, write in writes.items():
        env = fresh("ja_retail")
        shop = Shop(env.tools.db)
        for status in ("pending", "delivered"):
            shop.set_gift_card(shop.order(status), 1e6)
        answer = call(env, *write(shop))
        assert not answer.error, answer.content
        rendered[name] = json.loads(answer.content)

    check_golden("retail_writes.json", rendered)


def test_errors_are_as_they_were_read(fresh: Callable[[str], Any]) -> None:
    rendered = {}
    for name, provoke in PROVOCATIONS.items():
        env = fresh("ja_retail")
        rendered[name] = call(env, *provoke(Shop(env.tools.db))).content
    calls = {
        "unknown tool": ("refund_order", {}),
        "missing argument": ("get_order_details", {}),
        "missing arguments": ("find_user_id_by_name_zip", {"first_name": "ユスフ"}),
        "unknown argument": ("get_order_details", {"order_id": "#W0", "注文": 1}),
        "division by zero": ("calculate", {"expression": "1/0"}),
        "broken expression": ("calculate", {"expression": "(1"}),
    }
    env = fresh("ja_retail")
    rendered |= {name: call(env, *one).content for name, one in calls.items()}

    check_golden("retail_errors.json", rendered, frozenset({"item not found"}))
