"""Each fault of upstream's scorer, on the installed tau2: upstream's verdict, and ours beside it.

Both grade the very same conversation. Out of scope a patched evaluator is upstream's own, so
upstream's verdict comes from upstream's own code.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pytest

from jtau_plugin.patching.engine import get_engine

from .grading import FakeJudge, Grading, calls, gold, hears, make_task, play, says
from .support import registry

STATEMENTS = ["The agent cancels the order.", "エージェントは返金額を伝えた。"]


@pytest.fixture(autouse=True)
def _patched() -> None:
    get_engine().ensure_applied()


@pytest.fixture
def grading(monkeypatch: pytest.MonkeyPatch) -> Grading:
    return Grading(monkeypatch)


def entry(number: int, *, met: bool = True) -> dict[str, Any]:
    text = STATEMENTS[number - 1]
    return {"index": number, "expectedOutcome": text, "reasoning": "r", "metExpectation": met}


def results(*entries: Any) -> str:
    return json.dumps({"results": list(entries)}, ensure_ascii=False)


class TestCompleteVerdicts:
    TASK = make_task(nl_assertions=STATEMENTS, reward_basis=["NL_ASSERTION"])
    TALK = (hears("取り消してください。"), *calls("cancel", {"理由": "不要"}), says("はい。"))

    def _grade(
        self, grading: Grading, monkeypatch: pytest.MonkeyPatch, *answers: Any, ours: bool
    ) -> tuple[Any, FakeJudge]:
        judge = FakeJudge(*answers).install(monkeypatch)
        return grading.assertions(self.TASK, list(self.TALK), ours=ours), judge

    @pytest.mark.parametrize(
        "answer",
        [
            "{}",
            '{"results": []}',
            results(entry(1)),
            results(entry(1), entry(1)),
            results(entry(1), entry(2), entry(2)),
        ],
        ids=["nothing", "no results", "one for two", "one twice", "one too many"],
    )
    def test_upstream_passes_what_the_judge_did_not_judge(
        self, answer: str, grading: Grading, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        upstream, _ = self._grade(grading, monkeypatch, answer, ours=False)
        ours, judge = self._grade(grading, monkeypatch, answer, ours=True)

        assert upstream.reward == 1.0
        assert ours.reward == 0.0
        assert ours.nl_assertions is None
        assert ours.info["jtau"]["status"] == "unevaluated"
        assert ours.info["jtau"]["verdicts"] == {"NL_ASSERTION": 1.0}
        assert len(judge.asked) == 2

    @pytest.mark.parametrize("met", [True, False])
    @pytest.mark.parametrize(
        "wrapping",
        ["```json\n{}\n```", "Here you are: {} Regards.", "判定です。\n{}"],
        ids=["fence", "prose", "Japanese prose"],
    )
    def test_upstream_raises_on_a_wrapped_answer(
        self, wrapping: str, met: bool, grading: Grading, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        answer = wrapping.replace("{}", results(entry(1), entry(2, met=met)))

        with pytest.raises(ValueError, match=r"Expecting value"):
            self._grade(grading, monkeypatch, answer, ours=False)
        ours, judge = self._grade(grading, monkeypatch, answer, ours=True)

        assert ours.reward == float(met)
        assert [check.met for check in ours.nl_assertions] == [True, met]
        assert ours.info["jtau"]["status"] == "evaluated"
        assert ours.info["jtau"]["verdicts"] == {"NL_ASSERTION": None}
        assert len(judge.asked) == 1

    @pytest.mark.parametrize(
        "answer",
        ["Both hold.", "", None, TimeoutError("no answer"), ValueError("bad request")],
        ids=["prose", "empty", "nothing", "timeout", "refused"],
    )
    def test_upstream_raises_when_the_judge_fails(
        self, answer: Any, grading: Grading, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with pytest.raises((ValueError, TypeError, TimeoutError)):
            self._grade(grading, monkeypatch, answer, ours=False)
        ours, _ = self._grade(grading, monkeypatch, answer, ours=True)

        assert ours.reward == 0.0
        assert ours.info["jtau"]["status"] == "evaluator_error"
        assert ours.info["jtau"]["error"]
        assert ours.info["jtau"]["judge"]["tries"] == 2

    def test_half_an_answer_is_asked_for_once_more(
        self, grading: Grading, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole = results(entry(2), entry(1))
        ours, judge = self._grade(grading, monkeypatch, results(entry(1)), whole, ours=True)

        assert ours.reward == 1.0
        assert [check.nl_assertion for check in ours.nl_assertions] == STATEMENTS
        assert ours.info["jtau"]["status"] == "evaluated"
        assert "no verdict on assertion 2" in judge.asked[1]["messages"][-1]["content"]

    def test_upstream_s_judge_is_shown_none_for_a_tool_call(
        self, grading: Grading, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        answer = results(entry(1), entry(2))
        _, theirs = self._grade(grading, monkeypatch, answer, ours=False)
        _, ours = self._grade(grading, monkeypatch, answer, ours=True)

        assert "assistant: None" in theirs.prompt
        assert "cancel" not in theirs.prompt.replace(STATEMENTS[0], "")
        assert '"calls": "cancel", "arguments": {"理由": "不要"}' in ours.prompt
        assert '{"to": "agent", "returns": "ok"}' in ours.prompt
        assert "None" not in ours.prompt

    def test_the_judge_can_be_chosen(
        self, grading: Grading, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        answer = results(entry(1), entry(2))
        _, default = self._grade(grading, monkeypatch, answer, ours=True)
        monkeypatch.setenv("JTAU_JUDGE_LLM", "some-judge")
        monkeypatch.setenv("JTAU_JUDGE_ARGS", '{"temperature": 0.5, "api_key": "secret"}')
        _, theirs = self._grade(grading, monkeypatch, answer, ours=False)
        ours, chosen = self._grade(grading, monkeypatch, answer, ours=True)

        assert theirs.asked[0]["model"] == default.asked[0]["model"] != "some-judge"
        assert default.asked[0]["temperature"] == 0.0
        assert chosen.asked[0]["model"] == "some-judge"
        assert chosen.asked[0]["api_key"] == "secret"
        recorded = ours.info["jtau"]["judge"]
        assert recorded["model"] == "some-judge"
        assert recorded["arguments"] == {"temperature": 0.5, "api_key": "(not recorded)"}


class TestCommunicate:
    @pytest.mark.parametrize(
        ("info", "text", "theirs", "ours"),
        [
            ("4", "You have 14 items.", True, False),
            ("4", "It ships on 2024-05-24.", True, False),
            ("10", "Your order is #W1006327.", True, False),
            ("IL", "It will arrive soon.", True, False),
            ("481.50", "That is $481.5.", False, True),
            ("1,628", "That is $1,628.", False, True),
            ("1628", "合計は１，６２８ドルです。", False, True),
            ("23553", "合計は2万3,553ドルです。", False, True),
            ("1628", "合計は1628ドルです。", True, True),
            ("1628", "合計は162ドルです。", False, False),
        ],
    )
    def test_numbers_and_words(
        self, info: str, text: str, theirs: bool, ours: bool, grading: Grading
    ) -> None:
        task = make_task(communicate_info=[info], reward_basis=["COMMUNICATE"])

        upstream = grading.communicate(task, [says(text)], ours=False)
        corrected = grading.communicate(task, [says(text)], ours=True)

        assert upstream.reward == float(theirs)
        assert corrected.reward == float(ours)
        assert corrected.communicate_checks[0].met is ours
        record = corrected.info["jtau"]
        assert record["verdicts"] == {"COMMUNICATE": float(theirs)}
        assert record["upstream"] == [theirs]


PAY = {"bill": "B1", "amount": 5}


class TestActions:
    @pytest.mark.parametrize(
        ("golds", "talk", "theirs", "ours"),
        [
            ([gold("pay", PAY)], calls("pay", {"bill": "B1"}), [True], [False]),
            ([gold("pay", PAY)], calls("pay", {}), [True], [False]),
            ([gold("pay", PAY)] * 2, calls("pay", PAY), [True] * 2, [True, False]),
            ([gold("pay", PAY)], calls("pay", PAY, "user"), [True], [False]),
            ([gold("pay", PAY, requestor="user")], calls("pay", PAY, "user"), [True], [True]),
            ([gold("pay", PAY)], calls("pay", {**PAY, "note": "x"}), [False], [True]),
            ([gold("pay", PAY)], calls("pay", {**PAY, "amount": 6}), [False], [False]),
            ([gold("pay", PAY, compare_args=[])], calls("pay", {"x": 1}), [True], [True]),
            ([gold("pay", PAY, compare_args=["bill"])], calls("pay", {}), [False], [False]),
            ([gold("pay", PAY, compare_args=["bill"])], calls("pay", PAY), [True], [True]),
        ],
        ids=[
            "an argument is missing",
            "all arguments are missing",
            "one call for two actions",
            "the user's call for the agent's",
            "the user's call for the user's",
            "an argument that gold leaves open",
            "another argument",
            "the name alone",
            "the compared argument is missing",
            "the compared argument is right",
        ],
    )
    def test_matching(
        self,
        golds: list[Any],
        talk: list[Any],
        theirs: list[bool],
        ours: list[bool],
        grading: Grading,
    ) -> None:
        task = make_task(actions=golds, reward_basis=["ACTION"])
        messages = [hears("x"), *talk]

        upstream = grading.action(task, messages, ours=False)
        corrected = grading.action(task, messages, ours=True)

        assert [check.action_match for check in upstream.action_checks] == theirs
        assert upstream.reward == float(all(theirs))
        assert [check.action_match for check in corrected.action_checks] == ours
        assert corrected.reward == float(all(ours))
        assert corrected.info["jtau"]["upstream"] == theirs
        assert corrected.info["jtau"]["verdicts"] == {"ACTION": float(all(theirs))}

    def test_in_solo_mode_the_agent_does_what_gold_has_the_user_do(self, grading: Grading) -> None:
        task = make_task(actions=[gold("pay", PAY, requestor="user")], reward_basis=["ACTION"])

        assert grading.action(task, calls("pay", PAY), ours=True).reward == 1.0
        assert grading.action(task, [hears("x"), *calls("pay", PAY)], ours=True).reward == 0.0

    @pytest.mark.parametrize("arm", ["ja_airline", "en_airline"])
    @pytest.mark.parametrize(
        ("bags", "theirs", "ours"),
        [(2, True, True), ("2", False, True), ("3", False, False), (True, False, False)],
    )
    def test_a_number_is_what_the_tool_receives(
        self, arm: str, bags: Any, theirs: bool, ours: bool, grading: Grading
    ) -> None:
        task, english = _task(arm, "12"), _task("airline", "12")
        wanted = next(
            a for a in english.evaluation_criteria.actions if "total_baggages" in a.arguments
        )
        arguments = {**wanted.arguments, "total_baggages": bags}
        messages = [hears("x"), *calls(wanted.name, arguments)]

        def match(graded: Any) -> bool:
            return next(
                c.action_match for c in graded.action_checks if c.action.name == wanted.name
            )

        assert match(grading.action(english, messages, ours=False)) is theirs
        assert match(grading.action(task, messages, ours=False)) is ours


@cache
def _tasks(domain: str) -> dict[str, Any]:
    return {task.id: task for task in registry().get_tasks_loader(domain)(None)}


def _task(domain: str, task_id: str) -> Any:
    return _tasks(domain)[task_id]


@cache
def _database(domain: str) -> tuple[Any, str]:
    db = registry().get_env_constructor(domain)().tools.db
    return type(db), db.model_dump_json()


def _build(domain: str, **options: Any) -> Any:
    cls, text = _database(domain)
    return registry().get_env_constructor(domain)(db=cls.model_validate_json(text), **options)


class TestGoldIsSynchronised:
    def _count(self, grading: Grading, tasks: list[Any]) -> tuple[int, int, int]:
        """How often upstream, its recorded verdict and ours find gold's own trajectory right."""
        build = registry().get_env_constructor("telecom")
        found = [0, 0, 0]
        for task in tasks:
            messages = play(build(), task)
            upstream = grading.environment(task, messages, build, ours=False)
            ours = grading.environment(task, messages, build, ours=True)
            assert ours.info["jtau"]["verdicts"]["DB"] == upstream.db_check.db_reward, task.id
            assert ours.env_assertions == upstream.env_assertions, task.id
            found[0] += upstream.db_check.db_match
            found[1] += ours.db_check.db_match
            found[2] += 1
        return tuple(found)

    def test_a_perfect_trajectory_of_telecom(self, grading: Grading) -> None:
        theirs, ours, count = self._count(grading, list(_tasks("telecom").values())[::40])

        assert count == 58
        assert ours == count
        assert 0 < theirs < count / 2

    @pytest.mark.exhaustive
    def test_every_task_of_telecom(self, grading: Grading) -> None:
        found = self._count(grading, list(_tasks("telecom").values()))

        assert found == (2285 - 1688, 2285, 2285)

    def test_what_was_left_undone_is_seen(self, grading: Grading) -> None:
        """Synchronising gold must not make everything equal."""
        build = registry().get_env_constructor("telecom")
        verdicts = []
        for task in list(_tasks("telecom").values())[::200]:
            whole = build()
            play(whole, task)
            for actions in ([], task.evaluation_criteria.actions[:-1]):
                partial_run = build()
                messages = play(partial_run, task, actions)
                ours = grading.environment(task, messages, build, ours=True)
                assert ours.db_check.db_match is (_hashes(partial_run) == _hashes(whole))
                verdicts.append(ours.db_check.db_match)
        assert verdicts.count(False) > len(verdicts) / 2


