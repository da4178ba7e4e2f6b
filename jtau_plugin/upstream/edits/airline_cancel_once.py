"""A reservation that is cancelled already is shown as it is when it is cancelled again."""

from __future__ import annotations

import ast

from jtau_plugin.upstream.syntax import (
    AlreadyThereError,
    Editor,
    assigns_name,
    first_of,
    is_call,
    walk,
)

_RETURN = """
if reservation.status == "cancelled":
    return reservation
"""


def edit_tools(source: str) -> str:
    """Return a cancelled reservation before anything is reversed."""
    editor = Editor(source)
    function = editor.function("AirlineTools.cancel_reservation")
    if any(True for _ in walk(function, ast.If)):
        raise AlreadyThereError
    found = first_of(
        (
            node
            for node in walk(function, ast.Assign)
            if assigns_name(node, "reservation") and is_call(node.value, "_get_reservation")
        ),
        "the statement that finds the reservation",
    )
    editor.insert_after(found, _RETURN)
    return editor.result()


EDITS = {"src/tau2/domains/airline/tools.py": edit_tools}
