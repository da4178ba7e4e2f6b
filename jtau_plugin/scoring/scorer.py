"""Grades simulations of our domains, and of tau2's own where they are opted in.

The evaluator's hook and the code patches call it. Every verdict of ours has upstream's beside it,
and every reward the provenance of its run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from loguru import logger

from jtau_plugin.compat import rewards
from jtau_plugin.compat.tasks import TaskMark, read_mark
from jtau_plugin.errors import JtauError, OverlayError
from jtau_plugin.scoring import components
from jtau_plugin.scoring.calls import Localizer, count_changes
from jtau_plugin.scoring.environments import EnvironmentGrader
from jtau_plugin.scoring.judge import describe_error
from jtau_plugin.scoring.provenance import Domain, build_provenance, recorded_misses
from jtau_plugin.scoring.verdicts import SECTIONS, sections_of, upstream_reward, upstream_verdicts

_JUDGE_NOTES = "judge_notes"
#: Returns what a result says of its language, by registered domain, stamp and messages.
RecordLanguage = Callable[[str, Mapping[str, Any], Iterable[Any]], dict[str, Any]]


class _UpstreamDomain:
    """A domain of tau2's own: no overlay, arguments as they were written."""

    def surface(self) -> None:
        return None

    def localizer(self) -> Localizer:
        return self

    def provenance(self) -> dict[str, Any]:
        return {"locale": "en", "scenario": "upstream", "overlay": None, "overlay_version": None}

    def canonicalize_arguments(
        self,
        tool: str,  # noqa: ARG002
        arguments: dict[str, Any],
        requestor: str = "assistant",  # noqa: ARG002
    ) -> tuple[dict[str, Any], list[Any]]:
        return arguments, []


class LocalizedScorer:
    """The scorer behind the evaluator's hook and the code patches.

    Args:
        domains: returns the registered domains by name.
        patches: returns the ids of the code patches that are applied.
        record_language: measures the language of a conversation; it is not recorded when ``None``.
    """

    def __init__(
        self,
        domains: Callable[[], Mapping[str, Domain]],
        patches: Callable[[], Sequence[str]] = tuple,
        record_language: RecordLanguage | None = None,
    ) -> None:
        self._domains = domains
        self._patches = patches
        self._record_language = record_language

    def is_ours(self, task: Any) -> bool:
        """Return whether a task carries the mark of a domain of ours."""
        return read_mark(task) is not None

    def _domain(self, task: Any) -> tuple[TaskMark | None, Domain]:
        mark = read_mark(task)
        if mark is None:
            return None, _UpstreamDomain()
        domain = self._domains().get(mark.domain)
        if domain is None:
            raise JtauError(
                f"task {task.id} is marked for {mark.domain}, which is not registered; set "
                "JTAU_OVERLAY_PATH to the folder of its locale"
            )
        return mark, domain

    def grade_communication(self, task: Any, trajectory: Any, upstream: Callable[[], Any]) -> Any:
        """Return the RewardInfo of COMMUNICATE; ``upstream`` calls upstream's evaluator."""
        surface = self._domain(task)[1].surface()
        forms = {} if surface is None else accepted_forms(surface.catalog, task.id)
        return components.grade_communication(upstream(), trajectory, forms)

    def grade_actions(
        self, task: Any, trajectory: Any, upstream: Callable[[list[Any]], Any]
    ) -> Any:
        """Return the RewardInfo of ACTION; ``upstream`` calls upstream's on a conversation."""
        localizer = self._domain(task)[1].localizer()
        return components.grade_actions(upstream, list(trajectory), localizer)

    def grade_assertions(self, task: Any, trajectory: Any, upstream: Callable[[], Any]) -> Any:
        """Return the RewardInfo of NL_ASSERTION; ``upstream`` answers only if there are none."""
        criteria = task.evaluation_criteria
        if criteria is None or not criteria.nl_assertions:
            return upstream()
        notes = _judge_notes(self._domain(task)[1].surface())
        return components.grade_assertions(criteria.nl_assertions, list(trajectory), notes=notes)

    def grade_environment(
        self,
        task: Any,
        trajectory: Any,
        build: Callable[..., Any],
        upstream: Callable[[], Any],
        *,
        solo_mode: bool = False,
        env_kwargs: Mapping[str, Any] | None = None,
        strict_replay: bool = True,
    ) -> Any:
        """Return the RewardInfo of DB and ENV_ASSERTION.

        Args:
            task: the task.
            trajectory: the conversation.
            build: the environment's constructor.
            upstream: calls upstream's evaluator; it answers if there is nothing to compare.
            solo_mode: whether the agent acted alone.
            env_kwargs: further arguments of the constructor.
            strict_replay: whether a replayed call must answer what was recorded.
        """
        self._domain(task)
        criteria = task.evaluation_criteria
        if criteria is None or (criteria.actions is None and criteria.env_assertions is None):
            return upstream()
        grader = EnvironmentGrader(build, task, solo_mode, env_kwargs or {}, strict_replay)
        return grader.grade(list(trajectory))

    def grade(
        self, task: Any, simulation: Any, domain: str, kind: str, evaluate: Callable[[], Any]
    ) -> Any:
        """Return the RewardInfo of a simulation, with its provenance in ``info["jtau"]``.

        Args:
            task: the task.
            simulation: what was played.
            domain: the domain that it was played in.
            kind: the kind of evaluation: ``all``, ``env`` …
            evaluate: calls tau2's evaluation.

        Raises:
            JtauError: for what is set wrong; any other failure is a reward of 0 that says so.
        """
        mark, owner = self._domain(task)
        provenance = build_provenance(mark, mark.domain if mark else domain, owner, self._patches())
        messages = list(simulation.messages or ())
        provenance["normalized"] = count_changes(owner.localizer(), messages)
        provenance["misses"] = recorded_misses(simulation)
        if mark is not None and self._record_language is not None:
            provenance["language"] = _language(
                self._record_language, mark.domain, provenance, messages
            )
        try:
            reward_info = evaluate()
        except JtauError:
            raise
        except Exception as error:  # noqa: BLE001  (the conversation must not be lost with it)
            logger.opt(exception=error).error(f"task {task.id} could not be evaluated")
            return _failed(provenance, error)
        basis = mark.basis if mark else rewards.basis_names(task.evaluation_criteria)
        provenance |= _outcome(task, simulation, reward_info, kind, basis)
        info = dict(reward_info.info or {})
        if kind in SECTIONS and "jtau" in info:
            info = {SECTIONS[kind]: info}
        return reward_info.model_copy(update={"info": {**info, "jtau": provenance}})


