"""The judge's model and its arguments can be chosen without editing the code."""

from __future__ import annotations

import ast

from jtau_plugin.upstream.syntax import AlreadyThereError, Editor, assigns_name, only

_MODEL = "DEFAULT_LLM_NL_ASSERTIONS"
_ARGS = "DEFAULT_LLM_NL_ASSERTIONS_ARGS"


def edit_config(source: str) -> str:
    """Let two environment variables override the defaults."""
    editor = Editor(source)
    assigned = [node for node in editor.tree.body if isinstance(node, ast.Assign)]
    model = only((n for n in assigned if assigns_name(n, _MODEL)), _MODEL)
    arguments = only((n for n in assigned if assigns_name(n, _ARGS)), _ARGS)
    if not isinstance(model.value, ast.Constant):
        raise AlreadyThereError
    model_text, arguments_text = editor.text_of(model.value), editor.text_of(arguments.value)
    editor.insert_before(
        model,
        "# The judge of NL assertions. TAU2_NL_ASSERTIONS_LLM names another model, and\n"
        "# TAU2_NL_ASSERTIONS_LLM_ARGS its arguments, as a JSON object.",
    )
    editor.replace_expression(
        model.value, f'os.environ.get(\n    "TAU2_NL_ASSERTIONS_LLM", {model_text}\n)'
    )
    editor.replace_expression(
        arguments.value,
        'json.loads(\n    os.environ.get("TAU2_NL_ASSERTIONS_LLM_ARGS", "null")\n)'
        f" or {arguments_text}",
    )
    editor.add_header("import json\nimport os")
    return editor.result()


EDITS = {"src/tau2/config.py": edit_config}
