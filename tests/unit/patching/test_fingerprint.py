"""The fingerprint of code: deaf to how it is written, and to nothing else."""

from __future__ import annotations

import ast
import functools
import io
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jtau_plugin
from jtau_plugin.compat import wrapping
from jtau_plugin.patching import fingerprint
from jtau_plugin.patching.fingerprint import (
    SourceError,
    fingerprint_function,
    fingerprint_source,
)

#: Code that Python versions parse or print differently, with its fingerprint under all of them.
SAME_EVERYWHERE = {
    'f"a{x}b" "c"': "45e19ae7",
    'f"{x!r:>{w}}"': "d1aec6d9",
    'f"{x:}"': "3777d995",
    'f"{ x = !s:.2f}"': "6ba1cda0",
    'f"a{{b}}{c}"': "86e79c33",
    'f"" "a" f"{x}"': "9c03bdd1",
    "f'{x!a}' rf'\\d{y}'": "213c21e1",
    '"é📵𰻝" + u"x"': "3231eba8",
    "def f(a, /, b=1, *c, d, e=2, **g) -> int: return": "1283bfb2",
    '@d\nclass A(B, k=1):\n  """doc"""\n  x = 1.5e300': "fe353913",
    "async def f():\n  async with a as b, c: await d": "77411c56",
    'match x:\n case {"a": 1, **r} if r: pass\n case [1, *_] | None: pass': "96177c0a",
    "try: pass\nexcept (A, B) as e: raise X from e\nelse: pass\nfinally: pass": "8965a2dc",
    "z = b'\\x00\\xff', 1j, ..., 10**30, -0.0, '\\ud800'": "b40909fd",
    "with (a as b, c as d): del a[0, 1:2, ::3]": "c3c7e2e2",
    "lambda x, *, y=1: [(yield), *x, {**y, 'k': not x}]": "b1f4bc99",
}

_SOURCES = sorted(Path(jtau_plugin.__file__).parent.rglob("*.py"))
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@functools.cache
def _functions() -> list[str]:
    found = []
    for path in _SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found += [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)]
    return found


functions = st.deferred(lambda: st.sampled_from(_functions()))
words = st.text("ab 日本語#'\"\\", max_size=12)


@pytest.mark.parametrize("code", SAME_EVERYWHERE, ids=range(len(SAME_EVERYWHERE)))
def test_versions_of_python_agree(code: str) -> None:
    assert fingerprint_source(code)[:8] == SAME_EVERYWHERE[code]


def test_these_codes_all_differ() -> None:
    assert len({fingerprint_source(code) for code in SAME_EVERYWHERE}) == len(SAME_EVERYWHERE)


# --- what does not count ---


@given(functions)
def test_formatting_does_not_count(source: str) -> None:
    widened = source.replace("\n", "  \n\n").replace("(", "( ").replace("    ", "  ")
    for text in (ast.unparse(ast.parse(source)), f"\n\n{source}\n\n"):
        assert fingerprint_source(text) == fingerprint_source(source)
    if "'" not in source and '"' not in source:  # no text of the code has these spaces
        assert fingerprint_source(widened) == fingerprint_source(source)


@given(functions, words, st.integers(0))
def test_comments_do_not_count(source: str, words: str, place: int) -> None:
    lines = io.StringIO(source + "\n").readline
    ends = [t.start for t in tokenize.generate_tokens(lines) if t.type == tokenize.NEWLINE]
    row, column = ends[place % len(ends)]
    text = source.splitlines()
    comment = words.replace("\n", " ")
    text[row - 1] = f"{text[row - 1][:column]}  # {comment}{text[row - 1][column:]}"
    text.insert(row, f"# {comment}")

    assert fingerprint_source("\n".join(text)) == fingerprint_source(source)


@given(functions, st.one_of(st.none(), words))
def test_docstrings_do_not_count(source: str, words: str | None) -> None:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            if ast.get_docstring(node) is not None:
                del node.body[0]
            if words is not None:
                node.body.insert(0, ast.Expr(ast.Constant(words)))
            node.body = node.body or [ast.Pass()]

    assert fingerprint_source(ast.unparse(tree)) == fingerprint_source(source)


def test_a_text_that_is_no_docstring_counts() -> None:
    assert fingerprint_source("def f():\n    x = 1\n    'a'") != fingerprint_source(
        "def f():\n    x = 1\n    'b'"
    )


# --- what counts: everything else ---

_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod, ast.BitOr, ast.BitAnd)
_COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot, ast.In)
_NAMED = {
    ast.Name: "id",
    ast.arg: "arg",
    ast.Attribute: "attr",
    ast.FunctionDef: "name",
    ast.ExceptHandler: "name",
    ast.keyword: "arg",
}

Change = Callable[[], None]


def _other(kinds: tuple[type, ...], node: Any) -> Any:
    return next(kind for kind in kinds if not isinstance(node, kind))()


def _changed(value: Any) -> Any:
    if isinstance(value, bool) or value is None or value is Ellipsis:
        return 7
    return (
        value + type(value)(1)
        if isinstance(value, int | float)
        else value + value[:0] + ("x" if isinstance(value, str) else b"x")
    )


def _set(node: ast.AST, name: str, value: Any) -> Change:
    return lambda: setattr(node, name, value)


