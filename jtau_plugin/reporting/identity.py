"""Whether the agent looked up the right caller, and by which form of argument it failed.

Who the caller is follows from gold, from the script, and from what belongs to whom in the tools'
own results; no database is needed. Where none of them says it, nothing is said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from jtau_plugin.models.measures import DomainTools, LookUp, ToolsOfDomains
from jtau_plugin.overlays.loader import load_model
from jtau_plugin.reporting.arguments import CANONICAL, Argument, ArgumentReader, Form
from jtau_plugin.reporting.conversation import Call, Conversation
from jtau_plugin.reporting.faults import Script
from jtau_plugin.reporting.reading import as_mapping, as_mappings
from jtau_plugin.reporting.values import Known

Verdict = Literal["identified", "wrong person", "not found", "not tried"]
_DATA = Path(__file__).resolve().parent / "data" / "domains.yaml"
_WORST: tuple[Form, ...] = ("other", "localized", "canonical")


@dataclass(frozen=True)
class FailedLookUp:
    """A look-up that found nobody, or somebody else.

    Attributes:
        position: of its message in the conversation.
        tool: the tool.
        form: the form of its arguments that is furthest from canonical.
        written: the arguments in that form, by path, as they were written.
        is_refused: whether the tool found nobody.
    """

    position: int
    tool: str
    form: Form
    written: Mapping[str, Any]
    is_refused: bool


@dataclass(frozen=True)
class Identity:
    """Whether the caller was looked up.

    Attributes:
        verdict: ``None`` if nothing says who the caller is.
        failed: the look-ups that failed, whatever came later.
        is_asked_for: whether gold itself looks the caller up; not to try is a failure only then.
    """

    verdict: Verdict | None
    failed: tuple[FailedLookUp, ...] = ()
    is_asked_for: bool = False

    @property
    def is_identified(self) -> bool | None:
        """Whether the right caller was looked up; ``None`` if that cannot be told.

        Nor is it told where nobody was looked up and gold does without.
        """
        if self.verdict is None or (self.verdict == "not tried" and not self.is_asked_for):
            return None
        return self.verdict == "identified"


@cache
def load_domain_tools() -> Mapping[str, DomainTools]:
    """Return what the tools of tau2's domains do, by domain."""
    return load_model(_DATA, ToolsOfDomains)[0].domains


class IdentityReader:
    """Reads who was looked up in the conversations of one run.

    Args:
        tools: what the domain's tools do.
        arguments: reads the arguments of calls.
    """

    def __init__(self, tools: DomainTools, arguments: ArgumentReader) -> None:
        self._tools = tools
        self._arguments = arguments
        self._look_ups = {look_up.tool: look_up for look_up in tools.look_ups}

    def read(self, conversation: Conversation, task: Mapping[str, Any], script: Script) -> Identity:
        """Return whether the caller of a conversation was looked up."""
        expected = self._expected(conversation, task)
        known = Known(script.texts)
        made = [call for call in conversation.calls if call.name in self._look_ups]
        outcomes = [(call, self._outcome(call, expected, known)) for call in made]
        failed = tuple(
            self._failure(call) for call, outcome in outcomes if outcome in ("wrong", "refused")
        )
        verdict = self._verdict([outcome for _, outcome in outcomes], expected, script)
        is_asked_for = any(name in self._look_ups for name, _ in _gold(task))
        return Identity(verdict, failed, is_asked_for)

    @staticmethod
    def _verdict(outcomes: Sequence[str], expected: _Expected, script: Script) -> Verdict | None:
        if "right" in outcomes:
            return "identified"
        if not expected.is_any and not script.parts:
            return None
        if "wrong" in outcomes:
            return "wrong person"
        if "unknown" in outcomes:
            return None
        return "not found" if outcomes else "not tried"

    def _outcome(self, call: Call, expected: _Expected, known: Known) -> str:
        if call.is_error:
            return "refused"
        look_up = self._look_ups[call.name]
        person = _person(call, look_up)
        arguments = self._arguments.canonicalize_freely(call)
        if person in expected.ids or _picked(arguments, look_up) in expected.look_ups:
            return "right"
        if expected.ids and person is not None:
            return "wrong"
        written = [str(arguments.get(name, "")) for name in look_up.parameters]
        if all(value and known.holds(value) for value in written):
            return "right"
        return "wrong" if expected.look_ups else "unknown"

    def _failure(self, call: Call) -> FailedLookUp:
        found: list[Argument] = self._arguments.read(call)
        forms = {argument.form for argument in found} or {CANONICAL}
        form = next(one for one in _WORST if one in forms)
        written = {argument.path: argument.written for argument in found if argument.form == form}
        return FailedLookUp(call.position, call.name, form, written, call.is_error)

    def _expected(self, conversation: Conversation, task: Mapping[str, Any]) -> _Expected:
        tools, ids, look_ups, objects = self._tools, set[str](), set[Any](), set[str]()
        for name, arguments in _gold(task):
            ids |= {str(arguments[key]) for key in tools.owner_arguments if arguments.get(key)}
            objects |= {str(arguments[key]) for key in tools.object_arguments if key in arguments}
            if name in self._look_ups:
                look_ups.add(_picked(arguments, self._look_ups[name]))
            for parameter, argument in tools.caller.items():
                if argument in arguments and name not in self._look_ups:
                    look_ups.add(((parameter, str(arguments[argument]).lower()),))
        for call in conversation.calls:
            ids |= self._owner_of(call, objects)
        return _Expected(frozenset(ids), frozenset(look_ups))

    def _owner_of(self, call: Call, objects: set[str]) -> set[str]:
        """Return whose something is that gold names, as a result of the conversation says."""
        if call.is_error or not objects:
            return set()
        arguments = self._arguments.canonicalize_freely(call)
        if not any(str(arguments.get(key)) in objects for key in self._tools.object_arguments):
            return set()
        data = _read_json(call.result)
        return {str(data[key]) for key in self._tools.owner_keys if data.get(key)}


@dataclass(frozen=True)
class _Expected:
    """Who the caller is: ids, and look-ups that name them."""

    ids: frozenset[str]
    look_ups: frozenset[tuple[tuple[str, str], ...]]

    @property
    def is_any(self) -> bool:
        return bool(self.ids or self.look_ups)


def _picked(arguments: Mapping[str, Any], look_up: LookUp) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(arguments.get(name, "")).lower()) for name in look_up.parameters)


def _person(call: Call, look_up: LookUp) -> str | None:
    if look_up.key is None:
        return call.result.strip() if call.result else None
    found = _read_json(call.result).get(look_up.key)
    return None if found is None else str(found)


def _read_json(text: str | None) -> Mapping[str, Any]:
    try:
        data = json.loads(text or "")
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _gold(task: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield name and arguments of gold actions and of the actions that set the scene."""
    actions = as_mappings(as_mapping(task.get("evaluation_criteria")).get("actions"))
    scene = as_mappings(as_mapping(task.get("initial_state")).get("initialization_actions"))
    for action in (*actions, *scene):
        arguments = as_mapping(action.get("arguments"))
        yield str(action.get("name") or action.get("func_name")), arguments
