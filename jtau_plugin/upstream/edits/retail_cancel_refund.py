"""A cancelled order gives back to each payment method what it still holds, once."""

from __future__ import annotations

import ast

from jtau_plugin.upstream.syntax import (
    AlreadyThereError,
    Editor,
    assigns_name,
    only,
    statement_with,
    walk,
)

_NET = """
# what each payment method has paid and not got back yet
paid: dict[str, float] = {}
for entry in order.payment_history:
    sign = -1 if entry.transaction_type == "refund" else 1
    method_id = entry.payment_method_id
    paid[method_id] = paid.get(method_id, 0) + sign * entry.amount
"""


def edit_tools(source: str) -> str:
    """Refund the net amount of each method instead of every entry of the history."""
    editor = Editor(source)
    function = editor.function("RetailTools.cancel_pending_order")
    if any(isinstance(n, ast.AnnAssign) for n in walk(function, ast.AnnAssign)):
        raise AlreadyThereError
    loop = only(
        (
            node
            for node in walk(function, ast.For)
            if isinstance(node.iter, ast.Attribute) and node.iter.attr == "payment_history"
        ),
        "the loop over the payments",
    )
    method = statement_with(
        loop,
        ast.Assign,
        lambda node: assigns_name(node, "payment_id"),
        "the statement that takes the payment's method",
    )
    assert isinstance(loop.target, ast.Name)
    amount = f"{loop.target.id}.amount"
    editor.insert_before(loop, _NET)
    editor.replace_expression(loop.target, "payment_id, amount")
    editor.replace_expression(loop.iter, "paid.items()")
    editor.replace_statements(method, method, "if amount <= 0:\n    continue")
    for used in walk(loop, ast.Attribute):
        if editor.text_of(used) == amount:
            editor.replace_expression(used, "amount")
    return editor.result()


EDITS = {"src/tau2/domains/retail/tools.py": edit_tools}
