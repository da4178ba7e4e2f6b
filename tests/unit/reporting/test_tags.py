"""Error tags: what rules give, what the judge may answer, and how tags are spelled."""

from __future__ import annotations

import copy
import json
from pathlib import Path
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
    task,
    user,
)

from jtau_plugin.cli import tag as command
from jtau_plugin.errors import OverlayError, ResultsError, SettingError
from jtau_plugin.reporting.tagging import as_data, find_unexplained, normalise_tags, tag_by_rules
from jtau_plugin.reporting.tags import load_vocabulary, load_vocabulary_from
from jtau_plugin.reporting.tags_journal import Journal, question_key
from jtau_plugin.reporting.tags_judge import Judged, judge_case, read_answer, render_request
from jtau_plugin.reporting.tags_rules import Finding

WORDS = load_vocabulary()
LOOKED_UP = call("find_user_id_by_name_zip", "yusuf_rossi_9620", **LOOK_UP["arguments"])
RETURNED = call(RETURN["name"], {"order_id": "#W1111111"}, **RETURN["arguments"])
ASKED = user("ヘッドホンを返品したいです。")


def with_arguments(**changes: Any) -> dict[str, Any]:
    return {**RETURN["arguments"], **changes}


def tag(*messages: Any, gold: Any = (LOOK_UP, RETURN), given: Any = None, **settings: Any) -> Any:
    settings.setdefault("reward", 0.0)
    played = simulation(agent(GREETING), ASKED, *messages, **settings)
    raw = results(played, tasks=[given or task(*gold)])
    (found,) = tag_by_rules(raw)
    return found


def tags(*messages: Any, **settings: Any) -> dict[str, str]:
    return {one.tag: one.detail for one in tag(*messages, **settings).findings}


