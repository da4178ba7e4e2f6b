"""The embedded agent's knowledge of retail: owner of a case, items, payment methods, amounts.

Computes from task and canonical database; the words come from the overlay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from jtau_plugin.oracle.guide import Guide, Values, replace_argument
from jtau_plugin.oracle.moves import Move

_BY_EMAIL = "find_user_id_by_email"
_BY_NAME = "find_user_id_by_name_zip"
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_EXCHANGES = ("exchange_delivered_order_items", "modify_pending_order_items")


class RetailGuide(Guide):
    """What to say and look up in retail."""

    identify_tools = frozenset({_BY_EMAIL, _BY_NAME})

    def owner(self, database: Any, moves: list[Move], text: str) -> Any:
        """Return the user whose id or order gold names, or whom the scenario describes."""
        for move in moves:
            user_id = move.arguments.get("user_id")
            order = database.orders.get(move.arguments.get("order_id"))
            user = database.users.get(user_id or (order.user_id if order is not None else None))
            if user is not None:
                return user
        return next((u for u in database.users.values() if _is_described(u, text)), None)

    def owner_name(self, owner: Any) -> str:
        """Return given and family name."""
        return f"{owner.name.first_name} {owner.name.last_name}"

    def look_ups(self, owner: Any, text: str) -> list[Move]:
        """Return look-ups by what the caller says: e-mail, else name and zip code.

        An e-mail address that is not the registered one is tried all the same, as an agent would.
        """
        by_name = Move(
            _BY_NAME,
            {
                "first_name": owner.name.first_name,
                "last_name": owner.name.last_name,
                "zip": owner.address.zip,
            },
        )
        emails = _EMAIL.findall(text)
        if not emails:
            return [by_name]
        by_email = [Move(_BY_EMAIL, {"email": email}) for email in emails]
        known = [i for i, email in enumerate(emails) if email.lower() == owner.email.lower()]
        return by_email[: known[0] + 1] if known else [*by_email, by_name]

    def details(self, database: Any, move: Move) -> Values:
        """Return what a write does, in words and amounts."""
        arguments = move.arguments
        values = super().details(database, move)
        if "address1" in arguments:
            values["address"] = self._address(arguments)
        order = database.orders[arguments["order_id"]] if "order_id" in arguments else None
        if order is None:
            return values
        user = database.users[order.user_id]
        if "payment_method_id" in arguments:
            values["payment"] = self._payment(user, arguments["payment_method_id"])
        if move.tool == "cancel_pending_order":
            values |= self._cancellation(user, order, move)
        elif move.tool in _EXCHANGES:
            values |= self._exchange(database, order, arguments)
        elif move.tool == "return_delivered_order_items":
            items = _pick(order.items, arguments["item_ids"])
            values["items"] = [self._item(item) for item in items]
            values["amount"] = _money(sum(item.price for item in items))
        else:
            values["amount"] = _money(order.payment_history[0].amount)
        return values

    def variations(self, database: Any, move: Move) -> Iterator[tuple[str, str, Move]]:
        """Yield calls with one fault: another reason, a neighbouring item, another payment."""
        yield from super().variations(database, move)
        order = database.orders.get(move.arguments.get("order_id"))
        if order is None:
            return
        for index, new in enumerate(move.arguments.get("new_item_ids", ())):
            for neighbour in _neighbours(database, new):
                items = list(move.arguments["new_item_ids"])
                items[index] = neighbour
                changed = replace_argument(move, "new_item_ids", items)
                yield "other_item", f"new_item_ids[{index}]", changed
        if "payment_method_id" in move.arguments:
            for method in database.users[order.user_id].payment_methods:
                if method != move.arguments["payment_method_id"]:
                    changed = replace_argument(move, "payment_method_id", method)
                    yield "other_payment", "payment_method_id", changed

    def _cancellation(self, user: Any, order: Any, move: Move) -> Values:
        payments = [p for p in order.payment_history if p.transaction_type == "payment"]
        methods = dict.fromkeys(p.payment_method_id for p in payments)
        return {
            "items": [self._item(item) for item in order.items],
            "reason": self.show(move.tool, move.requestor, "reason", move.arguments["reason"]),
            "amount": _money(sum(p.amount for p in payments)),
            "payment": self._join(self._payment(user, method) for method in methods),
        }

    def _exchange(self, database: Any, order: Any, arguments: Mapping[str, Any]) -> Values:
        old = _pick(order.items, arguments["item_ids"])
        new = [
            database.products[item.product_id].variants[item_id]
            for item, item_id in zip(old, arguments["new_item_ids"], strict=True)
        ]
        difference = round(sum(n.price for n in new) - sum(o.price for o in old), 2)
        name = "difference_none"
        if difference:
            name = "difference_pay" if difference > 0 else "difference_refund"
        return {
            "changes": [self._change(o, n) for o, n in zip(old, new, strict=True)],
            "difference": self.book.word(name, {"amount": _money(abs(difference))}),
        }

    def _join(self, parts: Iterable[str]) -> str:
        return self.book.domain.words.get("separator", ", ").join(parts)

    def _name(self, name: str) -> str:
        return self.catalog.tables["product"].localize(name)

    def _option(self, key: str, value: str) -> tuple[str, str]:
        table = self.catalog.tables.get(f"option/{key}")
        shown = table.localize(value) if table is not None else value
        return self.catalog.tables["option_name"].localize(key), shown

    def _item(self, item: Any) -> str:
        options = [
            self.book.word("option", {"option": name, "value": value})
            for name, value in (self._option(k, v) for k, v in item.options.items())
        ]
        values = {"name": self._name(item.name), "options": self._join(options)}
        return self.book.word("item", values)

    def _change(self, old: Any, new: Any) -> str:
        name = self._name(old.name)
        changes = []
        for key, value in new.options.items():
            before = old.options.get(key)
            if before == value:
                continue
            option, after = self._option(key, value)
            shown = self._option(key, before)[1] if before is not None else ""
            values = {"option": option, "old": shown, "new": after}
            changes.append(self.book.word("option_change", values))
        if not changes:
            return self.book.word("item_same", {"name": name})
        return self.book.word("item_change", {"name": name, "options": self._join(changes)})

    def _payment(self, user: Any, method_id: str) -> str:
        method = user.payment_methods[method_id]
        shown = self.catalog.tables["payment_source"].localize(method.source)
        if method.source != "credit_card":
            return shown
        values = {
            "source": shown,
            "brand": self.book.domain.words.get(f"brand_{method.brand}", method.brand),
            "last_four": method.last_four,
        }
        return self.book.word("credit_card", values)

    def _address(self, arguments: Mapping[str, Any]) -> str:
        street = ", ".join(filter(None, (arguments["address1"], arguments["address2"])))
        return self.book.word("address", {**arguments, "street": street})


def _is_described(user: Any, text: str) -> bool:
    if user.user_id in text or user.email.lower() in text.lower():
        return True
    full_name = f"{user.name.first_name} {user.name.last_name}"
    return full_name in text and user.address.zip in text


def _money(amount: float) -> str:
    return f"{amount:,.2f}"


def _pick(items: Sequence[Any], item_ids: Sequence[str]) -> list[Any]:
    """Return the order's items with these ids, each copy once.

    Raises:
        LookupError: the order does not hold them.
    """
    rest = list(items)
    picked = []
    for item_id in item_ids:
        item = next((i for i in rest if i.item_id == item_id), None)
        if item is None:
            raise LookupError(item_id)
        rest.remove(item)
        picked.append(item)
    return picked


def _neighbours(database: Any, item_id: str) -> list[str]:
    """Return the other variants of the same product that can be had."""
    for product in database.products.values():
        if item_id in product.variants:
            return [i for i, v in product.variants.items() if v.available and i != item_id]
    return []