def _language(
    record: RecordLanguage, domain: str, stamp: Mapping[str, Any], messages: Iterable[Any]
) -> dict[str, Any]:
    """Return the record of a conversation's language, or what kept it from being measured."""
    try:
        return record(domain, stamp, messages)
    except Exception as error:  # noqa: BLE001  (a measure beside the reward must not cost the reward)
        logger.opt(exception=error).warning("the language of a conversation was not measured")
        return {"error": describe_error(error)}


def _failed(provenance: dict[str, Any], error: Exception) -> Any:
    provenance |= {
        "status": "evaluator_error",
        "error": describe_error(error),
        "upstream": {"reward": None},
    }
    note = "The evaluation failed; the conversation is kept and can be graded again."
    return rewards.reward_info(0.0, reward_basis=None, info={"note": note, "jtau": provenance})


def _outcome(
    task: Any, simulation: Any, reward_info: Any, kind: str, basis: Sequence[str]
) -> dict[str, Any]:
    """Return status, error, judge and upstream's verdicts for the provenance."""
    is_whole = simulation.termination_reason.value in rewards.NORMAL_STOPS
    if not is_whole or task.evaluation_criteria is None:
        return {"status": "evaluated", "upstream": {"reward": reward_info.reward}}
    sections = sections_of(reward_info, kind)
    verdicts = upstream_verdicts(reward_info, sections)
    outcome: dict[str, Any] = {
        "status": "evaluated",
        "upstream": {"reward": upstream_reward(basis, verdicts), **verdicts},
    }
    judged = (sections.get("nl") or {}).get("jtau", {})
    if judged:
        outcome["judge"] = judged["judge"]
    counted = {kind.value for kind in reward_info.reward_breakdown or {}}
    if components.NL_ASSERTION in counted and judged.get("error"):
        outcome |= {"status": judged["status"], "error": judged["error"]}
    return outcome


def accepted_forms(catalog: Any, task_id: str) -> dict[str, Collection[str]]:
    """Return every localized form of each canonical word: all tables, and the task's own list."""
    forms: dict[str, set[str]] = {}
    for table in catalog.tables.values():
        for form, canonical in table.forms.items():
            forms.setdefault(canonical.lower(), set()).add(form)
    lines = catalog.lines.get(task_id)
    for canonical, form in lines.forms.items() if lines is not None else ():
        forms.setdefault(canonical.lower(), set()).add(form)
    return dict(forms)


def _judge_notes(surface: Any) -> str:
    """Return what a locale adds to the judge's instruction; most add nothing."""
    if surface is None:
        return ""
    try:
        return str(surface.render_prompt(_JUDGE_NOTES))
    except OverlayError:
        return ""
