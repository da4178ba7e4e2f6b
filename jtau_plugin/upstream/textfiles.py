"""Upstream's texts: policies and manuals line by line, and the descriptions of its tools.

What a text says now is known by fingerprints only, as everywhere.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator

from jtau_plugin.errors import RepairError
from jtau_plugin.models.patches import DocumentRepair, ToolTextRepair
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.patching.documents import repair_document
from jtau_plugin.upstream.syntax import AlreadyThereError, AnchorError, Editor, only, walk

#: How long a line upstream's formatter allows.
_WIDTH = 88
_SECTION = re.compile(r"(Args|Arguments|Parameters|Params|Returns?|Raises|Yields?|Examples?):\s*")


def edit_document(name: str, text: str, repair: DocumentRepair) -> str:
    """Return a document with one repair made.

    Raises:
        AnchorError: if the guarded lines are not there.
        AlreadyThereError: if the document says it right already.
    """
    try:
        edited = repair_document(name, text, [repair])
    except RepairError as error:
        raise AnchorError("; ".join(problem.what for problem in error.problems)) from error
    if edited == text:
        raise AlreadyThereError
    return edited


def edit_docstring(source: str, repair: ToolTextRepair) -> str:
    """Return a module of tools with the new description in the tool's docstring.

    Raises:
        AnchorError: if the tool or the text is not there, or says something unknown.
        AlreadyThereError: if the docstring says it right already.
    """
    editor = Editor(source)
    function = only(
        (node for node in walk(editor.tree, ast.FunctionDef) if node.name == repair.tool),
        f"the tool {repair.tool}",
    )
    literal = _docstring(function)
    lines = inspect.cleandoc(str(literal.value)).split("\n")
    start, end = _find_text(lines, repair.parameter)
    _check_guard(_described(lines[start:end], repair.parameter), repair)
    lines[start:end] = _written(lines[start], repair)
    indentation = " " * function.body[0].col_offset
    new = "\n".join(f"{indentation}{line}" if line else "" for line in lines).strip()
    editor.replace_expression(literal, _rewrap(editor.text_of(literal), new))
    return editor.result()


def edit_field(source: str, repair: ToolTextRepair) -> str:
    """Return a module of data models with the new description of a field.

    Raises:
        AnchorError: if there is not exactly one such field with a known description.
        AlreadyThereError: if a field of this name says it right already.
    """
    editor = Editor(source)
    name = repair.parameter.rpartition(".")[2]
    found = list(_described_fields(editor, name))
    if any(_constant(keyword) == repair.value for _, keyword in found):
        raise AlreadyThereError
    known = [
        (call, keyword)
        for call, keyword in found
        if fingerprint_text(_constant(keyword)) in repair.guard
    ]
    call, keyword = only(known, f"a field {name} whose description is known")
    editor.replace_expression(*_new_description(call, keyword, _quoted(repair.value)))
    return editor.result()


def _docstring(function: ast.FunctionDef) -> ast.Constant:
    first = function.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return first.value
    raise AnchorError(f"the tool {function.name} has no docstring")


def _find_text(lines: list[str], parameter: str) -> tuple[int, int]:
    """Return from where to where a docstring describes the tool or one parameter."""
    sections = [i for i, line in enumerate(lines) if _SECTION.fullmatch(line)]
    if not parameter:
        end = sections[0] if sections else len(lines)
        while end > 0 and not lines[end - 1].strip():
            end -= 1
        return 0, end
    entry = re.compile(rf"\s+{re.escape(parameter)}(?: \([^)]*\))?:\s")
    start = only((i for i, line in enumerate(lines) if entry.match(line)), f"{parameter} in Args")
    indentation = len(lines[start]) - len(lines[start].lstrip())
    end = start + 1
    while end < len(lines) and lines[end].startswith(" " * (indentation + 1)):
        end += 1
    return start, end


def _described(lines: list[str], parameter: str) -> str:
    """Return the description as tau2 reads it out of a docstring."""
    if not parameter:
        rest = "\n".join(lines[1:]).strip("\n")
        return f"{lines[0]}\n\n{rest}" if rest else lines[0]
    first = lines[0].partition(":")[2].strip()
    return "\n".join([first, *(line.strip() for line in lines[1:])])


def _check_guard(text: str, repair: ToolTextRepair) -> None:
    if text == repair.value:
        raise AlreadyThereError
    if fingerprint_text(text) not in repair.guard:
        raise AnchorError(f"the description of {repair.tool} has changed: no guard fits")


def _written(first: str, repair: ToolTextRepair) -> list[str]:
    if '"""' in repair.value or "\\" in repair.value:
        raise AnchorError("the new description cannot stand in a docstring")
    if not repair.parameter:
        return repair.value.split("\n")
    head = first.partition(":")[0]
    indentation = " " * (len(head) - len(head.lstrip()) + 4)
    top, *rest = repair.value.split("\n")
    return [f"{head}: {top}", *(f"{indentation}{line}" for line in rest)]


def _rewrap(literal: str, text: str) -> str:
    """Return a docstring's literal with another text between its quotes and outer blanks."""
    opened = re.match(r'[a-zA-Z]*"""\s*', literal)
    closed = re.search(r'\s*"""\Z', literal)
    if opened is None or closed is None:
        raise AnchorError("the docstring is not written with triple quotes")
    return f"{opened.group()}{text}{closed.group()}"


def _described_fields(editor: Editor, name: str) -> Iterator[tuple[ast.Call, ast.keyword]]:
    """Yield what describes the fields of a name: the call, and the description in it."""
    for field in walk(editor.tree, ast.AnnAssign):
        if isinstance(field.target, ast.Name) and field.target.id == name:
            for call in walk(field, ast.Call):
                for keyword in call.keywords:
                    if keyword.arg == "description" and isinstance(keyword.value, ast.Constant):
                        yield call, keyword


def _constant(keyword: ast.keyword) -> str:
    assert isinstance(keyword.value, ast.Constant)
    return str(keyword.value.value)


def _new_description(call: ast.Call, keyword: ast.keyword, text: str) -> tuple[ast.expr, str]:
    """Return what to replace by what, broken into lines as upstream's formatter does."""
    old = keyword.value
    is_alone = len(call.keywords) == 1 and not call.args and call.lineno == call.end_lineno
    assert old.end_col_offset is not None
    is_long = old.col_offset + len(text) + 1 > _WIDTH
    if not (is_alone and is_long and isinstance(call.func, ast.Name)):
        return old, text
    return call, f"{call.func.id}(\n        description={text}\n    )"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
