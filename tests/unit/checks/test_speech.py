"""What the embedded model says in a task has the task's facts."""

from __future__ import annotations

import pytest

from jtau_plugin.checks.model import SPEECH
from jtau_plugin.checks.speech import check_spoken_facts

from .judge import faults_of, passes

TASK = '{"id": "#W12", "user": "mia_kim_3", "zip": "19122", "pnr": "EHGLP3", "x": "32 GB, SFO"}'


@pytest.mark.parametrize(
    "said",
    [
        "注文#W12の件で、郵便番号は19122です。",
        "Mia Kimで、mia_kim_3です。3個ございます。",
        "予約EHGLP3で、SFO発です。32GBのものがいいです。",
        "支払いはPayPalで、合計は{}ドルでございます。",
    ],
)
def test_the_facts_of_the_task_may_be_said(said: str) -> None:
    facts = TASK.replace("mia", "Mia Kim mia")
    assert passes(check_spoken_facts, facts, said, kind=SPEECH)


@pytest.mark.parametrize(
    ("said", "token"),
    [
        ("注文#W21です。", "#W21"),
        ("郵便番号は19212です。", "19212"),
        ("郵便番号は１９２１２です。", "19212"),
        ("予約EHGLP8です。", "EHGLP8"),
        ("予約EHGLPXです。", "EHGLPX"),
        ("mia@example.comです。", "mia@example.com"),
        ("名前はEmmaです。", "'Emma'"),
    ],
)
def test_a_fact_that_the_task_does_not_have_is_found(said: str, token: str) -> None:
    [fault, *_] = faults_of(check_spoken_facts, TASK, said, kind=SPEECH)
    assert token in fault


def test_what_is_said_in_every_task_has_no_facts() -> None:
    assert passes(check_spoken_facts, "", "注文#W21です。", kind=SPEECH)
