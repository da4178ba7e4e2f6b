"""Telecom's repaired tasks: facts as they are installed, and texts that say what is so."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import pytest

from jtau_plugin.localization.tasks import fingerprint_facts, task_texts
from jtau_plugin.overlays.catalog import get_catalog
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.patching.repairs import load_task_repairs

from .golden import check_golden
from .repair_support import (
    choices,
    default_ids,
    load_tasks,
    repair,
    replay,
    runs,
    unrendered,
    written,
)
from .support import registry

_FILE = load_task_repairs("telecom")
_DEFAULT = default_ids("telecom")
_KINDS = ("mms_issue", "mobile_data_issue", "service_issue")


@pytest.fixture(scope="module")
def installed() -> dict[str, Any]:
    return load_tasks("telecom_full")


@pytest.fixture(scope="module")
def repaired(installed: dict[str, Any]) -> dict[str, Any]:
    return repair(installed.values(), "telecom", _DEFAULT)


@pytest.fixture(scope="module")
def base() -> list[str]:
    """The ids of the 114 tasks that are run by default."""
    return list(load_tasks("telecom"))


def _of_kind(tasks: dict[str, Any], kind: str) -> list[Any]:
    return [task for name, task in tasks.items() if name.startswith(f"[{kind}]")]


def _one_of_each_text(tasks: dict[str, Any]) -> list[Any]:
    """Return tasks that have between them every text."""
    chosen, seen = [], set()
    for task in tasks.values():
        texts = set(task_texts(task))
        if not texts <= seen:
            chosen.append(task)
            seen |= texts
    return chosen


def _start(task: Any) -> Any:
    env = registry().get_env_constructor("telecom")()
    state = task.initial_state
    env.set_state(state.initialization_data, state.initialization_actions, [])
    return env


# The facts -----------------------------------------------------------------------------------


def test_all_tasks_have_the_facts_that_both_layouts_share(
    repaired: dict[str, Any], base: list[str]
) -> None:
    assert (len(repaired), len(base)) == (2285, 114)
    facts = {name: fingerprint_facts(task) for name, task in repaired.items()}
    together = "\n".join(f"{name} {facts[name]}" for name in sorted(facts))
    whole = hashlib.sha256(together.encode("utf-8")).hexdigest()
    check_golden("facts_telecom.json", {"*": whole, **{name: facts[name] for name in base}})


def test_no_fact_is_touched(installed: dict[str, Any], repaired: dict[str, Any]) -> None:
    for name, task in repaired.items():
        assert fingerprint_facts(task) == fingerprint_facts(installed[name]), name


def test_repairing_twice_changes_nothing(repaired: dict[str, Any]) -> None:
    again = repair(repaired.values(), "telecom", _DEFAULT)
    assert all(task is repaired[name] for name, task in again.items())


def test_no_gold_raises_and_each_leaves_what_is_asserted(
    repaired: dict[str, Any], base: list[str]
) -> None:
    for name in base:
        env = _start(repaired[name])
        assert replay(env, repaired[name]) == [], name
        for assertion in repaired[name].evaluation_criteria.env_assertions or []:
            assert env.run_env_assertion(assertion, raise_assertion_error=False), name


# Scripts -------------------------------------------------------------------------------------


def test_scripts_name_tools_that_the_caller_has(
    installed: dict[str, Any], repaired: dict[str, Any]
) -> None:
    tools = set(registry().get_env_constructor("telecom")().user_tools.tools)
    for task in repaired.values():
        named = re.findall(r"`(\w+)`", task.user_scenario.instructions.task_instructions)
        assert named == ["check_status_bar", "can_send_mms"]
        assert set(named) <= tools
    scripts = [t.user_scenario.instructions.task_instructions for t in installed.values()]
    assert all("`get_status_bar`" in script for script in scripts)
    assert "get_status_bar" not in tools


# Tickets -------------------------------------------------------------------------------------


def _refueled(task: Any) -> set[float]:
    """Return the amounts of data that gold adds and that the task asserts."""
    criteria = task.evaluation_criteria
    gold = {a.arguments["gb_amount"] for a in criteria.actions if a.name == "refuel_data"}
    wanted = {
        a.arguments["expected_amount"]
        for a in criteria.env_assertions
        if a.func_name == "assert_data_refueling_amount"
    }
    return gold | wanted


def test_who_pays_for_data_has_agreed_to_that_amount(
    installed: dict[str, Any], repaired: dict[str, Any]
) -> None:
    refueling = [name for name, task in repaired.items() if _refueled(task)]
    assert len(refueling) == 962 + 30 + 108 + 20
    for name in refueling:
        assert _refueled(repaired[name]) == {2.0}
        assert "2.0 GB" in repaired[name].user_scenario.instructions.task_instructions
        assert "2.0 GB" in repaired[name].ticket
        assert ("2.0 GB" in installed[name].ticket) is name.startswith("[mobile_data_issue]")


@pytest.mark.parametrize("kind", ["mms_issue", "mobile_data_issue"])
def test_a_ticket_does_not_give_used_up_data_away(kind: str, repaired: dict[str, Any]) -> None:
    tasks = _of_kind(repaired, kind)
    assert {bool(_refueled(task)) for task in tasks} == {True, False}
    assert all("2.0 GB" in task.ticket for task in tasks)


def test_no_ticket_quotes_a_status_bar_that_is_not_there(
    installed: dict[str, Any], repaired: dict[str, Any], base: list[str]
) -> None:
    shown: dict[str, list[str]] = {"mobile_data_issue": [], "service_issue": []}
    for name in base:
        kind = name[1:].partition("]")[0]
        if kind in shown:
            shown[kind].append(_start(repaired[name]).user_tools.check_status_bar())
            assert "'No Service'" in installed[name].ticket
    for bars in shown.values():
        assert not any("No Service" in bar for bar in bars)
    in_the_air = [bar for bar in shown["mobile_data_issue"] if "Airplane Mode" in bar]
    assert (len(in_the_air), len(shown["mobile_data_issue"])) == (19, 36)
    assert not any("No Signal" in bar for bar in shown["mobile_data_issue"])

    assert not any("'" in task.ticket for task in repaired.values())
    assert not any("status bar" in task.ticket for task in _of_kind(repaired, "mobile_data_issue"))


# Texts ---------------------------------------------------------------------------------------


def test_each_literal_stands_once_in_each_text(installed: dict[str, Any]) -> None:
    for own in _FILE.repairs:
        for task in _one_of_each_text(installed):
            text = dict(task_texts(task)).get(own.pointer, "")
            if any(name[1:] in task.id for name in own.tasks):
                assert text.count(own.find) == 1, (own.id, task.id)


def test_japanese_is_there_with_each_repair_switched_off_or_on_alone(
    installed: dict[str, Any],
) -> None:
    tasks = _one_of_each_text(installed)
    assert {task.id[1:].partition("]")[0] for task in tasks} == set(_KINDS)
    for enabled in choices(sorted(_DEFAULT), _DEFAULT):
        found = repair(tasks, "telecom", enabled)
        assert unrendered(found.values(), "telecom") == [], sorted(enabled)


def test_japanese_says_what_the_repaired_texts_say(repaired: dict[str, Any]) -> None:
    texts, _ = get_catalog("ja", "telecom").tasks
    for task in _one_of_each_text(repaired):
        for pointer, english in task_texts(task):
            (japanese,) = (
                r.text for r in texts.shared[pointer] if fingerprint_text(english) in r.source
            )
            assert "get_status_bar" not in japanese
            assert japanese.count("check_status_bar") == english.count("check_status_bar")
            assert japanese.count("2.0GB") == english.count("2.0 GB")
            if pointer == "/ticket":
                assert "サービスなし" not in japanese


def test_no_text_of_ours_is_tau2s(installed: dict[str, Any]) -> None:
    theirs = {
        run
        for task in _one_of_each_text(installed)
        for _, text in task_texts(task)
        for run in runs(text)
    }
    for own, text in written("telecom"):
        assert theirs.isdisjoint(runs(text)), own


def test_decisions_stand_once() -> None:
    names = [name for decision in _FILE.decisions for name in decision.findings]
    assert len(names) == len(set(names))
