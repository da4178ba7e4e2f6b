"""Whole evaluations: two protocols, what a failure costs, and what every reward says of itself."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation

from jtau_plugin.compat.wrapping import original_of
from jtau_plugin.errors import JtauError, SettingError
from jtau_plugin.patching.engine import get_engine

from .grading import FakeJudge, calls, evaluate, hears, make_task, play, says, simulate
from .scripted import orchestrate
from .support import is_main, registry

ARMS = ("ja_retail", "en_retail")


@pytest.fixture(scope="module")
def pick() -> Callable[[str, str], Any]:
    """Return an arm's task with assertions and something to do, under a protocol."""
    found: dict[tuple[str, str], Any] = {}

    def load(arm: str, protocol: str) -> Any:
        if (arm, protocol) not in found:
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("JTAU_PROTOCOL", protocol)
                tasks = registry().get_tasks_loader(arm)(None)
            found[arm, protocol] = next(
                task
                for task in tasks
                if task.evaluation_criteria.nl_assertions
                and len(task.evaluation_criteria.actions or []) in range(2, 8)
            )
        return found[arm, protocol]

    return load


def conversation(task: Any, environment: Any, actions: list[Any] | None = None) -> list[Any]:
    """Gold's actions, and everything that has to be said."""
    facts = "、".join(f"{info}ドル" for info in task.evaluation_criteria.communicate_info or [])
    return [*play(environment, task, actions), says(f"{facts}です。"), hears("###STOP###")]


def verdicts(task: Any, *, met: bool = True) -> str:
    assertions = task.evaluation_criteria.nl_assertions
    entries = [
        {"index": number, "expectedOutcome": text, "reasoning": "r", "metExpectation": met}
        for number, text in enumerate(assertions, start=1)
    ]
    return json.dumps({"results": entries}, ensure_ascii=False)


def names(basis: Any) -> list[str]:
    return [kind.value for kind in basis]


