"""The fingerprint of a function's code: the same under every supported Python.

``ast.dump`` and ``ast.unparse`` write the same code differently from version to version, so the
tree is written down in a form of our own. Comments, formatting and docstrings do not count.
"""

from __future__ import annotations

import ast
import hashlib
import json
import linecache
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from jtau_plugin.compat.wrapping import original_of

_DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
#: Fields that say how code is written, not what it does.
_LEFT_OUT = frozenset({"kind", "type_comment", "type_ignores"})


class SourceError(Exception):
    """The source of a function cannot be found, so nobody can say whether it is the known one."""


def fingerprint_function(function: Any) -> str:
    """Return the fingerprint of tau2's own function, whether or not ours is in its place.

    Raises:
        SourceError: its source is not there, or holds no such function.
    """
    code = original_of(function).__code__
    # Code that is made at run time has no file; linecache then returns nothing.
    source = "".join(linecache.getlines(code.co_filename))
    if not source:
        raise SourceError(f"the source {code.co_filename} cannot be read")
    found = [node for node in _functions(source) if _first_line(node) == code.co_firstlineno]
    if len(found) != 1 or found[0].name != code.co_name:
        where = f"{code.co_filename}:{code.co_firstlineno}"
        raise SourceError(f"no function {code.co_name} stands at {where}")
    return _digest(found[0])


def fingerprint_source(source: str) -> str:
    """Return the fingerprint of a module's text.

    Raises:
        SyntaxError: it is no Python that the running interpreter reads.
    """
    return _digest(ast.parse(source))


@lru_cache(maxsize=32)
def _functions(source: str) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
    return tuple(node for node in ast.walk(ast.parse(source)) if isinstance(node, _FUNCTIONS))


def _first_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    # A code object starts at its first decorator, a node at the word "def".
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _digest(node: ast.AST) -> str:
    text = json.dumps(_plain(node), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _plain(value: Any) -> Any:
    """Return a tree as plain data: a mapping per node, a list per list."""
    if isinstance(value, ast.Constant):
        return _plain_constant(value.value)
    if isinstance(value, ast.AST):
        return {"node": type(value).__name__, **dict(_fields(value))}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    # Names and numbers of the grammar, and what ``case None`` compares with.
    return value


def _plain_constant(value: Any) -> dict[str, str]:
    # Not repr: which characters it shows as they are depends on the version's Unicode tables.
    return {"constant": type(value).__name__, "value": ascii(value)}


def _fields(node: ast.AST) -> Iterator[tuple[str, Any]]:
    for name, field in ast.iter_fields(node):
        value = field
        if name in _LEFT_OUT:
            continue
        if name == "body" and isinstance(node, _DOCUMENTED):
            value = _without_docstring(field)
        elif isinstance(node, ast.JoinedStr):
            value = _merged_texts(field)
        elif name == "format_spec" and field is not None and not _merged_texts(field.values):
            value = None
        # A field that is empty in one version may not exist in another.
        if value is not None and value != []:
            yield name, _plain(value)


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        # With nothing but a docstring a function does what it does with nothing but "pass".
        return body[1:] or [ast.Pass()]
    return body


def _merged_texts(values: list[ast.expr]) -> list[ast.expr]:
    """Return the pieces of an f-string with neighbouring texts joined: versions cut them apart."""
    merged: list[ast.expr] = []
    for value in values:
        if not isinstance(value, ast.Constant):
            merged.append(value)
        elif merged and isinstance(merged[-1], ast.Constant):
            merged[-1] = ast.Constant(value=str(merged[-1].value) + str(value.value))
        elif value.value:
            merged.append(value)
    return merged
