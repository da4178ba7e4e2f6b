"""ACTION compares what the gold action names, call by call, with the one who made the call."""

from __future__ import annotations

import ast

from jtau_plugin.upstream.syntax import (
    AlreadyThereError,
    Editor,
    assigns_name,
    first_of,
    is_call,
    only,
    statement_with,
    walk,
)

_MATCHER = "_match_tool_calls"
_MATCH = f'''
def {_MATCHER}(
    tool_calls: list[ToolCall],
    golden_actions: list[Action],
    compare_requestors: bool,
) -> list[bool]:
    """
    Give each golden action a tool call of its own.

    Args:
        tool_calls: The calls of both sides.
        golden_actions: What is expected.
        compare_requestors: Whether a call also has to come from the action's
            requestor. Not so in solo mode, where the agent uses the user's tools.

    Returns:
        For each golden action whether there is a tool call for it. No tool call
        stands for two golden actions, and as many as possible find theirs.
    """
    owners: dict[int, int] = {{}}  # index of a tool call -> index of its golden action

    def claim(action_index: int, tried: set[int]) -> bool:
        action = golden_actions[action_index]
        for call_index, tool_call in enumerate(tool_calls):
            if call_index in tried:
                continue
            if compare_requestors and action.requestor != tool_call.requestor:
                continue
            if not action.compare_with_tool_call(tool_call):
                continue
            tried.add(call_index)
            if call_index not in owners or claim(owners[call_index], tried):
                owners[call_index] = action_index
                return True
        return False

    return [claim(index, set()) for index in range(len(golden_actions))]


'''


def edit_task_model(source: str) -> str:
    """Compare the gold action's own arguments where no ``compare_args`` are given."""
    editor = Editor(source)
    function = editor.function("Action.compare_with_tool_call")
    default = first_of(
        (
            node
            for node in walk(function, ast.Assign)
            if assigns_name(node, "compare_args") and is_call(node.value, "keys")
        ),
        "the arguments that are compared without compare_args",
    )
    own = "self.arguments.keys()"
    if editor.text_of(default.value) == own:
        raise AlreadyThereError
    editor.replace_expression(default.value, own)
    return editor.result()


def edit_evaluator(source: str) -> str:
    """Match gold actions and tool calls one to one, and compare who made the call."""
    editor = Editor(source)
    if editor.has(_MATCHER):
        raise AlreadyThereError
    check = editor.function("_check_actions")
    editor.define_before(check, _MATCH)
    loop = only(
        (
            node
            for node in check.body
            if isinstance(node, ast.For) and editor.text_of(node.iter) == "golden_actions"
        ),
        "the loop over the golden actions",
    )
    unset = statement_with(
        loop,
        ast.Assign,
        lambda node: assigns_name(node, "found") and editor.text_of(node.value) == "False",
        "the statement that says that no call is found yet",
    )
    search = only((node for node in loop.body if isinstance(node, ast.For)), "the search")
    editor.insert_before(
        loop,
        f"matched = {_MATCHER}(\n    predicted_tool_calls, golden_actions, compare_requestors\n)",
    )
    editor.replace_expression(loop.target, "gold_action, found")
    editor.replace_expression(loop.iter, "zip(golden_actions, matched)")
    editor.replace_statements(unset, search, "")
    _add_parameter(editor, check)
    _pass_requestors(editor)
    return editor.result()


def _add_parameter(editor: Editor, check: ast.FunctionDef) -> None:
    default = check.args.defaults[-1]
    editor.replace_expression(
        default, f"{editor.text_of(default)},\n    compare_requestors: bool = True"
    )
    described = check.body[0]
    assert isinstance(described, ast.Expr)
    text = editor.text_of(described.value)
    head, blank, tail = text.partition("\n\n    Returns:")
    line = (
        "\n        compare_requestors: Whether a tool call also has to come from the"
        "\n            golden action's requestor."
    )
    editor.replace_expression(described.value, head + line + blank + tail if blank else text)


def _pass_requestors(editor: Editor) -> None:
    """Say in the evaluator of turns whether there is a user: solo mode has none."""
    function = editor.function("ActionEvaluator.evaluate_actions")
    final = only(
        (n for n in walk(function, ast.Return) if n.value and is_call(n.value, "_check_actions")),
        "the call of _check_actions",
    )
    editor.replace_statements(
        final,
        final,
        """
        has_user = any(isinstance(message, UserMessage) for message in full_trajectory)
        return _check_actions(
            predicted_tool_calls,
            golden_actions,
            tool_types,
            compare_requestors=has_user,
        )
        """,
    )


EDITS = {
    "src/tau2/data_model/tasks.py": edit_task_model,
    "src/tau2/evaluator/evaluator_action.py": edit_evaluator,
}