def _hashes(environment: Any) -> tuple[Any, Any]:
    return environment.get_db_hash(), environment.get_user_db_hash()


class TestBrokenGold:
    def test_a_gold_action_that_raises_is_recorded(self, grading: Grading) -> None:
        """A do-nothing agent passes with upstream, and nothing says that gold did nothing either."""
        broken = gold("cancel_pending_order", {"order_id": "#W0", "reason": "no longer needed"})
        task = make_task(actions=[broken], reward_basis=["DB"])
        build = partial(_build, "retail")

        upstream = grading.environment(task, [says("x")], build, ours=False)
        ours = grading.environment(task, [says("x")], build, ours=True)

        assert upstream.reward == ours.reward == 1.0
        assert upstream.info is None
        assert ours.info["jtau"]["gold_errors"] == [
            {
                "action": broken["action_id"],
                "name": "cancel_pending_order",
                "error": "ValueError: Order not found",
            }
        ]


def _booking(actions: list[Any], change: Callable[[dict[str, Any]], None]) -> list[Any]:
    """The actions with the arguments of the first booking changed."""
    changed = [action.model_copy(deep=True) for action in actions]
    change(next(a for a in changed if a.name == "book_reservation").arguments)
    return changed


def _reversed(key: str) -> Callable[[list[Any]], list[Any]]:
    return lambda actions: _booking(actions, lambda arguments: arguments[key].reverse())