class TestRules:
    def test_a_passed_conversation_has_no_error_of_its_way(self) -> None:
        assert tags(*LOOKED_UP, agent("はい。"), reward=1.0) == {}

    def test_a_wrong_argument_value(self) -> None:
        made = call(RETURN["name"], **with_arguments(payment_method_id="paypal_1"))

        found = tag(*LOOKED_UP, *made)

        (one,) = found.findings
        assert one.tag == "wrong-argument-value"
        assert one.detail == (
            "return_delivered_order_items: payment_method_id = 'paypal_1', "
            "expected 'credit_card_9513926'"
        )
        assert one.position == 4

    def test_another_notation_is_no_wrong_value(self) -> None:
        made = call(RETURN["name"], **with_arguments(order_id="＃Ｗ１１１１１１１"))

        assert tags(*LOOKED_UP, *made) == {}

    def test_a_missing_action(self) -> None:
        assert tags(*LOOKED_UP) == {"missing-action": "return_delivered_order_items"}

    def test_a_look_up_that_gold_makes_is_none(self) -> None:
        found = tags(*LOOKED_UP, *RETURNED)

        assert found == {}

    def test_where_actions_count_a_look_up_is_one_too(self) -> None:
        given = task(LOOK_UP, RETURN, reward_basis=["ACTION"])

        assert tags(*RETURNED, given=given)["missing-action"] == "find_user_id_by_name_zip"

    def test_an_action_that_the_tool_refused_is_missing(self) -> None:
        refused = call(RETURN["name"], "Error", error=True, **RETURN["arguments"])

        assert tags(*LOOKED_UP, *refused) == {
            "missing-action": "return_delivered_order_items: the tool refused it"
        }

    def test_an_extra_write(self) -> None:
        extra = call("cancel_pending_order", order_id="#W2", reason="no longer needed")

        assert tags(*LOOKED_UP, *RETURNED, *extra) == {"extra-write": "cancel_pending_order"}
        assert tags(*LOOKED_UP, *RETURNED, *RETURNED) == {"extra-write": RETURN["name"]}

    def test_without_gold_no_write_is_extra(self) -> None:
        assert tags(*LOOKED_UP, *RETURNED, given={"id": "0"}) == {}

    def test_a_callers_action_that_never_came(self) -> None:
        gold = {"name": "toggle_data", "arguments": {}, "requestor": "user"}

        assert tags(*LOOKED_UP, gold=(gold,)) == {"missing-action": "the caller's toggle_data"}
        assert tags(*LOOKED_UP, *call("toggle_data", side="user"), gold=(gold,)) == {}

    def test_a_refused_localized_argument_is_told_of_any_conversation(self) -> None:
        refused = call("get_order_details", "Error", error=True, order_id="一一一")

        found = tags(*LOOKED_UP, *refused, *RETURNED, reward=1.0)

        assert found == {"refused-localized-argument": "get_order_details: order_id = '一一一'"}

    def test_the_wrong_language(self) -> None:
        found = tags(agent("Sure."), user("はい。"), agent("はい。"), reward=1.0)

        assert found == {"wrong-language": "1 other of 2 turns"}

    def test_checks_that_were_not_met(self) -> None:
        checks = {
            "communicate_checks": [{"info": "42", "met": False}, {"info": "1", "met": True}],
            "env_assertions": [{"env_assertion": {"func_name": "is_on"}, "met": False}],
            "nl_assertions": [{"nl_assertion": "is polite", "met": False}],
        }

        judged = {**checks, "reward_basis": ["NL_ASSERTION"]}
        found = tags(*LOOKED_UP, *RETURNED, checks=checks)
        counted = tag(*LOOKED_UP, *RETURNED, checks=judged).findings

        assert found == {"not-communicated": "42", "assertion-not-met": "is_on"}
        assert [one.detail for one in counted] == ["42", "is_on", "is polite"]

    def test_who_gives_up(self) -> None:
        transfer = {"name": "transfer_to_human_agents", "arguments": {"summary": "x"}}
        made = call("transfer_to_human_agents", summary="引き継ぎ")

        assert tags(*LOOKED_UP, *RETURNED, *made) == {"gave-up": "transfer_to_human_agents"}
        assert tags(*LOOKED_UP, *RETURNED, *made, gold=(RETURN, transfer)) == {}

    def test_loops(self) -> None:
        again = call("get_order_details", order_id="#W1111111")
        said = [
            message for _ in range(3) for message in (agent("お待ちください。"), user("はい。"))
        ]

        assert tags(*LOOKED_UP, *RETURNED, *again, *again) == {}
        assert tags(*LOOKED_UP, *RETURNED, *again, *again, *again) == {
            "loop": "get_order_details, 3 times"
        }
        assert tags(*LOOKED_UP, *RETURNED, *said) == {"loop": "said 3 times: お待ちください。"}

    @pytest.mark.parametrize(
        ("reason", "expected"),
        [
            ("max_steps", "out-of-steps"),
            ("context_window_exceeded", "out-of-steps"),
            ("agent_error", "malformed-message"),
            ("too_many_errors", "malformed-message"),
            ("judge_stop", "loop"),
            ("infrastructure_error", "infrastructure-error"),
            ("user_error", "user-simulator-fault"),
        ],
    )
    def test_how_it_ended(self, reason: str, expected: str) -> None:
        assert expected in tags(*LOOKED_UP, *RETURNED, reason=reason)

    def test_an_evaluator_that_failed(self) -> None:
        found = tag(*LOOKED_UP, *RETURNED, status="evaluator_error", error="boom")

        assert found.findings == (Finding("evaluator-error", "boom"),)

    def test_the_wrong_customer(self) -> None:
        nobody = call("find_user_id_by_email", "Error", error=True, email="あ@example.com")

        assert tags(*nobody, *RETURNED) == {
            "refused-localized-argument": "find_user_id_by_email: email = 'あ@example.com'",
            "wrong-customer": "not found; find_user_id_by_email with localized "
            "email = 'あ@example.com'",
        }

    def test_a_callers_fault_is_the_callers(self) -> None:
        found = tag(*LOOKED_UP, *RETURNED, agent("はい。"), user("No."))

        (one,) = found.findings
        assert (one.tag, WORDS.side(one.tag)) == ("user-simulator-fault", "caller")
        assert one.detail == "not in the target language: other"
        assert not found.is_explained(WORDS)

    @pytest.mark.parametrize("odd", [None, 3, "x", [1], {"actions": "x"}, {"actions": [3]}])
    def test_odd_files_are_tagged_as_far_as_they_go(self, odd: Any) -> None:
        given = {"id": "0", "evaluation_criteria": odd, "user_scenario": odd, "initial_state": odd}
        checks = {"communicate_checks": odd, "env_assertions": odd, "reward_basis": odd}

        found = tag(*LOOKED_UP, *RETURNED, given=given, checks=checks)

        assert as_data([found])["simulations"][0]["outcome"] == "failed"


