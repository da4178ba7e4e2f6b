"""Retail's repaired tasks: the same facts on both layouts, and right by the database."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from jtau_plugin.localization.tasks import (
    choose_renderings,
    fingerprint_facts,
    task_texts,
)
from jtau_plugin.models.overlay import Rendering
from jtau_plugin.overlays.catalog import get_catalog
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.patching.repairs import load_task_repairs, repair_tasks

from .golden import check_golden
from .support import fresh_domain, is_main, registry

_FILE = load_task_repairs("retail")
_DEFAULT = frozenset(repair.id for repair in _FILE.repairs if repair.is_default)
_REPAIRED_IDS = sorted({name for repair in _FILE.repairs for name in repair.tasks}, key=int)
_ASSERTIONS = "/evaluation_criteria/nl_assertions"
_SCRIPT = "/user_scenario/instructions/reason_for_call"

#: Reads that are meant to raise: the caller gives a wrong address, zip code or order id first.
_BY_DESIGN = Counter(
    {"35": 1, "37": 1, "38": 1, "39": 1, "46": 2, "47": 2, "54": 1, "55": 1, "67": 2, "68": 1}
)
#: What raises in gold as it is installed, beside those.
_FAULTY_ON_BOTH = Counter({"2": 1, "3": 1, "4": 1, "64": 1, "105": 1})
_FAULTY_ON_NV = Counter({"12": 1, "13": 1, "21": 3})


@pytest.fixture(scope="module")
def installed() -> dict[str, Any]:
    return {task.id: task for task in registry().get_tasks_loader("retail")(None)}


@pytest.fixture(scope="module")
def repaired(installed: dict[str, Any]) -> dict[str, Any]:
    entries = repair_tasks(list(installed.values()), "retail", _DEFAULT)
    return {entry.task.id: entry.task for entry in entries}


@pytest.fixture(scope="module")
def variants(pristine_db: Any) -> dict[str, tuple[str, Any]]:
    """(product id, variant) by item id."""
    return {
        item_id: (product.product_id, variant)
        for product in pristine_db.products.values()
        for item_id, variant in product.variants.items()
    }


def _start(fresh: Callable[[str], Any], task: Any) -> Any:
    """Return an environment in the task's initial state."""
    env = fresh("retail")
    data = task.initial_state.initialization_data if task.initial_state else None
    env.set_state(initialization_data=data, initialization_actions=None, message_history=[])
    return env


def _replay(env: Any, task: Any) -> list[str]:
    """Run gold and return the ids of the actions that raise."""
    raised = []
    for action in task.evaluation_criteria.actions or []:
        try:
            env.make_tool_call(action.name, requestor=action.requestor, **action.arguments)
        except Exception:
            raised.append(action.action_id)
    return raised


def _raises(fresh: Callable[[str], Any], tasks: dict[str, Any]) -> Counter[str]:
    counts = {name: len(_replay(_start(fresh, task), task)) for name, task in tasks.items()}
    return Counter({name: count for name, count in counts.items() if count})


def _writes(task: Any, name: str) -> Any:
    (action,) = [a for a in task.evaluation_criteria.actions if a.name == name]
    return action.arguments


def _with_options(product: Any, **options: str) -> list[str]:
    return [
        item_id
        for item_id, variant in product.variants.items()
        if variant.available
        and all(variant.options[key.replace("_", " ")] == value for key, value in options.items())
    ]


# The facts -----------------------------------------------------------------------------------


def test_all_tasks_have_the_facts_that_both_layouts_share(repaired: dict[str, Any]) -> None:
    assert len(repaired) == 114
    facts = {name: fingerprint_facts(task) for name, task in repaired.items()}
    check_golden("facts_retail.json", facts)


def test_repairing_twice_changes_nothing(repaired: dict[str, Any]) -> None:
    again = repair_tasks(list(repaired.values()), "retail", _DEFAULT)

    assert all(entry.task is repaired[entry.task.id] for entry in again)


def test_installed_tasks_stay_as_they_are(installed: dict[str, Any]) -> None:
    before = {name: task.model_dump_json() for name, task in installed.items()}
    repair_tasks(list(installed.values()), "retail", _DEFAULT)

    assert {name: task.model_dump_json() for name, task in installed.items()} == before


def test_gold_raises_only_where_it_is_meant_to(
    fresh: Callable[[str], Any], repaired: dict[str, Any]
) -> None:
    assert _raises(fresh, repaired) == _BY_DESIGN


