"""ja_airline and ja_telecom: the same state as English after gold, and nothing left in English."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from jtau_plugin.domains.repairing import repair_tasks

from .japanese_writing import write_arguments
from .support import call, registry

DOMAINS = {"airline": ("airline", 50), "telecom": ("telecom", 114)}
FULL = ("telecom_full", 2285)


@cache
def _database(domain: str) -> str:
    text: str = registry().get_env_constructor(domain)().tools.db.model_dump_json()
    return text


def _fresh(name: str, domain: str) -> Any:
    """Return an environment on its own copy of the database; airline's takes 0.1 s to read."""
    constructor = registry().get_env_constructor(name)
    if domain != "airline":
        return constructor()
    from tau2.domains.airline.data_model import FlightDB

    return constructor(db=FlightDB.model_validate_json(_database(domain)))


def _initialize(env: Any, task: Any) -> None:
    state = task.initial_state
    env.set_state(
        initialization_data=state.initialization_data if state else None,
        initialization_actions=state.initialization_actions if state else None,
        message_history=[],
    )


def _english_gold(env: Any, actions: list[Any]) -> None:
    for action in actions:
        try:
            env.make_tool_call(action.name, requestor=action.requestor, **action.arguments)
        except Exception:  # a gold action may be meant to be refused
            continue
        env.sync_tools()


def _japanese_gold(env: Any, actions: list[Any]) -> list[Any]:
    catalog = env.jtau_localizer.catalog
    return [
        call(
            env,
            action.name,
            write_arguments(catalog, action.name, action.arguments, action.requestor),
            action.requestor,
        )
        for action in actions
    ]


def _assert_same_state(domain: str, task: Any) -> None:
    actions = task.evaluation_criteria.actions or []
    english, japanese = _fresh(domain, domain), _fresh(f"ja_{domain}", domain)
    for env in (english, japanese):
        _initialize(env, task)
    _english_gold(english, actions)
    answers = _japanese_gold(japanese, actions)

    assert japanese.get_db_hash() == english.get_db_hash()
    assert japanese.get_user_db_hash() == english.get_user_db_hash()
    assert japanese.jtau_records.misses == []
    assert not any("\\u" in answer.content for answer in answers)
    for assertion in task.evaluation_criteria.env_assertions or []:
        assert japanese.run_env_assertion(assertion, raise_assertion_error=False)


@pytest.mark.parametrize("domain", DOMAINS)
def test_gold_through_the_japanese_door_leaves_the_english_state(domain: str) -> None:
    task_set, count = DOMAINS[domain]
    tasks = registry().get_tasks_loader(f"ja_{task_set}")()
    assert len(tasks) == count
    for task in tasks:
        _assert_same_state(domain, task)


@pytest.mark.slow
def test_gold_of_every_telecom_task_leaves_the_english_state() -> None:
    tasks = registry().get_tasks_loader(f"ja_{FULL[0]}")()
    assert len(tasks) == FULL[1]
    for task in tasks:
        _assert_same_state("telecom", task)


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_task_is_japanese_on_the_repaired_facts(domain: str) -> None:
    installed = registry().get_tasks_loader(domain)(None)
    english = {entry.task.id: entry.task for entry in repair_tasks(installed, domain)}
    for task in registry().get_tasks_loader(f"ja_{domain}")(None):
        own = english[task.id].evaluation_criteria
        assert task.evaluation_criteria.actions == own.actions
        assert task.evaluation_criteria.env_assertions == own.env_assertions
        assert task.initial_state == english[task.id].initial_state
        assert str(task.user_scenario) != str(english[task.id].user_scenario)


def test_no_value_of_the_airline_database_is_missed() -> None:
    env = registry().get_env_constructor("ja_airline")()
    db = env.tools.db
    for reservation in db.reservations:
        call(env, "get_reservation_details", {"reservation_id": reservation})
    for user in db.users:
        call(env, "get_user_details", {"user_id": user})
    for number, flight in db.flights.items():
        for day in flight.dates:
            call(env, "get_flight_status", {"flight_number": number, "date": day})
    routes = {(f.origin, f.destination) for f in db.flights.values()}
    for origin, destination in routes:
        arguments = {"origin": origin, "destination": destination, "date": "2024-05-20"}
        call(env, "search_direct_flight", arguments)
        call(env, "search_onestop_flight", arguments)
    call(env, "list_all_airports", {})
    assert env.jtau_records.misses == []


_BREAKERS = [
    "break_apn_settings",
    "break_apn_mms_setting",
    "break_vpn",
    "unseat_sim_card",
    "turn_airplane_mode_on",
    "turn_data_off",
    "turn_roaming_on",
    "turn_data_saver_mode_on",
]
_CHOICES: dict[str, list[dict[str, Any]]] = {
    "set_network_mode_preference": [{"mode": m} for m in ("4G/5G優先", "4Gのみ", "3Gのみ", "4G")],
    "set_apn_settings": [{"apn_settings": {"apn_name": n}} for n in ("internet", "broken")],
    "check_app_status": [{"app_name": n} for n in ("メッセージ", "ブラウザー", "地図")],
    "check_app_permissions": [{"app_name": n} for n in ("メッセージ", "ブラウザー", "地図")],
    "grant_app_permission": [
        {"app_name": "メッセージ", "permission": p} for p in ("SMS", "ストレージ", "カメラ")
    ],
}


def test_no_answer_of_a_telephone_is_missed() -> None:
    """Drives the user's tools through many states of the telephone, by chance but repeatably."""
    chance = random.Random(7)
    seen: set[str] = set()
    constructor = registry().get_env_constructor("ja_telecom")
    for _ in range(25):
        env = constructor()
        env.user_tools.set_user_info("John Smith", "555-123-2002")
        names = sorted(env.user_tools.get_tools())
        for _ in range(40):
            if chance.random() < 0.15:
                getattr(env.user_tools, chance.choice(_BREAKERS))()
                continue
            name = chance.choice(names)
            arguments = chance.choice(_CHOICES.get(name, [{}]))
            call(env, name, arguments, "user")
            seen.add(name)
        assert env.jtau_records.misses == []
    assert seen == set(names)


@pytest.mark.parametrize("domain", ["ja_airline", "ja_telecom", "ja_telecom-workflow"])
def test_the_overlay_fits_the_installed_tau2(domain: str) -> None:
    from jtau_plugin.domains import localized_domains

    own = localized_domains()[domain]
    english = registry().get_env_constructor(own.environment_base)()
    assert own.check(english)[1] == []


@pytest.mark.parametrize("domain", ["ja_telecom", "ja_telecom-workflow"])
@pytest.mark.parametrize("solo_mode", [False, True])
def test_policies_of_several_documents_are_japanese(domain: str, solo_mode: bool) -> None:
    policy = registry().get_env_constructor(domain)(solo_mode=solo_mode).get_policy()
    assert policy.startswith("<main_policy>\n#")
    assert policy.endswith("</tech_support_policy>")
    assert not any(line.isascii() and line.count(" ") > 3 for line in policy.splitlines())


def test_solo_gold_reaches_the_users_tools() -> None:
    """In solo mode the agent calls the user's tools as its own, in Japanese too."""
    env = registry().get_env_constructor("ja_telecom")(solo_mode=True)
    answer = call(env, "set_network_mode_preference", {"mode": "４Ｇのみ"})
    assert not answer.error
    assert "4Gのみ" in answer.content
    assert env.user_tools.device.network_mode_preference.value == "4g_only"
