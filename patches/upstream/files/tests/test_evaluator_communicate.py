import pytest

from tau2.data_model.message import AssistantMessage
from tau2.evaluator.evaluator_communicate import CommunicateEvaluator


def is_met(info: str, text: str) -> bool:
    checks = CommunicateEvaluator.evaluate_communicate_info(
        full_trajectory=[AssistantMessage(role="assistant", content=text)],
        communicate_info=[info],
    )
    return checks[0].met


@pytest.mark.parametrize(
    ("info", "text"),
    [
        ("1628", "In total that is $1,628."),
        ("1628", "In total that is **1628.00** dollars"),
        ("1,628", "In total that is 1628."),
        ("$1,628.00", "In total that is $1,628."),
        ("481.50", "The camera costs $481.5!"),
        ("481.5", "The camera costs $481.50, the lamp less."),
        ("4", "You may take 4 bags (2 each)."),
        ("10", "Bags: 10"),
        ("10", "There are 10/12 left, so 10."),
        ("60621", "Chicago, IL 60621"),
        ("IL", "It goes to Chicago, IL."),
        ("64GB", "The one with 64GB."),
        ("943 Maple Drive", "to 943 maple drive, suite 356"),
        ("camera", "These are all our cameras."),
    ],
)
def test_is_communicated(info: str, text: str):
    assert is_met(info, text)


@pytest.mark.parametrize(
    ("info", "text"),
    [
        ("4", "You may take 14 bags."),
        ("4", "It leaves on 2024-05-24 at 14:40."),
        ("4", "It leaves on 4/24."),
        ("4", "That is flight HAT-4 or HAT4."),
        ("10", "Your order is #W1006327."),
        ("10", "It is on gift_card_10."),
        ("10", "It costs $10.50 or 10,500."),
        ("1628", "In total that is $11,628."),
        ("5244", "In total that is $52.44."),
        ("IL", "I will do so."),
        ("full", "It is fully charged."),
        ("white", "It is off-black."),
    ],
)
def test_is_not_communicated(info: str, text: str):
    assert not is_met(info, text)
