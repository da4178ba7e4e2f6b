from itertools import permutations

import pytest

from tau2.domains.retail.data_model import RetailDB
from tau2.domains.retail.tools import RetailTools

ADDRESS = {
    "address1": "1 Main Street",
    "address2": "",
    "city": "Austin",
    "country": "USA",
    "state": "TX",
    "zip": "78701",
}
# price and colour by item id; the items 1x are lamps, the items 2x are mugs
ITEMS = {"11": (10.1, "red"), "12": (12.3, "blue"), "13": (11.0, "white")}
ITEMS |= {"21": (5.2, "red"), "22": (4.7, "green")}


def product(product_id: str, name: str, item_ids: list[str]) -> dict:
    variants = {
        item_id: {
            "item_id": item_id,
            "options": {"color": ITEMS[item_id][1]},
            "available": True,
            "price": ITEMS[item_id][0],
        }
        for item_id in item_ids
    }
    return {"name": name, "product_id": product_id, "variants": variants}


def shop(item_ids: list[str]) -> RetailTools:
    """A shop with one pending order of these items."""
    order_items = [
        {
            "name": "thing",
            "product_id": item_id[0],
            "item_id": item_id,
            "price": ITEMS[item_id][0],
            "options": {"color": ITEMS[item_id][1]},
        }
        for item_id in item_ids
    ]
    db = {
        "products": {
            "1": product("1", "lamp", ["11", "12", "13"]),
            "2": product("2", "mug", ["21", "22"]),
        },
        "users": {
            "ann_1": {
                "user_id": "ann_1",
                "name": {"first_name": "Ann", "last_name": "Lee"},
                "address": ADDRESS,
                "email": "ann@example.com",
                "payment_methods": {
                    "gift_card_1": {
                        "source": "gift_card",
                        "id": "gift_card_1",
                        "balance": 50.0,
                    }
                },
                "orders": ["#W1"],
            }
        },
        "orders": {
            "#W1": {
                "order_id": "#W1",
                "user_id": "ann_1",
                "address": ADDRESS,
                "items": order_items,
                "status": "pending",
                "fulfillments": [],
                "payment_history": [
                    {
                        "transaction_type": "payment",
                        "amount": 15.0,
                        "payment_method_id": "gift_card_1",
                    }
                ],
            }
        },
    }
    return RetailTools(RetailDB.model_validate(db))


def modified(item_ids: list[str], pairs: list[tuple[str, str]]) -> RetailTools:
    tools = shop(item_ids)
    old, new = zip(*pairs)
    tools.modify_pending_order_items("#W1", list(old), list(new), "gift_card_1")
    return tools


def items_of(tools: RetailTools) -> list[str]:
    """The items of the order, each with its own price and colour."""
    items = tools.db.orders["#W1"].items
    for item in items:
        assert (item.price, item.options["color"]) == ITEMS[item.item_id]
    return [item.item_id for item in items]


@pytest.mark.parametrize(
    ("ordered", "pairs", "expected"),
    [
        (["11", "21"], [("11", "12"), ("21", "22")], ["12", "22"]),
        (["11", "12"], [("11", "12"), ("12", "11")], ["12", "11"]),
        (["11", "11"], [("11", "12"), ("11", "13")], ["12", "13"]),
        (["11", "11", "21"], [("11", "12"), ("21", "22")], ["12", "11", "22"]),
    ],
)
def test_each_item_gets_its_own_variant(ordered, pairs, expected):
    for order in permutations(pairs):
        assert items_of(modified(ordered, list(order))) == expected


def test_the_order_of_the_items_does_not_matter():
    pairs = [("11", "12"), ("21", "22"), ("12", "13")]
    states = {
        modified(["11", "21", "12"], list(order)).get_db_hash()
        for order in permutations(pairs)
    }
    assert len(states) == 1
