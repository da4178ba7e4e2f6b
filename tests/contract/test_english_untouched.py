"""tau2's own domains are what they are without the plugin: loaded, used, and beside Japanese runs."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tau2.environment.environment import Environment
from tau2.environment.toolkit import ToolKitBase

from . import english_snapshot
from .japanese_writing import write_arguments
from .shop import PROVOCATIONS, Shop
from .support import call, registry, run_python

_SCRIPT = Path(english_snapshot.__file__)


class _JapaneseRun:
    """A Japanese environment that is built and used over and over in a thread of its own."""

    def __init__(self, fresh: Callable[[str], Any], actions: list[Any]) -> None:
        self._fresh = fresh
        self._actions = actions
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.calls = 0
        self.error: BaseException | None = None

    def __enter__(self) -> _JapaneseRun:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def use_once(self) -> None:
        env = self._fresh("ja_retail")
        env.get_tools()
        catalog = env.jtau_localizer.catalog
        for action in self._actions:
            call(env, action.name, write_arguments(catalog, action.name, action.arguments))
            self.calls += 1

    def _run(self) -> None:
        while not self._stop.wait(0.2):
            try:
                self.use_once()
            except BaseException as error:
                self.error = error
                return


@pytest.fixture(scope="module")
def snapshots(
    fresh: Callable[[str], Any], tasks: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[dict[str, str], dict[str, str], list[str]]]:
    """The snapshot without the plugin, the one with a Japanese run beside it, and what was loaded."""
    path = tmp_path_factory.mktemp("snapshot") / "english.json"
    environment = {**os.environ, "JTAU_DISABLE": "1"}
    pristine = subprocess.Popen(
        [sys.executable, str(_SCRIPT), str(path)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    first = list(tasks.values())[:8]
    beside = _JapaneseRun(fresh, [a for t in first for a in t.evaluation_criteria.actions])
    beside.use_once()
    with beside:
        ours = english_snapshot.take_snapshot()
    assert beside.error is None
    assert beside.calls > 100
    _, errors = pristine.communicate(timeout=120)
    assert pristine.returncode == 0, errors.decode()[-2000:]
    found = json.loads(path.read_text(encoding="utf-8"))
    return found["snapshot"], ours, found["loaded"]


def test_the_other_interpreter_had_no_plugin(
    snapshots: tuple[dict[str, str], dict[str, str], list[str]],
) -> None:
    pristine, _, loaded = snapshots

    assert set(loaded) <= {"jtau_plugin._bootstrap"}
    assert len(pristine) > 400


def test_english_is_byte_identical(
    snapshots: tuple[dict[str, str], dict[str, str], list[str]],
) -> None:
    pristine, ours, _ = snapshots

    assert list(ours) == list(pristine)
    assert [name for name in pristine if pristine[name] != ours[name]] == []


def test_rewards_of_english_tasks_say_nothing_of_us(
    snapshots: tuple[dict[str, str], dict[str, str], list[str]],
) -> None:
    _, ours, _ = snapshots

    assert not any("jtau" in text for text in ours.values())
    assert any('"reward": 1.0' in text for name, text in ours.items() if ": gold" in name)


def test_upstream_s_classes_are_upstream_s(fresh: Callable[[str], Any], reading: Any) -> None:
    english = fresh("retail")

    assert reading.get_tools()
    for cls in (Environment, ToolKitBase, type(english.tools)):
        for name, member in vars(cls).items():
            function = inspect.unwrap(getattr(member, "__func__", member))
            module = getattr(function, "__module__", None)
            assert not (module or "").startswith("jtau_plugin"), f"{cls.__name__}.{name}"
    assert type(english) is Environment
    assert type(english.tools).__module__ == "tau2.domains.retail.tools"
    assert not any("jtau" in name for name in vars(english) | vars(english.tools))
    assert type(english.get_policy()) is str


_THREADS, _CALLS = 8, 10_000


def _script(db: Any) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Calls that change nothing: tool, English arguments, Japanese arguments."""
    orders, users, products = list(db.orders), list(db.users), list(db.products)
    calls: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
    for index in range(40):
        order, user, product = orders[index], users[index], products[index]
        name = db.users[user].name
        person = {"first_name": name.first_name, "last_name": name.last_name}
        person["zip"] = db.users[user].address.zip
        calls += [
            ("get_order_details", {"order_id": order}, {"order_id": f"「{order}」"}),
            ("list_all_product_types", {}, {}),
            ("get_user_details", {"user_id": user}, {"user_id": user}),
            ("find_user_id_by_name_zip", person, person),
            ("get_product_details", {"product_id": product}, {"product_id": product}),
            (
                "calculate",
                {"expression": f"({index} + 1) * 2"},
                {"expression": f"（{index}＋1）×2"},
            ),
            ("transfer_to_human_agents", {"summary": "x"}, {"summary": "要約"}),
            ("no_such_tool", {"x": index}, {"x": index}),
            ("get_order_details", {}, {}),
        ]
    shop = Shop(db.model_copy(deep=True))
    for name in ("order not found", "exchange pending", "modify numbers", "return unknown"):
        tool, arguments = PROVOCATIONS[name](shop)
        calls.append((tool, arguments, arguments))
    return calls


