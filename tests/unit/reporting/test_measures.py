"""What is measured of a conversation: turns, arguments, the caller's faults, who was looked up."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

import pytest
from conversations import (
    GREETING,
    LOOK_UP,
    RETURN,
    agent,
    call,
    results,
    simulation,
    stamp,
    task,
    user,
)

from jtau_plugin.reporting.arguments import ArgumentReader
from jtau_plugin.reporting.conversation import Call, read_conversation
from jtau_plugin.reporting.faults import RULES
from jtau_plugin.reporting.language import choosing
from jtau_plugin.reporting.measures import Measurer, measure_drift, measure_results
from jtau_plugin.reporting.recording import record_language
from jtau_plugin.reporting.setting import Setting, find_setting
from jtau_plugin.reporting.values import Known, compact, find_values

JAPANESE = find_setting("ja_retail", [stamp()])


def measure(*messages: Any, gold: Any = (LOOK_UP,), scenario: Any = None, **settings: Any) -> Any:
    played = simulation(agent(GREETING), *messages, **settings)
    given = scenario if scenario is not None else task(*gold)
    (found,) = measure_results(results(played, tasks=[given]))
    return found


class TestConversation:
    def test_turns_and_calls(self) -> None:
        found = read_conversation(
            [
                agent("Hello"),
                user("hi"),
                *call("a", x=1),
                *call("b", "no", error=True),
                agent("one"),
                agent("two"),
                user(""),
                *call("toggle", side="user"),
                user("done"),
            ]
        )

        assert [(t.side, t.number, t.position, t.text, t.is_scripted) for t in found.turns] == [
            ("agent", 0, 0, "Hello", True),
            ("user", 0, 1, "hi", False),
            ("agent", 0, 6, "one\ntwo", False),
            ("user", 1, 11, "done", False),
        ]
        assert [(c.name, c.side, c.is_error) for c in found.calls] == [
            ("a", "agent", False),
            ("b", "agent", True),
            ("toggle", "user", False),
        ]

    def test_results_belong_to_their_calls(self) -> None:
        made = [{"id": str(n), "name": f"t{n}", "arguments": {}} for n in range(2)]
        both = {
            "role": "tool",
            "tool_messages": [
                {"role": "tool", "id": "1", "content": "second", "requestor": "assistant"},
                {"role": "tool", "id": "0", "content": "first", "requestor": "assistant"},
            ],
        }

        found = read_conversation(
            [user("x"), {"role": "assistant", "tool_calls": made, "content": "thinking"}, both]
        )

        assert [(c.name, c.result) for c in found.calls] == [("t0", "first"), ("t1", "second")]
        assert found.turns[-1].text == ""

    def test_a_history_of_the_task_is_scripted(self) -> None:
        messages = [agent("Hello"), user("old"), agent("old"), user("new"), agent("new")]

        found = read_conversation(messages, scripted=3)

        assert [turn.text for turn in found.of("agent")] == ["new"]
        assert [turn.text for turn in found.of("user")] == ["new"]

    def test_without_a_caller_nothing_is_a_greeting(self) -> None:
        found = read_conversation([*call("a"), agent("done")])

        assert found.is_solo
        assert [turn.text for turn in found.of("agent")] == ["done"]

    def test_tau2s_own_objects_are_read_alike(self) -> None:
        plain = [agent("Hello"), user("hi"), *call("a", x=1), agent("one")]

        def as_object(value: Any) -> Any:
            if isinstance(value, dict) and "role" in value:
                calls = [SimpleNamespace(**c) for c in value.get("tool_calls") or ()]
                return SimpleNamespace(**{**value, "tool_calls": calls or None})
            return value

        assert read_conversation(map(as_object, plain)) == read_conversation(plain)

    @pytest.mark.parametrize("odd", [None, 3, "text", [], {"role": "tool"}, {"role": "x"}])
    def test_odd_messages_are_passed_over(self, odd: Any) -> None:
        found = read_conversation([odd, user("hi"), {"role": "user", "tool_calls": 3}])

        assert [turn.text for turn in found.turns] == ["hi"]


class TestSetting:
    @pytest.mark.parametrize(
        ("scenario", "off", "directive", "languages"),
        [
            ("domain", (), None, ("ja", "ja", "ja")),
            ("interaction", ("policy", "tools", "arguments", "tasks"), None, ("ja", "ja", "en")),
            ("tools", ("user", "agent", "greeting", "policy", "tasks"), None, ("en", "en", "ja")),
            ("agentside", ("user", "tasks"), "1", ("ja", "ja", "ja")),
        ],
    )
    def test_each_side_by_what_is_recorded(self, scenario, off, directive, languages) -> None:
        full = stamp(scenario, directive=directive)
        surfaces = [name for name in full["surfaces"] if name not in off]

        found = find_setting(f"ja_retail_{scenario}", [{**full, "surfaces": surfaces}])
        guessed = find_setting("ja_retail" if scenario == "domain" else f"ja_retail_{scenario}")

        for setting in (found, guessed):
            assert (
                setting.user_language,
                setting.agent_language,
                setting.argument_locale,
            ) == languages
            assert (setting.base, setting.locale) == ("retail", "ja")

    @pytest.mark.parametrize(
        ("domain", "base"),
        [
            ("en_retail", "retail"),
            ("retail", "retail"),
            ("en_telecom-workflow", "telecom"),
            ("mock", ""),
        ],
    )
    def test_everything_else_is_english(self, domain: str, base: str) -> None:
        found = find_setting(domain)

        assert (found.locale, found.user_language, found.agent_language) == ("en", "en", "en")
        assert found.base == base

    def test_a_mixture_of_tools_is_read_tool_by_tool(self) -> None:
        mix = {"seed": 1, "tools": {"assistant/get_order_details": "en"}}

        found = find_setting("ja_retail_tools", [stamp("tools", tool_mix=mix)])

        assert found.locale_of("assistant", "get_order_details") == "en"
        assert found.locale_of("assistant", "calculate") == "ja"


class TestTurns:
    def test_each_turn_has_a_language_and_a_register(self) -> None:
        found = measure(
            user("ヘッドホンを返品したいです。"),
            agent("承知しました。I will check your order."),
            user("はい。"),
            *call("get_order_details", order_id="#W1111111"),
            agent("確認した。"),
            user("###STOP###"),
        )

        assert found.agent_labels == ("code-switched", "target")
        assert found.user_labels == ("target", "target", "no text")
        assert [turn.register for turn in found.agent_turns] == ["polite", "plain"]
        assert found.agent_turns[1].register_rules == ("plain-past",)
        assert [turn.position for turn in found.agent_turns] == [2, 6]
        assert found.register_counts == {"polite": 1, "plain": 1, "mixed": 0}

    def test_english_arms_are_held_to_english(self) -> None:
        found = measure(user("I want to return it."), agent("承知しました。"), locale="en")

        assert found.user_labels == ("target",)
        assert found.agent_labels == ("other",)
        assert found.register_counts is None

    def test_what_tools_returned_may_be_quoted(self) -> None:
        told = "This device has no working connection"
        quoting = agent(f"画面の「{told}」をご確認ください。\n{told}")

        before = measure(user("はい。"), quoting)
        after = measure(user("はい。"), *call("check", told), quoting)

        assert before.agent_labels == ("code-switched",)
        assert after.agent_labels == ("target",)

    def test_not_available_is_not_zero(self, monkeypatch) -> None:
        monkeypatch.setattr(choosing, "load_model", lambda _: None)
        setting = Setting("xx_mock", locale="xx", user_language="xx", agent_language="xx")

        found = Measurer(setting).measure(simulation(user("x"), agent("y")), task())
        nothing = Measurer(JAPANESE).measure({"task_id": 0, "ticks": [], "messages": None})

        assert found.agent_turns is None
        assert found.agent_labels is None
        assert found.arguments is None
        assert found.argument_counts is None
        assert found.identity is None
        assert found.is_identified is None
        assert nothing.agent_turns is nothing.faults is nothing.fault_rules is None
        assert (nothing.register_counts, nothing.task_id) == (None, "0")

    def test_drift_is_told_by_turn(self) -> None:
        long = measure(user("はい。"), agent("はい。"), user("はい。"), agent("Yes, sure."))
        short = measure(user("はい。"), agent("OK"))

        drift = measure_drift([long, short])

        assert [(p.number, p.share, dict(p.labels)) for p in drift] == [
            (0, 1.0, {"target": 1, "too short": 1}),
            (1, 0.0, {"other": 1}),
        ]
        assert [p.share for p in measure_drift([long, short], "user")] == [1.0, 1.0]


class TestArguments:
    @pytest.mark.parametrize(
        ("tool", "path", "written", "form", "is_normalised"),
        [
            ("cancel_pending_order", "reason", "no longer needed", "canonical", False),
            ("cancel_pending_order", "reason", "不要になった", "localized", True),
            ("cancel_pending_order", "reason", "いらない", "localized", False),
            ("cancel_pending_order", "reason", "不再需要了，谢谢", "other", False),
            ("cancel_pending_order", "reason", "필요 없음", "other", False),
            ("cancel_pending_order", "reason", "do not want it", "other", False),
            ("cancel_pending_order", "order_id", "#W1111111", "canonical", False),
            ("cancel_pending_order", "order_id", "＃Ｗ１１１１１１１", "localized", True),
            ("cancel_pending_order", "order_id", '"#W1111111"', "other", True),
            ("find_user_id_by_name_zip", "first_name", "ユースフ", "localized", True),
            ("find_user_id_by_name_zip", "first_name", "Yusuf", "canonical", False),
            ("unheard_of", "x", "abc", "canonical", False),
            ("unheard_of", "x", "あ", "localized", False),
        ],
    )
    def test_form(self, tool, path, written, form, is_normalised) -> None:
        reader = ArgumentReader(JAPANESE)

        (found,) = reader.read(Call("agent", tool, {path: written}, 0))

        assert (found.path, found.form, found.is_normalised) == (path, form, is_normalised)
        assert found.is_refused is False

    def test_lists_and_objects_are_read_value_by_value(self) -> None:
        reader = ArgumentReader(find_setting("ja_airline", [stamp()]))
        arguments = {
            "user_id": "a_b_1",
            "flights": [{"flight_number": "ＨＡＴ００１", "date": "2024年5月20日"}],
            "total_baggages": "3個",
        }

        found = reader.read(Call("agent", "book_reservation", arguments, 4))

        assert {one.path: (one.form, one.is_normalised) for one in found} == {
            "user_id": ("canonical", False),
            "flights[0].flight_number": ("localized", True),
            "flights[0].date": ("localized", True),
            "total_baggages": ("localized", True),
        }

    def test_refused_is_what_the_tool_could_not_read(self) -> None:
        found = measure(
            user("はい。"),
            *call("cancel_pending_order", "Error", error=True, order_id="#W1", reason="いらない"),
            *call(
                "cancel_pending_order", "Error", error=True, order_id="#W1", reason="不要になった"
            ),
            *call("cancel_pending_order", order_id="#W1", reason="no longer needed"),
        )

        assert found.argument_counts == {
            "canonical": 4,
            "localized": 2,
            "other": 0,
            "normalised": 1,
            "refused": 1,
        }
        assert [a.written for a in found.arguments if a.is_refused] == ["いらない"]

    def test_where_arguments_are_english_nothing_is_normalised(self) -> None:
        written = call(
            "cancel_pending_order", "Error", error=True, order_id="#W1", reason="不要になった"
        )

        strict = measure(user("はい。"), *written, strict_arguments=True)
        surfaces = [name for name in stamp()["surfaces"] if name != "arguments"]
        interaction = measure(user("はい。"), *written, surfaces=surfaces)

        for found in (strict, interaction):
            assert found.argument_counts["localized"] == 1
            assert found.argument_counts["normalised"] == 0
            assert found.argument_counts["refused"] == 1

    def test_reading_does_not_follow_the_environment(self, monkeypatch) -> None:
        made = Call("agent", "cancel_pending_order", {"reason": "不要になった"}, 0)
        before = ArgumentReader(JAPANESE).read(made)
        monkeypatch.setenv("JTAU_STRICT_ARGS", "1")

        assert ArgumentReader(JAPANESE).read(made) == before


class TestFaults:
    def rules(self, *messages: Any, **settings: Any) -> tuple[str, ...]:
        return measure(*messages, **settings).fault_rules

    def test_a_good_caller_has_none(self) -> None:
        found = self.rules(
            user("ヘッドホンを返品したいです。"),
            agent("お名前と、20ドルのお返し先をお聞かせください。"),
            user("Yusuf Rossiです。20ドルは元のカードへお願いします。"),
            agent("ほかにございますか。"),
            user("ありません。ありがとうございました。\n###STOP###"),
        )

        assert found == ()

    @pytest.mark.parametrize(
        ("rule", "messages"),
        [
            (RULES[0], (user("###STOP###"),)),
            (RULES[0], (user("もういいです。###STOP###"),)),
            (RULES[1], (user("注文#W1111111の返品です。Yusuf Rossi、19122です。"),)),
            (RULES[2], (user("はい。"), agent("はい。"), user("Yes, please."))),
            (RULES[3], (user("注文#W2222222の件です。"),)),
            (RULES[3], (user("メールはyusuf@example.comです。"),)),
            (RULES[3], (user("郵便番号は90210です。"),)),
            (RULES[3], (user("名前はJohn Smithです。"),)),
            (RULES[3], (user("名前はジョン・スミスです。"),)),
            (RULES[4], (user("はい。"), agent("はい。"), user("###STOP###と言えば終わります。"))),
            (RULES[4], (user("はい。"), agent("はい。"), user("では、###STOP###"))),
            (RULES[4], (user("はい。"), agent("はい。"), user("## STOP ##"))),
            (RULES[5], (user("はい。"), agent("はい。"), user(""))),
            (RULES[5], (user("はい。"), agent("はい。"), user("……"))),
        ],
    )
    def test_each_rule(self, rule: str, messages: Any) -> None:
        assert rule in self.rules(*messages)
        assert len(self.rules(*messages)) == 1

    @pytest.mark.parametrize(
        "said",
        [
            "注文番号はW1111111です。",
            "郵便番号は191-22です。",
            "ユースフ・ロッシです。",
            "2024年に買いました。",
            "USB3の16GBのものです。",
            "👍",
            "合計で1,350ドルですね。",
        ],
    )
    def test_what_may_be_said(self, said: str) -> None:
        found = self.rules(user("はい。"), agent("1,000ドルと350ドルです。"), user(said))

        assert found == ()

    def test_what_the_callers_own_tools_say_is_known(self) -> None:
        shown = call("check", "Code: 12345", side="user")

        assert self.rules(user("はい。"), agent("はい。"), *shown, user("12345です。")) == ()
        assert self.rules(user("はい。"), agent("はい。"), user("12345です。")) == (RULES[3],)

    def test_a_script_that_is_recited(self) -> None:
        script = task(reason="あなたのモバイルデータが動きません。直したいと考えています。")
        said = "".join(script["user_scenario"]["instructions"][k] for k in ("reason_for_call",))
        known = script["user_scenario"]["instructions"]["known_info"]

        assert self.rules(user(said + known), scenario=script) == (RULES[1],)
        assert self.rules(user(said), scenario=script) == ()

    def test_a_lost_caller_is_a_silent_one(self) -> None:
        assert self.rules(user("はい。"), reason="user_error") == (RULES[5],)

    def test_without_a_task_nothing_is_said(self) -> None:
        (found,) = measure_results(results(simulation(user("###STOP###"))))

        assert found.faults is None


class TestValues:
    def test_what_is_a_value(self) -> None:
        text = "#W1234567, a_b_1234, x@y.zz, HAT123, EHGLP3, 555-123-2002, 12, 2024-05-20, 5G, 1,234.50"

        assert [value.written for value in find_values(text)] == [
            "x@y.zz",
            "#W1234567",
            "a_b_1234",
            "HAT123",
            "EHGLP3",
            "555-123-2002",
            "1,234.50",
        ]

    def test_notations_are_one_value(self) -> None:
        known = Known(["555-123-2002", "＃Ｗ１２"])

        assert compact("(555) 123/2002") == "5551232002"
        assert known.holds("5551232002")
        assert known.holds("#w12")
        assert not known.holds("5551232003")


class TestIdentity:
    RIGHT = "yusuf_rossi_9620"

    def by_name(self, result: str = RIGHT, *, error: bool = False, **changes: str) -> Any:
        arguments = {**LOOK_UP["arguments"], **changes}
        return call("find_user_id_by_name_zip", result, error=error, **arguments)

    def identity(self, *messages: Any, **settings: Any) -> Any:
        return measure(user("はい。"), *messages, **settings).identity

    def test_the_look_up_that_gold_makes(self) -> None:
        found = self.identity(*self.by_name(first_name="ユースフ", last_name="ロッシ"))

        assert (found.verdict, found.is_identified, found.failed) == ("identified", True, ())

    def test_the_person_whom_gold_names(self) -> None:
        gold = {"name": "modify_user_address", "arguments": {"user_id": self.RIGHT}}

        right = self.identity(
            *call("find_user_id_by_email", self.RIGHT, email="x@y.z"), gold=(gold,)
        )
        wrong = self.identity(*call("find_user_id_by_email", "a_b_1", email="x@y.z"), gold=(gold,))

        assert right.verdict == "identified"
        assert (wrong.verdict, wrong.is_identified) == ("wrong person", False)
        (failed,) = wrong.failed
        assert (failed.form, failed.is_refused) == ("canonical", False)

    def test_the_owner_of_what_gold_names(self) -> None:
        order = call("get_order_details", {"user_id": self.RIGHT}, order_id="#W1111111")
        email = call("find_user_id_by_email", self.RIGHT, email="unheard@example.com")
        other = call("find_user_id_by_email", "a_b_1", email="unheard@example.com")

        assert self.identity(*email, *order, gold=(RETURN,)).verdict == "identified"
        assert self.identity(*other, *order, gold=(RETURN,)).verdict == "wrong person"

    def test_what_the_script_says(self) -> None:
        found = self.identity(*self.by_name(), gold=())

        assert found.verdict == "identified"

    def test_a_failure_names_the_form(self) -> None:
        found = self.identity(
            *self.by_name("Error", error=True, first_name="ゆーすふ"),
            *self.by_name("Error", error=True, last_name="Ros"),
        )

        assert (found.verdict, found.is_identified) == ("not found", False)
        assert [(one.form, dict(one.written)) for one in found.failed] == [
            ("localized", {"first_name": "ゆーすふ"}),
            ("canonical", {"first_name": "Yusuf", "last_name": "Ros", "zip": "19122"}),
        ]

    def test_not_to_try_is_a_failure_where_gold_does(self) -> None:
        asked, free = self.identity(agent("はい。")), self.identity(agent("はい。"), gold=(RETURN,))

        assert (asked.verdict, asked.is_identified) == ("not tried", False)
        assert (free.verdict, free.is_identified) == ("not tried", None)

    def test_a_caller_whom_nobody_describes(self) -> None:
        nobody = {"id": "0", "evaluation_criteria": {"actions": []}}

        assert self.identity(*self.by_name(), scenario=nobody).verdict is None

    def test_a_phone_number_of_the_scene(self) -> None:
        setting = find_setting("ja_telecom")
        scene = {"func_name": "set_user_info", "arguments": {"phone_number": "555-123-2002"}}
        given = {"id": "0", "initial_state": {"initialization_actions": [scene]}}

        def verdict(number: str) -> Any:
            made = call("get_customer_by_phone", {"customer_id": "C1"}, phone_number=number)
            return Measurer(setting).measure(simulation(user("x"), *made), given).identity.verdict

        assert verdict("５５５-123-2002") == "identified"
        assert verdict("555-000-0000") == "wrong person"


class TestRecord:
    def test_it_says_what_the_file_would_say(self) -> None:
        messages = [
            agent(GREETING),
            user("返品したいです。"),
            *call("cancel_pending_order", order_id="#W1", reason="不要になった"),
            agent("承知しました。"),
        ]

        record = record_language("ja_retail", stamp(), messages)
        found = measure(*messages[1:])

        assert record == {
            "schema": 1,
            "target": {"agent": "ja", "user": "ja"},
            "agent": {"target": 1},
            "user": {"target": 1},
            "register": found.register_counts,
            "arguments": found.argument_counts,
        }

    def test_nothing_is_changed(self) -> None:
        raw = results(simulation(agent(GREETING), user("はい。")), tasks=[task(LOOK_UP)])
        before = copy.deepcopy(raw)

        list(measure_results(raw))

        assert raw == before

    @pytest.mark.parametrize("odd", [None, 3, "x", [1], {"info": 2}])
    def test_odd_files_are_measured_as_far_as_they_go(self, odd: Any) -> None:
        raw: dict[str, Any] = results(simulation(user("はい。")), tasks=[odd])
        raw["simulations"] += [odd, {"task_id": "0", "reward_info": odd, "messages": odd}]
        raw["simulations"].append({"task_id": "0", "messages": [odd, {"role": "user"}]})

        found = list(measure_results(raw))

        assert found[0].user_labels == ("target",)
