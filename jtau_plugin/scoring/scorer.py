"""Scores simulations of localized tasks and stamps every reward with its provenance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import asdict
from typing import Any, Protocol

from jtau_plugin import __version__
from jtau_plugin.compat import layout
from jtau_plugin.compat.simulation import recall_misses
from jtau_plugin.compat.tasks import TaskMark, read_mark
from jtau_plugin.errors import JtauError
from jtau_plugin.scoring.communicate import is_communicated, is_communicated_leniently


class Domain(Protocol):
    """What the scorer asks of a registered domain."""

    def surface(self) -> Any:
        """Return the domain's surface."""

    def localizer(self) -> Any:
        """Return the domain's localizer."""


class LocalizedScorer:
    """The scorer that the evaluator's hooks call.

    Args:
        domains: returns the registered domains by name.
    """

    def __init__(self, domains: Callable[[], Mapping[str, Domain]]) -> None:
        self._domains = domains

    def is_ours(self, task: Any) -> bool:
        """Return whether a task carries the mark of a localized domain."""
        return read_mark(task) is not None

    def _domain(self, task: Any) -> tuple[TaskMark, Domain]:
        mark = read_mark(task)
        domain = self._domains().get(mark.domain) if mark else None
        if mark is None or domain is None:
            raise JtauError(
                f"task {task.id} is marked for {mark.domain if mark else '?'}, which is not "
                "registered; set JTAU_OVERLAY_PATH to the folder of its locale"
            )
        return mark, domain

    def canonicalize_trajectory(self, task: Any, trajectory: Any) -> Any:
        """Return a copy of the trajectory whose tool calls carry canonical arguments."""
        localizer = self._domain(task)[1].localizer()
        return [_canonical_message(localizer, message) for message in trajectory]

    def check_communicated(self, task: Any, trajectory: Any, original: Callable[[], Any]) -> Any:
        """Return upstream's RewardInfo with number-aware verdicts.

        The lenient verdict of each expected information is recorded beside it in
        ``info["jtau"]["lenient"]``, upstream's own in ``info["jtau"]["upstream"]``.
        """
        reward_info = original()
        if not reward_info.communicate_checks:
            return reward_info
        catalog = self._domain(task)[1].surface().catalog
        forms = accepted_forms(catalog, task.id)
        said = [
            m.content
            for m in trajectory
            if m.role == "assistant" and isinstance(m.content, str) and m.content.strip()
        ]
        upstream, lenient = [], []
        for check in reward_info.communicate_checks:
            upstream.append(bool(check.met))
            own = forms.get(check.info.strip().lower(), ())
            met = [text for text in said if is_communicated(check.info, text, forms=own)]
            lenient.append(any(is_communicated_leniently(check.info, text) for text in said))
            check.met = bool(met)
            check.justification = (
                f"{check.info!r} is communicated in: {met[0]}"
                if met
                else f"{check.info!r} is not communicated as a number or word of its own."
            )
        reward = 1.0 if all(c.met for c in reward_info.communicate_checks) else 0.0
        kinds = dict.fromkeys(reward_info.reward_breakdown or {}, reward)
        info = {**(reward_info.info or {}), "jtau": {"upstream": upstream, "lenient": lenient}}
        return reward_info.model_copy(
            update={"reward": reward, "reward_breakdown": kinds, "info": info}
        )

    def stamp(self, task: Any, simulation: Any, reward_info: Any) -> Any:
        """Return the RewardInfo with the run's provenance in ``info["jtau"]``."""
        mark, domain = self._domain(task)
        provenance = build_provenance(mark, domain)
        provenance["normalized"] = count_changes(domain.localizer(), simulation.messages)
        provenance["misses"] = _misses(simulation)
        info = {**(reward_info.info or {}), "jtau": provenance}
        return reward_info.model_copy(update={"info": info})


def _canonical_message(localizer: Any, message: Any) -> Any:
    calls = getattr(message, "tool_calls", None)
    if not calls:
        return message
    canonical = [_canonical_call(localizer, call) for call in calls]
    return message.model_copy(update={"tool_calls": canonical})


def _canonical_call(localizer: Any, call: Any) -> Any:
    arguments, changes = localizer.canonicalize_arguments(call.name, call.arguments, call.requestor)
    return call.model_copy(update={"arguments": deepcopy(arguments)}) if changes else call


def accepted_forms(catalog: Any, task_id: str) -> dict[str, set[str]]:
    """Return every localized form of each canonical word: all tables, and the task's own list."""
    forms: dict[str, set[str]] = {}
    for table in catalog.tables.values():
        for form, canonical in table.forms.items():
            forms.setdefault(canonical.lower(), set()).add(form)
    lines = catalog.lines.get(task_id)
    for canonical, form in lines.forms.items() if lines is not None else ():
        forms.setdefault(canonical.lower(), set()).add(form)
    return forms


def build_provenance(mark: TaskMark, domain: Domain) -> dict[str, Any]:
    """Return what travels with every result of a localized task."""
    surface = domain.surface()
    installed = layout.detect_layout()
    return {
        "plugin": __version__,
        "domain": mark.domain,
        "locale": surface.locale,
        "scenario": "domain",
        "protocol": mark.protocol,
        "overlay": surface.catalog.fingerprint,
        "overlay_version": surface.catalog.about.version,
        "facts": mark.facts,
        "patches": [],
        "stale": [*surface.stale, *mark.stale],
        "strict_arguments": domain.localizer().is_strict,
        "tau2": f"{installed.distribution} {installed.version}",
        "layout": installed.name,
    }


def count_changes(localizer: Any, messages: Any) -> dict[str, int]:
    """Return how many arguments of a trajectory were canonicalized, by rule."""
    counts: Counter[str] = Counter()
    for message in messages:
        for call in getattr(message, "tool_calls", None) or ():
            _, changes = localizer.canonicalize_arguments(call.name, call.arguments, call.requestor)
            counts.update(change.rule for change in changes)
    return dict(sorted(counts.items()))


def _misses(simulation: Any) -> list[dict[str, str]] | None:
    """Return what stayed unlocalized: of the run in this process, else what its file records.

    ``None`` means unknown: the file records nothing, and only the run itself could tell.
    """
    misses = recall_misses(simulation.id)
    if misses is not None:
        return [asdict(miss) for miss in misses]
    earlier = getattr(simulation.reward_info, "info", None) or {}
    recorded: list[dict[str, str]] | None = earlier.get("jtau", {}).get("misses")
    return recorded
