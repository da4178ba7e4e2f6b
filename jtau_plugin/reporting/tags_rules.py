"""Error tags that rules give: from gold, the calls as the tools were given them, and the verdicts.

Never asks a model. What explains a lost conversation is looked for only where one was lost: an
agent that reaches gold by another way has made no error. A caller's fault is the caller's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jtau_plugin.models.measures import DomainTools
from jtau_plugin.models.results import RecordedSimulation
from jtau_plugin.reporting.arguments import LOCALIZED
from jtau_plugin.reporting.conversation import Call as MadeCall
from jtau_plugin.reporting.conversation import Conversation
from jtau_plugin.reporting.identity import load_domain_tools
from jtau_plugin.reporting.language.identify import OTHER, SWITCHED
from jtau_plugin.reporting.measures import Measurer, SimulationMeasures
from jtau_plugin.reporting.reading import as_list, as_mapping, as_mappings
from jtau_plugin.scoring.actions import Call, GoldAction, is_same_value, match_actions
from jtau_plugin.scoring.causes import Outcome, find_outcome

#: The same call so often in a row, or so often at all, is a loop; so is the same sentence.
_IN_A_ROW, _AT_ALL, _SAID = 3, 5, 3
_OUT_OF_STEPS = frozenset({"max_steps", "timeout", "context_window_exceeded"})
_MALFORMED = frozenset({"agent_error", "too_many_errors"})
_REQUESTORS = {"agent": "assistant", "user": "user"}
_NO_TOOLS = DomainTools(look_ups=(), owner_arguments=(), owner_keys=(), writes=())


@dataclass(frozen=True)
class Finding:
    """A tag that was given.

    Attributes:
        tag: its id.
        detail: what was found.
        position: of the message in the conversation; ``None`` if it is about all of it.
        by: ``rule`` or ``judge``.
    """

    tag: str
    detail: str
    position: int | None = None
    by: str = "rule"


@dataclass(frozen=True)
class Case:
    """A simulation and everything that rules look at.

    Attributes:
        simulation: as it stands in the file.
        task: its task, likewise; empty if the file has none.
        measures: what was measured of it.
        conversation: ``None`` if there is none to read.
    """

    simulation: Mapping[str, Any]
    task: Mapping[str, Any]
    measures: SimulationMeasures
    conversation: Conversation | None
    outcome: Outcome
    reason: str


def read_case(
    simulation: Mapping[str, Any], task: Mapping[str, Any] | None, measurer: Measurer
) -> Case:
    """Return a simulation of a results file, ready for the rules."""
    outcome, reason = find_outcome(RecordedSimulation.model_validate(simulation))
    return Case(
        simulation=simulation,
        task=task or {},
        measures=measurer.measure(simulation, task),
        conversation=measurer.read(simulation, task),
        outcome=outcome,
        reason=reason,
    )


class RuleTagger:
    """Gives the tags that rules can see, for the simulations of one run.

    Args:
        measurer: of the run.
    """

    def __init__(self, measurer: Measurer) -> None:
        self._measurer = measurer
        self._tools = load_domain_tools().get(measurer.setting.base, _NO_TOOLS)

    def tag(self, case: Case) -> list[Finding]:
        """Return the tags of a simulation: those of the conversation first, then its loss's."""
        found = [*_not_graded(case), *_language(case), *_refused(case), *_caller(case)]
        if case.outcome is Outcome.FAILED:
            found += [*self._explanations(case)]
        return found

    def _explanations(self, case: Case) -> Iterator[Finding]:
        yield from _ending(case)
        yield from _checks(case)
        if case.conversation is None:
            return
        yield from _customer(case)
        yield from self._actions(case, case.conversation)
        yield from self._gave_up(case, case.conversation)
        yield from self._loops(case.conversation)

    def _actions(self, case: Case, conversation: Conversation) -> Iterator[Finding]:
        """Yield what differs between the calls that were made and those that gold expects."""
        golds = [gold for gold in _golds(case.task) if self._matters(gold, case)]
        made = [call for call in conversation.calls if self._is_change(call)]
        made.sort(key=lambda call: call.is_error)  # what was refused carried nothing out
        calls = [self._canonical(call) for call in made]
        carried_out = calls[: sum(not call.is_error for call in made)]
        matches = match_actions(golds, carried_out, any_requestor=conversation.is_solo)
        free = [i for i in range(len(calls)) if i not in matches]
        for gold, match in zip(golds, matches, strict=True):
            if match is not None:
                continue
            nearest = _nearest(gold, calls, free)
            if nearest is None:
                whose = "the caller's " if gold.requestor == "user" else ""
                yield Finding("missing-action", f"{whose}{gold.name}")
                continue
            free.remove(nearest)
            yield _failed_attempt(gold, calls[nearest], made[nearest])
        for index in free:
            call = made[index]
            if call.side == "agent" and not call.is_error and _golds_known(case.task):
                yield Finding("extra-write", call.name, call.position)

    def _matters(self, gold: GoldAction, case: Case) -> bool:
        criteria = as_mapping(case.task.get("evaluation_criteria"))
        is_counted = "ACTION" in as_list(criteria.get("reward_basis"))
        is_change = gold.requestor == "user" or gold.name in self._tools.writes
        return is_counted or is_change

    def _is_change(self, call: MadeCall) -> bool:
        return call.side == "user" or call.name in self._tools.writes

    def _canonical(self, call: MadeCall) -> Call:
        arguments, _ = self._measurer.arguments.canonicalize(call)
        return Call(call.name, arguments, _REQUESTORS[call.side])

    def _gave_up(self, case: Case, conversation: Conversation) -> Iterator[Finding]:
        expected = {gold.name for gold in _golds(case.task)}
        for call in conversation.calls:
            if call.name in self._tools.gives_up and call.name not in expected:
                yield Finding("gave-up", call.name, call.position)

    def _loops(self, conversation: Conversation) -> Iterator[Finding]:
        calls = [call for call in conversation.calls if call.side == "agent"]
        keys = [repr((call.name, sorted(call.arguments.items(), key=str))) for call in calls]
        counts = Counter(keys)
        row = 0
        told: set[str] = set()
        for index, (key, call) in enumerate(zip(keys, calls, strict=True)):
            row = row + 1 if index and key == keys[index - 1] else 1
            if (row >= _IN_A_ROW or counts[key] >= _AT_ALL) and key not in told:
                told.add(key)
                yield Finding("loop", f"{call.name}, {counts[key]} times", call.position)
        said = Counter(" ".join(turn.text.split()) for turn in conversation.of("agent"))
        for text, count in said.items():
            if text and count >= _SAID:
                yield Finding("loop", f"said {count} times: {text[:60]}")


