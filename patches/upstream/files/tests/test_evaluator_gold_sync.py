from tau2.data_model.message import (
    AssistantMessage,
    ToolCall,
    UserMessage,
)
from tau2.data_model.tasks import Task
from tau2.domains.telecom.environment import get_environment_manual_policy
from tau2.evaluator.evaluator_env import EnvironmentEvaluator

CUSTOMER, PHONE, LINE = "C1001", "555-123-2001", "L1001"
TASK = {
    "id": "roaming_off",
    "user_scenario": {"instructions": "You have no data abroad."},
    "initial_state": {
        "initialization_actions": [
            {
                "env_type": "user",
                "func_name": "set_user_info",
                "arguments": {"name": "John Smith", "phone_number": PHONE},
            },
        ]
    },
    "evaluation_criteria": {
        "actions": [
            {
                "action_id": "roaming",
                "requestor": "assistant",
                "name": "enable_roaming",
                "arguments": {"customer_id": CUSTOMER, "line_id": LINE},
            },
        ],
        "reward_basis": ["DB"],
    },
}


def play(task: Task) -> list:
    """Do in an environment what the task's actions say, as a conversation would."""
    environment = get_environment_manual_policy()
    environment.set_state(None, task.initial_state.initialization_actions, [])
    messages = []
    for number, action in enumerate(task.evaluation_criteria.actions):
        kind = UserMessage if action.requestor == "user" else AssistantMessage
        call = ToolCall(
            id=str(number),
            name=action.name,
            arguments=action.arguments,
            requestor=action.requestor,
        )
        messages.append(kind(role=action.requestor, content=None, tool_calls=[call]))
        messages.append(environment.get_response(call))
    return messages


def test_the_gold_trajectory_reaches_the_gold_state():
    task = Task.model_validate(TASK)
    messages = play(task)
    assert not any(getattr(message, "error", False) for message in messages)
    reward = EnvironmentEvaluator.calculate_reward(
        get_environment_manual_policy, task, messages
    )
    assert reward.db_check.db_match


def test_doing_nothing_does_not():
    task = Task.model_validate(TASK)
    reward = EnvironmentEvaluator.calculate_reward(
        get_environment_manual_policy, task, []
    )
    assert not reward.db_check.db_match