class TestVocabulary:
    @pytest.mark.parametrize(
        ("written", "tag_id", "hint"),
        [
            ("wrong-argument-value", "wrong-argument-value", ""),
            ("Wrong Argument_Value", "wrong-argument-value", ""),
            ("ｌｏｏｐ", "loop", ""),
            ("hallucination", "invented-fact", ""),
            ("wrong-argument-valeu", None, "wrong-argument-value"),
            ("hallucinaton", None, "invented-fact"),
            ("banana", None, ""),
            ("", None, ""),
        ],
    )
    def test_spellings(self, written: str, tag_id: str | None, hint: str) -> None:
        found = WORDS.normalise(written)

        assert (found.tag, found.hint) == (tag_id, hint)

    def test_every_tag_that_the_rules_give_is_in_it(self) -> None:
        source = Path(command.__file__).parents[1] / "reporting" / "tags_rules.py"
        text = source.read_text(encoding="utf-8")

        given = {name for name in WORDS.tags if f'"{name}"' in text}

        assert given == set(WORDS.of("rule"))

    def test_two_tags_never_share_a_spelling(self, tmp_path: Path) -> None:
        entry = "{title: x, meaning: y, side: agent, by: rule, aliases: [same thing]}"
        path = tmp_path / "tags.yaml"
        path.write_text(f"version: 1\ntags:\n  a: {entry}\n  b: {entry}\n", encoding="utf-8")

        with pytest.raises(OverlayError, match="already a spelling of a"):
            load_vocabulary_from(path)

    def test_edited_tags_are_brought_to_it(self) -> None:
        data = {"simulations": [{"tags": [{"tag": "Gave up"}, {"tag": "loup"}, "mistranslation"]}]}

        found, problems = normalise_tags(data, WORDS)

        assert [entry["tag"] for entry in found["simulations"][0]["tags"]] == [
            "gave-up",
            "loup",
            "lost-in-translation",
        ]
        assert [(p.where, p.tag, p.hint) for p in problems] == [
            ("simulations[0].tags[0]", "gave-up", ""),
            ("simulations[0].tags[1]", None, "loop"),
            ("simulations[0].tags[2]", "lost-in-translation", ""),
        ]


def answering(*answers: Any) -> Any:
    """A judge with these answers, and what it was asked."""
    asked: list[Any] = []
    left = list(answers)

    def ask(messages: Any) -> Any:
        asked.append(list(messages))
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer, 0.5

    ask.asked = asked  # type: ignore[attr-defined]
    return ask


def answer_of(*names: str) -> str:
    return json.dumps({"tags": [{"tag": name, "reason": "because"} for name in names]})


