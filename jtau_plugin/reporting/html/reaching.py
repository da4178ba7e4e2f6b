"""What reached a tool: the arguments as the domain that was run makes them canonical.

Only where the installed overlay is the one that the run had; anything else would be a guess.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jtau_plugin.compat import hooks, layout
from jtau_plugin.domains import LocalizedDomain, localized_domains
from jtau_plugin.errors import JtauError
from jtau_plugin.reporting.compare.arms import Run
from jtau_plugin.reporting.html.conversation import Canonicalize


class Reaching:
    """Finds what reached the tools of runs.

    Attributes:
        notes: a sentence for each run of which it is not known.
    """

    def __init__(self) -> None:
        self.notes: list[str] = []

    def of_run(self, run: Run) -> Canonicalize:
        """Return a function that says what reached a tool of a run."""
        if not run.stamps:
            return _as_written  # tau2's own domains change no argument.
        try:
            why, domain = self._find(run)
        except JtauError as error:
            why, domain = str(error).splitlines()[-1].strip(" -"), None
        if domain is None:
            self.notes.append(f"{run.name}: arguments are shown as they were written; {why}")
            return _unknown
        return _Localized(domain)

    def _find(self, run: Run) -> tuple[str, LocalizedDomain | None]:
        layout.require_tau2()
        hooks.activate()
        layout.registry()
        domain = localized_domains().get(run.domain)
        if domain is None:
            return f"the installed tau2 has no domain {run.domain}", None
        installed = domain.provenance()
        for key in ("overlay", "strict_arguments", "tool_mix"):
            recorded = {repr(stamp.get(key)) for stamp in run.stamps}
            if recorded != {repr(installed[key])}:
                name = key.replace("_", " ")
                return f"the run had another {name} than is installed", None
        return "", domain


def _as_written(
    tool: str,  # noqa: ARG001
    arguments: Mapping[str, Any],
    requestor: str,  # noqa: ARG001
) -> Mapping[str, Any]:
    return arguments


def _unknown(
    tool: str,  # noqa: ARG001
    arguments: Mapping[str, Any],  # noqa: ARG001
    requestor: str,  # noqa: ARG001
) -> None:
    return None


class _Localized:
    def __init__(self, domain: LocalizedDomain) -> None:
        self._localizer = domain.localizer()

    def __call__(
        self, tool: str, arguments: Mapping[str, Any], requestor: str
    ) -> Mapping[str, Any] | None:
        try:
            canonical, _ = self._localizer.canonicalize_arguments(tool, dict(arguments), requestor)
        except (JtauError, KeyError, TypeError, ValueError):
            # A call of a tool that is not there, or with nonsense for arguments: it was refused.
            return None
        return canonical
