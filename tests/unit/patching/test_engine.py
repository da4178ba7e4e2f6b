"""The patch engine: applied once, refused for a reason, and taken back without a trace."""

from __future__ import annotations

import functools
import inspect
import itertools
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from loguru import logger

from jtau_plugin.compat import wrapping
from jtau_plugin.errors import PatchError, SettingError
from jtau_plugin.patching.engine import get_engine

from .shop import SHOP, Shop

WRONG = "ab" * 32
TARGETS = {
    "function": "tau2.shop:total",
    "method": "tau2.shop:Counter.price",
    "classmethod": "tau2.shop:Counter.opened",
    "staticmethod": "tau2.shop:Counter.tax",
    "property": "tau2.shop:Counter.size",
}


def states(engine: Any) -> dict[str, str]:
    return {state.id: state.state for state in engine.states()}


@pytest.fixture
def warnings() -> Iterator[list[str]]:
    """What loguru warns of during one test."""
    found: list[str] = []
    handler = logger.add(lambda message: found.append(message.record["message"]), level="WARNING")
    yield found
    logger.remove(handler)


def entries(shop: Shop) -> dict[str, Any]:
    """The very objects that the namespaces of the fake tau2 hold."""
    counter = vars(shop.shop.Counter)
    return {
        **{name: counter[name] for name in ("price", "opened", "tax", "size")},
        "total": shop.shop.total,
        "till.total": shop.till.total,
        "till.add": shop.till.add,
    }