@pytest.mark.parametrize("shared", [False, True], ids=["own environments", "shared environments"])
def test_eight_threads_alternate_english_and_japanese(
    shared: bool, fresh: Callable[[str], Any], pristine_db: Any
) -> None:
    script = _script(pristine_db)
    english, japanese = fresh("retail"), fresh("ja_retail")
    expected = [
        (call(english, tool, plain).content, call(japanese, tool, written).content)
        for tool, plain, written in script
    ]
    wrong: list[tuple[str, str]] = []
    count = [0] * _THREADS

    def alternate(thread: int) -> None:
        pair = (english, japanese) if shared else (fresh("retail"), fresh("ja_retail"))
        for step in range(_CALLS // _THREADS // 2):
            index = (step * 7 + thread * 13) % len(script)
            tool, plain, written = script[index]
            for env, arguments, text in zip(pair, (plain, written), expected[index], strict=True):
                count[thread] += 1
                if (content := call(env, tool, arguments).content) != text:
                    wrong.append((text, content))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # threads take turns inside calls, not between them
    try:
        with ThreadPoolExecutor(_THREADS) as pool:
            list(pool.map(alternate, range(_THREADS)))
    finally:
        sys.setswitchinterval(interval)

    assert sum(count) == _CALLS
    assert wrong == []


def test_first_use_from_many_threads_at_once() -> None:
    """Eight threads build the first environments of an interpreter together."""
    code = """
import sys, json
from concurrent.futures import ThreadPoolExecutor
from loguru import logger
logger.remove()
import tau2.registry, tau2.run
make = sys.modules["tau2.registry"].registry.get_env_constructor
def build(i):
    env = make("ja_retail" if i % 2 else "retail")()
    return i % 2, json.dumps([[t.openai_schema for t in env.get_tools()], env.get_policy()])
with ThreadPoolExecutor(8) as pool:
    found = set(pool.map(build, range(8)))
assert len(found) == 2, len(found)
"""
    run_python(code)


_ENGLISH_RUN = """
import sys
from loguru import logger
logger.remove()
{before}
import tau2.run
registry = sys.modules["tau2.registry"].registry
env = registry.get_env_constructor("retail")()
assert "ja_retail" not in registry.get_domains()
if hasattr(tau2.run, "TextRunConfig"):
    info = tau2.run.get_info(tau2.run.TextRunConfig(domain="retail", llm_agent="a", llm_user="u"))
else:
    info = tau2.run.get_info(domain="retail", agent="llm_agent", user="user_simulator")
print(info.environment_info.domain_name, len(env.get_tools()))
"""


@pytest.mark.parametrize(
    ("before", "settings", "reason"),
    [
        ("", {"JTAU_OVERLAY_PATH": "/no/such/folder"}, "/no/such/folder"),
        ("sys.modules['jtau_plugin.domains'] = None", {}, "jtau_plugin.domains"),
    ],
    ids=["a spoilt setting", "a broken installation"],
)
def test_english_goes_on_when_ours_cannot(
    before: str, settings: dict[str, str], reason: str
) -> None:
    """It costs one line on standard error; English environments and runs are built as ever."""
    done = run_python(_ENGLISH_RUN.format(before=before), **settings)

    assert done.stdout.startswith("retail ")
    ours = [line for line in done.stderr.splitlines() if line.startswith("jtau-plugin: ")]
    assert len(ours) == 1
    assert reason in ours[0]


def test_registered_beside_and_not_instead_of_upstream_s() -> None:
    domains = registry().get_domains()

    assert set(english_snapshot.DOMAINS) < set(domains)
    assert "ja_retail" in domains
    assert set(registry().get_task_splits_loader("ja_retail")()) == {"base", "train", "test"}
    assert (
        registry().get_task_splits_loader("ja_retail")()
        == registry().get_task_splits_loader("retail")()
    )
