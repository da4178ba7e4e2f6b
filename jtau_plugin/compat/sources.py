"""The sentences that a tool's source can return or raise, read from its syntax tree.

Source text in, templates out: this module parses what it is given and never imports tau2.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

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
        kind: ``raise`` or ``return``.
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
