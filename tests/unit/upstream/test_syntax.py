"""Edits of source by its syntax tree: where they go, and what they refuse."""

from __future__ import annotations

import ast

import pytest

from jtau_plugin.upstream.syntax import AnchorError, Editor, first_of, only, walk

SOURCE = '''\
"""Über etwas."""

import json

from elsewhere import thing


class Shop:
    name = "größe"; price = 3

    def sell(self, count):
        if count > 1:  # a remark
            total = count * self.price
        else:
            total = self.price
        return total


@decorated
def helper():
    return Shop()
'''


def edited(change) -> str:
    editor = Editor(SOURCE)
    change(editor, editor.function("Shop.sell"))
    return editor.result()


def test_code_goes_before_and_after_a_statement():
    text = edited(lambda e, f: e.insert_before(f.body[0], "count = int(count)\nassert count"))
    assert "        count = int(count)\n        assert count\n        if count > 1:" in text
    text = edited(lambda e, f: e.insert_after(f.body[0], "total += 1", apart=True))
    assert "total = self.price\n\n        total += 1\n        return total" in text


def test_a_definition_goes_before_decorators():
    text = edited(lambda e, f: e.define_before(e.function("helper"), "def other():\n    pass"))
    assert "\n\n\ndef other():\n    pass\n\n\n@decorated\ndef helper" in text


def test_statements_and_expressions_are_replaced():
    text = edited(lambda e, f: e.replace_statements(f.body[0], f.body[0], "total = 1"))
    assert "def sell(self, count):\n        total = 1\n        return total" in text
    text = edited(lambda e, f: e.replace_expression(f.body[1].value, "0"))
    assert text.endswith("return Shop()\n")
    assert "        return 0\n" in text


def test_columns_are_counted_in_characters():
    editor = Editor(SOURCE)
    price = editor.class_named("Shop").body[1]
    editor.replace_expression(price.value, "4")
    assert 'name = "größe"; price = 4\n' in editor.result()


def test_heads_are_replaced_with_their_remarks():
    text = edited(lambda e, f: e.replace_condition(f.body[0], "count"))
    assert "        if count:\n            total = count" in text
    text = edited(lambda e, f: e.replace_else(f.body[0], "elif count:"))
    assert "        elif count:\n            total = self.price\n" in text


def test_a_removed_statement_leaves_no_line():
    text = edited(lambda e, f: e.replace_statements(f.body[1], f.body[1], ""))
    assert "            total = self.price\n\n\n@decorated" in text


def test_imports_are_added_in_their_place():
    text = edited(lambda e, f: e.add_import("re"))
    assert "import json\nimport re\n\nfrom elsewhere" in text
    text = edited(lambda e, f: e.add_constants("LIMIT = 3"))
    assert "import thing\n\nLIMIT = 3\n\n\nclass Shop" in text
    editor = Editor(SOURCE)
    editor.add_import("json")
    with pytest.raises(AnchorError, match="nothing was found to change"):
        editor.result()


def test_several_changes_do_not_disturb_each_other():
    def change(editor, function):
        editor.insert_before(function.body[1], "total = round(total)")
        editor.replace_expression(function.body[1].value, "total or 0")
        editor.add_import("math")

    text = edited(change)
    assert "        total = round(total)\n        return total or 0\n" in text
    assert "import json\nimport math\n" in text


def test_blocks_are_read_without_their_indentation():
    editor = Editor(SOURCE)
    function = editor.function("Shop.sell")
    block = editor.block(function.body[0], function.body[1])
    assert block.startswith("if count > 1:  # a remark\n    total")
    assert block.endswith("return total\n")


@pytest.mark.parametrize(
    "change",
    [
        lambda e, f: e.function("Shop.buy"),
        lambda e, f: e.function("sell"),
        lambda e, f: e.class_named("Store"),
        lambda e, f: e.add_import("abc"),
        lambda e, f: e.replace_else(ast.parse("if a:\n    b").body[0], "elif c:"),
        lambda e, f: e.insert_after(f.body[1], "return ("),
        lambda e, f: only([], "a thing"),
        lambda e, f: only([1, 2], "a thing"),
        lambda e, f: first_of([], "a thing"),
    ],
)
def test_what_is_not_there_is_refused(change):
    with pytest.raises(AnchorError):
        edited(change)


def test_nodes_come_in_the_order_of_the_source():
    names = [node.id for node in walk(ast.parse("a + b\nf(c, d)"), ast.Name)]
    assert names == ["a", "b", "f", "c", "d"]
