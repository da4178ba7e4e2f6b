import json

import pytest

from tau2.data_model.message import AssistantMessage
from tau2.evaluator import evaluator_nl_assertions
from tau2.evaluator.evaluator_nl_assertions import NLAssertionsEvaluator

FIRST, SECOND = "The agent greets.", "The agent refuses."


def verdict(outcome: str, met: object = True) -> dict:
    return {"expectedOutcome": outcome, "reasoning": "because", "metExpectation": met}


def answer(*verdicts: dict) -> str:
    return json.dumps({"results": list(verdicts)})


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch):
    """`judge(*answers)` lets the judge give these answers; returns what it was asked."""
    asked = []

    def answers(*contents):
        left = list(contents)

        def generate(**arguments):
            asked.append(arguments)
            return AssistantMessage(role="assistant", content=left.pop(0))

        monkeypatch.setattr(evaluator_nl_assertions, "generate", generate)
        return asked

    return answers


def judged(assertions: list[str]) -> list[tuple[str, bool]]:
    checks = NLAssertionsEvaluator.evaluate_nl_assertions([], assertions)
    return [(check.nl_assertion, check.met) for check in checks]


@pytest.mark.parametrize(
    "content",
    [
        answer(verdict(FIRST), verdict(SECOND, False)),
        answer(verdict(SECOND, False), verdict(FIRST)),
        answer(verdict("the  agent GREETS."), verdict("It refuses.", "false")),
        "```json\n" + answer(verdict(FIRST), verdict(SECOND, False)) + "\n```",
        "Here it is: " + answer(verdict(FIRST), verdict(SECOND, False)) + " Done.",
        json.dumps([verdict(FIRST), verdict(SECOND, False)]),
    ],
)
def test_complete_answers(judge, content):
    asked = judge(content)
    assert judged([FIRST, SECOND]) == [(FIRST, True), (SECOND, False)]
    assert len(asked) == 1


@pytest.mark.parametrize(
    "content",
    [
        "{}",
        answer(),
        answer(verdict(FIRST)),
        answer(verdict(FIRST), verdict(FIRST)),
        answer(verdict(FIRST), verdict(SECOND), verdict(SECOND)),
        answer(verdict(FIRST), verdict(SECOND, "perhaps")),
        answer(verdict(FIRST), {"expectedOutcome": SECOND}),
        "I cannot say.",
        "",
        None,
    ],
)
def test_an_answer_that_does_not_settle_all_is_asked_for_again(judge, content):
    asked = judge(content, answer(verdict(FIRST), verdict(SECOND)))
    assert judged([FIRST, SECOND]) == [(FIRST, True), (SECOND, True)]
    assert len(asked) == 2
    judge(content, content)
    with pytest.raises(ValueError, match="no verdict"):
        judged([FIRST, SECOND])


def test_equal_assertions_get_a_verdict_each(judge):
    judge(answer(verdict(FIRST), verdict(FIRST, False)))
    assert judged([FIRST, FIRST]) == [(FIRST, True), (FIRST, False)]
