"""The do-nothing floor: what is decided from a task, and what only grading can tell."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from jtau_plugin.scoring.floor import Refusal, decide, find_floor

KINDS = {("assistant", "get"): "read", ("assistant", "set"): "write", ("user", "look"): "read"}


def kind(requestor: str, name: str) -> str | None:
    return KINDS.get((requestor, name))


def task(name: str = "t", basis: str = "DB COMMUNICATE", **criteria: Any) -> Any:
    fields = {"actions": None, "communicate_info": None, "nl_assertions": None}
    own = SimpleNamespace(reward_basis=basis.split(), env_assertions=None, **{**fields, **criteria})
    return SimpleNamespace(id=name, evaluation_criteria=own, initial_state=None)


def actions(*names: str) -> list[Any]:
    return [
        SimpleNamespace(requestor="user" if name == "look" else "assistant", name=name)
        for name in names
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (task(), Refusal.PASSES),
        (task(actions=actions("get", "look")), Refusal.PASSES),
        (task(actions=actions("get", "set")), None),
        (task(actions=actions("unheard-of")), None),
        (task(communicate_info=["10"]), Refusal.FAILS),
        (task(basis="DB", communicate_info=["10"]), Refusal.PASSES),
        (task(basis="DB ACTION", actions=actions("get")), Refusal.FAILS),
        (task(basis="DB ACTION", actions=[]), Refusal.PASSES),
        (task(basis="DB NL_ASSERTION", nl_assertions=["x"]), Refusal.JUDGED),
        (task(basis="DB NL_ASSERTION", nl_assertions=[]), Refusal.PASSES),
        (task(basis="DB", nl_assertions=["x"]), Refusal.PASSES),
    ],
)
def test_what_a_task_says_decides(given: Any, expected: Refusal | None) -> None:
    assert decide(given, kind) is expected


def test_a_world_of_its_own_has_to_be_graded() -> None:
    started = task()
    started.initial_state = SimpleNamespace()
    asserted = task()
    asserted.evaluation_criteria.env_assertions = [SimpleNamespace()]
    assert decide(started, kind) is None
    assert decide(asserted, kind) is None


def test_a_task_without_criteria_is_passed_by_anybody() -> None:
    free = task()
    free.evaluation_criteria = None
    assert decide(free, kind) is Refusal.PASSES


def test_only_what_is_undecided_is_graded() -> None:
    writes = {"actions": actions("set")}
    judged = {"basis": "DB NL_ASSERTION", "nl_assertions": ["x"], **writes}
    tasks = [
        task("read"),
        task("same", **writes),
        task("changed", **writes),
        task("broken", **writes),
        task("talk", **judged),
        task("told", communicate_info=["10"]),
    ]
    rewards = {"same": 1.0, "changed": 0.0, "broken": None, "talk": 1.0}
    asked = []

    def grade(one: Any) -> float | None:
        asked.append(one.id)
        return rewards[one.id]

    floor = find_floor("retail", tasks, kind, grade)
    assert asked == ["same", "changed", "broken", "talk"]
    assert (floor.passing, floor.judged, floor.unknown) == (
        ("read", "same"),
        ("talk",),
        ("broken",),
    )
    assert floor.rate == pytest.approx(2 / 6)
