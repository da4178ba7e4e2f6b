"""The calls of a conversation, and what the environment makes of them on a copy of its own."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from jtau_plugin.compat import layout

TRANSFER_TOOL = "transfer_to_human_agents"


@dataclass(frozen=True)
class Move:
    """One call with canonical arguments.

    Attributes:
        tool: the tool's name.
        arguments: canonical arguments.
        requestor: ``assistant`` or ``user``.
        fault: what is wrong with it, when it is a saboteur's.
    """

    tool: str
    arguments: dict[str, Any]
    requestor: str = "assistant"
    fault: dict[str, Any] | None = field(default=None, compare=False)


def gold_moves(task: Any) -> list[Move]:
    """Return the task's gold actions as calls."""
    criteria = task.evaluation_criteria
    actions = (criteria.actions if criteria is not None else None) or []
    return [Move(a.name, deepcopy(a.arguments), a.requestor) for a in actions]


class Stage:
    """A copy of the environment on which calls can be tried.

    Built by the constructor that the domain is registered with, and brought to the task's initial
    state; the simulation's own environment is never touched.

    Args:
        environment: the simulation's environment.
        task: its task.
    """

    def __init__(self, environment: Any, task: Any) -> None:
        constructor = layout.registry().get_env_constructor(environment.domain_name)
        options = {"solo_mode": True} if environment.solo_mode else {}
        self.environment = constructor(**options)
        initial = task.initial_state
        if initial is not None:
            self.environment.set_state(
                initialization_data=initial.initialization_data,
                initialization_actions=initial.initialization_actions,
                message_history=deepcopy(initial.message_history or []),
            )

    @property
    def database(self) -> Any:
        """The agent's database as it stands."""
        return self.environment.tools.db

    def kind(self, move: Move) -> str:
        """Return ``write``, ``read``, ``transfer`` or ``user``: how a call is led up to."""
        if move.requestor == "user":
            return "user"
        if move.tool == TRANSFER_TOOL:
            return "transfer"
        tools = self.environment.tools
        if not tools.has_tool(move.tool):
            return "read"
        return "write" if tools.tool_type(move.tool).value == "write" else "read"

    def perform(self, move: Move) -> str | None:
        """Make a call with its canonical arguments; return the error's text, or ``None``."""
        try:
            self.environment.make_tool_call(
                move.tool, requestor=move.requestor, **deepcopy(move.arguments)
            )
            self.environment.sync_tools()
        except Exception as error:  # noqa: BLE001  (a tool may refuse in any way)
            return str(error) or type(error).__name__
        return None

    def holds(self, task: Any) -> bool:
        """Return whether every assertion of the task about the environment is true."""
        criteria = task.evaluation_criteria
        assertions = (criteria.env_assertions if criteria is not None else None) or []
        run = self.environment.run_env_assertion
        return all(run(deepcopy(a), raise_assertion_error=False) for a in assertions)

    def state(self) -> tuple[str | None, str | None]:
        """Return the fingerprints of both databases."""
        return self.environment.get_db_hash(), self.environment.get_user_db_hash()
