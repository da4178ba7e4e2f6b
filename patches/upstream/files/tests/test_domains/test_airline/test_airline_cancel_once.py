from tau2.domains.airline.data_model import FlightDB
from tau2.domains.airline.tools import AirlineTools

RESERVATION = {
    "reservation_id": "AAAAAA",
    "user_id": "ann_1",
    "origin": "JFK",
    "destination": "SEA",
    "flight_type": "one_way",
    "cabin": "economy",
    "flights": [],
    "passengers": [],
    "payment_history": [{"payment_id": "credit_card_1", "amount": 120}],
    "created_at": "2024-05-01T00:00:00",
    "total_baggages": 0,
    "nonfree_baggages": 0,
    "insurance": "no",
}


def test_a_second_cancellation_changes_nothing():
    db = {"flights": {}, "users": {}, "reservations": {"AAAAAA": RESERVATION}}
    tools = AirlineTools(FlightDB.model_validate(db))
    for _ in range(2):
        reservation = tools.cancel_reservation("AAAAAA")
        assert reservation.status == "cancelled"
        amounts = [payment.amount for payment in reservation.payment_history]
        assert amounts == [120, -120]
