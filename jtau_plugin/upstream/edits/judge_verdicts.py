"""Every NL assertion gets exactly one verdict of the judge, or the evaluation fails aloud."""

from __future__ import annotations

import ast
import textwrap

from jtau_plugin.upstream.syntax import (
    AlreadyThereError,
    Editor,
    assigns_name,
    is_call,
    only,
    statement_with,
    walk,
)

_READER = "_read_verdicts"
_CONSTANTS = """
# How often the judge is asked when an answer does not settle every assertion.
_JUDGE_ATTEMPTS = 2
"""
_HELPERS = '''
def _read_results(content: str | None) -> list[dict]:
    """
    Read the judge's results, also from a fenced answer or one with prose around it.

    Returns:
        The results in the judge's order; empty if there are none that can be read.
    """
    decoder = json.JSONDecoder()
    text = content or ""
    for start in (found.start() for found in re.finditer(r"[{[]", text)):
        try:
            data, _ = decoder.raw_decode(text[start:])
        except json.JSONDecodeError:
            continue
        results = data.get("results") if isinstance(data, dict) else data
        if isinstance(results, list) and all(isinstance(r, dict) for r in results):
            return results
    return []


def _read_verdicts(
    content: str | None, nl_assertions: list[str]
) -> list[NLAssertionCheck] | None:
    """
    Read one verdict for each assertion from the judge's answer.

    A verdict belongs to the assertion that it repeats. Those that repeat none, because
    the judge has reworded it, belong to the assertions that are left, in their order.

    Returns:
        The checks in the order of the assertions. None if a verdict is missing, stands
        twice or says neither true nor false: such an answer settles nothing.
    """

    def key(text: object) -> str:
        return " ".join(str(text).split()).casefold()

    results = _read_results(content)
    if len(results) != len(nl_assertions):
        return None
    open_assertions = list(range(len(nl_assertions)))
    settled: dict[int, dict] = {}
    reworded = []
    known = {key(assertion) for assertion in nl_assertions}
    for result in results:
        repeated = key(result.get("expectedOutcome"))
        if repeated not in known:
            reworded.append(result)
            continue
        same = [i for i in open_assertions if key(nl_assertions[i]) == repeated]
        if not same:
            return None
        open_assertions.remove(same[0])
        settled[same[0]] = result
    settled.update(zip(open_assertions, reworded))

    checks = []
    for index, assertion in enumerate(nl_assertions):
        met = str(settled[index].get("metExpectation")).strip().lower()
        if met not in ("true", "false"):
            return None
        checks.append(
            NLAssertionCheck(
                nl_assertion=assertion,
                met=met == "true",
                justification=str(settled[index].get("reasoning") or ""),
            )
        )
    return checks
'''
_FAILED = """
raise ValueError(
    f"The judge gave no verdict for each of the {len(nl_assertions)} assertions. "
    f"Its last answer: {assistant_message.content!r}"
)
"""


def edit_evaluator(source: str) -> str:
    """Read the answer completely, ask once more, and never take a missing verdict for a met one."""
    editor = Editor(source)
    if editor.has(_READER):
        raise AlreadyThereError
    function = editor.function("NLAssertionsEvaluator.evaluate_nl_assertions")
    asked = statement_with(
        function,
        ast.Assign,
        lambda node: is_call(node.value, "generate"),
        "the call of the judge",
    )
    parsed = statement_with(
        function,
        ast.Assign,
        lambda node: is_call(node.value, "loads"),
        "the statement that parses the judge's answer",
    )
    assert assigns_name(asked, "assistant_message")
    returned = only(walk(function, ast.Return), "the return")
    attempt = (
        f"{editor.block(asked, asked)}"
        f"checks = {_READER}(assistant_message.content, nl_assertions)\n"
        "if checks is not None:\n"
        "    return checks\n"
    )
    loop = f"for _ in range(_JUDGE_ATTEMPTS):\n{textwrap.indent(attempt, '    ')}"
    editor.replace_statements(asked, asked, loop + _FAILED)
    editor.replace_statements(parsed, returned, "")
    editor.define_before(editor.class_named("NLAssertionsEvaluator"), _HELPERS)
    editor.add_constants(_CONSTANTS)
    editor.add_import("re")
    return editor.result()


EDITS = {"src/tau2/evaluator/evaluator_nl_assertions.py": edit_evaluator}
