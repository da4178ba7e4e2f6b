"""A repair is applied where its guard fits, satisfied where its result stands, else an error."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from jtau_plugin.errors import RepairError
from jtau_plugin.models.patches import TaskRepair, TaskRepairsFile
from jtau_plugin.patching import repairs as module
from jtau_plugin.patching.canonical import MISSING, find_value, fingerprint_value
from jtau_plugin.patching.repairs import TaskRepairer, fit_of, load_task_repairs


class Action(BaseModel):
    action_id: str
    arguments: dict[str, Any]
    compare_args: list[str] | None = None


class Task(BaseModel):
    id: str
    script: str
    actions: list[Action] = []
    told: list[str] | None = None


def task(name: str = "1", **fields: Any) -> Task:
    given = {
        "script": "Ask for status_bar, then status_bar again.",
        "actions": [
            {"action_id": "1_0", "arguments": {"item": "a"}},
            {"action_id": "1_1", "arguments": {"item": "b"}},
        ],
    }
    return Task.model_validate({"id": name, **given, **fields})


def repair(**fields: Any) -> TaskRepair:
    given = {
        "id": "one",
        "title": "t",
        "class": "facts",
        "why": "w",
        "evidence": "e",
        "tasks": ["1"],
        "fault": "f",
        "gates": "DB",
    }
    return TaskRepair.model_validate({**given, **fields})


def play(repairs: list[TaskRepair], *tasks: Task) -> list[Any]:
    file = TaskRepairsFile(domain="shop", repairs=tuple(repairs))
    return TaskRepairer(file, frozenset(r.id for r in repairs)).repair(list(tasks))


ITEM = "/actions/action_id=1_1/arguments/item"
REPLACE = repair(pointer=ITEM, guard=[fingerprint_value("b")], value="c")


def test_replace():
    (done,) = play([REPLACE], task())
    assert done.task.actions[1].arguments == {"item": "c"}
    assert done.repairs == ("one",)


def test_the_installed_task_is_left_as_it_is():
    before = task()
    play([REPLACE], before)
    assert before == task()


def test_a_task_that_is_right_already_is_the_same_object_and_holds_the_repair():
    right = task(actions=[{"action_id": "1_1", "arguments": {"item": "c"}}])
    (done,) = play([REPLACE], right)
    assert done.task is right
    assert done.repairs == ("one",)


def test_a_wording_that_is_accepted_stays():
    own = repair(
        pointer="/script",
        guard=[fingerprint_value("old")],
        accept=[fingerprint_value(task().script)],
        value="new",
    )
    assert play([own], task())[0].task.script == task().script
    assert play([own], task(script="old"))[0].task.script == "new"


def test_remove_by_id_survives_other_positions():
    gone = repair(
        pointer="/actions/action_id=1_0",
        op="remove",
        guard=[fingerprint_value({"action_id": "1_0", "arguments": {"item": "a"}})],
    )
    (done,) = play([gone], task())
    assert [a.action_id for a in done.task.actions] == ["1_1"]
    assert play([gone], done.task)[0].task is done.task


def test_add_where_nothing_is():
    told = repair(pointer="/told", op="add", value=["746342064230"])
    assert play([told], task())[0].task.told == ["746342064230"]
    assert play([told], task(told=["746342064230"]))[0].repairs == ("one",)
    with pytest.raises(RepairError, match="expected nothing"):
        play([told], task(told=["12"]))


def test_substitute_exchanges_every_occurrence():
    own = repair(
        tasks=["*"],
        pointer="/script",
        op="substitute",
        find=" status_bar",
        value=" check_bar",
        guard=[fingerprint_value(task().script)],
    )
    done = play([own], task("1"), task("2"), task("3", script="Something else."))
    assert done[0].task.script == "Ask for check_bar, then check_bar again."
    assert [d.repairs for d in done] == [("one",), ("one",), ()]


def test_wildcards_take_a_part_of_the_id():
    own = repair(tasks=["*mms"], pointer=ITEM, guard=[fingerprint_value("b")], value="c")
    done = play([own], task("a_mms_b"), task("a_data_b"))
    assert [d.repairs for d in done] == [("one",), ()]


def test_a_guard_that_does_not_fit_says_what_it_found():
    with pytest.raises(RepairError) as raised:
        play(
            [REPLACE, repair(id="two", pointer="/script", guard=["0" * 64], value="x")],
            task(actions=[]),
        )
    said = str(raised.value)
    assert f"task 1 {ITEM}: repair one found nothing" in said
    assert fingerprint_value(task().script) in said
    assert "JTAU_PATCHES=-two" in said


def test_repairs_that_are_off_change_nothing():
    file = TaskRepairsFile(domain="shop", repairs=(REPLACE,))
    (done,) = TaskRepairer(file, frozenset()).repair([task(actions=[])])
    assert done.repairs == ()


def test_repairs_that_write_one_place_are_refused_with_both_ids(tmp_path, monkeypatch):
    path = tmp_path / "patches" / "tasks" / "shop.yaml"
    path.parent.mkdir(parents=True)
    entry = """
  - id: {id}
    title: t
    class: facts
    why: w
    evidence: e
    tasks: ['1']
    pointer: {pointer}
    guard: '{guard}'
    value: x
    fault: f
    gates: DB
