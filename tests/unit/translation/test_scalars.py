"""Single texts of a YAML file are exchanged, and no other byte of it changes."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.translation.writing.scalars import (
    CannotExchangeError,
    exchange_texts,
    read_scalars,
)

FILE = """\
# 📵 a comment
plain: 日本語   # behind it
single: 'x: ''y'''
double: "q\\n📵z"
block: |-
    first

    third
clipped: |
  one

flow: {a: あ, list: [い, "う"], n: 3}
folded: >-
  one
  two
wrapped: long
  text
list:
- {source: s, text: 終わり}
-   text: 二
"""
CASES = [
    (("plain",), "新しい", "plain: 日本語 ", "plain: 新しい "),
    (("plain",), "- x", "plain: 日本語 ", "plain: '- x' "),
    (("plain",), "a\nb", "plain: 日本語 ", 'plain: "a\\nb" '),
    (("single",), "it's", "'x: ''y'''", "'it''s'"),
    (("single",), "a\nb", "'x: ''y'''", '"a\\nb"'),
    (("double",), "q\nz", '"q\\n📵z"', '"q\\nz"'),
    (("block",), "first\n\n3", "    third", "    3"),
    (("clipped",), "two\n", "|\n  one\n", "|\n  two\n"),
    (("flow", "a"), "a, b", "{a: あ,", "{a: 'a, b',"),
    (("flow", "list", 1), "え", '"う"', '"え"'),
    (("flow", "n"), "4", "n: 3", "n: 4"),
    (("wrapped",), "short", "long\n  text", "short"),
    (("list", 0, "text"), "終", "終わり}", "終}"),
    (("list", 1, "text"), "三", "text: 二", "text: 三"),
]


@pytest.mark.parametrize(("key", "new", "old_part", "new_part"), CASES)
def test_one_text_is_exchanged(key, new, old_part, new_part):
    assert FILE.count(old_part) == 1
    assert exchange_texts(FILE, {key: new}) == FILE.replace(old_part, new_part)


def test_several_at_once():
    new = {key: new for key, new, *_ in reversed(CASES)}
    assert read_scalars(exchange_texts(FILE, new)) == {**read_scalars(FILE), **new}
    assert exchange_texts(FILE, {}) == FILE


@pytest.mark.parametrize(
    ("key", "new"),
    [
        (("nobody",), "x"),
        (("flow",), "x"),
        (("folded",), "three"),
        (("block",), " begins with a blank"),
        (("flow", "n"), "many"),
        (("plain",), "12"),
    ],
)
def test_what_cannot_be_said_there_is_refused(key, new):
    try:
        text = exchange_texts(FILE, {key: new})
    except CannotExchangeError:
        return
    assert yaml.safe_load(text)[key[0]] == new  # a text in quotes, no number


@given(
    st.sampled_from([key for key, *_ in CASES if key[-1] != "n"]),
    st.text("aあ :#'\"-\n{}[],📵5", min_size=1),
)
def test_whatever_comes_out_says_what_it_should(key, new):
    try:
        text = exchange_texts(FILE, {key: new})
    except CannotExchangeError:
        return
    assert read_scalars(text) == {**read_scalars(FILE), key: new}