def _not_graded(case: Case) -> Iterator[Finding]:
    if case.outcome is Outcome.INFRASTRUCTURE_ERROR:
        yield Finding("infrastructure-error", case.reason)
    if case.outcome is Outcome.EVALUATOR_ERROR:
        yield Finding("evaluator-error", case.reason)


def _language(case: Case) -> Iterator[Finding]:
    turns = case.measures.agent_turns or ()
    wrong = [turn for turn in turns if turn.label in (OTHER, SWITCHED)]
    if wrong:
        counts = Counter(turn.label for turn in wrong)
        said = ", ".join(f"{count} {label}" for label, count in counts.items())
        yield Finding("wrong-language", f"{said} of {len(turns)} turns", wrong[0].position)


def _refused(case: Case) -> Iterator[Finding]:
    for argument in case.measures.arguments or ():
        if argument.is_refused and argument.form == LOCALIZED:
            detail = f"{argument.tool}: {argument.path} = {argument.written!r}"
            yield Finding("refused-localized-argument", detail, argument.position)


def _caller(case: Case) -> Iterator[Finding]:
    for fault in case.measures.faults or ():
        position = fault.position if fault.position >= 0 else None
        yield Finding("user-simulator-fault", f"{fault.rule}: {fault.detail}", position)
    if case.outcome is Outcome.USER_ERROR and not case.measures.faults:
        yield Finding("user-simulator-fault", case.reason)


