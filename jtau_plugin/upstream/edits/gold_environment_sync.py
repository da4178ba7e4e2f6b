"""The gold environment is synchronised after each gold action, as the simulated one is."""

from __future__ import annotations

import ast

from jtau_plugin.upstream.syntax import AlreadyThereError, Editor, calls, is_call, only, walk

_CLASSES = ("EnvironmentEvaluator", "FullDuplexEnvironmentEvaluator")


def edit_evaluator(source: str) -> str:
    """Synchronise after the call of each gold action, in both evaluators."""
    editor = Editor(source)
    for name in _CLASSES:
        function = editor.function(f"{name}.calculate_reward")
        if calls(function, "sync_tools"):
            raise AlreadyThereError
        call = only(
            (
                statement
                for statement in walk(function, ast.Expr)
                if is_call(statement.value, "make_tool_call")
            ),
            "the call of a gold action",
        )
        assert isinstance(call.value, ast.Call)
        assert isinstance(call.value.func, ast.Attribute)
        environment = editor.text_of(call.value.func.value)
        editor.insert_after(call, f"{environment}.sync_tools()")
    return editor.result()


EDITS = {"src/tau2/evaluator/evaluator_env.py": edit_evaluator}
