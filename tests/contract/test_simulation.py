"""A Japanese simulation through tau2's own orchestrator: prompts, history, scores, results files."""

from __future__ import annotations

import copy
import importlib
import importlib.util
import json
import pickle
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tau2.agent.llm_agent import LLMAgent, LLMGTAgent
from tau2.data_model.message import AssistantMessage, ToolCall, UserMessage
from tau2.data_model.simulation import Results
from tau2.orchestrator.orchestrator import DEFAULT_FIRST_AGENT_MESSAGE
from tau2.scripts.evaluate_trajectories import compute_simulation_rewards
from tau2.scripts.leaderboard.verify_trajectories_public import (
    check_format,
    check_num_trials,
    check_tasks,
)
from tau2.user.user_simulator import UserSimulator
from tau2.utils import llm_utils
from tau2.utils.pydantic_utils import get_pydantic_hash

from jtau_plugin.errors import JtauError

from .scripted import ScriptedModels, evaluate, gold_replies, orchestrate
from .shop import Shop
from .support import call, is_main, registry, run_python, stray_english

_JAPANESE = re.compile("[ぁ-んァ-ヶ一-龠]")
_GREETING = "こんにちは。本日はどのようなご用件でしょうか。"
#: A task with writes, and one with something to communicate.
_WRITES, _SAYS = "16", "2"


def _run(
    task: Any, monkeypatch: pytest.MonkeyPatch, agent: list[Any] | None = None, **settings: Any
) -> tuple[Any, ScriptedModels]:
    replies = gold_replies(task) if agent is None else agent
    models = ScriptedModels(replies, ["お願いします。", "###STOP###"]).install(monkeypatch)
    return orchestrate(task, **settings).run(), models


def _prose(text: str) -> str:
    """The words of a prompt, without tags, control tokens, quotes, code and Latin names."""
    text = re.sub(r"<[^>]*>|###[A-Z-]+###|`[^`]*`|「[^」]*」|\b[A-Z][a-z]+\b", " ", text)
    return re.sub(r"(?<![A-Za-z])[A-Z]?[A-Za-z]?-?[A-Z]+(?![A-Za-z])", " ", text)


