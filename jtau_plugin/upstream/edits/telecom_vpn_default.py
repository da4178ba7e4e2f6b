"""A phone that connects to a VPN gets details of its own, not the class's one object."""

from __future__ import annotations

import ast

from jtau_plugin.upstream.syntax import AlreadyThereError, Editor, assigns_attribute, statement_with

_DEFAULT = "default_vpn_details"


def edit_user_tools(source: str) -> str:
    """Copy the default where the VPN is connected."""
    editor = Editor(source)
    connect = statement_with(
        editor.function("TelecomUserTools._connect_vpn"),
        ast.Assign,
        lambda node: assigns_attribute(node, "vpn_details"),
        "the statement that sets the VPN's details",
    )
    if isinstance(connect.value, ast.Call):
        raise AlreadyThereError
    editor.replace_expression(connect.value, f"self.{_DEFAULT}.model_copy()")
    return editor.result()


EDITS = {"src/tau2/domains/telecom/user_tools.py": edit_user_tools}
