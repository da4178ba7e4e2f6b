"""Every text that the source of a class can raise or return, found without the plugin's own reader.

Wider than ``compat.sources`` on purpose: it also sees a text that is chosen, joined, formatted or put
into a variable first, so that no new way of writing a sentence upstream stays unseen.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from dataclasses import dataclass

_SENTENCE = re.compile(r"[A-Za-z]{2,}[^A-Za-z]*\s[^A-Za-z]*[A-Za-z]{2,}")
_LOGS = frozenset(["debug", "info", "warning", "error", "exception", "print"])


@dataclass(frozen=True)
class Sentence:
    """A text with its placeholders written as ``{}``, and where it stands."""

    text: str
    function: str
    lines: range

    @property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(".*".join(map(re.escape, self.text.split("{}"))), re.DOTALL)

    @property
    def sample(self) -> str:
        """The sentence with an id in each placeholder."""
        return self.text.replace("{}", "1008292230")


def _text_of(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    return None


def _left_out(function: ast.AST) -> set[ast.AST]:
    """Docstrings, log lines, decorators, annotations, and pieces of f-strings."""
    out: set[ast.AST] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.JoinedStr):
            out.update(node.values)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            out.add(node.value)
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in _LOGS:
                out.update(child for arg in node.args for child in ast.walk(arg))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            parts = [*node.decorator_list, node.returns, *node.args.defaults]
            out.update(child for part in parts if part is not None for child in ast.walk(part))
    return out


def _is_sentence(node: ast.AST, text: str, said: set[ast.AST]) -> bool:
    # Anything that is raised or returned as it stands, and everything else that reads like prose.
    return bool(text.strip()) and (node in said or _SENTENCE.search(text) is not None)


def sentences_of(cls: type) -> list[Sentence]:
    """Return the sentences of one class's own functions."""
    tree = ast.parse(inspect.getsource(sys.modules[cls.__module__]))
    body = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == cls.__name__)
    found = []
    for function in body.body:
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        out = _left_out(function)
        said: set[ast.AST] = set()
        lines: dict[ast.AST, range] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                said.update(node.exc.args)
            elif isinstance(node, ast.Return) and node.value is not None:
                said.add(node.value)
            if isinstance(node, (ast.Raise, ast.Return)):
                lines |= dict.fromkeys(ast.walk(node), _lines(node))
        for node in ast.walk(function):
            text = _text_of(node)
            if text is not None and node not in out and _is_sentence(node, text, said):
                found.append(Sentence(text, function.name, lines.get(node, _lines(node))))
    return found


def _lines(node: ast.AST) -> range:
    return range(node.lineno, node.end_lineno + 1)  # type: ignore[attr-defined]
