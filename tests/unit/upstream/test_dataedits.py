"""Repairs of data as edits of files."""

from __future__ import annotations

import copy
import json

import pytest

from jtau_plugin.models.patches import TaskRepair
from jtau_plugin.patching.canonical import fingerprint_value
from jtau_plugin.upstream.dataedits import document_paths, task_edit
from jtau_plugin.upstream.syntax import AlreadyThereError, AnchorError

from .checkouts import TASKS

ACTIONS = [
    {"action_id": "1_0", "name": "look", "arguments": {"id": "A"}, "info": None},
    {"action_id": "1_1", "name": "pay", "arguments": {"id": "A", "sum": 3}, "info": None},
]
RAW = [
    {"id": "1", "script": "Buy a lamp.", "criteria": {"actions": ACTIONS, "said": None}},
    {"id": "[a]2", "script": "Buy a mug.", "criteria": {"actions": [], "said": ["7"]}},
    {"id": "[a]3", "script": "Buy a mug.", "criteria": {"actions": []}},
]


class Files:
    def __init__(self, tasks=RAW) -> None:
        self.texts = {TASKS: json.dumps(tasks, indent=4) + "\n"}

    def has(self, path: str) -> bool:
        return path in self.texts

    def read(self, path: str) -> str:
        return self.texts[path]


def normalize(raw: dict) -> dict:
    """What a model does: it knows the requestor where the file leaves it out."""
    document = copy.deepcopy(raw)
    for action in document["criteria"].get("actions") or []:
        action.setdefault("requestor", "assistant")
    return document


def repair(pointer: str, **fields) -> TaskRepair:
    given = {
        "id": "one",
        "title": "Title",
        "class": "facts",
        "why": "Why",
        "evidence": "Read",
        "tasks": ["1"],
        "pointer": pointer,
        "fault": "wrong",
        "gates": "DB",
        **fields,
    }
    return TaskRepair.model_validate(given)


def made(one: TaskRepair, files: Files | None = None) -> list[dict]:
    files = files or Files()
    return json.loads(task_edit(one, "shop", normalize)(files)[TASKS])


def known(value) -> str:
    return fingerprint_value(value)


def test_a_text_is_replaced_and_nothing_else():
    one = repair("/script", guard=known("Buy a lamp."), value="Buy one lamp.")
    files = Files()
    text = task_edit(one, "shop", normalize)(files)[TASKS]
    assert text == files.texts[TASKS].replace("Buy a lamp.", "Buy one lamp.")


def test_an_action_keeps_the_keys_of_the_file():
    old = {**ACTIONS[1], "requestor": "assistant"}
    new = {"action_id": "1_1", "requestor": "assistant", "name": "pay", "arguments": {"id": "B"}}
    one = repair("/criteria/actions/action_id=1_1", guard=known(old), value=new)
    changed = made(one)[0]["criteria"]["actions"][1]
    assert changed == {"action_id": "1_1", "name": "pay", "arguments": {"id": "B"}, "info": None}
    assert list(changed) == list(ACTIONS[1])


def test_an_added_action_is_shaped_like_its_neighbours():
    new = {"action_id": "1_2", "requestor": "assistant", "name": "go", "arguments": {}}
    one = repair("/criteria/actions/action_id=1_2", op="add", value=new)
    changed = made(one)[0]["criteria"]["actions"]
    assert changed[2] == {"action_id": "1_2", "name": "go", "arguments": {}, "info": None}


def test_values_are_added_removed_and_substituted():
    assert made(repair("/criteria/said", op="add", value=["5"]))[0]["criteria"]["said"] == ["5"]
    old = {**ACTIONS[0], "requestor": "assistant"}
    one = repair("/criteria/actions/action_id=1_0", op="remove", guard=known(old))
    assert [a["action_id"] for a in made(one)[0]["criteria"]["actions"]] == ["1_1"]
    one = repair("/script", op="substitute", find="lamp", guard=known("Buy a lamp."), value="bulb")
    assert made(one)[0]["script"] == "Buy a bulb."


def test_a_pattern_finds_its_tasks():
    one = repair("/script", tasks=["*[a]"], guard=known("Buy a mug."), value="Buy a cup.")
    assert [task["script"] for task in made(one)] == ["Buy a lamp.", "Buy a cup.", "Buy a cup."]


def test_what_is_right_already_is_said():
    one = repair("/script", guard=known("Something else."), value="Buy a lamp.")
    with pytest.raises(AlreadyThereError):
        made(one)
    one = repair("/script", guard=known("x"), accept=known("Buy a lamp."), value="y")
    with pytest.raises(AlreadyThereError):
        made(one)


def test_what_does_not_fit_is_refused_with_each_task():
    one = repair("/script", tasks=["1", "[a]2", "9"], guard=known("Buy a mug."), value="x")
    with pytest.raises(AnchorError) as caught:
        made(one)
    assert str(caught.value) == (
        "task 1 /script has another value than the guard knows; there is no task 9"
    )


def test_documents_lie_where_the_manifest_says():
    assert document_paths("retail")["policy"] == "data/tau2/domains/retail/policy.md"
    assert document_paths("nothing") == {}
