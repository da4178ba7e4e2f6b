import json

from tau2.data_model.message import (
    AssistantMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from tau2.evaluator import evaluator_nl_assertions
from tau2.evaluator.evaluator_nl_assertions import NLAssertionsEvaluator

VERDICT = {"expectedOutcome": "x", "reasoning": "because", "metExpectation": True}


def test_the_judge_sees_tool_calls_and_results(monkeypatch):
    asked = []

    def generate(**arguments):
        asked.append(arguments["messages"][-1].content)
        content = json.dumps({"results": [VERDICT]})
        return AssistantMessage(role="assistant", content=content)

    monkeypatch.setattr(evaluator_nl_assertions, "generate", generate)
    call = ToolCall(id="1", name="cancel_order", arguments={"order_id": "#W1"})
    trajectory = [
        UserMessage(role="user", content="Cancel it."),
        AssistantMessage(role="assistant", content=None, tool_calls=[call]),
        ToolMessage(id="1", role="tool", content="cancelled", requestor="assistant"),
        AssistantMessage(role="assistant", content="Done."),
    ]
    NLAssertionsEvaluator.evaluate_nl_assertions(trajectory, ["x"])
    lines = [line.strip() for line in asked[0].splitlines()]
    start = lines.index("user: Cancel it.")
    assert lines[start + 1 : start + 4] == [
        'assistant calls tool: cancel_order({"order_id": "#W1"})',
        "tool: cancelled",
        "assistant: Done.",
    ]
