"""A reservation is cancelled once: cancelling it again changes nothing.

Upstream reverses every payment again, the refunds of the first time included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from jtau_plugin.compat.calls import read_arguments
from jtau_plugin.compat.layout import module
from jtau_plugin.compat.scope import is_object_in_scope
from jtau_plugin.fixes._vectors import check_in_both, differences, toolkit_of_ours, written

_CANCELLED = "cancelled"


def make(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return the tool that shows a cancelled reservation as it is."""

    def cancel_reservation(self: Any, *args: Any, **kwargs: Any) -> Any:
        reservation = None
        if is_object_in_scope(self):
            given = read_arguments(original, self, *args, **kwargs).get("reservation_id")
            reservation = self.db.reservations.get(given) if isinstance(given, str) else None
        if reservation is not None and reservation.status == _CANCELLED:
            return reservation
        return original(self, *args, **kwargs)

    return cancel_reservation


def check() -> list[str]:
    """Return what is wrong when a reservation is cancelled twice."""
    return check_in_both(_check)


def _check(locale: str) -> Iterator[str]:
    data = module("tau2.domains.airline.data_model")
    reservation = {
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
    db = data.FlightDB(flights={}, users={}, reservations={"AAAAAA": reservation})
    tools = toolkit_of_ours("tau2.domains.airline.tools", "AirlineTools", db, locale, "airline")
    for _ in range(2):
        shown = tools.cancel_reservation(reservation_id=written("AAAAAA", locale))
        found = {
            "status": shown.status,
            "payments": [payment.amount for payment in shown.payment_history],
        }
        yield from differences({"status": _CANCELLED, "payments": [120, -120]}, found)