@pytest.mark.parametrize("arm", ARMS)
class TestProtocols:
    def test_deterministic_asks_no_judge(
        self, arm: str, pick: Any, fresh: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        task = pick(arm, "deterministic")
        judge = FakeJudge("{}").install(monkeypatch)

        info = evaluate(task, conversation(task, fresh(arm)), arm)

        assert info.reward == 1.0
        assert names(info.reward_basis) == ["DB", "COMMUNICATE"]
        assert judge.asked == []
        ours = info.info["jtau"]
        assert (ours["protocol"], ours["status"]) == ("deterministic", "evaluated")
        assert ours["upstream"]["NL_ASSERTION"] is None
        assert "judge" not in ours

    @pytest.mark.parametrize("met", [True, False])
    def test_judged_counts_the_assertions_on_both_layouts(
        self, met: bool, arm: str, pick: Any, fresh: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        task = pick(arm, "judged")
        FakeJudge(verdicts(task, met=met)).install(monkeypatch)

        info = evaluate(task, conversation(task, fresh(arm)), arm)

        assert info.reward == float(met)
        assert names(info.reward_basis) == ["DB", "COMMUNICATE", "NL_ASSERTION"]
        assert names(info.reward_breakdown) == ["DB", "NL_ASSERTION", "COMMUNICATE"]
        assert {check.met for check in info.nl_assertions} == {met}
        ours = info.info["jtau"]
        assert (ours["protocol"], ours["status"]) == ("judged", "evaluated")
        assert ours["upstream"]["NL_ASSERTION"] == float(met)
        assert ours["judge"]["tries"] == 1
        assert ours["judge"]["model"].startswith("gpt-4")

    def test_one_layout_s_upstream_refuses_that_basis(
        self, arm: str, pick: Any, fresh: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        task = pick(arm, "judged")
        FakeJudge(verdicts(task)).install(monkeypatch)
        call = {
            "simulation": simulate(task, conversation(task, fresh(arm))),
            "task": task,
            "evaluation_type": EvaluationType.ALL,
            "solo_mode": False,
            "domain": arm,
        }

        if is_main():
            assert original_of(evaluate_simulation)(**call).reward == 1.0
        else:
            with pytest.raises(ValueError, match="not being evaluated"):
                original_of(evaluate_simulation)(**call)

    @pytest.mark.parametrize(
        ("answer", "status"),
        [
            ('{"results": []}', "unevaluated"),
            ("All hold.", "evaluator_error"),
            (TimeoutError("no answer in time"), "evaluator_error"),
        ],
        ids=["no verdicts", "prose", "timeout"],
    )
    def test_a_judge_that_fails_costs_neither_the_rest_nor_the_conversation(
        self,
        *,
        answer: Any,
        status: str,
        arm: str,
        pick: Any,
        fresh: Any,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        task = pick(arm, "judged")
        FakeJudge(answer).install(monkeypatch)

        info = evaluate(task, conversation(task, fresh(arm)), arm)

        assert info.reward == 0.0
        assert info.db_check.db_match
        assert info.nl_assertions is None
        ours = info.info["jtau"]
        assert ours["status"] == status
        assert ours["error"]
        assert ours["upstream"]["DB"] == 1.0
        assert ours["judge"]["tries"] == 2

    def test_previewed_assertions_do_not_decide(
        self, arm: str, pick: Any, fresh: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        task = pick(arm, "deterministic")
        FakeJudge("{}").install(monkeypatch)

        info = evaluate(task, conversation(task, fresh(arm)), arm, "all_with_nl_assertions")

        assert info.reward == 1.0
        assert info.info["jtau"]["status"] == "evaluated"
        assert info.info["nl"]["jtau"]["status"] == "unevaluated"


class TestUpstreamBeside:
    def test_the_product_is_over_upstream_s_own_basis(self, pick: Any, fresh: Any) -> None:
        """Upstream's basis of the same task differs between the layouts; ours does not."""
        task = pick("ja_retail", "deterministic")

        info = evaluate(task, conversation(task, fresh("ja_retail")), "ja_retail")

        assert info.info["jtau"]["upstream"] == {
            "reward": None if is_main() else 1.0,
            "DB": 1.0,
            "ENV_ASSERTION": 1.0,
            "ACTION": 1.0,
            "COMMUNICATE": 1.0,
            "NL_ASSERTION": None,
        }

    def test_each_component_s_verdict_is_there_when_ours_differs(
        self, pick: Any, fresh: Any
    ) -> None:
        task = pick("en_retail", "deterministic")
        update = {"communicate_info": ["4"]}
        criteria = task.evaluation_criteria.model_copy(update=update)
        task = task.model_copy(update={"evaluation_criteria": criteria})
        messages = [*play(fresh("en_retail"), task, []), says("You have 14 items.")]

        info = evaluate(task, messages, "en_retail")

        assert info.reward == 0.0
        upstream = info.info["jtau"]["upstream"]
        assert (upstream["DB"], upstream["COMMUNICATE"]) == (0.0, 1.0)
        assert (upstream["ACTION"], info.reward) == (0.0, 0.0)
        assert [check.met for check in info.communicate_checks] == [False]

    @pytest.mark.parametrize(
        ("kind", "section", "known"),
        [
            ("env", "env", {"DB", "ENV_ASSERTION"}),
            ("action", "action", {"ACTION"}),
            ("communicate", "communicate", {"COMMUNICATE"}),
            ("nl_assertions", "nl", {"NL_ASSERTION"}),
        ],
    )
    def test_one_component_alone(
        self,
        *,
        kind: str,
        section: str,
        known: set[str],
        pick: Any,
        fresh: Any,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        task = pick("ja_retail", "judged")
        FakeJudge(verdicts(task)).install(monkeypatch)

        info = evaluate(task, conversation(task, fresh("ja_retail")), "ja_retail", kind)

        assert info.reward == 1.0
        assert section in info.info or kind == "communicate"
        ours = info.info["jtau"]
        assert ours["domain"] == "ja_retail"
        assert {n for n in ours["upstream"] if ours["upstream"][n] is not None} == known


class TestFailures:
    """A conversation that cannot be evaluated is kept, and says why."""

    def _broken(self, task: Any, environment: Any) -> list[Any]:
        # A result that the tools never returned cannot be replayed.
        call = calls("cancel_pending_order", {"order_id": "#W0", "reason": "x"}, result="done")
        return [*play(environment, task), *call]

    @pytest.mark.parametrize("arm", ARMS)
    def test_upstream_raises(self, arm: str, pick: Any, fresh: Any) -> None:
        task = pick(arm, "deterministic")
        messages = self._broken(task, fresh(arm))

        call = {"evaluation_type": EvaluationType.ALL, "solo_mode": False, "domain": arm}
        with pytest.raises(ValueError, match="Expected:"):
            original_of(evaluate_simulation)(simulate(task, messages), task, **call)
        info = evaluate(task, messages, arm)

        assert info.reward == 0.0
        assert "can be graded again" in info.info["note"]
        ours = info.info["jtau"]
        assert ours["status"] == "evaluator_error"
        assert ours["error"].startswith("ValueError: Tool call:")
        assert ours["upstream"] == {"reward": None}
        assert ours["domain"] == arm

    def test_the_conversation_is_played_once(
        self, pick: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        models = _Everybody(FakeJudge("no JSON")).install(monkeypatch)

        simulation = _run_as_tau2_does(pick("ja_retail", "judged"), "ja_retail")

        assert models.conversations == 1
        assert [message.role for message in simulation.messages] == ["assistant", "user"]
        assert simulation.reward_info.info["jtau"]["status"] == "evaluator_error"

    def test_upstream_plays_it_again_and_loses_it(
        self, pick: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("JTAU_PATCH_UPSTREAM", raising=False)
        models = _Everybody(FakeJudge("no JSON")).install(monkeypatch)
        task = pick("ja_retail", "judged").model_copy(update={"description": None})
        task = task.model_copy(update={"user_scenario": make_task().user_scenario})

        if is_main():
            simulation = _run_as_tau2_does(task, "retail")
            assert simulation.termination_reason.value == "infrastructure_error"
            assert simulation.messages == []
        else:
            with pytest.raises(ValueError, match="not being evaluated"):
                _run_as_tau2_does(task, "retail")

        assert models.conversations == (1 + _RETRIES if is_main() else 1)

    def test_a_wrong_judge_setting_is_an_error_of_its_own(
        self, pick: Any, fresh: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        task = pick("ja_retail", "judged")
        judge = FakeJudge("{}").install(monkeypatch)
        monkeypatch.setenv("JTAU_JUDGE_ARGS", "{")

        with pytest.raises(SettingError, match="JTAU_JUDGE_ARGS"):
            evaluate(task, conversation(task, fresh("ja_retail")), "ja_retail")

        assert judge.asked == []

    def test_what_is_asked_for_wrongly_is_told(self, pick: Any) -> None:
        task = pick("ja_retail", "deterministic")
        simulation = simulate(task, [says("x")])

        with pytest.raises(KeyError, match="no_such_domain"):
            evaluate(task, [says("x")], "no_such_domain")
        with pytest.raises(ValueError, match="'everything' is not a valid"):
            evaluate_simulation(simulation, task, "everything", False, "ja_retail")

    def test_a_domain_that_is_not_registered(self, pick: Any) -> None:
        task = pick("ja_retail", "deterministic")
        notes = task.description.notes.replace("ja_retail", "xx_retail")
        description = task.description.model_copy(update={"notes": notes})

        with pytest.raises(JtauError, match="marked for xx_retail, which is not registered"):
            evaluate(task.model_copy(update={"description": description}), [says("x")], "ja_retail")

    def test_a_conversation_that_broke_off(self, pick: Any) -> None:
        task = pick("ja_retail", "judged")

        info = evaluate(task, [says("x")], "ja_retail", reason="max_steps")

        assert info.reward == 0.0
        assert "terminated prematurely" in info.info["note"]
        ours = info.info["jtau"]
        assert ours["status"] == "evaluated"
        assert ours["upstream"] == {"reward": 0.0}

    def test_a_task_without_criteria(self, pick: Any) -> None:
        task = pick("ja_retail", "deterministic").model_copy(update={"evaluation_criteria": None})

        info = evaluate(task, [says("x")], "ja_retail")

        assert info.reward == 1.0
        assert info.info["jtau"]["upstream"] == {"reward": 1.0}


_RETRIES = 2


class _Everybody:
    """Agent, user and judge behind one ``litellm.completion``; the user leaves at once."""

    def __init__(self, judge: FakeJudge) -> None:
        self._speakers = {"agent": FakeJudge("承知いたしました。"), "user": FakeJudge("###STOP###")}
        self._judge = judge

    def install(self, monkeypatch: pytest.MonkeyPatch) -> _Everybody:
        monkeypatch.setattr("tau2.utils.llm_utils.completion", self)
        return self

    def __call__(self, **sent: Any) -> Any:
        return self._speakers.get(sent["model"], self._judge)(**sent)

    @property
    def conversations(self) -> int:
        return len(self._speakers["user"].asked)


def _run_as_tau2_does(task: Any, domain: str) -> Any:
    """One simulation, with whatever the layout does about an evaluator that raises."""
    if not is_main():
        run_task = importlib.import_module("tau2.run").run_task
        models = {"llm_agent": "agent", "llm_user": "user"}
        arguments = {"llm_args_agent": {}, "llm_args_user": {}}
        implementations = {"agent": "llm_agent", "user": "user_simulator"}
        return run_task(domain=domain, task=task, **implementations, **models, **arguments)
    run_simulation = importlib.import_module("tau2.runner.simulation").run_simulation
    retry = importlib.import_module("tau2.runner.progress").run_with_retry
    return retry(
        lambda: run_simulation(orchestrate(task, domain)),
        task=task,
        trial=0,
        seed=1,
        max_retries=_RETRIES,
        retry_delay=0,
        console_display=False,
    )


class TestOptedIn:
    """tau2's own tasks, with the same corrected components on request."""

    TASK = make_task(
        communicate_info=["4"],
        actions=[],
        nl_assertions=["The agent greets."],
        reward_basis=["DB", "COMMUNICATE"],
    )
    TALK = (hears("x"), says("You have 14 items."))

    @pytest.mark.parametrize("kind", ["all", "env", "communicate", "action"])
    def test_unset_it_is_upstream_s_to_the_byte(
        self, kind: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("JTAU_PATCH_UPSTREAM", raising=False)
        get_engine().ensure_applied()
        ours = evaluate(self.TASK, list(self.TALK), "mock", kind).model_dump_json()
        get_engine().revert()
        try:
            simulation = simulate(self.TASK, list(self.TALK))
            call = (simulation, self.TASK, EvaluationType(kind), False, "mock")
            theirs = original_of(evaluate_simulation)(*call).model_dump_json()
        finally:
            get_engine().ensure_applied()

        assert ours == theirs
        assert "jtau" not in ours

    def test_set_it_is_graded_like_ours(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("JTAU_PATCH_UPSTREAM", "1")
        get_engine().revert()

        info = evaluate(self.TASK, list(self.TALK), "mock")

        assert info.reward == 0.0
        ours = info.info["jtau"]
        assert ours["upstream"]["reward"] == 1.0
        assert (ours["domain"], ours["protocol"], ours["scenario"]) == (
            "mock",
            "upstream",
            "upstream",
        )
        assert ours["overlay"] is None
        assert ours["status"] == "evaluated"
        assert {"score-action", "score-communicate", "score-gold-sync", "score-nl"} <= set(
            ours["patches"]
        )

    def test_injected_assertions_no_longer_crash(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("JTAU_PATCH_UPSTREAM", "1")
        FakeJudge(verdicts(self.TASK)).install(monkeypatch)
        task = make_task(nl_assertions=["The agent greets."], reward_basis=["DB", "NL_ASSERTION"])

        info = evaluate(task, list(self.TALK), "mock")

        assert info.reward == 1.0
        assert info.info["jtau"]["upstream"]["reward"] == 1.0

    def test_voice_stays_upstream_s(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its evaluators are others; a stamp of ours would claim what was not done."""
        if not is_main():
            assert not hasattr(importlib.import_module("tau2.data_model.message"), "Tick")
            return
        monkeypatch.setenv("JTAU_PATCH_UPSTREAM", "1")
        mode = importlib.import_module("tau2.orchestrator.modes").CommunicationMode.FULL_DUPLEX
        simulation = simulate(self.TASK, []).model_copy(update={"ticks": []})

        info = evaluate_simulation(
            simulation, self.TASK, EvaluationType.COMMUNICATE, False, "mock", mode=mode
        )

        assert info.reward == 0.0
        assert "jtau" not in (info.info or {})


def test_provenance_names_patches_and_repairs(pick: Any, fresh: Any) -> None:
    task = pick("ja_retail", "deterministic")

    ours = evaluate(task, conversation(task, fresh("ja_retail")), "ja_retail").info["jtau"]

    assert set(ours["patches"]) == set(get_engine().applied_ids()) != set()
    assert ours["repairs"]["classes"]
    assert isinstance(ours["task_repairs"], list)