class TestJudge:
    def case(self) -> Any:
        return tag(*LOOKED_UP, *RETURNED).case

    def test_only_what_is_lost_and_unexplained_is_asked_about(self) -> None:
        passed = tag(*LOOKED_UP, *RETURNED, reward=1.0)
        explained = tag(*LOOKED_UP)
        open_question = tag(*LOOKED_UP, *RETURNED, agent("はい。"), user("No."))

        assert find_unexplained([passed, explained, open_question], WORDS) == [2]

    def test_it_is_shown_the_conversation_the_gold_and_its_tags_only(self) -> None:
        (_, system), (_, question) = render_request(self.case(), WORDS)

        assert all(f"- {name}: " in system for name in WORDS.of("judge"))
        assert not any(f"- {name}: " in system for name in WORDS.of("rule"))
        assert '"says": "ヘッドホンを返品したいです。"' in question
        assert '"calls": "return_delivered_order_items"' in question
        assert "credit_card_9513926" in question.partition("<expected>")[2]

    def test_an_answer(self) -> None:
        judged = judge_case(self.case(), WORDS, answering(answer_of("policy breach", "other")))

        assert [f.tag for f in judged.findings] == ["policy-violation", "other"]
        assert {f.by for f in judged.findings} == {"judge"}
        assert (judged.error, judged.cost) == ("", 0.5)

    def test_what_is_no_tag_is_sent_back_once_and_never_guessed(self) -> None:
        ask = answering(answer_of("policy-violatoin"), answer_of("policy-violation"))
        twice = answering(answer_of("loop"), answer_of("banana", "other"))

        mended = judge_case(self.case(), WORDS, ask)
        kept = judge_case(self.case(), WORDS, twice)

        assert "did you mean 'policy-violation'" in ask.asked[1][-1][1]
        assert ([f.tag for f in mended.findings], mended.unknown) == (["policy-violation"], ())
        assert mended.cost == 1.0
        assert [f.tag for f in kept.findings] == ["other"]
        assert kept.unknown == (("banana", ""),)

    @pytest.mark.parametrize(
        "answer", ["", "no idea", "{", "[]", '{"tags": []}', '{"tags": [3]}', "{" * 5000, None]
    )
    def test_an_answer_that_is_none(self, answer: Any) -> None:
        judged = judge_case(self.case(), WORDS, answering(answer, answer))

        assert judged.findings == ()
        assert "no JSON object with tags" in judged.error

    def test_a_provider_that_fails(self) -> None:
        judged = judge_case(self.case(), WORDS, answering(TimeoutError("slow")))

        assert judged == Judged(error="TimeoutError: slow")

    @pytest.mark.parametrize(
        "answer",
        [
            f"```json\n{answer_of('other')}\n```",
            f"Well {{not this}}, {answer_of('other')} it is.",
            '{"tags": ["other"]}',
        ],
    )
    def test_wrapping_does_not_matter(self, answer: str) -> None:
        assert [f.tag for f in read_answer(answer, WORDS).findings] == ["other"]


class TestJournal:
    JUDGED = Judged((Finding("other", "because", by="judge"),), (("x", "loop"),), "", 0.5)

    def test_answers_come_back(self, tmp_path: Path) -> None:
        path = tmp_path / "j.jsonl"
        Journal(path).add("k", self.JUDGED, {"task_id": "0"})

        assert Journal(path).find("k") == self.JUDGED
        assert Journal(path).find("other") is None

    def test_a_line_that_was_cut_off_is_asked_again(self, tmp_path: Path) -> None:
        path = tmp_path / "j.jsonl"
        Journal(path).add("a", self.JUDGED, {})
        path.write_text(path.read_text(encoding="utf-8") + '{"key": "b", "fin', encoding="utf-8")

        again = Journal(path)
        again.add("c", self.JUDGED, {})

        assert [Journal(path).find(key) for key in "abc"] == [self.JUDGED, None, self.JUDGED]

    def test_an_error_is_kept_and_asked_again(self, tmp_path: Path) -> None:
        path = tmp_path / "j.jsonl"
        Journal(path).add("k", Judged(error="boom"), {})

        assert "boom" in path.read_text(encoding="utf-8")
        assert Journal(path).find("k") is None

    def test_every_part_of_a_question_is_in_its_key(self) -> None:
        base = ("m", {"t": 0}, "v", [("user", "x")])
        others = [("n", *base[1:]), ("m", {"t": 1}, *base[2:]), ("m", {"t": 0}, "w", base[3])]
        others.append((*base[:3], [("user", "y")]))

        assert len({question_key(*one) for one in (base, *others)}) == 5

    def test_a_file_that_is_none(self, tmp_path: Path) -> None:
        path = tmp_path / "j.jsonl"
        path.write_bytes(b"\xff\xfe")

        with pytest.raises(ResultsError, match="cannot be read"):
            Journal(path)


