"""COMMUNICATE finds numbers by their value and words as words, not as parts of something longer."""

from __future__ import annotations

import ast

from jtau_plugin.upstream.syntax import AlreadyThereError, AnchorError, Editor, only, walk

_SUBSTRING = "(substring match)"
_COMPARED = "(numbers by value, words as whole words)"
_FINDER = "_is_communicated"
_CONSTANTS = r"""
# A number in a text that is not part of an id, a date, a time, a range or a fraction.
_NUMBER = re.compile(
    r"(?<![^\W_])(?<![^\W_][-_])(?<!#)(?<!\d[.,:/])"
    r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
    r"(?![^\W_])(?![.,:/-]\d)"
)
_EXPECTED_NUMBER = re.compile(r"\$?(\d[\d,]*(?:\.\d+)?)")
"""
_HELPER = '''
def _is_communicated(info: str, text: str) -> bool:
    """
    Tell whether a text states an expected piece of information.

    A number is met by the same decimal value: 481.50 by $481.5, 1628 by 1,628, but
    4 neither by 14 nor by 2024-05-24. Anything else is met by the same words,
    whatever their case; the last one may stand in the plural.
    """
    number = _EXPECTED_NUMBER.fullmatch(info.strip())
    if number is not None:
        expected = Decimal(number.group(1).replace(",", ""))
        stated = (found.group().replace(",", "") for found in _NUMBER.finditer(text))
        return any(Decimal(value) == expected for value in stated)
    words = re.escape(info.strip().replace(",", ""))
    pattern = rf"(?<![^\\W_]){words}(?:e?s)?(?![^\\W_])"
    return re.search(pattern, text.replace(",", ""), re.IGNORECASE) is not None
'''


def edit_evaluator(source: str) -> str:
    """Replace the substring test by one that knows numbers and words."""
    editor = Editor(source)
    if editor.has(_FINDER):
        raise AlreadyThereError
    function = editor.function("CommunicateEvaluator.evaluate_communicate_info")
    test = only(
        (
            node
            for node in walk(function, ast.If)
            if isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], ast.In)
        ),
        "the substring test",
    )
    editor.replace_condition(test, f"{_FINDER}(info_str, message.content)")
    editor.define_before(editor.class_named("CommunicateEvaluator"), _HELPER)
    editor.add_constants(_CONSTANTS)
    editor.add_header("import re\nfrom decimal import Decimal")
    return editor.result()


def edit_guide(source: str) -> str:
    """Say in the guide to evaluation how texts are compared."""
    if _COMPARED in source:
        raise AlreadyThereError
    if source.count(_SUBSTRING) != 1:
        raise AnchorError(f"{_SUBSTRING!r} stands {source.count(_SUBSTRING)} times, expected once")
    return source.replace(_SUBSTRING, _COMPARED)


EDITS = {
    "docs/evaluation.md": edit_guide,
    "src/tau2/evaluator/evaluator_communicate.py": edit_evaluator,
}
