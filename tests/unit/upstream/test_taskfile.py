"""Files of tasks: one task changes, every other byte stays."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.upstream.taskfile import TaskFile, TaskFileError, shape_like

STYLES = st.tuples(st.sampled_from([1, 2, 4, None]), st.booleans(), st.sampled_from(["", "\n"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


def tasks_of(values: list) -> list[dict]:
    return [{"id": str(number), "value": value} for number, value in enumerate(values)]


def written(tasks: list[dict], style: tuple) -> str:
    indent, ensure_ascii, end = style
    return json.dumps(tasks, indent=indent, ensure_ascii=ensure_ascii) + end


@given(st.lists(VALUES, min_size=1, max_size=4), VALUES, STYLES, st.data())
def test_a_replaced_task_is_written_as_its_file_writes(values, new, style, data):
    tasks = [{"id": "é", "value": "ü"}, *tasks_of(values)]  # so that the style can be told
    file = TaskFile(written(tasks, style))
    name = data.draw(st.sampled_from([task["id"] for task in tasks]))
    file.replace(name, {"id": name, "value": new})
    tasks = [{"id": name, "value": new} if task["id"] == name else task for task in tasks]
    assert file.text() == written(tasks, style)


@given(st.lists(VALUES, min_size=1, max_size=4), STYLES)
def test_an_unchanged_file_stays(values, style):
    text = written(tasks_of(values), style)
    file = TaskFile(text)
    assert file.text() == text
    for name, task in file.tasks.items():
        file.replace(name, task)
    assert file.text() == text


@given(st.text(min_size=1, max_size=9), st.text(max_size=9), STYLES)
def test_a_swapped_text_is_all_that_changes(old, new, style):
    tasks = tasks_of([[old, 1], "other"])
    file = TaskFile(written(tasks, style))
    changed = {"id": "0", "value": [new, 1]}
    file.replace("0", changed, (old, new))
    assert json.loads(file.text())[0] == changed


def test_a_text_is_swapped_where_nothing_else_is_known():
    text = '[ {"id":"1",\n"a" : "old",  "b":[1,\n 2]},\n{"id": "2"}\n]\n'
    file = TaskFile(text)
    file.replace("1", {"id": "1", "a": "new", "b": [1, 2]}, ("old", "new"))
    assert file.text() == text.replace("old", "new")


def test_a_text_that_stands_twice_is_not_swapped_blindly():
    file = TaskFile(written([{"id": "1", "a": "x", "b": "x"}], (2, True, "")))
    file.replace("1", {"id": "1", "a": "x", "b": "y"}, ("x", "y"))
    assert json.loads(file.text()) == [{"id": "1", "a": "x", "b": "y"}]


def test_an_unknown_style_is_refused():
    file = TaskFile('[{"id" : "1", "b":[1]}]')
    with pytest.raises(TaskFileError, match="task 1 is not written"):
        file.replace("1", {"id": "1", "b": []})


def test_line_ends_of_windows_stay():
    text = written(tasks_of(["a", "b"]), (4, True, "\n")).replace("\n", "\r\n")
    file = TaskFile(text)
    file.replace("1", {"id": "1", "value": ["c", "d"]})
    assert file.text().count("\n") == file.text().count("\r\n")
    assert json.loads(file.text())[1]["value"] == ["c", "d"]


@pytest.mark.parametrize(
    "text", ["", "{}", "[", "[1]", '[{"name": 1}]', '[{"id": "1"}', '[{"id": "1"} {"id"', "null"]
)
def test_what_is_no_list_of_tasks_is_refused(text):
    with pytest.raises(TaskFileError, match="no JSON list of tasks"):
        TaskFile(text)


def test_a_value_takes_the_shape_of_its_model():
    model = {"id": "1", "name": "a", "arguments": {}, "info": None}
    value = {"requestor": "assistant", "arguments": {"b": 1}, "name": "c", "id": "2"}
    shaped = {"id": "2", "name": "c", "arguments": {"b": 1}, "info": None}
    assert shape_like(value, model) == shaped
    assert list(shape_like(value, model)) == list(shaped)
    assert shape_like([value], [model]) == [shaped]
    assert shape_like([value], []) == [value]
    assert shape_like({**value, "requestor": "user"}, model)["requestor"] == "user"
    assert shape_like(value, {**model, "requestor": "user"})["requestor"] == "assistant"
    assert shape_like("text", None) == "text"