def _set(path: tuple[Any, ...], value: Any) -> Callable[[list[Any]], list[Any]]:
    def change(arguments: dict[str, Any]) -> None:
        target: Any = arguments
        for step in path[:-1]:
            target = target[step]
        target[path[-1]] = value

    return lambda actions: _booking(actions, change)


def _bookings_reversed(actions: list[Any]) -> list[Any]:
    others = [a for a in actions if a.name != "book_reservation"]
    return [*others, *[a for a in actions if a.name == "book_reservation"][::-1]]


def _without_last(actions: list[Any]) -> list[Any]:
    return actions[:-1]


class TestSets:
    @pytest.mark.parametrize(
        ("task_id", "change", "theirs", "ours"),
        [
            ("8", list, True, True),
            ("8", _reversed("passengers"), False, True),
            ("8", _set(("passengers", 1, "dob"), "2001-04-13"), False, False),
            ("8", _set(("insurance",), "yes"), False, False),
            ("14", _reversed("payment_methods"), False, True),
            ("14", _reversed("flights"), False, False),
            ("23", _bookings_reversed, False, True),
            ("23", _without_last, False, False),
            ("23", _set(("passengers", 0, "first_name"), "X"), False, False),
        ],
        ids=[
            "8 gold",
            "8 passengers in another order",
            "8 another passenger",
            "8 with an insurance that does not add up",
            "14 payments in another order",
            "14 an itinerary in another order",
            "23 bookings in another order",
            "23 a booking is missing",
            "23 another passenger",
        ],
    )
    def test_what_the_policy_treats_as_sets(
        self,
        task_id: str,
        change: Callable[[list[Any]], list[Any]],
        theirs: bool,
        ours: bool,
        grading: Grading,
    ) -> None:
        task, build = _task("airline", task_id), partial(_build, "airline")
        messages = play(build(), task, change(task.evaluation_criteria.actions))

        upstream = grading.environment(task, messages, build, ours=False)
        corrected = grading.environment(task, messages, build, ours=True)

        assert upstream.db_check.db_match is theirs
        assert corrected.db_check.db_match is ours
        assert corrected.info["jtau"]["verdicts"]["DB"] == float(theirs)

    def test_the_generated_ids_are_in_no_database(self) -> None:
        """An id of the rules that stood in the data would be one that says something."""
        _, text = _database("airline")

        assert "HATHA" not in text
        assert "certificate_322132" not in text


def test_no_more_environments_than_needed(grading: Grading) -> None:
    """Two where synchronising changes nothing, as upstream; a third for upstream's own verdict."""
    for domain, expected in (("retail", 2), ("telecom", 3)):
        built = []

        def build(domain: str = domain, built: list[Any] = built, **options: Any) -> Any:
            built.append(_build(domain, **options))
            return built[-1]

        task = next(iter(_tasks(domain).values()))
        grading.environment(task, play(_build(domain), task), build, ours=True)

        assert len(built) == expected


def test_the_self_checks_hold() -> None:
    scorers = {state.id: state for state in get_engine().states() if state.id.startswith("score-")}

    assert {name: state.state for name, state in scorers.items()} == dict.fromkeys(
        ("score-action", "score-communicate", "score-gold-sync", "score-nl"), "applied"
    )
