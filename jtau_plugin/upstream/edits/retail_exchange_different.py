"""An item cannot be exchanged for itself, as it cannot be modified into itself."""

from __future__ import annotations

import ast

from jtau_plugin.upstream.syntax import AlreadyThereError, Editor, first_of, only, walk

_SAME = {"item_id", "new_item_id"}


def edit_tools(source: str) -> str:
    """Refuse the same item with the check that modifications have."""
    editor = Editor(source)
    check = first_of(_checks(editor, "modify_pending_order_items"), "the check of modifications")
    if list(_checks(editor, "exchange_delivered_order_items")):
        raise AlreadyThereError
    function = editor.function("RetailTools.exchange_delivered_order_items")
    loop = only(
        (node for node in walk(function, ast.For) if isinstance(node.target, ast.Tuple)),
        "the loop over the pairs",
    )
    editor.insert_before(loop.body[0], editor.block(check, check))
    return editor.result()


def _checks(editor: Editor, name: str) -> list[ast.If]:
    """Return the tests for the same item in a tool."""
    return [
        node
        for node in walk(editor.function(f"RetailTools.{name}"), ast.If)
        if isinstance(node.test, ast.Compare)
        and isinstance(node.test.ops[0], ast.Eq)
        and {name.id for name in walk(node.test, ast.Name)} == _SAME
    ]


EDITS = {"src/tau2/domains/retail/tools.py": edit_tools}
