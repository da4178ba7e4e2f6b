"""Infrastructure errors are left out of the metrics under every version of pandas."""

from __future__ import annotations

import ast

from jtau_plugin.upstream.syntax import AlreadyThereError, AnchorError, Editor, walk

_REASON = "TerminationReason.INFRASTRUCTURE_ERROR"


def edit_metrics(source: str) -> str:
    """Compare the column with the reason's text, which it holds in every version."""
    editor = Editor(source)
    function = editor.function("get_metrics_df")
    texts = [editor.text_of(node) for node in walk(function, ast.Attribute)]
    if f"{_REASON}.value" in texts:
        raise AlreadyThereError
    compared = [
        comparator
        for comparison in walk(function, ast.Compare)
        for comparator in comparison.comparators
        if editor.text_of(comparator) == _REASON
    ]
    if not compared:
        raise AnchorError("get_metrics_df compares nothing with the infrastructure error")
    for comparator in compared:
        editor.replace_expression(comparator, f"{_REASON}.value")
    return editor.result()


EDITS = {"src/tau2/metrics/agent_metrics.py": edit_metrics}
