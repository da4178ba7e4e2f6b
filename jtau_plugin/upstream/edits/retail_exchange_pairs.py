"""An exchange is stored pair by pair, so that the order says which item becomes which."""

from __future__ import annotations

import ast

from jtau_plugin.upstream.syntax import (
    AlreadyThereError,
    Editor,
    assigns_attribute,
    is_call,
    only,
    walk,
)

_STORED = {
    "exchange_items": "[old for old, _ in pairs]",
    "exchange_new_items": "[new for _, new in pairs]",
}


def edit_tools(source: str) -> str:
    """Sort the pairs instead of the two lists."""
    editor = Editor(source)
    function = editor.function("RetailTools.exchange_delivered_order_items")
    stored = {
        name: only(
            (n for n in walk(function, ast.Assign) if assigns_attribute(n, name)),
            f"the statement that stores {name}",
        )
        for name in _STORED
    }
    if not all(is_call(node.value, "sorted") for node in stored.values()):
        raise AlreadyThereError
    editor.insert_before(stored["exchange_items"], "pairs = sorted(zip(item_ids, new_item_ids))")
    for name, node in stored.items():
        editor.replace_expression(node.value, _STORED[name])
    return editor.result()


EDITS = {"src/tau2/domains/retail/tools.py": edit_tools}
