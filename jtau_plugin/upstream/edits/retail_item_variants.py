"""Each item of a modified order gets the price and the options of its own new variant."""

from __future__ import annotations

import ast

from jtau_plugin.upstream.syntax import (
    AlreadyThereError,
    Editor,
    assigns_attribute,
    calls,
    only,
    walk,
)


def edit_tools(source: str) -> str:
    """Look the variant up for each item where the items are exchanged."""
    editor = Editor(source)
    function = editor.function("RetailTools.modify_pending_order_items")
    loop, exchange = only(
        (
            (loop, statement)
            for loop in walk(function, ast.For)
            for statement in loop.body
            if isinstance(statement, ast.Assign) and assigns_attribute(statement, "item_id")
        ),
        "the loop that exchanges the items",
    )
    if calls(loop, "_get_variant"):
        raise AlreadyThereError
    editor.insert_after(exchange, "variant = self._get_variant(item.product_id, new_item_id)")
    return editor.result()


EDITS = {"src/tau2/domains/retail/tools.py": edit_tools}