def test_gold_as_it_is_installed_raises_elsewhere_too(
    fresh: Callable[[str], Any], installed: dict[str, Any]
) -> None:
    faulty = _FAULTY_ON_BOTH + (Counter() if is_main() else _FAULTY_ON_NV)
    names = set(faulty) | set(_BY_DESIGN)

    assert _raises(fresh, {n: installed[n] for n in names}) == faulty + _BY_DESIGN


@pytest.mark.parametrize("name", ["2", "3", "4", "12", "13", "59", "64"])
def test_actions_that_went_decided_nothing(
    name: str, fresh: Callable[[str], Any], installed: dict[str, Any], repaired: dict[str, Any]
) -> None:
    hashes = []
    for tasks in (installed, repaired):
        env = _start(fresh, tasks[name])
        _replay(env, tasks[name])
        hashes.append(env.get_db_hash())

    assert hashes[0] == hashes[1]


# Task 105: the gift card ----------------------------------------------------------------------


def test_105_was_passed_by_doing_nothing_and_is_not_any_more(
    fresh: Callable[[str], Any], installed: dict[str, Any], repaired: dict[str, Any]
) -> None:
    for tasks, is_changed in ((installed, False), (repaired, True)):
        env = _start(fresh, tasks["105"])
        before = env.get_db_hash()
        _replay(env, tasks["105"])
        assert (env.get_db_hash() != before) is is_changed


def test_105_changes_nothing_but_the_balance_at_the_start(
    fresh: Callable[[str], Any], pristine_db: Any, repaired: dict[str, Any]
) -> None:
    start = _start(fresh, repaired["105"]).tools.db.model_dump()
    methods = start["users"]["aarav_anderson_8794"]["payment_methods"]
    assert methods["gift_card_7245904"]["balance"] == 50.0

    methods["gift_card_7245904"]["balance"] = 17.0
    assert start == pristine_db.model_dump()


def test_105_starts_alike_in_japanese(
    fresh: Callable[[str], Any], repaired: dict[str, Any]
) -> None:
    data = repaired["105"].initial_state.initialization_data
    english, japanese = fresh("retail"), fresh("ja_retail")
    for env in (english, japanese):
        env.set_state(initialization_data=data, initialization_actions=None, message_history=[])

    assert japanese.get_db_hash() == english.get_db_hash()


def test_105_has_no_cheaper_way_out(
    pristine_db: Any, variants: dict[str, Any], repaired: dict[str, Any]
) -> None:
    wanted = _writes(repaired["105"], "exchange_delivered_order_items")
    kettles = pristine_db.products["9832717871"]
    ceramic = _with_options(kettles, material="ceramic", stovetop_compatibility="gas")
    small = _with_options(kettles, capacity="1.5 liters", stovetop_compatibility="gas")
    assert [ceramic, small] == [[item] for item in wanted["new_item_ids"]]

    price = {item: variants[item][1].price for item in (*ceramic, *small, "7292993796")}
    difference = price[ceramic[0]] + price[small[0]] - 2 * price["7292993796"]
    assert round(difference, 2) == 21.10
    user = pristine_db.users["aarav_anderson_8794"]
    assert [m.balance for m in user.payment_methods.values()] == [17.0]


# What the "verified" fork has, and why it is not taken --------------------------------------


@pytest.mark.parametrize(
    "case", [("18", "18_4", "3609437808"), ("91", "91_1", "6268080249")], ids=["chair", "e-reader"]
)
def test_the_forks_replacement_cannot_be_had_and_ours_can(
    case: tuple[str, str, str],
    fresh: Callable[[str], Any],
    variants: dict[str, Any],
    repaired: dict[str, Any],
) -> None:
    name, action_id, forks = case
    actions = {a.action_id: a for a in repaired[name].evaluation_criteria.actions}
    arguments = actions[action_id].arguments
    (old,), (new,) = arguments["item_ids"], arguments["new_item_ids"]
    assert new not in (old, forks)
    assert variants[new][0] == variants[old][0] == variants[forks][0]

    env = fresh("retail")
    with pytest.raises(ValueError, match="not found or available"):
        env.make_tool_call(actions[action_id].name, **{**arguments, "new_item_ids": [forks]})
    env.make_tool_call(actions[action_id].name, **arguments)


def test_18_falls_back_on_one_chair(pristine_db: Any, repaired: dict[str, Any]) -> None:
    chairs = pristine_db.products["4794339885"]
    wanted = _writes(repaired["18"], "exchange_delivered_order_items")["new_item_ids"]

    assert _with_options(chairs, color="gray", material="leather", armrest="fixed") == wanted


