"""The judge of NL assertions sees which tools were called, with what, and what they returned."""

from __future__ import annotations

import ast

from jtau_plugin.upstream.syntax import AlreadyThereError, Editor, is_call, only, walk

_RENDER = "_render_message"
_HELPER = f'''
def {_RENDER}(message: Message) -> str:
    """
    Render a message for the judge: what was said, and the tool calls that go with it.
    """
    tool_calls = getattr(message, "tool_calls", None) or []
    lines = []
    if message.content or not tool_calls:
        lines.append(f"{{message.role}}: {{message.content}}")
    for tool_call in tool_calls:
        arguments = json.dumps(tool_call.arguments, ensure_ascii=False)
        lines.append(f"{{message.role}} calls tool: {{tool_call.name}}({{arguments}})")
    return "\\n".join(lines)
'''


def edit_evaluator(source: str) -> str:
    """Render each message of the transcript by a function that knows tool calls."""
    editor = Editor(source)
    if editor.has(_RENDER):
        raise AlreadyThereError
    function = editor.function("NLAssertionsEvaluator.evaluate_nl_assertions")
    joined = only(
        (
            node
            for node in walk(function, ast.Call)
            if is_call(node, "join")
            and isinstance(node.args[0], ast.ListComp)
            and editor.text_of(node.args[0].generators[0].iter) == "trajectory"
        ),
        "the transcript",
    )
    editor.replace_expression(joined, f'"\\n".join([{_RENDER}(message) for message in trajectory])')
    editor.define_before(editor.class_named("NLAssertionsEvaluator"), _HELPER)
    return editor.result()


EDITS = {"src/tau2/evaluator/evaluator_nl_assertions.py": edit_evaluator}
