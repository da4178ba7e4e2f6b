"""The embedded models on the installed tau2: scripts, the real path, and who they refuse to play for."""

from __future__ import annotations

import json
import re
import threading
import unicodedata
from collections import Counter
from typing import Any

import litellm
import pytest
from tau2.agent.llm_agent import LLMAgent, LLMSoloAgent
from tau2.data_model.message import AssistantMessage, UserMessage
from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation
from tau2.orchestrator.orchestrator import Orchestrator
from tau2.run import run_tasks
from tau2.user.user_simulator import DummyUser, UserSimulator
from tau2.utils.llm_utils import generate

from jtau_plugin.errors import OracleError
from jtau_plugin.oracle import register_oracle
from jtau_plugin.oracle.beats import AGENT, USER
from jtau_plugin.oracle.book import load_book
from jtau_plugin.oracle.player import play
from jtau_plugin.oracle.script import MODELS, write_script

from .support import fresh_domain, registry

# What a caller or agent says in Latin letters: brands, materials, sizes, units, streets.
_LATIN_WORDS = """
    Web bar EVA GB MB TB SSD SD CF LED LCD OLED AMOLED IPS RGB HEPA USB AC CPU Wi-Fi Apple HomeKit
    Google Home Assistant Alexa Amex Bluetooth NoNo D S M L XL XXL XS A B C W V T T-Shirt MP ml
    PayPal Visa Mastercard ID grey gray RAM ram USB-C USB-A IH Elm Avenue Suite
"""
_SPOKEN = frozenset(_LATIN_WORDS.split())
# Ids, e-mail addresses and address blocks.
_DATA = re.compile(
    r"\S+@[\w.]+|[a-z]+_[a-z]+_\d+|#?W\d+|[\d.]+[A-Za-z]+|[A-Za-z]+\d+"
    r"|[A-Z0-9][\w .]*(?:, [A-Z0-9][\w .]*)+",
    re.ASCII,
)
_LATIN_WORD = re.compile(r"[A-Za-z][A-Za-z.-]*[A-Za-z]|[A-Za-z]")
_SAYS, _WRITES, _REFUSES, _TRANSFERS = "2", "16", "57", "10"


def _run(
    tasks: list[Any], agent: str, user: str = "jtau/oracle", domain: str = "ja_retail", **more: Any
) -> dict[str, Any]:
    results = run_tasks(
        domain=domain,
        tasks=tasks,
        agent="llm_agent",
        user="user_simulator",
        llm_agent=agent,
        llm_args_agent={},
        llm_user=user,
        llm_args_user={},
        max_concurrency=4,
        console_display=False,
        log_level="ERROR",
        **more,
    )
    return {simulation.task_id: simulation for simulation in results.simulations}


def _records(simulation: Any) -> list[Any]:
    """Return what the messages' raw data hold of us, on either layout."""
    found = []
    for message in simulation.messages:
        raw = getattr(message, "raw_data", None) or {}
        choice = raw["choices"][0] if "choices" in raw else raw
        fields = (choice.get("message") or {}).get("provider_specific_fields") or {}
        if "jtau" in fields:
            found.append(fields["jtau"])
    return found


@pytest.fixture(scope="module")
def scripts(tasks: dict[str, Any], reading: Any) -> dict[str, Any]:
    """The oracle's script of every task."""
    return {id_: write_script(task, reading, "oracle") for id_, task in tasks.items()}


class TestRegistration:
    def test_it_is_idempotent(self) -> None:
        register_oracle()
        register_oracle()
        assert [item["provider"] for item in litellm.custom_provider_map].count("jtau") == 1

    def test_its_price_is_known_and_zero(self) -> None:
        register_oracle()
        for model in MODELS:
            price = litellm.get_model_info(f"jtau/{model}")
            assert price["input_cost_per_token"] == price["output_cost_per_token"] == 0

    def test_other_providers_stay(self, monkeypatch: pytest.MonkeyPatch) -> None:
        own = {"provider": "mine", "custom_handler": object()}
        monkeypatch.setattr(litellm, "custom_provider_map", [own])
        register_oracle()
        assert litellm.custom_provider_map[0] is own
        assert len(litellm.custom_provider_map) == 2


class TestOutsideASimulation:
    def test_a_call_is_refused_with_a_sentence(self) -> None:
        register_oracle()
        with pytest.raises(OracleError, match="only inside a simulation of a localized domain"):
            generate("jtau/oracle", [UserMessage(role="user", content="x")])

    def test_an_unknown_model_names_the_known_ones(self) -> None:
        with pytest.raises(OracleError, match="jtau/oracle-wide, jtau/saboteur"):
            play(None, "gpt")


