from tau2.data_model.message import AssistantMessage, ToolCall, UserMessage
from tau2.data_model.tasks import Action
from tau2.evaluator.evaluator_action import ActionEvaluator

HELLO = UserMessage(role="user", content="Hello")


def call(name: str, requestor: str = "assistant", **arguments) -> ToolCall:
    return ToolCall(name=name, arguments=arguments, requestor=requestor)


def gold(name: str, requestor: str = "assistant", **fields) -> Action:
    fields.setdefault("arguments", {})
    return Action(action_id=name, name=name, requestor=requestor, **fields)


def matches(calls: list[ToolCall], actions: list[Action], first=HELLO) -> list[bool]:
    said = AssistantMessage(role="assistant", content=None, tool_calls=calls)
    checks = ActionEvaluator.evaluate_actions([first, said], actions)
    return [check.action_match for check in checks]


def test_a_call_with_a_missing_argument_does_not_match():
    action = gold("pay", arguments={"bill": "1", "amount": 5})
    assert matches([call("pay", bill="1", amount=5)], [action]) == [True]
    assert matches([call("pay", bill="1")], [action]) == [False]
    assert matches([call("pay")], [action]) == [False]


def test_compare_args_says_what_is_compared():
    action = gold("pay", arguments={"bill": "1", "amount": 5}, compare_args=["bill"])
    assert matches([call("pay", bill="1", amount=6)], [action]) == [True]
    assert matches([call("pay", bill="2", amount=5)], [action]) == [False]


def test_one_call_stands_for_one_action():
    actions = [gold("pay", arguments={"bill": "1"})] * 2
    assert matches([call("pay", bill="1")], actions) == [True, False]
    assert matches([call("pay", bill="1")] * 2, actions) == [True, True]


def test_as_many_actions_as_possible_find_a_call():
    # The first action could take either call; the second one only the first.
    anything = gold("pay", arguments={"bill": "1", "amount": 5}, compare_args=["bill"])
    exact = gold("pay", arguments={"bill": "1", "amount": 5})
    calls = [call("pay", bill="1", amount=5), call("pay", bill="1", amount=6)]
    assert matches(calls, [anything, exact]) == [True, True]


def test_the_requestor_counts_where_there_is_a_user():
    action = gold("reboot", requestor="user")
    assert matches([call("reboot", requestor="user")], [action]) == [True]
    assert matches([call("reboot")], [action]) == [False]
    greeting = AssistantMessage(role="assistant", content="Solo mode")
    assert matches([call("reboot")], [action], first=greeting) == [True]
