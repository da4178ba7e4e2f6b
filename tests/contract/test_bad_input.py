"""Overlays and sources that do not fit: an error that names the place, and nothing half English."""

from __future__ import annotations

import copy
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from tau2.domains.retail.tools import RetailTools

from jtau_plugin.compat import hooks
from jtau_plugin.errors import HookError, OverlayError, SettingError, StaleOverlayError
from jtau_plugin.localization.tasks import task_texts
from jtau_plugin.overlays.fingerprint import fingerprint_text

from .overlay_copy import OverlayCopy
from .support import call, fresh_domain, registry, run_python

_PLACE = re.compile(r"(?P<file>\S+\.yaml):(?P<line>\d+): (?P<key>.+)")


def _line_of(where: str) -> tuple[str, str, str]:
    """Return file name, key, and the text of the line that a problem points to."""
    found = _PLACE.fullmatch(where)
    assert found is not None, where
    lines = Path(found["file"]).read_text(encoding="utf-8").splitlines()
    return Path(found["file"]).name, found["key"], lines[int(found["line"]) - 1]


class TestStaleSources:
    def test_a_changed_docstring(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tool = RetailTools.cancel_pending_order
        monkeypatch.setattr(tool, "__doc__", (tool.__doc__ or "").replace("5-7", "3-5"))

        with pytest.raises(StaleOverlayError, match="JTAU_ALLOW_STALE=1") as caught:
            fresh_domain().get_environment()

        assert len(caught.value.problems) == 1
        name, key, line = _line_of(caught.value.problems[0].where)
        assert (name, key) == ("tools.yaml", "agent.cancel_pending_order")
        assert line.strip() == "cancel_pending_order:"

    @pytest.mark.parametrize(
        ("module", "constant", "prompt"),
        [
            ("tau2.agent.llm_agent", "AGENT_INSTRUCTION", "agent_instruction"),
            ("tau2.agent.llm_agent", "AGENT_GT_INSTRUCTION", "agent_instruction_gt"),
            ("tau2.agent.llm_agent", "AGENT_SOLO_INSTRUCTION", "agent_instruction_solo"),
        ],
    )
    def test_a_changed_prompt(
        self, module: str, constant: str, prompt: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        old = getattr(sys.modules[module], constant)
        monkeypatch.setattr(f"{module}.{constant}", f"{old} Be brief.")

        with pytest.raises(StaleOverlayError) as caught:
            fresh_domain().get_environment()

        name, key, line = _line_of(caught.value.problems[0].where)
        assert (name, key) == ("prompts.yaml", f"prompts.{prompt}")
        assert line.strip() == f"{prompt}:"

    def test_a_changed_greeting(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from tau2.orchestrator.orchestrator import DEFAULT_FIRST_AGENT_MESSAGE as FIRST

        monkeypatch.setattr(FIRST, "content", "Hello!")

        with pytest.raises(StaleOverlayError, match=r"prompts\.greeting"):
            fresh_domain().get_environment()

    @pytest.mark.parametrize("change", ["added", "changed"])
    def test_a_changed_policy(
        self, change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, english: Any
    ) -> None:
        policy = english.get_policy()
        policy = f"{policy}\nBe kind." if change == "added" else policy.replace("must", "may", 1)
        (tmp_path / "policy.md").write_text(policy, encoding="utf-8")
        place = "tau2.domains.retail.environment.RETAIL_POLICY_PATH"
        monkeypatch.setattr(place, tmp_path / "policy.md")

        with pytest.raises(StaleOverlayError, match=r"manifest\.yaml:\d+: documents"):
            fresh_domain().get_environment()

    def test_a_changed_policy_beside_running_environments(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, english: Any
    ) -> None:
        domain = fresh_domain()
        domain.get_environment()
        (tmp_path / "policy.md").write_text(english.get_policy() + "\nBe kind.", encoding="utf-8")
        place = "tau2.domains.retail.environment.RETAIL_POLICY_PATH"
        monkeypatch.setattr(place, tmp_path / "policy.md")

        with pytest.raises(StaleOverlayError):
            domain.get_environment()

    def test_a_changed_task(self, overlay: OverlayCopy) -> None:
        source = _first_source(overlay, "17")
        overlay.replace("retail/tasks.yaml", source, "a" * 64)

        with pytest.raises(StaleOverlayError, match="JTAU_ALLOW_STALE=1") as caught:
            fresh_domain().get_tasks()

        name, key, line = _line_of(caught.value.problems[0].where)
        assert name == "tasks.yaml"
        assert key.startswith("tasks.17./user_scenario/")
        assert "/user_scenario/" in line

    def test_allowed_it_runs_and_is_stamped(self) -> None:
        code = """
import sys, json
from loguru import logger
logger.remove()
from tau2.domains.retail.tools import RetailTools
tool = RetailTools.cancel_pending_order
tool.__doc__ = tool.__doc__.replace("5-7", "3-5")
import tau2.registry
from tau2.data_model.simulation import SimulationRun
from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation
registry = sys.modules["tau2.registry"].registry
env = registry.get_env_constructor("ja_retail")()
task = registry.get_tasks_loader("ja_retail")()[0]
when = "2024-05-15T15:00:00"
run = SimulationRun(id="s", task_id=task.id, timestamp=when, start_time=when, end_time=when,
    duration=0.0, termination_reason="max_steps", messages=[])
info = evaluate_simulation(simulation=run, task=task, evaluation_type=EvaluationType.ALL,
    solo_mode=False, domain="ja_retail")
print(json.dumps([len(env.get_tools()), info.info["jtau"]["stale"]]))
"""
        tools, stale = json.loads(run_python(code, JTAU_ALLOW_STALE="1").stdout.splitlines()[-1])

        assert tools >= 15
        assert [_line_of(where)[:2] for where in stale] == [
            ("tools.yaml", "agent.cancel_pending_order")
        ]

    def test_a_changed_task_allowed_is_stamped_on_that_task(self, overlay: OverlayCopy) -> None:
        overlay.replace("retail/tasks.yaml", _first_source(overlay, "17"), "a" * 64)
        code = """
import sys, json
from loguru import logger
logger.remove()
import tau2.registry
from tau2.data_model.simulation import SimulationRun
from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation
registry = sys.modules["tau2.registry"].registry
tasks = {task.id: task for task in registry.get_tasks_loader("ja_retail")()}
when = "2024-05-15T15:00:00"
found = []
for task_id in ("17", "8"):
    run = SimulationRun(id="s", task_id=task_id, timestamp=when, start_time=when, end_time=when,
        duration=0.0, termination_reason="max_steps", messages=[])
    info = evaluate_simulation(simulation=run, task=tasks[task_id], solo_mode=False,
        evaluation_type=EvaluationType.ALL, domain="ja_retail")
    found.append(info.info["jtau"]["stale"])
print(json.dumps(found))
"""
        done = run_python(code, JTAU_ALLOW_STALE="1", JTAU_OVERLAY_PATH=str(overlay.folder.parent))
        stale, fresh = json.loads(done.stdout.splitlines()[-1])

        assert [_line_of(where)[1].startswith("tasks.17.") for where in stale] == [True]
        assert fresh == []


def _first_source(overlay: OverlayCopy, task_id: str) -> str:
    """Return the fingerprint of one of a task's installed texts that stands once in the file."""
    file = overlay.path("retail/tasks.yaml").read_text(encoding="utf-8")
    tasks = registry().get_tasks_loader("retail")(None)
    task = next(task for task in tasks if task.id == task_id)
    sources = [fingerprint_text(english) for _, english in task_texts(task)]
    return next(source for source in sources if file.count(source) == 1)


class TestTasks:
    def test_texts_for_a_task_that_does_not_exist(self, overlay: OverlayCopy) -> None:
        def add(data: dict[str, Any]) -> None:
            data["tasks"]["999"] = copy.deepcopy(data["tasks"]["0"])

        overlay.edit("retail/tasks.yaml", add)

        with pytest.raises(OverlayError, match="no such task") as caught:
            fresh_domain().get_tasks(None)

        assert _line_of(caught.value.problems[0].where)[1] == "tasks.999"

    def test_a_task_without_texts(self, overlay: OverlayCopy) -> None:
        overlay.edit("retail/tasks.yaml", lambda data: data["tasks"].pop("5"))

        with pytest.raises(OverlayError, match="task '5' has no texts"):
            fresh_domain().get_tasks()

    def test_a_text_is_missing_and_another_is_too_many(self, overlay: OverlayCopy) -> None:
        def change(data: dict[str, Any]) -> None:
            texts = data["tasks"]["5"]
            pointer = "/user_scenario/instructions/reason_for_call"
            texts["/user_scenario/persona"] = texts.pop(pointer)

        overlay.edit("retail/tasks.yaml", change)

        with pytest.raises(OverlayError) as caught:
            fresh_domain().get_tasks()

        text = str(caught.value)
        assert "task 5: no text for /user_scenario/instructions/reason_for_call" in text
        assert "the installed task has no such text" in text


def _spoil(overlay: OverlayCopy, how: str) -> None:
    values = overlay.path("retail/values.yaml")
    if how == "missing":
        values.unlink()
    elif how == "truncated":
        values.write_bytes(values.read_bytes()[:5000].rsplit(b"{", 1)[0] + b"{display: ")
    elif how == "not UTF-8":
        values.write_bytes(values.read_bytes().replace("青".encode(), "青".encode("cp932"), 1))
    elif how == "unknown key":
        overlay.replace("retail/values.yaml", "{display: 返金", "{displai: 返金")
    elif how == "two values with one form":
        overlay.replace("retail/values.yaml", "{display: 処理済み}", "{display: 配達済み}")
    elif how == "unknown table":
        overlay.replace(
            "retail/values.yaml", "Order.status: order_status", "Order.status: statuses"
        )
    elif how == "no policy":
        overlay.path("retail/policy.md").unlink()


class TestFiles:
    @pytest.mark.parametrize(
        ("how", "expected"),
        [
            ("missing", r"values\.yaml: cannot be read"),
            ("truncated", r"values\.yaml:\d+: not valid YAML"),
            ("not UTF-8", r"values\.yaml:\d+: not UTF-8"),
            (
                "unknown key",
                r"values\.yaml:\d+: tables\.transaction_type\.refund\.displai: unknown key",
            ),
            (
                "two values with one form",
                r"values\.yaml:\d+: tables\.order_status\.\w+: .*配達済み",
            ),
            ("unknown table", r"values\.yaml:\d+: fields\.Order\.status: no table 'statuses'"),
            ("no policy", r"policy\.md: cannot be read"),
        ],
    )
    def test_a_spoilt_file_is_named(self, how: str, expected: str, overlay: OverlayCopy) -> None:
        _spoil(overlay, how)

        with pytest.raises(OverlayError, match=expected):
            fresh_domain().get_environment()

        assert not call(
            registry().get_env_constructor("retail")(), "list_all_product_types", {}
        ).error

    def test_a_spoilt_overlay_leaves_a_running_one_alone(
        self, overlay: OverlayCopy, reading: Any
    ) -> None:
        _spoil(overlay, "missing")

        assert not call(reading, "list_all_product_types", {}).error
        assert registry().get_env_constructor("ja_retail")().get_tools()

    def test_a_mended_overlay_works_without_a_new_process(self, overlay: OverlayCopy) -> None:
        text = overlay.path("retail/values.yaml").read_text(encoding="utf-8")
        _spoil(overlay, "truncated")
        domain = fresh_domain()
        with pytest.raises(OverlayError):
            domain.get_environment()

        overlay.path("retail/values.yaml").write_text(text, encoding="utf-8")

        assert domain.get_environment().get_tools()

    def test_a_folder_that_does_not_exist(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("JTAU_OVERLAY_PATH", "/no/such/folder")

        with pytest.raises(SettingError, match="JTAU_OVERLAY_PATH: no folder /no/such/folder"):
            fresh_domain().get_environment()

    @pytest.mark.parametrize("what", ["tool", "parameter"])
    def test_a_tool_or_parameter_without_a_text(self, what: str, overlay: OverlayCopy) -> None:
        def change(data: dict[str, Any]) -> None:
            if what == "tool":
                del data["agent"]["calculate"]
            else:
                del data["agent"]["cancel_pending_order"]["parameters"]["reason"]

        overlay.edit("retail/tools.yaml", change)
        expected = {
            "tool": "tool 'calculate' is not localized",
            "parameter": "parameter 'reason' has no kind",
        }

        with pytest.raises(OverlayError, match=expected[what]):
            fresh_domain().get_environment()

    @pytest.mark.parametrize("change", ["lost", "too many"])
    def test_placeholders_must_be_those_of_the_english(
        self, change: str, overlay: OverlayCopy
    ) -> None:
        old = "商品アイテム{item_id}が見つかりません。"
        new = old.replace("{item_id}", "" if change == "lost" else "{item_id}{order_id}")
        overlay.replace("retail/messages.yaml", old, new)

        with pytest.raises(OverlayError, match=r"messages\.yaml:\d+.*placeholders") as caught:
            fresh_domain().get_environment()

        assert "source:" in _line_of(caught.value.problems[0].where)[2]


class TestHooks:
    def test_a_hook_that_did_not_fire_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(hooks, "_required_seen", False)
        monkeypatch.delitem(hooks._fired, "tau2.evaluator.evaluator")

        with pytest.raises(HookError, match=r"tau2\.evaluator\.evaluator: did not fire"):
            fresh_domain().get_environment()

    def test_a_hook_that_failed_is_named_with_its_reason(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(hooks, "_required_seen", False)
        monkeypatch.setitem(hooks._fired, "tau2.agent.llm_agent", "KeyError: 'system_prompt'")

        with pytest.raises(HookError, match=r"tau2\.agent\.llm_agent: KeyError: 'system_prompt'"):
            fresh_domain().get_environment()

    def test_every_hook_has_fired_here(self) -> None:
        states = hooks.hook_states()

        assert {states[name] for name in hooks.REQUIRED} == {"ok"}
        assert set(states.values()) <= {"ok", "not imported"}
