"""The sentences that a tool's source can return or raise, read from its syntax tree.

Source text in, templates out: this module parses what it is given and never imports tau2.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Part:
    """One piece of a template: fixed words, or a placeholder when ``name`` is set."""

    text: str = ""
    name: str = ""


@dataclass(frozen=True)
class SourceTemplate:
    """A sentence found in the source of a tool.

    Attributes:
        at: ``Class.function`` in which it stands.
        kind: ``raise``, ``return``, or ``fragment`` for a piece that a result is assembled from.
        parts: its pieces in order.
        line: its line in the source, for messages to people.
    """

    at: str
    kind: str
    parts: tuple[Part, ...]
    line: int

    @property
    def cls(self) -> str:
        """The class in which it stands."""
        return self.at.partition(".")[0]

    @property
    def text(self) -> str:
        """The template written with ``{name}`` for each placeholder."""
        return "".join(f"{{{p.name}}}" if p.name else p.text for p in self.parts)

    @property
    def placeholders(self) -> tuple[str, ...]:
        """Names of the placeholders in order."""
        return tuple(p.name for p in self.parts if p.name)


def _placeholder_name(node: ast.expr, position: int, taken: set[str]) -> str:
    name = ""
    if isinstance(node, ast.Name):
        name = node.id
    elif isinstance(node, ast.Attribute):
        name = node.attr
    if not name or name in taken:
        name = f"arg{position}"
    taken.add(name)
    return name


def _parts_of(node: ast.expr) -> tuple[Part, ...] | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return (Part(text=node.value),) if node.value else None
    if isinstance(node, ast.JoinedStr):
        parts: list[Part] = []
        taken: set[str] = set()
        for position, value in enumerate(node.values, start=1):
            if isinstance(value, ast.Constant):
                parts.append(Part(text=str(value.value)))
            elif isinstance(value, ast.FormattedValue):
                parts.append(Part(name=_placeholder_name(value.value, position, taken)))
        return tuple(parts)
    return None


def _sentences_in(function: ast.AST, at: str) -> Iterator[SourceTemplate]:
    for node in ast.walk(function):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            kind, value = "raise", node.exc.args[0]
        elif isinstance(node, ast.Return) and node.value is not None:
            kind, value = "return", node.value
        else:
            continue
        parts = _parts_of(value)
        if parts is not None:
            yield SourceTemplate(at=at, kind=kind, parts=parts, line=node.lineno)


def extract_templates(source: str) -> list[SourceTemplate]:
    """Return every literal sentence that the classes in ``source`` raise or return, in order.

    Args:
        source: text of a Python module.

    Returns:
        One entry per ``raise X("…")`` and ``return "…"`` inside a class's functions; f-strings
        become templates whose placeholders carry the name of the formatted variable.

    Raises:
        SyntaxError: if ``source`` is no valid Python for the running interpreter.
    """
    found: list[SourceTemplate] = []
    for cls in (n for n in ast.parse(source).body if isinstance(n, ast.ClassDef)):
        for function in (n for n in cls.body if isinstance(n, _FUNCTIONS)):
            found.extend(_sentences_in(function, f"{cls.name}.{function.name}"))
    return sorted(found, key=lambda t: t.line)


# Calls whose text arguments are keys, separators or names, never prose.
_TECHNICAL_CALLS = frozenset(
    {"replace", "startswith", "endswith", "get_id", "hasattr", "setattr", "getattr"}
    | {"isinstance", "split", "strip"}
    | {"info", "debug", "warning", "error", "exception", "print"}
)


def _call_name(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _is_technical_argument(child: ast.AST, call: ast.Call) -> bool:
    name = _call_name(call)
    if name == "get":
        return child in call.args[:1]
    return name in _TECHNICAL_CALLS and child in call.args


#: By kind of node: is this child of it a text that no reader is shown?
_TECHNICAL: dict[type[ast.AST], Callable[[ast.AST, Any], bool]] = {
    ast.Expr: lambda child, _: isinstance(child, ast.Constant),  # a docstring
    ast.JoinedStr: lambda child, _: isinstance(child, ast.Constant),
    ast.FormattedValue: lambda child, node: child is node.format_spec,
    ast.Subscript: lambda child, node: child is node.slice,
    ast.Dict: lambda child, node: child in node.keys,
    ast.FunctionDef: lambda child, node: child in node.decorator_list or child is node.returns,
    ast.Attribute: lambda _, node: node.attr == "join",
    ast.Call: _is_technical_argument,
    ast.Compare: lambda *_: True,
    ast.arguments: lambda *_: True,
}


def _is_technical(child: ast.AST, parent: ast.AST) -> bool:
    check = _TECHNICAL.get(type(parent))
    return check is not None and check(child, parent)


def _is_prose(parts: tuple[Part, ...]) -> bool:
    """Return whether a text is more than the one letter that an id is made with."""
    fixed = "".join(part.text for part in parts).strip(" _")
    return len(fixed) > 1 or bool(fixed and not fixed.isalpha())


def _fragments_in(function: ast.AST, at: str, direct: set[ast.AST]) -> Iterator[SourceTemplate]:
    parents = {c: node for node in ast.walk(function) for c in ast.iter_child_nodes(node)}
    for node in ast.walk(function):
        if not isinstance(node, (ast.JoinedStr, ast.Constant)) or node in direct:
            continue
        parts = _parts_of(node)
        if parts is None or not _is_prose(parts):
            continue
        child: ast.AST = node
        while child is not function and not _is_technical(child, parents[child]):
            child = parents[child]
        if child is function:
            yield SourceTemplate(at=at, kind="fragment", parts=parts, line=node.lineno)


def extract_fragments(source: str) -> list[SourceTemplate]:
    """Return every further text in the classes of ``source`` that a result may be assembled from.

    Left out are docstrings, keys, comparisons, separators and log lines, and what
    ``extract_templates`` finds.
    """
    found: list[SourceTemplate] = []
    for cls in (n for n in ast.parse(source).body if isinstance(n, ast.ClassDef)):
        for function in (n for n in cls.body if isinstance(n, _FUNCTIONS)):
            direct: set[ast.AST] = set()
            for node in ast.walk(function):
                if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                    direct.update(node.exc.args[:1])
                elif isinstance(node, ast.Return) and node.value is not None:
                    direct.add(node.value)
            found.extend(_fragments_in(function, f"{cls.name}.{function.name}", direct))
    return sorted(found, key=lambda t: t.line)
