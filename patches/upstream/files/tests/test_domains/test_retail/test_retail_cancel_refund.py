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


@pytest.fixture
def tools() -> RetailTools:
    cards = {
        name: {"source": "gift_card", "id": name, "balance": 100.0}
        for name in ("gift_card_1", "gift_card_2")
    }
    user = {
        "user_id": "ann_1",
        "name": {"first_name": "Ann", "last_name": "Lee"},
        "address": ADDRESS,
        "email": "ann@example.com",
        "payment_methods": cards,
        "orders": ["#W1"],
    }
    order = {
        "order_id": "#W1",
        "user_id": "ann_1",
        "address": ADDRESS,
        "items": [],
        "status": "pending",
        "fulfillments": [],
        "payment_history": [
            {
                "transaction_type": "payment",
                "amount": 30.0,
                "payment_method_id": "gift_card_1",
            }
        ],
    }
    db = {"products": {}, "users": {"ann_1": user}, "orders": {"#W1": order}}
    return RetailTools(RetailDB.model_validate(db))


def balances(tools: RetailTools) -> list[float]:
    methods = tools.db.users["ann_1"].payment_methods
    return [methods[name].balance for name in ("gift_card_1", "gift_card_2")]


def refunds(order) -> list[tuple[str, float]]:
    return [
        (entry.payment_method_id, entry.amount)
        for entry in order.payment_history
        if entry.transaction_type == "refund"
    ]


def test_a_payment_is_refunded(tools: RetailTools):
    order = tools.cancel_pending_order("#W1", "no longer needed")
    assert refunds(order) == [("gift_card_1", 30.0)]
    assert balances(tools) == [130.0, 100.0]


def test_what_is_refunded_already_is_not_refunded_again(tools: RetailTools):
    tools.modify_pending_order_payment("#W1", "gift_card_2")
    assert balances(tools) == [130.0, 70.0]
    order = tools.cancel_pending_order("#W1", "no longer needed")
    assert refunds(order) == [("gift_card_1", 30.0), ("gift_card_2", 30.0)]
    assert balances(tools) == [130.0, 100.0]
