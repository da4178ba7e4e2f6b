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
                "status": "delivered",
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


def test_an_exchange_says_which_item_becomes_which():
    pairs = [("11", "13"), ("12", "11"), ("21", "22")]
    for given in (pairs, pairs[::-1]):
        old, new = zip(*given)
        tools = shop(["11", "12", "21"])
        order = tools.exchange_delivered_order_items(
            "#W1", list(old), list(new), "gift_card_1"
        )
        assert list(zip(order.exchange_items, order.exchange_new_items)) == pairs
