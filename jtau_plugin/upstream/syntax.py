"""Edits of Python source that find their place in the syntax tree.

A place is named by a function's qualified name and by the shape of a statement, so no line of the
edited source is written down here, and whatever else has changed in the file does not matter.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from jtau_plugin.errors import JtauError

N = TypeVar("N", bound=ast.AST)
T = TypeVar("T")


class AnchorError(JtauError):
    """The place of an edit is not in the source, or more than once."""


class AlreadyThereError(JtauError):
    """The source has what the edit would put there."""


class Editor:
    """One file's source and the changes that are to be made in it.

    Places are looked up in the source as it was given; the changes are made all at once by
    ``result``, so their order does not matter.
    """

    def __init__(self, source: str) -> None:
        self.tree = ast.parse(source)
        self._lines = source.splitlines(keepends=True)
        self._changes: list[tuple[int, int, str]] = []
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))
        self._source = source

    def function(self, name: str) -> ast.FunctionDef:
        """Return the function ``name``, or the method ``Class.name``.

        Raises:
            AnchorError: if there is none, or more than one.
        """
        owner, _, last = name.rpartition(".")
        body = self.class_named(owner).body if owner else self.tree.body
        return only(
            (n for n in body if isinstance(n, ast.FunctionDef) and n.name == last),
            f"function {name}",
        )

    def has(self, name: str) -> bool:
        """Return whether there is a function or class of this name at the top of the module."""
        kinds = (ast.FunctionDef, ast.ClassDef)
        return any(isinstance(node, kinds) and node.name == name for node in self.tree.body)

    def insert_before(self, node: ast.stmt, code: str) -> None:
        """Put code on the lines before a statement, at the statement's indentation."""
        at = self._starts[_first_line(node) - 1]
        self._changes.append((at, at, _indent(code, node.col_offset)))

    def insert_after(self, node: ast.stmt, code: str, *, apart: bool = False) -> None:
        """Put code on the lines after a statement, at its indentation; ``apart``: after a blank."""
        at = self._starts[_end_line(node)]
        text = _indent(code, node.col_offset)
        self._changes.append((at, at, f"\n{text}" if apart else text))

    def replace_statements(self, first: ast.stmt, last: ast.stmt, code: str) -> None:
        """Put code in the place of all lines from one statement to another."""
        start, end = self._starts[first.lineno - 1], self._starts[_end_line(last)]
        self._changes.append((start, end, _indent(code, first.col_offset)))

    def define_before(self, node: ast.stmt, code: str) -> None:
        """Put a definition at the top of the module before another one."""
        at = self._starts[_first_line(node) - 1]
        self._changes.append((at, at, _indent(code, 0) + "\n\n"))

    def replace_condition(self, node: ast.If, code: str) -> None:
        """Put another condition in the place of an ``if``'s, and of a comment that stands at it."""
        start, end = self._starts[node.lineno - 1], self._starts[node.body[0].lineno - 1]
        self._changes.append((start, end, _indent(f"if {code}:", node.col_offset)))

    def replace_else(self, node: ast.If, code: str) -> None:
        """Put another head in the place of an ``if``'s ``else``.

        Raises:
            AnchorError: if there is none.
        """
        first, last = _end_line(node.body[-1]), node.orelse[0].lineno if node.orelse else 0
        for number in range(first, last):
            if self._lines[number].strip() == "else:":
                start, end = self._starts[number], self._starts[number + 1]
                self._changes.append((start, end, _indent(code, node.col_offset)))
                return
        raise AnchorError("there is no else")

    def block(self, first: ast.stmt, last: ast.stmt) -> str:
        """Return the lines from one statement to another, without their common indentation."""
        lines = self._lines[first.lineno - 1 : _end_line(last)]
        return textwrap.dedent("".join(lines))

    def replace_expression(self, node: ast.expr, code: str) -> None:
        """Put code in the place of an expression."""
        start, end = self._span(node)
        self._changes.append((start, end, code))

    def text_of(self, node: ast.expr) -> str:
        """Return the source of an expression."""
        start, end = self._span(node)
        return self._source[start:end]

    def add_import(self, name: str) -> None:
        """Add ``import name`` after the plain imports that sort before it; nothing if it is there.

        Raises:
            AnchorError: if no plain import sorts before it.
        """
        plain = [node for node in self.tree.body if isinstance(node, ast.Import)]
        if any(node.names[0].name == name for node in plain):
            return
        before = [node for node in plain if node.names[0].name < name]
        if not before:
            raise AnchorError(f"no place for 'import {name}'")
        self.insert_after(before[-1], f"import {name}")

    def add_header(self, code: str) -> None:
        """Put a paragraph of imports at the very top, for a module that has none of that kind."""
        self._changes.append((0, 0, _indent(code, 0) + "\n"))

    def add_constants(self, code: str) -> None:
        """Put a paragraph after the imports at the top of the module.

        Raises:
            AnchorError: if the module imports nothing.
        """
        imports = [n for n in self.tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
        if not imports:
            raise AnchorError("the module imports nothing")
        at = self._starts[_end_line(imports[-1])]
        self._changes.append((at, at, "\n" + _indent(code, 0)))

    def class_named(self, name: str) -> ast.ClassDef:
        """Return the class of this name at the top of the module.

        Raises:
            AnchorError: if there is none, or more than one.
        """
        classes = (n for n in self.tree.body if isinstance(n, ast.ClassDef) and n.name == name)
        return only(classes, f"class {name}")

    def result(self) -> str:
        """Return the source with all changes made.

        Raises:
            AnchorError: if the result is no Python, or if nothing was to be changed.
        """
        if not self._changes:
            raise AnchorError("nothing was found to change")
        pieces, done = [], 0
        # What is put in at one place keeps its order, and comes before what is replaced there.
        for start, end, code in sorted(self._changes, key=lambda change: change[:2]):
            if start < done:
                raise AnchorError("two edits change the same place")
            pieces += [self._source[done:start], code]
            done = end
        text = "".join([*pieces, self._source[done:]])
        try:
            ast.parse(text)
        except SyntaxError as error:
            raise AnchorError(f"the edited source is no Python: {error}") from error
        return text

    def _span(self, node: ast.expr) -> tuple[int, int]:
        end_line, end_column = node.end_lineno, node.end_col_offset
        assert end_line is not None
        assert end_column is not None
        return self._offset(node.lineno, node.col_offset), self._offset(end_line, end_column)

    def _offset(self, line: int, column: int) -> int:
        """Return the place of a column, which the syntax tree counts in bytes."""
        characters = self._lines[line - 1].encode("utf-8")[:column].decode("utf-8")
        return self._starts[line - 1] + len(characters)


def _first_line(node: ast.stmt) -> int:
    """Return the line that a statement begins on, its decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _end_line(node: ast.stmt) -> int:
    assert node.end_lineno is not None
    return node.end_lineno


def _indent(code: str, column: int) -> str:
    text = textwrap.dedent(code).strip("\n")
    return textwrap.indent(text + "\n", " " * column) if text else ""


def only(nodes: Iterable[T], what: str) -> T:
    """Return the one thing that there is.

    Raises:
        AnchorError: if there is none, or more than one.
    """
    found = list(nodes)
    if len(found) != 1:
        raise AnchorError(f"{what}: found {len(found)}, expected one")
    return found[0]


def first_of(nodes: Iterable[T], what: str) -> T:
    """Return the first thing that there is.

    Raises:
        AnchorError: if there is none.
    """
    for node in nodes:
        return node
    raise AnchorError(f"{what}: found none")


def walk(node: ast.AST, kind: type[N]) -> Iterator[N]:
    """Yield all nodes of a kind below a node, in the order of the source."""
    if isinstance(node, kind):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from walk(child, kind)


def is_call(node: ast.AST, name: str) -> bool:
    """Return whether a node calls a function or method of this name."""
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    return getattr(called, "attr", getattr(called, "id", None)) == name


def calls(node: ast.AST, name: str) -> bool:
    """Return whether a function or method of this name is called below a node."""
    return any(is_call(call, name) for call in walk(node, ast.Call))


def statement_with(body: ast.AST, kind: type[N], holds: Callable[[N], bool], what: str) -> N:
    """Return the one statement of a kind below a node that a test holds for.

    Raises:
        AnchorError: if there is none, or more than one.
    """
    return only((node for node in walk(body, kind) if holds(node)), what)


def assigns_attribute(node: ast.Assign, attribute: str) -> bool:
    """Return whether a statement assigns to ``something.attribute``."""
    return any(isinstance(t, ast.Attribute) and t.attr == attribute for t in node.targets)


def assigns_name(node: ast.Assign, name: str) -> bool:
    """Return whether a statement assigns to a variable."""
    return any(isinstance(t, ast.Name) and t.id == name for t in node.targets)