class TestScripts:
    def test_they_are_the_same_every_time(self, tasks: dict[str, Any], reading: Any) -> None:
        for model in MODELS:
            for task_id in (_SAYS, _WRITES, _REFUSES):
                task = tasks[task_id]
                assert write_script(task, reading, model) == write_script(task, reading, model)

    def test_a_message_is_a_text_or_a_call(self, scripts: dict[str, Any]) -> None:
        for task_id, script in scripts.items():
            for beat in script.beats:
                assert bool(beat.text) != bool(beat.tool), (task_id, beat)

    def test_no_text_has_an_unfilled_place_or_a_tool_name(
        self, scripts: dict[str, Any], reading: Any
    ) -> None:
        names = reading.tools.get_tools()
        for task_id, script in scripts.items():
            for beat in script.beats:
                assert not re.search(r"\{\w*\}", beat.text + beat.done), (task_id, beat.text)
                assert not any(name in beat.text for name in names), (task_id, beat.text)

    def test_no_stray_english_is_said(self, scripts: dict[str, Any], reading: Any) -> None:
        names = {
            word
            for user in reading.tools.db.users.values()
            for word in (user.name.first_name, user.name.last_name)
        }
        for task_id, script in scripts.items():
            for beat in script.beats:
                if beat.text.startswith("###"):
                    continue
                words = set(_LATIN_WORD.findall(_DATA.sub(" ", beat.text)))
                assert words <= _SPOKEN | names, (task_id, words - _SPOKEN - names, beat.text)

    def test_width_and_blanks_are_those_of_the_overlay(self, scripts: dict[str, Any]) -> None:
        for task_id, script in scripts.items():
            for beat in script.beats:
                assert not re.search("[Ａ-Ｚａ-ｚ０-９]", beat.text), (task_id, beat.text)
                assert "  " not in beat.text

    def test_every_write_is_listed_and_consented_to(
        self, scripts: dict[str, Any], reading: Any
    ) -> None:
        for task_id, script in scripts.items():
            for index, beat in enumerate(script.beats):
                if not beat.tool or reading.tools.tool_type(beat.tool).value != "write":
                    continue
                consent, answer = script.beats[index - 2 : index]
                assert consent.side == AGENT, task_id
                assert "「はい」とお答えください" in consent.text, task_id
                assert "・" in consent.text, task_id
                assert answer.side == USER, task_id
                assert answer.text.startswith("はい"), task_id

    def test_who_calls_is_identified_first(self, scripts: dict[str, Any]) -> None:
        for task_id, script in scripts.items():
            calls = [beat.tool for beat in script.beats if beat.tool]
            assert calls, task_id
            assert calls[0].startswith("find_user_id_by_"), task_id

    def test_gold_is_called_in_order(
        self, scripts: dict[str, Any], tasks: dict[str, Any], reading: Any
    ) -> None:
        for task_id, script in scripts.items():
            gold = tasks[task_id].evaluation_criteria.actions or []
            calls = [beat for beat in script.beats if beat.tool][-len(gold) or None :]
            for action, beat in zip(gold, calls if gold else [], strict=True):
                arguments, _ = reading.jtau_localizer.canonicalize_arguments(
                    beat.tool, beat.arguments
                )
                assert beat.tool == action.name, task_id
                if action.name != "transfer_to_human_agents":
                    assert arguments == action.arguments, task_id

    def test_a_transfer_ends_with_the_sentence_of_the_policy(
        self, scripts: dict[str, Any], reading: Any
    ) -> None:
        seen = 0
        for script in scripts.values():
            for index, beat in enumerate(script.beats):
                if beat.tool == "transfer_to_human_agents":
                    seen += 1
                    assert f"「{script.beats[index + 1].text}」" in reading.get_policy()
                    assert unicodedata.name(beat.arguments["summary"][0]).split()[0] in (
                        "HIRAGANA",
                        "KATAKANA",
                        "CJK",
                    )
        assert seen >= 4

    def test_the_caller_ends_every_conversation(self, scripts: dict[str, Any]) -> None:
        for script in scripts.values():
            assert script.beats[-1].side == USER
            assert script.beats[-1].text == "###STOP###"

    def test_conversations_differ(self, scripts: dict[str, Any]) -> None:
        openings = Counter(script.beats[1].text for script in scripts.values())
        assert len(openings) >= 3
        assert max(openings.values()) < 60

    def test_lines_belong_to_tasks(self, tasks: dict[str, Any], catalog: Any) -> None:
        assert set(load_book(catalog).tasks) <= set(tasks)

    def test_sentences_for_facts_fit_the_installed_task(
        self, tasks: dict[str, Any], catalog: Any
    ) -> None:
        book = load_book(catalog)
        for task in tasks.values():
            values = task.evaluation_criteria.communicate_info or []
            slots = sum(line.count("{}") for line in book.lines(task.id).say)
            assert slots == len(values) or not values, task.id

    def test_talks_stand_before_an_action_that_exists(
        self, tasks: dict[str, Any], scripts: dict[str, Any], catalog: Any
    ) -> None:
        book = load_book(catalog)
        for task_id, script in scripts.items():
            said = {beat.text for beat in script.beats if beat.means == "wish"}
            assert said == {talk.user for talk in book.lines(task_id).talks}, task_id