def assert_same(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert [name for name, entry in before.items() if after[name] is not entry] == []


# --- applying and taking back ---


def test_a_patch_lies_around_its_target_until_it_is_taken_back(shop: Shop) -> None:
    shop.card("one")
    engine = shop.engine()
    before = entries(shop)
    assert states(engine) == {"one": "not applied yet"}

    engine.ensure_applied()

    assert shop.shop.total([1, 2]) == 103
    assert states(engine) == {"one": "applied"}
    assert engine.applied_ids() == ("one",)

    engine.revert()

    assert shop.shop.total([1, 2]) == 3
    assert_same(before, entries(shop))
    assert states(engine) == {"one": "not applied yet"}
    assert engine.applied_ids() == ()


@pytest.mark.parametrize("kind", TARGETS)
def test_every_kind_of_function_can_be_a_target(kind: str, shop: Shop) -> None:
    shop.fix("plus", add="!" if kind == "classmethod" else 100)
    shop.card("one", TARGETS[kind])
    before = entries(shop)
    engine = shop.engine()

    engine.ensure_applied()

    counter = shop.shop.Counter()
    found = {
        "function": lambda: shop.shop.total([1]),
        "method": lambda: counter.price("ab", count=2),
        "classmethod": lambda: counter.opened("x"),
        "staticmethod": lambda: counter.tax(20),
        "property": lambda: counter.size,
    }[kind]()
    right = {"function": 101, "method": 104, "classmethod": "Counterx!", "staticmethod": 102}
    assert found == right.get(kind, 105)

    engine.revert()
    assert_same(before, entries(shop))


def test_what_a_tool_is_known_by_stays(shop: Shop) -> None:
    original = shop.shop.Counter.price
    shop.card("one", TARGETS["method"])
    shop.engine().ensure_applied()

    patched = shop.shop.Counter.price
    assert patched is not original
    assert patched.__tool__ is True
    assert patched.__doc__ == original.__doc__
    assert patched.__name__ == original.__name__
    assert patched.__qualname__ == original.__qualname__
    assert patched.__module__ == original.__module__
    assert inspect.signature(patched) == inspect.signature(original)
    assert (
        str(inspect.signature(shop.shop.Counter().price)) == "(item: str, *, count: int = 1) -> int"
    )


def test_modules_that_imported_a_function_by_name_have_the_patch(shop: Shop) -> None:
    shop.card("one")
    before = entries(shop)
    engine = shop.engine()

    engine.ensure_applied()
    assert shop.till.total is shop.till.add is shop.shop.total
    assert shop.till.add([1]) == 101
    later = shop.module("later", "from tau2.shop import total\n")
    assert later.total([1]) == 101

    engine.revert()
    assert_same(before, entries(shop))
    assert later.total is shop.shop.total


def test_nothing_is_wrapped_twice(shop: Shop) -> None:
    shop.card("one")
    engine = shop.engine()

    for _ in range(3):
        engine.ensure_applied()
    assert shop.shop.total([]) == 100
    patched = shop.shop.total

    engine.revert()
    engine.revert()
    engine.ensure_applied()
    assert shop.shop.total([]) == 100
    assert shop.shop.total is not patched
    assert engine.applied_ids() == ("one",)


def test_two_patches_of_one_function_come_off_last_in_first_out(shop: Shop) -> None:
    shop.fix("times", "def make(f):\n    return lambda p: f(p) * 2\ndef check():\n    return []\n")
    shop.card("a-plus")
    shop.card("b-times", fix="times")
    before = entries(shop)
    engine = shop.engine()

    engine.ensure_applied()
    assert engine.applied_ids() == ("a-plus", "b-times")
    assert shop.shop.total([1]) == 202

    engine.revert()
    assert_same(before, entries(shop))


def test_a_subclass_has_the_patch_and_its_namespace_stays_empty(shop: Shop) -> None:
    shop.card("one", TARGETS["method"])
    engine = shop.engine()
    engine.ensure_applied()

    assert shop.shop.Branch().price("ab") == 102
    assert "price" not in vars(shop.shop.Branch)


# --- the setting ---


def test_the_setting_decides_and_is_read_anew(shop: Shop) -> None:
    shop.card("one")
    shop.card("two", TARGETS["method"], default="false")
    before = entries(shop)
    engine = shop.engine()

    engine.ensure_applied()
    assert states(engine) == {"one": "applied", "two": "disabled"}

    shop.switch("+two,-one")
    engine.ensure_applied()
    assert states(engine) == {"one": "disabled", "two": "applied"}
    assert shop.shop.total is before["total"]
    assert shop.shop.Counter().price("ab") == 102

    shop.switch("-tools")
    engine.ensure_applied()
    assert states(engine) == {"one": "disabled", "two": "disabled"}
    assert_same(before, entries(shop))

    shop.switch("+tools")
    engine.ensure_applied()
    assert states(engine) == {"one": "applied", "two": "applied"}


def test_a_setting_that_means_nothing_applies_nothing(shop: Shop) -> None:
    shop.card("one")
    engine = shop.engine()
    engine.ensure_applied()
    shop.switch("+onne")

    with pytest.raises(SettingError, match="did you mean one"):
        engine.ensure_applied()

    assert engine.applied_ids() == ()
    assert shop.shop.total([1]) == 1


# --- not applicable, refused, superseded ---


def test_a_layout_that_the_card_does_not_name_needs_no_patch(shop: Shop) -> None:
    shop.card("one")
    shop.card("two", "tau2.shop:gone", layouts={"v0_2": [WRONG]})
    shop.layout = "v1_0"
    engine = shop.engine()

    engine.ensure_applied()

    assert states(engine) == {"one": "not applicable", "two": "not applicable"}
    assert engine.states()[0].reason == "tau2's layout v1_0 does not need it"
    assert shop.shop.total([1]) == 1


def test_a_changed_source_stops_the_run_and_says_everything(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = shop.card("one")
    accepted = shop.fingerprint("tau2.shop:total")
    changed = shop.module("changed", "def total(prices):\n    return sum(prices) + 1\n").total
    monkeypatch.setattr(shop.shop, "total", changed)
    found = shop.fingerprint("tau2.shop:total")
    engine = shop.engine()

    with pytest.raises(PatchError) as error:
        engine.ensure_applied()

    assert found != accepted
    (problem,) = error.value.problems
    assert problem.where == f"{path}:9: layouts.v0_2"
    assert problem.what == (
        f"one: the source of tau2.shop:total has the fingerprint {found}, accepted are {accepted}"
    )
    assert problem.hint == (
        "'jtau patches verify' tells more, JTAU_PATCHES=-one goes without this patch"
    )
    assert states(engine) == {"one": "refused"}
    assert engine.states()[0].found == found
    assert shop.shop.total is changed

    shop.switch("-one")
    engine.ensure_applied()
    assert states(engine) == {"one": "disabled"}


def test_all_refusals_come_in_one_error_and_nothing_stays_applied(shop: Shop) -> None:
    before = entries(shop)
    shop.fix("doubtful", failures=["the Japanese vector gives 2, expected 3"])
    shop.fix(
        "broken", "def make(f):\n    return lambda p: 0\ndef check():\n    raise KeyError('x')\n"
    )
    shop.fix("unchanged", "def make(f):\n    return f\ndef check():\n    return []\n")
    shop.fix("unmade", "def make(f):\n    raise RuntimeError('no')\ndef check():\n    return []\n")
    shop.fix("unimportable", "import no_such_module_anywhere\n")
    shop.fix("partial", "def make(f):\n    return f\n")
    shop.card("a-good")
    shop.card("b-other", layouts={"v0_2": [WRONG]})
    shop.card("c-gone", "tau2.shop:Counter.gone", layouts={"v0_2": [WRONG]})
    shop.card("d-nowhere", "tau2.nowhere:total", layouts={"v0_2": [WRONG]})
    shop.card("e-inherited", "tau2.shop:Branch.price", layouts={"v0_2": [WRONG]})
    shop.card("f-number", "tau2.shop:LIMIT", layouts={"v0_2": [WRONG]})
    shop.card("g-doubtful", fix="doubtful")
    shop.card("h-broken", fix="broken")
    shop.card("i-unmade", fix="unmade")
    shop.card("j-unimportable", fix="unimportable")
    shop.card("k-partial", fix="partial")
    shop.card("k-unchanged", fix="unchanged")
    shop.card("l-module", "tau2.shop:total.price", layouts={"v0_2": [WRONG]})
    engine = shop.engine()

    with pytest.raises(PatchError) as error:
        engine.ensure_applied()

    said = [
        problem.what.removeprefix(f"{problem.what.partition(':')[0]}: ")
        for problem in error.value.problems
    ]
    found = shop.fingerprint("tau2.shop:total")
    lost = "ModuleNotFoundError: No module named 'no_such_module_anywhere'"
    assert said == [
        f"the source of tau2.shop:total has the fingerprint {found}, accepted are {WRONG}",
        "the installed tau2 has no tau2.shop:Counter.gone",
        "the installed tau2 has no tau2.nowhere:total",
        "the installed tau2 has no tau2.shop:Branch.price",
        "tau2.shop:LIMIT is no plain function",
        "its self-check fails: the Japanese vector gives 2, expected 3",
        "its self-check fails: KeyError: 'x'",
        "it cannot be made: RuntimeError: no",
        f"jtau_plugin.fixes.unimportable cannot be imported: {lost}",
        "there is no jtau_plugin.fixes.partial.check",
        "it cannot be made: ValueError: the new function is the old one",
        "the installed tau2 has no tau2.shop:total.price",
    ]
    assert engine.applied_ids() == ()
    assert_same(before, entries(shop))
    assert states(engine)["a-good"] == "not applied yet"
    assert states(engine)["g-doubtful"] == "refused"

    with pytest.raises(PatchError):  # it is asked again, not remembered as done
        engine.ensure_applied()


def test_an_optional_patch_that_is_refused_warns_once(shop: Shop, warnings: list[str]) -> None:
    shop.card("one", required="false", layouts={"v0_2": [WRONG]})
    shop.card("two", TARGETS["method"])
    engine = shop.engine()

    engine.ensure_applied()
    shop.switch("-two")
    engine.ensure_applied()
    shop.switch("")
    engine.ensure_applied()

    assert states(engine) == {"one": "refused", "two": "applied"}
    assert len(warnings) == 1
    assert "JTAU_PATCHES=-one" in warnings[0]
    assert WRONG in warnings[0]


def test_a_function_without_source_is_refused(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.card("one")
    made: dict[str, Any] = {}
    exec("def total(prices):\n    return 0\n", made)
    monkeypatch.setattr(shop.shop, "total", made["total"])

    with pytest.raises(PatchError, match="the source <string> cannot be read"):
        shop.engine().ensure_applied()


def test_what_another_patch_makes_needless_is_superseded(shop: Shop) -> None:
    shop.card("a-old")
    shop.card("z-new", supersedes=["a-old"])
    engine = shop.engine()

    engine.ensure_applied()
    assert states(engine) == {"z-new": "applied", "a-old": "superseded"}
    assert engine.states()[1].reason == "by z-new"
    assert shop.shop.total([]) == 100

    shop.switch("-z-new")
    engine.ensure_applied()
    assert states(engine) == {"z-new": "disabled", "a-old": "applied"}


def test_a_patch_that_cannot_be_applied_supersedes_nothing(shop: Shop) -> None:
    shop.card("a-old")
    shop.card("z-new", supersedes=["a-old"], required="false", layouts={"v0_2": [WRONG]})
    engine = shop.engine()

    engine.ensure_applied()

    assert states(engine) == {"z-new": "refused", "a-old": "applied"}


# --- other people's wrappers, and our hooks ---


def stranger(function: Any) -> Any:
    @functools.wraps(function)
    def traced(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return traced


@pytest.mark.parametrize("kind", ["function", "method"])
def test_a_wrapper_that_came_later_is_not_destroyed(
    kind: str, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.card("one", TARGETS[kind])
    shop.card("two", TARGETS["property"])
    engine = shop.engine()
    engine.ensure_applied()
    owner, name = {"function": (shop.shop, "total"), "method": (shop.shop.Counter, "price")}[kind]
    patched = vars(owner)[name]
    traced = stranger(patched)
    setattr(owner, name, traced)

    with pytest.raises(PatchError) as error:
        engine.revert()

    (problem,) = error.value.problems
    assert "was replaced by something of tau2.shop after it was patched" in problem.what
    assert problem.hint == "undo that replacement first"
    assert vars(owner)[name] is traced
    assert engine.applied_ids() == ("one", "two")
    assert [state.state for state in engine.verify()] == ["refused", "fits"]

    shop.switch("-one")
    with pytest.raises(PatchError):
        engine.ensure_applied()

    setattr(owner, name, patched)
    engine.ensure_applied()
    assert engine.applied_ids() == ("two",)


def test_a_wrapper_that_came_first_is_refused_unless_it_is_ours(shop: Shop) -> None:
    shop.card("one")
    shop.shop.total = stranger(shop.shop.total)

    with pytest.raises(PatchError, match="has the fingerprint"):
        shop.engine().ensure_applied()


def _hook(shop: Shop) -> None:
    wrapping.replace_function(
        shop.shop, "total", lambda original: lambda prices: original(prices) + 1000
    )


@pytest.mark.parametrize("order", ["hook first", "patch first"])
def test_hooks_and_patches_share_a_function(order: str, shop: Shop) -> None:
    shop.card("one")
    upstream = shop.shop.total
    engine = shop.engine()
    for step in (_hook, lambda _: engine.ensure_applied())[:: 1 if order == "hook first" else -1]:
        step(shop)

    assert shop.till.add([1]) == shop.shop.total([1]) == 1101
    assert wrapping.original_of(shop.shop.total) is upstream
    _hook(shop)
    assert shop.shop.total([1]) == 1101
    assert [state.state for state in engine.verify()] == [
        "fits" if order == "hook first" else "refused"
    ]

    if order == "hook first":
        engine.revert()
        assert shop.till.add([1]) == 1001
    else:
        with pytest.raises(PatchError):
            engine.revert()


# --- every order of import, patch and unpatch ---

STEPS = ("import", "patch", "patch again", "unpatch")


@pytest.mark.parametrize("order", list(itertools.permutations(STEPS)), ids="-".join)
def test_any_order_of_import_patch_and_unpatch(order: tuple[str, ...], shop: Shop) -> None:
    shop.card("one")
    engine = shop.engine()
    upstream = shop.shop.total
    is_patched, users = False, [shop.till]
    for step in order:
        if step == "import":
            users.append(shop.module("user", "from tau2.shop import total\n"))
        elif step == "unpatch":
            engine.revert()
            is_patched = False
        else:
            engine.ensure_applied()
            is_patched = True
        for user in (shop.shop, *users):
            assert user.total([1]) == (101 if is_patched else 1)
    engine.revert()
    assert all(user.total is upstream for user in (shop.shop, *users))


# --- threads ---


def test_many_threads_apply_once(shop: Shop) -> None:
    counter = "import tau2_made; tau2_made.append(1)"
    made: list[int] = []
    sys.modules["tau2_made"] = made  # type: ignore[assignment]
    shop.fix(
        "slow",
        f"import time\ndef make(f):\n    {counter}\n    time.sleep(0.02)\n"
        "    return lambda p: f(p) + 100\ndef check():\n    return []\n",
    )
    shop.card("one", fix="slow")
    engine = shop.engine()
    barrier = threading.Barrier(8)

    def apply(_: int) -> int:
        barrier.wait()
        engine.ensure_applied()
        return int(shop.shop.total([1]))

    try:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(apply, range(8)))
    finally:
        del sys.modules["tau2_made"]

    assert found == [101] * 8
    assert made == [1]


def test_the_engine_of_the_process_is_one() -> None:
    assert get_engine() is get_engine()


# --- verifying without running ---


def test_verify_looks_at_every_card_and_leaves_no_trace(shop: Shop) -> None:
    shop.fix("doubtful", failures=["it does not hold"])
    shop.card("a-applied")
    shop.card("b-off", TARGETS["method"], default="false")
    shop.card("c-off-changed", TARGETS["method"], default="false", layouts={"v0_2": [WRONG]})
    shop.card("d-off-doubtful", TARGETS["method"], default="false", fix="doubtful")
    shop.card("e-elsewhere", TARGETS["method"], layouts={"v1_0": [WRONG]})
    engine = shop.engine()
    before = entries(shop)
    right = {
        "a-applied": "fits",
        "b-off": "fits",
        "c-off-changed": "refused",
        "d-off-doubtful": "refused",
        "e-elsewhere": "not applicable",
    }

    assert {state.id: state.state for state in engine.verify()} == right
    assert_same(before, entries(shop))
    assert engine.applied_ids() == ()

    engine.ensure_applied()
    during = entries(shop)
    assert {state.id: state.state for state in engine.verify()} == right
    assert_same(during, entries(shop))
    assert engine.applied_ids() == ("a-applied",)
    found = {state.id: state.found for state in engine.verify()}
    assert found["a-applied"] == shop.fingerprint("tau2.shop:total")
    assert found["c-off-changed"] == shop.fingerprint(TARGETS["method"])


def test_the_fingerprint_is_that_of_the_original_when_patched(shop: Shop) -> None:
    shop.card("one")
    before = shop.fingerprint("tau2.shop:total")
    shop.engine().ensure_applied()

    assert shop.fingerprint("tau2.shop:total") == before


@pytest.mark.parametrize("ask", ["verify", "ensure_applied"])
def test_an_interrupted_check_leaves_no_trace(ask: str, shop: Shop) -> None:
    shop.fix(
        "endless",
        "def make(f):\n    return lambda p: 0\ndef check():\n    raise KeyboardInterrupt\n",
    )
    shop.card("a-good", TARGETS["method"])
    shop.card("b-endless", fix="endless")
    before = entries(shop)
    engine = shop.engine()

    with pytest.raises(KeyboardInterrupt):
        getattr(engine, ask)()

    assert_same(before, entries(shop))
    assert engine.applied_ids() == ()


# --- cards that cannot be used ---


def test_broken_cards_are_collected_with_file_and_line(shop: Shop) -> None:
    good = shop.card("good")
    text = good.read_text(encoding="utf-8")
    folder = good.parent
    shop.write("unknown-key", text.replace("id: good", "id: unknown-key") + "colour: red\n")
    shop.write("broken-yaml", "id: [unclosed\n")
    shop.write("empty", "")
    shop.write("other-name", text)
    shop.write("no-fix", text.replace("id: good", "id: no-fix").replace("fix: plus", "fix: absent"))
    shop.write("bad-target", text.replace("id: good", "id: bad-target").replace(":total", "/total"))
    shop.write(
        "short",
        text.replace("id: good", "id: short").replace(shop.fingerprint("tau2.shop:total"), "abc"),
    )
    shop.write("lost", text.replace("id: good", "id: lost") + "supersedes: [nobody]\n")
    shop.write("ring-a", text.replace("id: good", "id: ring-a") + "supersedes: [ring-b]\n")
    shop.write("ring-b", text.replace("id: good", "id: ring-b") + "supersedes: ring-a\n")

    with pytest.raises(PatchError) as error:
        shop.engine().ensure_applied()

    found = {p.where.removeprefix(f"{folder}/"): p.what for p in error.value.problems}
    assert found["unknown-key.yaml:11: colour"] == "unknown key"
    assert found["broken-yaml.yaml:2"].startswith("not valid YAML")
    assert found["empty.yaml"] == "the file is empty"
    assert "no-fix.yaml:8: fix" in found
    assert found["no-fix.yaml:8: fix"] == "there is no module jtau_plugin.fixes.absent"
    assert "bad-target.yaml:7: target" in found
    assert found["short.yaml:9: layouts.v0_2.0"].startswith("expected a SHA-256")
    assert found["lost.yaml:11: supersedes"] == "there is no patch 'nobody'"
    assert found["ring-a.yaml:11: supersedes"] == "'ring-a' and 'ring-b' supersede each other"
    assert found["ring-b.yaml:11: supersedes"] == "'ring-b' and 'ring-a' supersede each other"
    said = [
        p.what for p in error.value.problems if p.where.startswith(f"{folder}/other-name.yaml:1")
    ]
    assert said == [
        "found 'good', the file's name says 'other-name'",
        f"'good' is the id of another card too ({good}:1: id)",
    ]
    assert shop.shop.total([1]) == 1


def test_a_folder_without_cards_applies_nothing(shop: Shop) -> None:
    engine = shop.engine()
    engine.ensure_applied()

    assert engine.states() == []
    assert SHOP.count("def total") == 1