class TestPrompts:
    def test_greeting(self, tasks: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
        simulation, models = _run(tasks[_SAYS], monkeypatch)

        assert simulation.messages[0].content == _GREETING
        assert models.seen["user"][0]["messages"][1]["content"] == _GREETING
        assert models.seen["agent"][0]["messages"][1]["content"] == _GREETING
        assert DEFAULT_FIRST_AGENT_MESSAGE.content == "Hi! How can I help you today?"

    def test_agent_prompt(self, reading: Any) -> None:
        prompt = LLMAgent(
            tools=reading.get_tools(), domain_policy=reading.get_policy(), llm="m"
        ).system_prompt

        assert prompt.startswith("<instructions>\nあなたは")
        assert reading.get_policy() in prompt
        assert stray_english(_prose(prompt)) == []
        assert "ユーザーとの会話は日本語で行います。" in prompt

    @pytest.mark.parametrize("arguments", [True, False])
    def test_gt_agent_prompt(self, arguments: bool, reading: Any, tasks: dict[str, Any]) -> None:
        task = tasks[_WRITES]
        prompt = LLMGTAgent(
            tools=reading.get_tools(),
            domain_policy=reading.get_policy(),
            task=task,
            llm="m",
            provide_function_args=arguments,
        ).system_prompt

        steps = prompt.partition("<resolution_steps>")[2].partition("</resolution_steps>")[0]
        lines = [line for line in steps.splitlines() if line.startswith("[手順")]
        assert len(lines) == len(task.evaluation_criteria.actions)
        assert "[Step" not in prompt
        assert "Perform the following" not in prompt
        assert ("(" in lines[0]) == arguments
        assert stray_english(_prose(prompt.partition("<resolution_steps>")[0])) == []

    @pytest.mark.parametrize("given", ["text", "object"])
    def test_user_prompt(self, given: str, tasks: dict[str, Any]) -> None:
        """The gym hands the scenario itself to the user, the runner its text."""
        for task in tasks.values():
            scenario = task.user_scenario
            user = UserSimulator(
                instructions=scenario if given == "object" else str(scenario), llm="m"
            )
            prompt = user.system_prompt
            assert prompt.startswith("# ユーザーシミュレーションのガイドライン"), task.id
            assert str(scenario) in prompt
            for label in ("Domain:", "Reason for call:", "Known info:", "Task instructions:"):
                assert label not in prompt
            assert "PERSONA_GUIDELINES" not in prompt

    def test_what_the_models_are_sent(
        self, tasks: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _, models = _run(tasks[_WRITES], monkeypatch)

        for sent in models.seen["agent"]:
            assert "\\u" not in json.dumps(sent["messages"], ensure_ascii=False).replace(
                "\\\\u", "\\u"
            )
            for tool in sent["tools"]:
                assert _JAPANESE.search(tool["function"]["description"])
        written = [
            tool_call["function"]["arguments"]
            for message in models.seen["agent"][-1]["messages"]
            for tool_call in message.get("tool_calls") or []
        ]
        assert any(_JAPANESE.search(arguments) or "＃" in arguments for arguments in written)
        assert models.seen["user"][0]["tools"] is None


class TestMixtures:
    """``--domain`` and ``--task-set-name`` can be chosen apart."""

    def test_a_japanese_task_in_an_english_environment_is_refused(
        self, tasks: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        models = ScriptedModels(["x"], ["x"]).install(monkeypatch)

        with pytest.raises(JtauError, match=r"task 2 is of ja_retail.*--domain ja_retail"):
            orchestrate(tasks[_SAYS], domain="retail").run()

        assert models.seen == {"agent": [], "user": []}

    def test_voice_is_refused(self, reading: Any) -> None:
        module = "tau2.orchestrator.full_duplex_orchestrator"
        assert (importlib.util.find_spec(module) is not None) == is_main()
        if is_main():
            voice = importlib.import_module(module).FullDuplexOrchestrator
            with pytest.raises(JtauError, match="ja_retail has no localized voice mode"):
                voice.initialize(SimpleNamespace(environment=reading))

    def test_an_english_persona_is_refused(self, tasks: dict[str, Any]) -> None:
        assert (importlib.util.find_spec("tau2.data_model.persona") is not None) == is_main()
        if is_main():
            persona = importlib.import_module("tau2.data_model.persona")
            terse = persona.PersonaConfig(verbosity=persona.Verbosity.MINIMAL)
            scenario = str(tasks[_SAYS].user_scenario)
            user = UserSimulator(instructions=scenario, llm="m", persona_config=terse)
            with pytest.raises(JtauError, match="run-time persona_config is English text"):
                _ = user.system_prompt


class TestHistory:
    _CALL = ToolCall(id="c", name="f", arguments={"理由": "不要になった", "n": 1.5, "e": "é"})

    def _sent(self, tools: Any, monkeypatch: pytest.MonkeyPatch) -> str:
        models = ScriptedModels(["はい"], []).install(monkeypatch)
        history = [
            UserMessage(role="user", content="x"),
            AssistantMessage(role="assistant", tool_calls=[self._CALL]),
        ]
        llm_utils.generate(model="agent", messages=history, tools=tools)
        message = models.seen["agent"][0]["messages"][1]
        return message["tool_calls"][0]["function"]["arguments"]  # type: ignore[no-any-return]

    def test_arguments_are_readable_for_a_japanese_agent(
        self, reading: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sent = self._sent(reading.get_tools(), monkeypatch)

        assert sent == '{"理由": "不要になった", "n": 1.5, "e": "é"}'

    @pytest.mark.parametrize("kind", ["english tools", "no tools"])
    def test_arguments_are_upstream_s_for_all_others(
        self, kind: str, english: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tools = english.get_tools() if kind == "english tools" else None

        assert self._sent(tools, monkeypatch) == json.dumps(self._CALL.arguments)

    def test_a_failing_model_leaves_no_trace(
        self, reading: Any, english: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(**_: Any) -> None:
            raise RuntimeError("no model")

        monkeypatch.setattr("tau2.utils.llm_utils.completion", fail)
        message = [UserMessage(role="user", content="x")]
        with pytest.raises(RuntimeError, match="no model"):
            llm_utils.generate(model="agent", messages=message, tools=reading.get_tools())

        assert "\\u" in self._sent(english.get_tools(), monkeypatch)

    def test_a_broken_character_is_sent_as_upstream_sends_it(
        self, fresh: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Half of an emoji, as a model that was cut off may write it, can be sent on."""
        env = fresh("ja_retail")
        user_id = next(iter(env.tools.db.users))
        fields = ("address1", "address2", "city", "state", "country", "zip")
        broken = {"user_id": user_id, **dict.fromkeys(fields, "x"), "address1": "日\ud83d"}

        answer = call(env, "modify_user_address", broken)

        assert '"日\\ud83d"' in answer.content
        answer.content.encode("utf-8")
        call_ = ToolCall(id="c", name="modify_user_address", arguments=broken)
        monkeypatch.setattr(TestHistory, "_CALL", call_)
        self._sent(env.get_tools(), monkeypatch).encode("utf-8")


class TestScores:
    @pytest.mark.parametrize("task_id", [_WRITES, _SAYS])
    def test_gold_is_rewarded_with_provenance(
        self, task_id: str, tasks: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        task = tasks[task_id]
        simulation, _ = _run(task, monkeypatch)

        info = evaluate(task, simulation)

        assert info.reward == 1.0
        assert all(check.action_match for check in info.action_checks)
        ours = info.info["jtau"]
        assert ours["domain"] == "ja_retail"
        assert ours["locale"] == "ja"
        assert ours["protocol"] == "deterministic"
        assert re.fullmatch("[0-9a-f]{64}", ours["overlay"])
        assert re.fullmatch("[0-9a-f]{64}", ours["facts"])
        assert ours["misses"] == []
        assert ours["stale"] == []
        assert sum(ours["normalized"].values()) > 0
        assert ours["layout"] == ("v1_0" if is_main() else "v0_2")

    def test_gold_in_english_arguments_is_rewarded_too(
        self, tasks: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        task = tasks[_WRITES]
        actions = [(a.name, a.arguments) for a in task.evaluation_criteria.actions]
        facts = "、".join(task.evaluation_criteria.communicate_info or ["完了"])
        simulation, _ = _run(task, monkeypatch, agent=[*actions, f"{facts}です。"])

        info = evaluate(task, simulation)

        assert info.reward == 1.0
        assert info.info["jtau"]["normalized"] == {}

    def test_a_wrong_write_costs_the_reward(
        self, tasks: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        replies = gold_replies(tasks[_WRITES])
        writes = [r for r in replies if r[0].startswith(("cancel", "modify", "return", "exchange"))]
        replies.remove(writes[-1])
        simulation, _ = _run(tasks[_WRITES], monkeypatch, agent=replies)

        assert evaluate(tasks[_WRITES], simulation).reward == 0.0

    def test_silence_costs_the_reward(
        self, tasks: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        replies = [*gold_replies(tasks[_SAYS])[:-1], "手続きが完了しました。"]
        simulation, _ = _run(tasks[_SAYS], monkeypatch, agent=replies)

        info = evaluate(tasks[_SAYS], simulation)

        assert tasks[_SAYS].evaluation_criteria.communicate_info
        assert info.reward == 0.0
        assert info.db_check.db_match

    def test_a_miss_is_recorded(
        self, tasks: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        replies = [("get_order_details", {"order_id": "#W2378156"})] * 9
        models = ScriptedModels(replies, ["お願いします。"]).install(monkeypatch)
        run = orchestrate(tasks[_SAYS], max_steps=3)
        run.environment.tools.db.orders["#W2378156"].items[0].name = "Flying Carpet"
        simulation = run.run()

        info = evaluate(tasks[_SAYS], simulation)

        assert models.seen["agent"]

        missed = {"tool": "get_order_details", "scope": "product", "text": "Flying Carpet"}
        assert info.info["jtau"]["misses"] == [missed]

    @pytest.mark.parametrize("reason", ["max_steps", "too_many_errors"])
    def test_a_simulation_that_broke_off_has_provenance(
        self, reason: str, tasks: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        wrong = [("get_order_details", {"order_id": "#W0"})] * 30
        limit = {"max_steps": 2} if reason == "max_steps" else {"max_errors": 1}
        if reason == "max_steps":
            wrong = ["はい。"] * 30
        models = ScriptedModels(wrong, ["お願いします。"] * 30).install(monkeypatch)
        simulation = orchestrate(tasks[_SAYS], **limit).run()

        info = evaluate(tasks[_SAYS], simulation)

        assert models.seen["agent"]
        assert simulation.termination_reason.value == reason
        assert info.reward == 0.0
        assert "terminated prematurely" in info.info["note"]
        assert info.info["jtau"]["domain"] == "ja_retail"

    def test_english_tasks_get_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        task = next(t for t in registry().get_tasks_loader("retail")(None) if t.id == _WRITES)
        actions = [(a.name, a.arguments) for a in task.evaluation_criteria.actions]
        models = ScriptedModels([*actions, "Done."], ["Hello", "###STOP###"]).install(monkeypatch)
        simulation = orchestrate(task, domain="retail", max_steps=3).run()

        info = evaluate(task, simulation, domain="retail")

        assert simulation.messages[0].content == "Hi! How can I help you today?"
        assert "English" not in str(models.seen)
        assert "jtau" not in (info.info or {})

    def test_strict_arguments_are_recorded(
        self, tasks: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A run of the ablation must not look like a run with the layer on."""
        task = tasks[_WRITES]
        simulation, _ = _run(task, monkeypatch)
        plain = evaluate(task, simulation).info["jtau"]
        monkeypatch.setenv("JTAU_STRICT_ARGS", "1")
        simulation, _ = _run(task, monkeypatch)

        strict = evaluate(task, simulation)

        assert strict.reward == 0.0
        assert strict.info["jtau"]["strict_arguments"] is True
        assert plain["strict_arguments"] is False


def _info() -> Any:
    import tau2.run

    if is_main():
        from tau2.data_model.simulation import TextRunConfig

        return tau2.run.get_info(
            TextRunConfig(domain="ja_retail", llm_agent="agent", llm_user="user")
        )
    return tau2.run.get_info(
        domain="ja_retail",
        agent="llm_agent",
        user="user_simulator",
        llm_agent="agent",
        llm_args_agent={},
        llm_user="user",
        llm_args_user={},
    )


def _results(tasks: list[Any], simulations: list[Any]) -> Results:
    return Results(info=_info(), tasks=tasks, simulations=simulations)


class TestResultsFiles:
    @pytest.fixture
    def graded(
        self, tasks: dict[str, Any], pristine_db: Any, monkeypatch: pytest.MonkeyPatch
    ) -> Results:
        """One simulation with a miss, graded."""
        task = tasks[_SAYS]
        # An id with a line end gives a sentence in two lines, of which the first is no sentence.
        odd = {**Shop(pristine_db).exchange("pending"), "item_ids": ["half an id\nrest"]}
        replies = [("modify_pending_order_items", odd), *gold_replies(task)]
        simulation, _ = _run(task, monkeypatch, agent=replies)
        simulation.trial = 0
        simulation.reward_info = evaluate(task, simulation)
        return _results([task], [simulation])

    def test_run_information_is_japanese(self) -> None:
        info = _info()

        assert info.environment_info.domain_name == "ja_retail"
        assert _JAPANESE.search(info.environment_info.policy)
        assert info.user_info.global_simulation_guidelines.startswith("# ユーザーシミュレーション")

    def test_the_mark_survives_a_file(self, graded: Results, tmp_path: Path) -> None:
        graded.save(tmp_path / "results.json")
        loaded = Results.load(tmp_path / "results.json")

        assert type(loaded.tasks[0].user_scenario).__name__ == "UserScenario"
        assert get_pydantic_hash(loaded.tasks[0]) == get_pydantic_hash(graded.tasks[0])
        again = compute_simulation_rewards(loaded).simulations[0].reward_info
        first = graded.simulations[0].reward_info
        assert again.reward == first.reward == 1.0
        assert again.info["jtau"] == first.info["jtau"]

    def test_live_results_can_be_graded_again(self, graded: Results) -> None:
        """Upstream copies the results deeply before it grades them."""
        again = compute_simulation_rewards(graded).simulations[0].reward_info

        assert again.info["jtau"] == graded.simulations[0].reward_info.info["jtau"]

    def test_another_process_grades_the_same(self, graded: Results, tmp_path: Path) -> None:
        graded.save(tmp_path / "results.json")
        code = """
import sys, json
from loguru import logger
logger.remove()
from tau2.data_model.simulation import Results
from tau2.scripts.evaluate_trajectories import compute_simulation_rewards
graded = compute_simulation_rewards(Results.load(sys.argv[1])).simulations[0].reward_info
print(json.dumps([graded.reward, graded.info["jtau"]]))
"""
        done = run_python(code, str(tmp_path / "results.json"))

        reward, ours = json.loads(done.stdout.splitlines()[-1])
        assert reward == 1.0
        assert ours == graded.simulations[0].reward_info.info["jtau"]
        assert ours["misses"]

    def test_without_the_plugin_the_file_is_still_tau2_s(
        self, graded: Results, tmp_path: Path
    ) -> None:
        graded.save(tmp_path / "results.json")
        code = """
import sys
from tau2.data_model.simulation import Results
ours = Results.load(sys.argv[1]).simulations[0].reward_info.info["jtau"]
print(ours["domain"], "jtau_plugin.domains" in sys.modules)
"""
        done = run_python(code, str(tmp_path / "results.json"), JTAU_DISABLE="1")

        assert done.stdout.split()[-2:] == ["ja_retail", "False"]

    def test_a_file_of_a_locale_that_is_gone_says_so(self, graded: Results) -> None:
        loaded = Results.model_validate_json(
            graded.model_dump_json().replace("ja_retail", "xx_retail")
        )
        with pytest.raises((JtauError, KeyError), match="xx_retail"):
            compute_simulation_rewards(loaded)

    def test_the_leaderboard_s_verifier(
        self, graded: Results, tasks: dict[str, Any], tmp_path: Path
    ) -> None:
        simulation = graded.simulations[0]
        whole = [
            simulation.model_copy(update={"id": f"s{i}", "task_id": task_id})
            for i, task_id in enumerate(tasks)
        ]
        _results(list(tasks.values()), whole).save(tmp_path / "results.json")

        results, is_format_right, message = check_format(tmp_path / "results.json")

        assert (is_format_right, message) == (True, "")
        assert check_tasks(results) == (True, "")
        assert check_num_trials(results) == (True, "")
        results.tasks[0].user_scenario.instructions.known_info = "x"
        assert check_tasks(results) == (False, "Task mismatches found in 1 tasks")
        del results.tasks[0]
        assert not check_tasks(results)[0]

    def test_the_leaderboard_s_form_knows_no_further_domain(self) -> None:
        """As far as upstream admits: its submission form has fields for its own domains only."""
        from tau2.scripts.leaderboard import submission

        fields = submission.Results.model_fields

        assert {"retail", "airline", "telecom"} <= set(fields)
        assert "ja_retail" not in fields
        with pytest.raises(ValueError, match="Invalid domain: ja_retail"):
            submission.Results().get_domain_results("ja_retail")


class TestCopies:
    """tau2 and those who build on it copy and pickle tasks and environments freely."""

    def test_a_task_can_be_copied(self, tasks: dict[str, Any]) -> None:
        task = tasks[_WRITES]
        for twin in (copy.deepcopy(task), task.model_copy(deep=True), copy.copy(task)):
            assert str(twin.user_scenario) == str(task.user_scenario)
            assert get_pydantic_hash(twin) == get_pydantic_hash(task)
            user = UserSimulator(instructions=str(twin.user_scenario), llm="m")
            assert user.system_prompt.startswith("# ユーザー")

    def test_a_task_can_be_pickled(self, tasks: dict[str, Any]) -> None:
        task = tasks[_WRITES]

        twin = pickle.loads(pickle.dumps(task))

        assert str(twin.user_scenario) == str(task.user_scenario)
        user = UserSimulator(instructions=str(twin.user_scenario), llm="m")
        assert user.system_prompt.startswith("# ユーザー")

    def test_an_environment_can_be_copied(self, fresh: Any, pristine_db: Any) -> None:
        environment = fresh("ja_retail")
        twin = copy.deepcopy(environment)
        order = next(o for o in pristine_db.orders.values() if o.status == "pending")
        reason = {"order_id": order.order_id, "reason": "不要になった"}

        assert not call(twin, "cancel_pending_order", reason).error

        assert twin.tools.db.orders[order.order_id].status == "cancelled"
        assert environment.tools.db.orders[order.order_id].status == "pending"
        assert environment.jtau_records.changes == []
        assert [t.openai_schema for t in twin.get_tools()] == [
            t.openai_schema for t in environment.get_tools()
        ]
        agent = LLMAgent(tools=twin.get_tools(), domain_policy=twin.get_policy(), llm="m")
        assert agent.system_prompt.startswith("<instructions>\nあなたは")

    def test_a_read_task_equals_a_fresh_one_by_its_hash(self, tasks: dict[str, Any]) -> None:
        for task in tasks.values():
            read = type(task).model_validate_json(task.model_dump_json())
            assert get_pydantic_hash(read) == get_pydantic_hash(task)


class TestGym:
    def test_the_agent_s_gym(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from tau2.gym.gym_agent import AgentGymEnv

        models = ScriptedModels([], ["注文を確認してください。", "###STOP###"]).install(monkeypatch)
        env = AgentGymEnv(domain="ja_retail", task_id=_WRITES, user_llm="user", user_llm_args={})

        observation, info = env.reset()
        assert observation == "user: 注文を確認してください。"
        assert _JAPANESE.search(str(info["policy"]))
        assert str(info["task"].user_scenario).startswith("指示:")
        prompt = models.seen["user"][0]["messages"][0]["content"]
        assert prompt.startswith("# ユーザーシミュレーションのガイドライン")
        assert models.seen["user"][0]["messages"][1]["content"] == _GREETING

        for tool in info["tools"]:
            assert _JAPANESE.search(tool.openai_schema["function"]["description"]), tool.name
            assert _JAPANESE.search(str(tool))

        observation, *_ = env.step(
            '{"name": "get_order_details", "arguments": {"order_id": "#W0"}}'
        )
        assert observation == "tool: Error: 注文が見つかりません。"
        _, reward, is_done, _, info = env.step("承知いたしました。")
        assert is_done
        assert reward == 0.0
        simulation = json.loads(info["simulation_run"])
        assert simulation["messages"][0]["content"] == _GREETING

    def test_the_user_s_gym(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from tau2.gym.gym_agent import UserGymEnv

        models = ScriptedModels(["ご注文番号をお教えください。"], []).install(monkeypatch)
        env = UserGymEnv(domain="ja_retail", task_id=_WRITES, agent_llm="agent", agent_llm_args={})

        observation, _ = env.reset()
        assert observation == f"assistant: {_GREETING}"
        observation, *_ = env.step("こんにちは。")
        assert "ご注文番号をお教えください。" in observation
        prompt = models.seen["agent"][0]["messages"][0]["content"]
        assert prompt.startswith("<instructions>\nあなたは")
        env.step("###STOP###")