"""
    guard = "0" * 64
    path.write_text(
        "domain: shop\nrepairs:"
        + entry.format(id="whole", pointer="/actions/0", guard=guard)
        + entry.format(id="part", pointer="/actions/0/arguments", guard=guard)
        + entry.format(id="whole", pointer="/told", guard=guard),
        encoding="utf-8",
    )
    monkeypatch.setattr(module.resources, "data_root", lambda: tmp_path)
    with pytest.raises(RepairError) as raised:
        load_task_repairs("shop")
    assert "'part' and 'whole' both write /actions/0/arguments of task 1" in str(raised.value)
    assert "shop.yaml:15" in str(raised.value)
    assert "repair 'whole' stands twice" in str(raised.value)


@pytest.mark.parametrize(
    "fields",
    [
        {"pointer": "told", "value": 1, "guard": "0" * 64},
        {"pointer": "/told", "value": 1},
        {"pointer": "/told", "guard": "0" * 64},
        {"pointer": "/told", "op": "remove", "value": 1, "guard": "0" * 64},
        {"pointer": "/told", "op": "substitute", "value": "x", "guard": "0" * 64},
        {"pointer": "/told", "find": "x", "value": "y", "guard": "0" * 64},
        {"pointer": "/told", "value": 1, "guard": "abc"},
    ],
)
def test_a_repair_that_means_nothing_is_refused(fields):
    with pytest.raises(ValidationError):
        repair(**fields)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(VALUES)
def test_keys_without_a_value_do_not_change_a_fingerprint(value):
    padded = {"x": value, "nothing": None}
    assert fingerprint_value(padded) == fingerprint_value({"x": value})


@given(st.text(min_size=1, max_size=9), st.text(min_size=1, max_size=9))
def test_repairing_twice_is_repairing_once(old, new):
    own = repair(pointer=ITEM, guard=[fingerprint_value(old)], value=new)
    before = task(actions=[{"action_id": "1_1", "arguments": {"item": old}}])
    once = play([own], before)[0]
    twice = play([own], once.task)[0]
    assert twice.task == once.task
    assert twice.repairs == once.repairs


def test_pointers_escape_and_miss():
    document = {"a/b": {"~": [1]}, "list": [{"id": "x"}, {"id": "x"}]}
    assert find_value(document, "/a~1b/~0/0") == 1
    assert find_value(document, "/a~1b/~0/1") is MISSING
    # Two elements with the same key are no address.
    assert find_value(document, "/list/id=x") is MISSING
    assert fit_of(repair(pointer="/list/id=y/z", guard="0" * 64, value=1), document) == "unfit"