class TestCommand:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        lost = simulation(agent(GREETING), ASKED, *LOOKED_UP, *RETURNED, reward=0.0)
        raw = results(lost, tasks=[task(LOOK_UP, RETURN)])
        path = tmp_path / "results.json"
        path.write_text(json.dumps(raw, ensure_ascii=False), encoding="utf-8")
        return path

    def test_rules_only(self, file: Path, tmp_path: Path, capsys) -> None:
        before = file.read_bytes()
        out = tmp_path / "tags.json"

        assert command.main([str(file), "-o", str(out)]) == 0

        said = capsys.readouterr().out
        assert "1 simulations, 1 lost, 1 of them without an explanation" in said
        data = json.loads(out.read_text(encoding="utf-8"))
        assert data["domain"] == "ja_retail"
        assert data["simulations"][0]["explained"] is False
        assert file.read_bytes() == before

    def test_the_judge_goes_on_where_it_was(self, file, tmp_path, capsys, monkeypatch) -> None:
        ask = answering(TimeoutError("slow"), answer_of("no-confirmation"))
        monkeypatch.setattr(command, "ask_litellm", lambda model, arguments: ask)
        out = tmp_path / "tags.json"
        arguments = [str(file), "--judge", "some/model", "-o", str(out), "--force", "--json"]

        assert command.main(arguments) == 1
        capsys.readouterr()
        assert command.main(arguments) == 0
        assert command.main(arguments) == 0

        assert len(ask.asked) == 2
        lines = (tmp_path / "tags.json.journal.jsonl").read_text(encoding="utf-8").splitlines()
        assert [bool(json.loads(line)["error"]) for line in lines] == [True, False]
        data = json.loads(out.read_text(encoding="utf-8"))
        (found,) = data["simulations"]
        assert [(one["tag"], one["by"]) for one in found["tags"]] == [("no-confirmation", "judge")]
        assert found["explained"] is True
        assert data["judge"] == {"model": "some/model", "arguments": {}}

    def test_another_setting_is_another_question(self, file, tmp_path, monkeypatch) -> None:
        ask = answering(answer_of("other"), answer_of("misread-data"))
        monkeypatch.setattr(command, "ask_litellm", lambda model, arguments: ask)
        out = tmp_path / "tags.json"

        command.main([str(file), "--judge", "m", "-o", str(out)])
        monkeypatch.setenv("JTAU_JUDGE_ARGS", '{"temperature": 0}')
        command.main([str(file), "--judge", "m", "-o", str(out), "--force"])

        assert len(ask.asked) == 2

    def test_a_file_of_tags_is_checked(self, file, tmp_path, capsys) -> None:
        out, mended = tmp_path / "tags.json", tmp_path / "mended.json"
        command.main([str(file), "-o", str(out)])
        data = json.loads(out.read_text(encoding="utf-8"))
        data["simulations"][0]["tags"] = [{"tag": "Bad Task"}, {"tag": "polcy violation"}]
        out.write_text(json.dumps(data), encoding="utf-8")
        capsys.readouterr()

        assert command.main([str(out), "--check", "-o", str(mended)]) == 1

        said = capsys.readouterr().out
        assert "'Bad Task' is task-defect" in said
        assert "'polcy violation' is no tag; did you mean policy-violation?" in said
        kept = json.loads(mended.read_text(encoding="utf-8"))["simulations"][0]["tags"]
        assert kept == [{"tag": "task-defect"}, {"tag": "polcy violation"}]
        assert command.main([str(file), "--check", "--json"]) == 0

    def test_it_writes_over_nothing(self, file: Path, tmp_path: Path) -> None:
        before = copy.copy(file.read_bytes())
        with pytest.raises(SettingError, match="never changed"):
            command.main([str(file), "-o", str(file), "--force"])
        (tmp_path / "x.json").touch()
        with pytest.raises(SettingError, match="--force"):
            command.main([str(file), "-o", str(tmp_path / "x.json")])
        with pytest.raises(SettingError, match="no folder"):
            command.main([str(file), "-o", str(tmp_path / "a" / "x.json")])
        assert file.read_bytes() == before

    @pytest.mark.parametrize(
        "arguments", [["x", "--judge", "m"], ["x", "--judge", "m", "--check", "-o", "y"], []]
    )
    def test_wrong_usage(self, arguments: list[str], capsys) -> None:
        with pytest.raises(SystemExit):
            command.main(arguments)

    def test_texts_of_the_file_cannot_hide(self, tmp_path: Path, capsys) -> None:
        lost = simulation(agent(GREETING), user("#W9999999\u202e\x1b[2J"), reward=0.0)
        path = tmp_path / "r.json"
        path.write_text(json.dumps(results(lost, tasks=[task(RETURN)])), encoding="utf-8")

        command.main([str(path)])

        said = capsys.readouterr().out
        assert "\x1b" not in said
        assert "\u202e" not in said