def test_91_falls_back_on_the_reader_that_is_otherwise_the_same(
    pristine_db: Any, variants: dict[str, Any], repaired: dict[str, Any]
) -> None:
    arguments = _writes(repaired["91"], "exchange_delivered_order_items")
    (old,), (new,) = arguments["item_ids"], arguments["new_item_ids"]
    readers = pristine_db.products[variants[old][0]]
    options = {key.replace(" ", "_"): v for key, v in variants[old][1].options.items()}

    assert _with_options(readers, **{**options, "storage": "32GB"}) == [new]
    assert len(_with_options(readers, storage="32GB")) == 2  # so "32GB" alone would not do


def test_107_falls_back_on_one_pair_of_boots(pristine_db: Any, repaired: dict[str, Any]) -> None:
    action = repaired["107"].evaluation_criteria.actions[0]
    boots = pristine_db.products["7363354090"]

    assert action.arguments["new_item_ids"] != action.arguments["item_ids"]
    wanted = _with_options(boots, size="9", material="leather", waterproof="yes")
    assert action.arguments["new_item_ids"] == wanted


def test_21_reads_with_tools_that_both_layouts_have(
    pristine_db: Any, repaired: dict[str, Any]
) -> None:
    actions = {a.action_id: a for a in repaired["21"].evaluation_criteria.actions}
    reads = {"21_5": "4107812777", "21_6": "1421289881", "21_8": "4107812777"}
    for action_id, item in reads.items():
        assert actions[action_id].name == "get_product_details"
        product = pristine_db.products[actions[action_id].arguments["product_id"]]
        assert item in product.variants
        assert item not in pristine_db.products


def test_49_takes_the_cheapest_of_the_orders_other_earbuds(
    pristine_db: Any, repaired: dict[str, Any]
) -> None:
    arguments = _writes(repaired["49"], "exchange_delivered_order_items")
    items = pristine_db.orders[arguments["order_id"]].items
    others = [
        item
        for item in items
        if item.name == "Wireless Earbuds" and item.item_id not in arguments["item_ids"]
    ]
    assert {item.options["water resistance"] for item in others} == {"IPX4"}
    assert "8555936349" not in {item.item_id for item in items}  # what the fork has

    assert arguments["new_item_ids"] == [min(others, key=lambda item: item.price).item_id]


def test_109_moves_to_the_address_of_the_luggage(
    pristine_db: Any, repaired: dict[str, Any]
) -> None:
    (luggage,) = [
        order
        for order in pristine_db.orders.values()
        if order.user_id == "sophia_martin_8570"
        and any(item.name == "Luggage Set" for item in order.items)
    ]
    new = luggage.address.model_dump()
    for name in ("modify_pending_order_address", "modify_user_address"):
        written = {k: v for k, v in _writes(repaired["109"], name).items() if k in new}
        assert written == new
    order_id = _writes(repaired["109"], "modify_pending_order_address")["order_id"]
    assert pristine_db.orders[order_id].address.address1 == "760 Elm Avenue"
    assert pristine_db.users["sophia_martin_8570"].address.address1 == "760 Elm Avenue"


# Decisions that leave the data alone ---------------------------------------------------------


def test_8_has_one_lamp_that_is_brighter(pristine_db: Any, repaired: dict[str, Any]) -> None:
    lamps = pristine_db.products["6817146515"]
    arguments = _writes(repaired["8"], "exchange_delivered_order_items")
    assert lamps.variants[arguments["item_ids"][0]].options["brightness"] == "medium"

    assert _with_options(lamps, brightness="high", power_source="battery") == []
    by_usb = _with_options(lamps, brightness="high", power_source="USB")
    assert by_usb == arguments["new_item_ids"]


def test_42_is_logged_in_with_the_mistyped_address_or_the_right_one(
    pristine_db: Any, fresh: Callable[[str], Any], repaired: dict[str, Any]
) -> None:
    new = _writes(repaired["42"], "modify_user_address")
    old = pristine_db.users["mei_patel_7272"].address
    assert (old.address1, old.zip) == ("443 Maple Drive", "76165")
    assert (new["address1"], new["zip"]) == ("445 Maple Drive", "76165")

    found = fresh("retail").make_tool_call(
        "find_user_id_by_name_zip", first_name="Mei", last_name="Patel", zip=new["zip"]
    )
    assert found == "mei_patel_7272"


