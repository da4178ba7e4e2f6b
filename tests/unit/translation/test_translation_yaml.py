"""A YAML file is changed where its data change, and nowhere else."""

from __future__ import annotations

import string

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from jtau_plugin.translation.writing.yamldump import dump_file
from jtau_plugin.translation.writing.yamledit import update_yaml

FILE = """\
# 先頭のコメント
agent:
  calculate:
    source: [aaa]   # 指紋
    description: |-
      数式を計算します。

      二段落目。
    parameters:
      # 引数の説明
      expression: {kind: expression, description: 計算する数式（例:「2 + 2」）。}

  cancel:
    source: [bbb]
    description: |-
      取り消します。
    parameters: {}

messages:
  - source: c1
    at: [A.b]
    text: "見つかりません。"  # 短い文
  - source: c2
    at: [A.c]
    text: '無効です。'
user: {}
"""


def load(text):
    return yaml.safe_load(text)


def changed_lines(old, new):
    before, after = old.splitlines(), new.splitlines()
    return [line for line in before if line not in after], [
        line for line in after if line not in before
    ]


def edit(change, text=FILE):
    data = load(text)
    change(data)
    new = update_yaml(text, data)
    assert load(new) == data
    return changed_lines(text, new)


def test_nothing_changes_when_the_data_do_not():
    assert update_yaml(FILE, load(FILE)) == FILE


def test_a_literal_block_stays_one():
    gone, came = edit(lambda d: d["agent"]["cancel"].update(description="新しい。\n2行目。"))
    assert gone == ["      取り消します。"]
    assert came == ["      新しい。", "      2行目。"]


def test_a_value_in_brackets():
    def change(data):
        data["agent"]["calculate"]["parameters"]["expression"]["description"] = "式: a, b"

    gone, came = edit(change)
    assert len(gone) == 1
    assert came == ["      expression: {kind: expression, description: '式: a, b'}"]


def test_quotes_and_the_comment_behind_stay():
    _, came = edit(lambda d: d["messages"][0].update(text="ありません。"))
    assert came == ['    text: "ありません。"  # 短い文']
    _, came = edit(lambda d: d["messages"][1].update(text="だめです。"))
    assert came == ["    text: 'だめです。'"]


def test_fingerprints():
    gone, came = edit(lambda d: d["agent"]["calculate"].update(source=["ccc", "ddd"]))
    assert gone == ["    source: [aaa]   # 指紋"]
    assert came == ["    source: [ccc, ddd]   # 指紋"]


def test_a_new_entry_is_set_apart_as_the_others_are():
    data = load(FILE)
    data["agent"]["think"] = {"source": ["eee"], "description": "考えます。", "parameters": {}}
    new = update_yaml(FILE, data)
    assert load(new) == data
    start = new.index("  think:")
    assert new[start - 2 : start] == "\n\n"
    assert new.replace(new[start - 1 : new.index("\nmessages:")], "", 1).startswith(FILE[:40])


def test_an_entry_is_inserted_where_it_belongs():
    data = load(FILE)
    data["messages"].insert(1, {"source": "c9", "at": ["A.d"], "text": "途中です。"})
    new = update_yaml(FILE, data)
    assert load(new) == data
    assert [line for line in FILE.splitlines() if line not in new.splitlines()] == []


def test_entries_go():
    gone, came = edit(lambda d: (d["agent"].pop("cancel"), d["messages"].pop(0)))
    assert came == []
    assert "  cancel:" in gone
    assert '    text: "見つかりません。"  # 短い文' in gone


def test_the_last_entry_of_a_list_goes():
    edit(lambda d: d.update(messages=[]))


def test_a_scalar_becomes_a_list():
    edit(lambda d: d["messages"][0].update(source=["c1", "c3"]))


def test_an_empty_mapping_is_filled():
    edit(lambda d: d.update(user={"think": {"source": ["x"], "description": "y"}}))


def test_a_file_without_a_last_newline():
    data = load(FILE)
    data["zz"] = "末尾"
    assert load(update_yaml(FILE.rstrip("\n"), data)) == data


def test_two_texts_of_a_task():
    text = "tasks:\n  '0':\n    /a:\n      source:\n      - f1\n      text: 一つ目\n"
    data = load(text)
    first = data["tasks"]["0"]["/a"]
    data["tasks"]["0"]["/a"] = [{"source": ["f2"], "text": "二つ目"}, first]
    assert load(update_yaml(text, data)) == data


KEYS = st.text(string.ascii_lowercase + "/あ", min_size=1, max_size=4) | st.sampled_from(
    ["yes", "no", "1", "on", "null", "2000", "a b", "a: b", "#x", "- x"]
)
TEXTS = st.text(string.ascii_letters + " \n:#'\"{}[],-あ。「」⟦⟧|>%@&*!?0", min_size=0, max_size=25)
DATA = st.recursive(
    TEXTS | st.integers(0, 9) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
FILES = st.dictionaries(KEYS, DATA, min_size=1, max_size=4)


@settings(max_examples=150, deadline=None)
@given(FILES, FILES)
def test_any_file_can_become_any_other(old, new):
    text = dump_file(old, "ヘッダー")
    assert load(text) == old
    assert load(update_yaml(text, new)) == new


@settings(max_examples=150, deadline=None)
@given(FILES, KEYS, DATA)
def test_one_more_entry_leaves_the_others(old, key, value):
    text = dump_file(old)
    new = {**old, key: value}
    assert load(update_yaml(text, new)) == new


@pytest.mark.parametrize("spaced", [False, True])
def test_a_new_file_is_read_as_it_was_meant(spaced):
    data = {"a": {"yes": "no", "x": {"source": ["1e5"], "text": "a\nb"}}, "b": [], "c": {}}
    text = dump_file(data, "説明\n二行目", spaced=spaced)
    assert load(text) == data
    assert text.startswith("# 説明\n# 二行目\n")


MANIFEST = """\
# who has read what
review: nobody   # yet
artefacts:
  tools.yaml:
    translated: by hand
    human_review: none
  tasks.yaml:
    translated: by hand
    human_review: none
"""


def test_a_single_value_changes_and_others_come_behind_it_and_nothing_else():
    data = yaml.safe_load(MANIFEST)
    data["review"] = "Emma: all of it"
    data["artefacts"]["tools.yaml"] |= {
        "human_review": "1 of 2",
        "counts": {"segments": 2, "reviewed": 1},
        "round": "1",
        "reviews": [{"reviewer": "Emma", "round": "1"}],
    }
    assert (
        update_yaml(MANIFEST, data)
        == """\
# who has read what
review: 'Emma: all of it'   # yet
artefacts:
  tools.yaml:
    translated: by hand
    human_review: 1 of 2
    counts: {segments: 2, reviewed: 1}
    round: '1'
    reviews:
    - {reviewer: Emma, round: '1'}
  tasks.yaml:
    translated: by hand
    human_review: none
"""
    )


def test_an_item_of_a_list_changes_and_nothing_else():
    text = "given:\n  Emma:  # a name\n  - エマ\n  - えま\n  Noah:\n  - ノア\n"
    data = yaml.safe_load(text)
    data["given"]["Emma"] = ["エンマ", "えま", "イエス: no"]
    assert update_yaml(text, data) == (
        "given:\n  Emma:  # a name\n  - エンマ\n  - えま\n  - 'イエス: no'\n  Noah:\n  - ノア\n"
    )