class TestRealPath:
    def test_the_oracle_solves(self, tasks: dict[str, Any]) -> None:
        some = [tasks[i] for i in (_SAYS, _WRITES, _REFUSES, _TRANSFERS)]
        for simulation in _run(some, "jtau/oracle").values():
            assert simulation.reward_info.reward == 1.0
            assert simulation.agent_cost == simulation.user_cost == 0.0
            assert _records(simulation) == []

    def test_a_refused_call_is_read_and_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # Gold of this task tries an exchange that the tool refuses, unless it is repaired.
        monkeypatch.setenv("JTAU_PATCHES", "-retail-64-exchange")
        (task,) = (t for t in fresh_domain().get_tasks(None) if t.id == "64")
        simulation = _run([task], "jtau/oracle")["64"]
        refused = [m for m in simulation.messages if m.role == "tool" and m.error]
        assert len(refused) == 1
        told = refused[0].content.removeprefix("Error: ")
        assert any(told in (m.content or "") for m in simulation.messages if m.role == "assistant")
        assert simulation.reward_info.reward == 1.0

    def test_the_saboteur_fails_and_says_how_in_the_raw_data_only(
        self, tasks: dict[str, Any]
    ) -> None:
        some = [tasks[i] for i in (_SAYS, _WRITES, "0", "24", "100")]
        for task_id, simulation in _run(some, "jtau/saboteur").items():
            assert simulation.reward_info.reward == 0.0, task_id
            (record,) = _records(simulation)
            assert record["fault"]
            said = " ".join(m.content or "" for m in simulation.messages)
            assert record["fault"] not in said
            json.dumps(record)

    def test_a_saboteur_with_nothing_to_spoil_says_so(self, tasks: dict[str, Any]) -> None:
        simulation = _run([tasks[_REFUSES]], "jtau/saboteur")[_REFUSES]
        assert simulation.reward_info.reward == 1.0
        (record,) = _records(simulation)
        assert record["fault"] is None
        assert record["reason"]

    def test_models_may_be_mixed(self, tasks: dict[str, Any]) -> None:
        some = [tasks[_SAYS]]
        assert _run(some, "jtau/oracle-wide", "jtau/saboteur")[_SAYS].reward_info.reward == 1.0

    def test_english_simulations_are_refused(self) -> None:
        english = registry().get_tasks_loader("retail")("base")[0]
        agent = LLMAgent(tools=[], domain_policy="x", llm="jtau/oracle", llm_args={})
        user = UserSimulator(instructions="x", llm="jtau/oracle", llm_args={})
        environment = registry().get_env_constructor("retail")()
        orchestrator = Orchestrator("retail", agent, user, environment, english)
        with pytest.raises(OracleError, match="localized domain"):
            orchestrator.run()


def _orchestrate(task: Any, fresh: Any) -> Orchestrator:
    environment = fresh("ja_retail")
    policy = environment.get_policy()
    agent = LLMAgent(tools=environment.get_tools(), domain_policy=policy, llm="other/model")
    user = UserSimulator(instructions=str(task.user_scenario), llm="jtau/oracle", llm_args={})
    return Orchestrator("ja_retail", agent, user, environment, task)