@pytest.mark.parametrize("protocol", ["deterministic", "judged"])
def test_30_to_32_check_the_tracking_number_again(
    protocol: str, pristine_db: Any, installed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JTAU_PROTOCOL", protocol)
    ours = {task.id: task for task in fresh_domain().get_tasks(None)}
    (number,) = pristine_db.orders["#W2692684"].fulfillments[0].tracking_id
    for name in ("30", "31", "32"):
        upstream = {kind.value for kind in installed[name].evaluation_criteria.reward_basis}
        assert ("COMMUNICATE" in upstream) is not is_main()
        criteria = ours[name].evaluation_criteria
        assert criteria.communicate_info == [number]
        assert "COMMUNICATE" in {kind.value for kind in criteria.reward_basis}


def test_33_and_34_demand_no_refund_that_gold_does_not_make(repaired: dict[str, Any]) -> None:
    for name, write in (("33", "modify_user_address"), ("34", "modify_pending_order_address")):
        criteria = repaired[name].evaluation_criteria
        assert criteria.communicate_info == []
        writes = [a.name for a in criteria.actions if a.name.startswith(("cancel", "ret", "mod"))]
        assert writes == [write]


def test_decisions_name_tasks_and_stand_once(installed: dict[str, Any]) -> None:
    names = [name for decision in _FILE.decisions for name in decision.findings]

    assert {name.split()[0] for name in names} <= set(installed)
    assert all(len(name.split()) == 2 for name in names)
    assert len(names) == len(set(names))


# The texts ------------------------------------------------------------------------------------


def _numbers(text: str) -> set[Decimal]:
    return {Decimal(n.replace(",", "")) for n in re.findall(r"\d[\d,]*(?:\.\d+)?", text)}


_TOLD = [
    (name, repair)
    for repair in _FILE.repairs
    if repair.pointer == _ASSERTIONS
    for name in repair.tasks
]


@pytest.mark.parametrize(("name", "repair"), _TOLD, ids=[name for name, _ in _TOLD])
def test_assertions_demand_what_is_to_be_communicated(
    name: str, repair: Any, repaired: dict[str, Any]
) -> None:
    criteria = repaired[name].evaluation_criteria
    assert len(criteria.nl_assertions) == len(repair.value)
    for assertions in (criteria.nl_assertions, repair.value):
        text = " ".join(assertions)
        for expected in criteria.communicate_info:
            if _numbers(expected):
                assert _numbers(expected) <= _numbers(text), expected
            else:
                assert expected.lower() in text.lower()


def test_each_assertion_and_text_has_its_japanese(repaired: dict[str, Any]) -> None:
    assert _unrendered(repaired.values()) == []


def _unrendered(tasks: Any) -> list[Any]:
    texts, file = get_catalog("ja", "retail").tasks
    problems: list[Any] = []
    for task in tasks:
        choose_renderings(task, texts.tasks[task.id], file, problems, problems)
    return problems


@pytest.mark.parametrize("name", _REPAIRED_IDS)
def test_japanese_is_there_with_each_repair_switched_off_or_on_alone(
    name: str, installed: dict[str, Any]
) -> None:
    own = [repair.id for repair in _FILE.repairs if name in repair.tasks]
    choices = [frozenset[str](), *(_DEFAULT - {x} for x in own), *(frozenset({x}) for x in own)]
    for enabled in choices:
        (entry,) = repair_tasks([installed[name]], "retail", enabled)
        assert _unrendered([entry.task]) == [], sorted(set(own) & enabled)


def test_a_repaired_script_and_the_one_it_replaces_differ_in_japanese() -> None:
    texts, _ = get_catalog("ja", "retail").tasks
    for repair in _FILE.repairs:
        if repair.pointer == _SCRIPT:
            (name,) = repair.tasks
            entry = texts.tasks[name].root[_SCRIPT]
            assert not isinstance(entry, Rendering), name
            assert fingerprint_text(repair.value) in entry[0].source, name
            assert len({rendering.text for rendering in entry}) == len(entry), name


def _runs(text: str, length: int = 8) -> Iterator[str]:
    words = re.findall(r"[A-Za-z']+", text.lower())
    for start in range(len(words) - length + 1):
        yield " ".join(words[start : start + length])


def test_no_text_of_ours_is_tau2s(installed: dict[str, Any]) -> None:
    theirs = {
        run for task in installed.values() for _, text in task_texts(task) for run in _runs(text)
    }
    for repair in _FILE.repairs:
        value = repair.value if isinstance(repair.value, list) else [repair.value]
        for text in (repair.title, repair.why, repair.evidence, *value):
            if isinstance(text, str):
                assert theirs.isdisjoint(_runs(text)), repair.id
