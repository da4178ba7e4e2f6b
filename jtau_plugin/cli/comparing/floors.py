"""The do-nothing floor of a run, where the installed tau2 can play a refusal of its tasks."""

from __future__ import annotations

from dataclasses import replace

from jtau_plugin._bootstrap import is_disabled
from jtau_plugin.cli.grading import plan, regrading
from jtau_plugin.cli.quiet import quiet_tau2
from jtau_plugin.compat import hooks, layout
from jtau_plugin.compat.results_file import ResultsFile
from jtau_plugin.errors import JtauError
from jtau_plugin.patching.engine import get_engine
from jtau_plugin.reporting.compare.arms import UPSTREAM, Run
from jtau_plugin.reporting.compare.settings import facts_of, protocols
from jtau_plugin.scoring.floor import Floor

_Key = tuple[str, tuple[str, ...], tuple[tuple[str, tuple[str, ...]], ...]]


class FloorFinder:
    """Finds floors; runs of the same facts and protocol share one.

    Args:
        notes: takes a sentence for each run whose floor cannot be found out.
    """

    def __init__(self, notes: list[str]) -> None:
        self._notes = notes
        self._known: dict[_Key, Floor] = {}
        self._is_ready = False

    def __call__(self, run: Run) -> Floor | None:
        """Return the floor of a run, ``None`` if it cannot be found out."""
        if run.scenario == UPSTREAM:
            return None  # Upstream's scorer is not ours to play.
        facts = tuple(sorted((task, tuple(sorted(found))) for task, found in facts_of(run).items()))
        key = (run.base, tuple(protocols(run)), facts)
        if key not in self._known:
            try:
                self._known[key] = self._find(run)
            except JtauError as error:
                first = str(error).splitlines()[-1].strip(" -")
                self._notes.append(f"no do-nothing floor of {run.name}: {first}")
                return None
        return replace(self._known[key], domain=run.domain)

    def _find(self, run: Run) -> Floor:
        layout.require_tau2()
        if is_disabled():
            raise JtauError("JTAU_DISABLE is set, so there is no scorer")
        if not self._is_ready:
            with quiet_tau2():
                hooks.activate()
                get_engine().ensure_applied()
            self._is_ready = True
        file = run.file
        raw = {**file.raw, "simulations": []}
        empty = ResultsFile(
            file.path, file.files, raw, file.results.model_copy(update={"simulations": []})
        )
        plans = plan.make_plans([empty], None, allows_upstream=False)
        (regraded,) = regrading.regrade(plans)
        if regraded.floor is None:
            raise JtauError("nothing was graded")
        return regraded.floor
