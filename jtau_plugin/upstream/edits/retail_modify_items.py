"""Each item of a modified order gets its own new variant, whatever the order of the call."""

from __future__ import annotations

import ast

from jtau_plugin.upstream.syntax import (
    AlreadyThereError,
    Editor,
    assigns_attribute,
    calls,
    first_of,
    only,
    walk,
)

_ROUNDED = """
# The sum must not depend on the order of the items
diff_price = round(diff_price, 2)
"""
_EXCHANGE = """
# Find every item before any of them changes; sorted, so that of two equal items
# it is always the same one that gets the same variant
left = list(order.items)
changes = []
for item_id, new_item_id in sorted(zip(item_ids, new_item_ids)):
    item = next(item for item in left if item.item_id == item_id)
    left.remove(item)
    changes.append((item, self._get_variant(item.product_id, new_item_id)))
for item, variant in changes:
    item.item_id = variant.item_id
    item.price = variant.price
    item.options = variant.options
"""


def edit_tools(source: str) -> str:
    """Find items and variants before the exchange, and round the difference."""
    editor = Editor(source)
    function = editor.function("RetailTools.modify_pending_order_items")
    loops = [node for node in walk(function, ast.For) if not isinstance(node.target, ast.Name)]
    if any(isinstance(loop.iter, ast.Call) and calls(loop.iter, "sorted") for loop in loops):
        raise AlreadyThereError
    exchange = only(
        (
            loop
            for loop in loops
            if any(assigns_attribute(node, "item_id") for node in walk(loop, ast.Assign))
        ),
        "the loop that exchanges the items",
    )
    prices = first_of(
        (loop for loop in loops if any(True for _ in walk(loop, ast.AugAssign))),
        "the loop that adds the prices up",
    )
    editor.insert_after(prices, _ROUNDED)
    editor.replace_statements(exchange, exchange, _EXCHANGE)
    return editor.result()


EDITS = {"src/tau2/domains/retail/tools.py": edit_tools}
