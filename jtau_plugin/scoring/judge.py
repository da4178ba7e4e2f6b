"""The judge of natural-language assertions: asked once, once more if need be, never guessed for.

Knows no task and no reward. An answer without exactly one verdict per assertion is never counted as
met; what then became of it says the state.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from loguru import logger

from jtau_plugin.errors import JtauError, SettingError
from jtau_plugin.scoring.judge_reader import Verdict, read_verdicts
from jtau_plugin.scoring.judge_request import render_complaint, render_question, render_system

MODEL_VARIABLE = "JTAU_JUDGE_LLM"
ARGUMENTS_VARIABLE = "JTAU_JUDGE_ARGS"

Status = Literal["evaluated", "unevaluated", "evaluator_error"]
#: Returns the judge's text and what it cost, for (role, text) messages.
Ask = Callable[[Sequence[tuple[str, str]]], "tuple[str | None, float | None]"]

_TRIES = 2
_RESERVED = frozenset({"model", "messages", "tools", "tool_choice", "call_name"})
_SECRET = re.compile(r"api_?key|secret|password|credential|authori[sz]ation|headers|_token$", re.I)
_LONGEST_ERROR = 500


@dataclass(frozen=True)
class JudgeSettings:
    """Which model judges, and with which arguments it is called."""

    model: str
    arguments: Mapping[str, Any]

    def describe(self) -> dict[str, Any]:
        """Return what a results file may say of it: secrets are left out."""
        shown = {
            name: "(not recorded)" if _SECRET.search(name) else value
            for name, value in self.arguments.items()
        }
        return {"model": self.model, "arguments": shown}


def judge_settings(default: tuple[str, Mapping[str, Any]]) -> JudgeSettings:
    """Return the judge that the environment variables name.

    Args:
        default: model and arguments of the installed tau2.

    Raises:
        SettingError: if the arguments are no JSON object of arguments.
    """
    model, arguments = default
    text = os.environ.get(ARGUMENTS_VARIABLE, "").strip()
    model = os.environ.get(MODEL_VARIABLE, "").strip() or model
    return JudgeSettings(model, _read_arguments(text) if text else dict(arguments))


def _read_arguments(text: str) -> dict[str, Any]:
    where = f"environment variable {ARGUMENTS_VARIABLE}"
    example = """expected a JSON object such as '{"temperature": 0}'"""
    try:
        arguments = json.loads(text)
    except ValueError as error:
        raise SettingError(f"{where}: no JSON ({error}); {example}") from error
    if not isinstance(arguments, dict):
        raise SettingError(f"{where}: found a JSON {type(arguments).__name__}; {example}")
    taken = sorted(_RESERVED & arguments.keys())
    if taken:
        hint = f"; name the model in {MODEL_VARIABLE}" if "model" in taken else ""
        raise SettingError(f"{where}: {', '.join(taken)} cannot be set here{hint}")
    return arguments


@dataclass(frozen=True)
class Judgement:
    """What came of judging.

    Attributes:
        status: ``evaluated``; ``unevaluated`` if the answers had no complete verdicts;
            ``evaluator_error`` if there was no answer that could be read at all.
        verdicts: one per assertion if it was evaluated, else none.
        error: what was wrong with the last answer.
        tries: how often the judge was asked.
        cost: what it cost, as far as tau2 knows the price.
        first_answer: the first answer, from which upstream's verdict follows.
    """

    status: Status
    verdicts: tuple[Verdict, ...] = ()
    error: str = ""
    tries: int = 1
    cost: float | None = None
    first_answer: str | None = None


@dataclass
class _Session:
    """One judging: the messages so far and what they cost."""

    messages: list[tuple[str, str]]
    cost: float | None = None
    answers: list[str | None] = field(default_factory=list)


def judge(
    assertions: Sequence[str], messages: Iterable[Any], ask: Ask, *, notes: str = ""
) -> Judgement:
    """Return the judge's verdicts on a conversation; an incomplete answer is asked for once more.

    Args:
        assertions: what is asserted.
        messages: the conversation.
        ask: calls the judge.
        notes: a locale's additions to the instruction.

    Raises:
        JtauError: whatever configuration error ``ask`` raises; any other error is the judge's.
    """
    question = render_question(assertions, messages)
    session = _Session([("system", render_system(notes)), ("user", question)])
    judgement = Judgement("unevaluated")
    for tries in range(1, _TRIES + 1):
        status, verdicts, error = _try(session, assertions, ask)
        judgement = Judgement(status, verdicts, error, tries, session.cost, session.answers[0])
        if status == "evaluated":
            break
        logger.warning(f"judge, try {tries} of {_TRIES}: {error}")
    return judgement


def _try(
    session: _Session, assertions: Sequence[str], ask: Ask
) -> tuple[Status, tuple[Verdict, ...], str]:
    try:
        answer, cost = ask(session.messages)
    except JtauError:
        raise
    except Exception as error:  # noqa: BLE001  (whatever a provider raises is the judge's failure)
        session.answers.append(None)
        return "evaluator_error", (), describe_error(error)
    session.answers.append(answer)
    if cost is not None:
        session.cost = (session.cost or 0.0) + cost
    if answer is None or not answer.strip():
        return "evaluator_error", (), "the judge's answer is empty"
    reading = read_verdicts(answer, assertions)
    if reading.verdicts:
        return "evaluated", reading.verdicts, ""
    complaint = render_complaint(reading.fault, len(assertions))
    session.messages += [("assistant", answer), ("user", complaint)]
    return ("unevaluated" if reading.is_readable else "evaluator_error"), (), reading.fault


def describe_error(error: BaseException) -> str:
    """Return an exception as one line that fits into a results file."""
    text = " ".join(str(error).split()).encode("utf-8", "replace").decode("utf-8")
    return f"{type(error).__name__}: {text}"[:_LONGEST_ERROR]