def _ending(case: Case) -> Iterator[Finding]:
    reason = case.simulation.get("termination_reason")
    if reason in _OUT_OF_STEPS:
        yield Finding("out-of-steps", case.reason)
    elif reason in _MALFORMED or (case.reason and reason not in {"judge_stop"}):
        yield Finding("malformed-message", case.reason)
    elif reason == "judge_stop":
        yield Finding("loop", case.reason)


def _checks(case: Case) -> Iterator[Finding]:
    reward = as_mapping(case.simulation.get("reward_info"))
    for check in as_mappings(reward.get("communicate_checks")):
        if not check.get("met", True):
            yield Finding("not-communicated", str(check.get("info")))
    for check in as_mappings(reward.get("env_assertions")):
        if not check.get("met", True):
            assertion = as_mapping(check.get("env_assertion"))
            yield Finding("assertion-not-met", str(assertion.get("func_name")))
    is_judged = "NL_ASSERTION" in as_list(reward.get("reward_basis"))
    for check in as_mappings(reward.get("nl_assertions")) if is_judged else ():
        if not check.get("met", True):
            yield Finding("assertion-not-met", str(check.get("nl_assertion")))


def _customer(case: Case) -> Iterator[Finding]:
    identity = case.measures.identity
    if identity is None or identity.verdict not in ("wrong person", "not found"):
        return
    for look_up in identity.failed:
        written = ", ".join(f"{path} = {value!r}" for path, value in look_up.written.items())
        detail = f"{identity.verdict}; {look_up.tool} with {look_up.form} {written}"
        yield Finding("wrong-customer", detail, look_up.position)


def _golds_known(task: Mapping[str, Any]) -> bool:
    return as_mapping(task.get("evaluation_criteria")).get("actions") is not None


def _golds(task: Mapping[str, Any]) -> Iterator[GoldAction]:
    criteria = as_mapping(task.get("evaluation_criteria"))
    for action in as_mappings(criteria.get("actions")):
        keys = action.get("compare_args")
        yield GoldAction(
            name=str(action.get("name")),
            arguments=as_mapping(action.get("arguments")),
            requestor=str(action.get("requestor") or "assistant"),
            keys=tuple(keys) if isinstance(keys, list) else None,
        )


def _nearest(gold: GoldAction, calls: Sequence[Call], free: Sequence[int]) -> int | None:
    """Return the free call of the same tool that has most of gold's arguments."""
    same = [i for i in free if (calls[i].name, calls[i].requestor) == (gold.name, gold.requestor)]

    def shared(index: int) -> int:
        made = calls[index].arguments
        return sum(
            key in made and is_same_value(made[key], value) for key, value in gold.arguments.items()
        )

    return max(same, key=shared, default=None)


def _failed_attempt(gold: GoldAction, call: Call, made: MadeCall) -> Finding:
    """Return what is wrong with a call that came nearest to a gold action."""
    keys = gold.arguments.keys() if gold.keys is None else gold.keys
    parts = [
        f"{key} = {call.arguments.get(key)!r}, expected {gold.arguments.get(key)!r}"
        for key in keys
        if not is_same_value(call.arguments.get(key), gold.arguments.get(key))
    ]
    if parts:
        detail = f"{gold.name}: {'; '.join(parts)}"
        return Finding("wrong-argument-value", detail, made.position)
    why = "the tool refused it" if made.is_error else "another side had to make it"
    return Finding("missing-action", f"{gold.name}: {why}", made.position)