class TestOtherAgents:
    """The caller with an agent that is not ours."""

    def _answers(self, task: Any, fresh: Any, said: list[str]) -> list[str]:
        orchestrator = _orchestrate(task, fresh)
        orchestrator.initialize()
        answers = []
        for text in said:
            orchestrator.step()
            answers.append(orchestrator.trajectory[-1].content)
            if orchestrator.done:
                return answers
            message = AssistantMessage(role="assistant", content=text, cost=0.0)
            orchestrator.trajectory.append(message)
            orchestrator.message = message
            orchestrator.from_role, orchestrator.to_role = (
                orchestrator.to_role,
                orchestrator.from_role,
            )
        orchestrator.step()
        return [*answers, orchestrator.trajectory[-1].content]

    def test_the_caller_listens(self, tasks: dict[str, Any], fresh: Any) -> None:
        concern, identity, agreed, nothing, stop = self._answers(
            tasks[_WRITES],
            fresh,
            [
                "かしこまりました。本人確認のため、お名前をうかがえますか。",
                "注文を2件キャンセルします。よろしいですか。",
                "完了しました。ほかにご用件はございますか。",
                "お問い合わせ、ありがとうございました。",
            ],
        )
        assert "キャンセル" in concern
        assert "Fatima Johnson" in identity
        assert "78712" in identity
        assert "Fatima" not in concern
        assert agreed.startswith("はい")
        assert "ありがとうございました" in nothing
        assert stop == "###STOP###"

    def test_a_transfer_ends_the_call(self, tasks: dict[str, Any], fresh: Any) -> None:
        answers = self._answers(
            tasks[_WRITES], fresh, ["有人オペレーターにおつなぎします。そのままお待ちください。"]
        )
        assert answers[-1] == "###STOP###"


def test_many_simulations_at_once_keep_apart(tasks: dict[str, Any], reading: Any) -> None:
    wanted = {i: write_script(tasks[i], reading, "oracle-wide") for i in ("0", "2", "5", "17")}
    found: dict[tuple[str, int], Any] = {}

    def write(task_id: str, turn: int) -> None:
        found[task_id, turn] = write_script(tasks[task_id], reading, "oracle-wide")

    threads = [threading.Thread(target=write, args=(i, n)) for n in range(3) for i in wanted]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(script == wanted[task_id] for (task_id, _), script in found.items())
    assert len(found) == len(threads)


@pytest.mark.slow
def test_a_third_of_the_set_in_other_forms(tasks: dict[str, Any]) -> None:
    simulations = _run(list(tasks.values())[::3], "jtau/oracle-wide", "jtau/oracle-wide")
    assert {i: s.reward_info.reward for i, s in simulations.items()} == dict.fromkeys(
        list(tasks)[::3], 1.0
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    # A saboteur tries each of its faults on a fresh environment, which takes minutes.
    [pytest.param(m, marks=() if m == "oracle" else pytest.mark.exhaustive) for m in MODELS],
)
def test_the_whole_set(model: str, tasks: dict[str, Any]) -> None:
    simulations = _run(list(tasks.values()), f"jtau/{model}", f"jtau/{model}")
    assert len(simulations) == 114
    rewards = {task_id: s.reward_info.reward for task_id, s in simulations.items()}
    if model != "saboteur":
        assert {i for i, reward in rewards.items() if reward != 1.0} == set()
        return
    straight = {i for i, s in simulations.items() if _records(s)[0]["fault"] is None}
    assert {i for i, reward in rewards.items() if reward != 0.0} == straight
    # Nothing to write, or gold's only write is refused; nothing to say either.
    assert straight == {"10", "12", "25", "50", "57", "65", "105"}
    faults = Counter(_records(s)[0]["fault"] for s in simulations.values())
    assert set(faults) == {
        None,
        "other_choice",
        "other_item",
        "other_payment",
        "left_out",
        "wrong_fact",
    }
    assert all(len(_records(s)) == 1 for s in simulations.values())


@pytest.mark.parametrize(("domain", "count"), [("ja_airline", 6), ("ja_telecom", 8)])
@pytest.mark.parametrize("model", ["jtau/oracle", "jtau/oracle-wide"])
def test_other_domains(domain: str, count: int, model: str) -> None:
    tasks = registry().get_tasks_loader(domain)("base")
    some = tasks[:: len(tasks) // count]
    for task_id, simulation in _run(some, model, domain=domain).items():
        assert simulation.reward_info.reward == 1.0, task_id


def test_an_agent_without_a_caller() -> None:
    for task in registry().get_tasks_loader("ja_telecom")("base")[::40]:
        environment = registry().get_env_constructor("ja_telecom")(solo_mode=True)
        agent = LLMSoloAgent(
            tools=environment.get_tools() + environment.get_user_tools(),
            domain_policy=environment.get_policy(),
            task=task,
            llm="jtau/oracle-wide",
            llm_args={},
        )
        # 26.3 and 1.0.1 both make the user of a solo run without arguments.
        orchestrator = Orchestrator(
            "ja_telecom", agent, DummyUser(), environment, task, solo_mode=True
        )
        simulation = orchestrator.run()
        assert str(simulation.termination_reason).lower().endswith("agent_stop")
        reward = evaluate_simulation(simulation, task, EvaluationType.ALL, True, "ja_telecom")
        assert reward.reward == 1.0
