"""Plays the next message of a simulation: which script, which place in it, and how it went so far.

The script is kept beside its orchestrator and disappears with it; nothing else is remembered. The
place follows from the trajectory alone.
"""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

from jtau_plugin.errors import OracleError
from jtau_plugin.oracle.beats import AGENT, STOP, USER, Beat, Script
from jtau_plugin.oracle.book import Book, load_book
from jtau_plugin.oracle.script import MODELS, ORACLE, write_script

PROVIDER = "jtau"
_ERROR_PREFIX = "Error: "

_scripts: WeakKeyDictionary[Any, dict[str, Script]] = WeakKeyDictionary()
_lock = threading.Lock()


@dataclass(frozen=True)
class Line:
    """The next message: a text, or one tool call.

    Attributes:
        text: what is said; empty for a call.
        tool: the tool that is called, if any.
        arguments: as they are written.
        record: what goes into the message's raw data.
        call_id: the call's id, unique in its conversation.
    """

    text: str = ""
    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    record: dict[str, Any] | None = None
    call_id: str = ""


def play(orchestrator: Any, model: str) -> Line:
    """Return the next message of the side whose turn it is.

    Args:
        orchestrator: the orchestrator that is asking, or ``None``.
        model: one of ``MODELS``.

    Raises:
        OracleError: outside the simulation of a localized task, or for another model.
    """
    if model not in MODELS:
        known = ", ".join(f"{PROVIDER}/{name}" for name in MODELS)
        raise OracleError(f"There is no model {PROVIDER}/{model}; there are {known}.")
    if orchestrator is None:
        raise OracleError(
            f"{PROVIDER}/{model} plays only inside a simulation of a localized domain "
            "(ja_retail, for example): run 'tau2 run --domain ja_retail', and keep it away from "
            "judges and other calls."
        )
    if _side(orchestrator) == USER:
        line = _play_user(orchestrator, _partner(orchestrator))
    else:
        line = _play_agent(orchestrator, model)
    return replace(line, call_id=f"call_{len(orchestrator.trajectory or ())}")


def _side(orchestrator: Any) -> str:
    role = getattr(orchestrator.to_role, "value", orchestrator.to_role)
    return USER if role == USER else AGENT


def _partner(orchestrator: Any) -> str:
    """Return the model whose script the caller follows: the agent's, if that is one of ours."""
    name = str(getattr(orchestrator.agent, "llm", None) or "")
    own = name.removeprefix(f"{PROVIDER}/")
    return own if own in MODELS and own != name else ORACLE


def script_of(orchestrator: Any, model: str) -> Script:
    """Return the script of a simulation, written when it is first asked for."""
    with _lock:
        own = _scripts.setdefault(orchestrator, {})
        script = own.get(model)
    if script is None:
        is_alone = bool(getattr(orchestrator, "solo_mode", False))
        script = write_script(
            orchestrator.task,
            orchestrator.environment,
            model,
            is_alone=is_alone,
            stop_tool=str(getattr(orchestrator.agent, "STOP_FUNCTION_NAME", "") or ""),
        )
        with _lock:
            own[model] = script
    return script


def _told(orchestrator: Any, role: str) -> list[Any]:
    """Return the messages of one side in this simulation, the greeting and the past left out."""
    trajectory = list(orchestrator.trajectory or ())
    initial = getattr(orchestrator.task.initial_state, "message_history", None) or ()
    skip = len(initial)
    if not initial and trajectory and not getattr(orchestrator, "solo_mode", False):
        skip = 1
    return [message for message in trajectory[skip:] if message.role == role]


def _play_agent(orchestrator: Any, model: str) -> Line:
    beats = script_of(orchestrator, model).of(AGENT)
    place = len(_told(orchestrator, "assistant"))
    # A caller who goes on after the farewell hears it again.
    beat = beats[min(place, len(beats) - 1)]
    if beat.tool:
        return Line(tool=beat.tool, arguments=beat.arguments, record=beat.record)
    news = _news(orchestrator, beats[:place])
    return Line(text="\n".join((*news, beat.text)), record=beat.record)


def _news(orchestrator: Any, beats: tuple[Beat, ...]) -> list[str]:
    """Return what came of the changes that were tried since the agent last spoke."""
    book = load_book(orchestrator.environment.jtau_surface.speech_catalog)
    answers = [m for m in orchestrator.trajectory if m.role == "tool"]
    by_id = {message.id: message for message in answers}
    news: list[str] = []
    for beat, message in reversed(list(zip(beats, _told(orchestrator, "assistant"), strict=False))):
        if not beat.tool:
            break
        calls = message.tool_calls or ()
        answer = by_id.get(calls[0].id) if calls else None
        if not beat.done or answer is None:
            continue
        if answer.error:
            error = (answer.content or "").removeprefix(_ERROR_PREFIX)
            news.insert(0, book.say("failed", beat.tool, title=beat.title, error=error))
        else:
            news.insert(0, beat.done)
    return news


def _play_user(orchestrator: Any, model: str) -> Line:
    script = script_of(orchestrator, model)
    told = _told(orchestrator, "assistant")
    place = len(told) + len(_told(orchestrator, "user"))
    beat = script.beats[place] if place < len(script.beats) else None
    heard = (told[-1].content or "") if told else ""
    if beat is not None and beat.side == USER and _is_expected(script, place, heard):
        return Line(text=beat.text, tool=beat.tool, arguments=beat.arguments, record=beat.record)
    return Line(text=_react(orchestrator, script, heard))


def _is_expected(script: Script, place: int, heard: str) -> bool:
    """Return whether the agent has said what the script has before this place."""
    before = script.beats[place - 1] if place else None
    return before is None or before.side == USER or heard.endswith(before.text)


def _react(orchestrator: Any, script: Script, heard: str) -> str:
    """Return the answer to an agent that is not ours, by what it seems to ask.

    Such a caller states the concern and who they are, agrees to everything else, and leaves when
    nothing more is offered; they use no tools.
    """
    book = load_book(orchestrator.environment.jtau_surface.speech_catalog)
    said = [message.content for message in _told(orchestrator, "user")]
    own = {beat.means: beat.text for beat in reversed(script.of(USER)) if beat.text}
    no_more = own.get("no_more") or book.say("no_more", orchestrator.task.id)
    # Without rules for listening the caller leaves when everything has been said.
    has_finished = book.locale is None and len(said) >= len(script.of(USER))
    means = _understand(heard, book) if said else "open"
    if means == "stop" or no_more in said or has_finished:
        return STOP
    if means == "no_more":
        return no_more
    if means in own and own[means] not in said:
        return own[means]
    return book.say("yes", orchestrator.task.id, len(said))


def _understand(text: str, book: Book) -> str:
    for heard in book.locale.heard if book.locale is not None else ():
        if any(re.search(pattern, text) for pattern in heard.patterns):
            return heard.means
    return "yes"