def _changes_of(node: ast.AST, docstrings: set[ast.AST]) -> Iterator[Change]:
    name = _NAMED.get(type(node))
    if name is not None and getattr(node, name) is not None:
        yield _set(node, name, getattr(node, name) + "_x")
    if isinstance(node, ast.Constant) and node not in docstrings:
        yield _set(node, "value", _changed(node.value))
    if isinstance(node, ast.BinOp):
        yield _set(node, "op", _other(_OPERATORS, node.op))
    if isinstance(node, ast.BoolOp):
        yield _set(node, "op", _other((ast.And, ast.Or), node.op))
    if isinstance(node, ast.Compare):
        yield _set(node, "ops", [_other(_COMPARISONS, node.ops[0]), *node.ops[1:]])
    if isinstance(node, ast.Return) and node.value is not None:
        yield _set(node, "value", None)
    if isinstance(node, ast.FunctionDef) and node.args.defaults:
        yield _set(node.args, "defaults", node.args.defaults[1:])


def _changes_of_body(node: ast.AST, docstrings: set[ast.AST]) -> Iterator[Change]:
    body = getattr(node, "body", None)
    if isinstance(body, list) and isinstance(node, ast.stmt):
        real = [s for s in body if not (isinstance(s, ast.Expr) and s.value in docstrings)]
        if real:  # a body of nothing but a docstring is a body of nothing but "pass"
            yield _set(node, "body", [*body, ast.Pass()])
        if len(real) > 1:
            yield _set(node, "body", [s for s in body if s is not real[-1]])
        if len(real) > 1 and ast.dump(real[0]) != ast.dump(real[1]):
            yield _set(node, "body", [real[1], real[0], *real[2:]])


def _changes(tree: ast.AST) -> list[Change]:
    docstrings = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)) and ast.get_docstring(node) is not None
        if isinstance(node.body[0], ast.Expr)
    }
    return [
        change
        for node in ast.walk(tree)
        for change in (*_changes_of(node, docstrings), *_changes_of_body(node, docstrings))
    ]


@settings(max_examples=300)
@given(functions, st.integers(0))
def test_every_change_of_code_counts(source: str, place: int) -> None:
    tree = ast.parse(source)
    changes = _changes(tree)
    changes[place % len(changes)]()

    assert fingerprint_source(ast.unparse(tree)) != fingerprint_source(source)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = 1", "x = True"),
        ("x = 1", "x = 1.0"),
        ("x = '1'", "x = 1"),
        ("x = b'a'", "x = 'a'"),
        ("x = None", "x = 'None'"),
        ("return_ = x", "return_ = (x,)"),
        ("def f(): return", "def f(): return None"),
        ("def f(a, b): 0", "def f(a, /, b): 0"),
        ("def f(a, b): 0", "def f(a, *, b): 0"),
        ("def f(a: int): 0", "def f(a): 0"),
        ("@d\ndef f(): 0", "def f(): 0"),
        ("async def f(): 0", "def f(): 0"),
        ("f'{x!r}'", "f'{x}'"),
        ("f'{x:>3}'", "f'{x:>4}'"),
        ("f'{x}a'", "f'{x}' + 'a'"),
        ("x: int", "x: int = 0"),
        ("a[1]", "a[1,]"),
        ("a[1:]", "a[:1]"),
        ("{**a}", "{None: a}"),
        ("if a:\n  b\nelse:\n  c", "if a:\n  b\n  c"),
        ("x = 'é'", "x = 'e\\u0301'"),
    ],
)
def test_near_misses_differ(one: str, other: str) -> None:
    assert fingerprint_source(one) != fingerprint_source(other)


# --- functions as they are loaded ---


def _decorated(function: Any) -> Any:
    return function


class Tool:
    """Methods whose source a fingerprint has to find in this file."""

    @_decorated
    @_decorated
    def run(self, x: int) -> int:
        """Run."""
        return x + 1  # a comment

    def twin(self) -> Callable[[int], int]:
        def run(x: int) -> int:
            return x + 2

        return run


def test_a_function_is_found_below_its_decorators() -> None:
    source = "@_decorated\n@_decorated\ndef run(self, x: int) -> int:\n    return x + 1\n"

    assert fingerprint_function(Tool.run) == fingerprint._digest(ast.parse(source).body[0])
    assert fingerprint_function(Tool().twin()) != fingerprint_function(Tool.run)


def test_our_own_wrappers_are_looked_through_and_no_others() -> None:
    def plain(x: int) -> int:
        return x

    def wrapper(x: int) -> int:
        return plain(x) + 1

    once = wrapping.wrap(plain, wrapper)

    @functools.wraps(once)
    def other(x: int) -> int:
        return once(x)  # type: ignore[no-any-return]

    assert fingerprint_function(once) == fingerprint_function(plain)
    assert wrapping.original_of(other) is other
    assert fingerprint_function(other.__wrapped__) == fingerprint_function(plain)


def test_code_without_a_source_is_an_error() -> None:
    made: dict[str, Any] = {}
    exec("def made():\n    return 0\n", made)

    with pytest.raises(SourceError, match="cannot be read"):
        fingerprint_function(made["made"])


def test_code_that_is_not_where_it_says_is_an_error() -> None:
    made: dict[str, Any] = {}
    exec(compile("\n\ndef made():\n    return 0\n", __file__, "exec"), made)

    with pytest.raises(SourceError, match="no function made stands at"):
        fingerprint_function(made["made"])


def test_a_lambda_is_an_error() -> None:
    with pytest.raises(SourceError, match="no function <lambda>"):
        fingerprint_function(lambda: 0)
