"""The status bar calls mobile data disabled only where its switch is off."""

from __future__ import annotations

import ast

from jtau_plugin.upstream.syntax import AlreadyThereError, Editor, only, walk

_SWITCH = "device.data_enabled"


def edit_user_tools(source: str) -> str:
    """Leave the icon out where the switch is on and there is no network."""
    editor = Editor(source)
    function = editor.function("TelecomUserTools._check_status_bar")
    test = only(
        (
            node
            for node in walk(function, ast.If)
            if isinstance(node.test, ast.BoolOp)
            and any(editor.text_of(value) == _SWITCH for value in node.test.values)
        ),
        "the test for mobile data",
    )
    if len(test.orelse) == 1 and isinstance(test.orelse[0], ast.If):
        raise AlreadyThereError
    editor.replace_else(test, f"elif not {_SWITCH}:")
    return editor.result()


EDITS = {"src/tau2/domains/telecom/user_tools.py": edit_user_tools}
