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
ITEMS = {"11": (10.0, "red"), "12": (12.0, "blue"), "21": (5.0, "red")}
ITEMS |= {"22": (4.0, "green")}


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


@pytest.fixture
def tools() -> RetailTools:
    order_items = [
        {
            "name": name,
            "product_id": product_id,
            "item_id": item_id,
            "price": ITEMS[item_id][0],
            "options": {"color": ITEMS[item_id][1]},
        }
        for name, product_id, item_id in (("lamp", "1", "11"), ("mug", "2", "21"))
    ]
    db = {
        "products": {
            "1": product("1", "lamp", ["11", "12"]),
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


@pytest.mark.parametrize("pairs", list(permutations([("11", "12"), ("21", "22")])))
def test_each_item_gets_its_own_variant(tools: RetailTools, pairs):
    old, new = zip(*pairs)
    order = tools.modify_pending_order_items("#W1", list(old), list(new), "gift_card_1")
    for item, item_id in zip(order.items, ("12", "22")):
        assert item.item_id == item_id
        assert (item.price, item.options["color"]) == ITEMS[item_id]
