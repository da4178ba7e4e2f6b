"""Gives one environment a localized face, by a subclass of its own class, never by mutation.

English environments built before, after or beside it keep upstream's classes. ``make_tool_call``,
``use_tool`` and the databases stay canonical: gold actions and assertions run on them unchanged.
"""

from __future__ import annotations

from contextvars import ContextVar
from functools import cache
from typing import Any

from jtau_plugin.compat.text import LocalizedText
from jtau_plugin.localization.localizer import DomainLocalizer
from jtau_plugin.localization.records import Records
from jtau_plugin.localization.surface import LocalizedSurface
from jtau_plugin.localization.toolkit import localize_toolkit

# The tool whose response is being written. No attribute: threads may share an environment.
_tool: ContextVar[str] = ContextVar("jtau_tool", default="")


class LocalizedEnvironment:
    """Mixin in front of an upstream environment class.

    Attributes:
        jtau_surface: what the models are told.
        jtau_localizer: localizes arguments and results.
        jtau_records: what was canonicalized and what was missed, in this environment.
        jtau_domain: the registered name; code patches go by it.
    """

    jtau_surface: LocalizedSurface
    jtau_localizer: DomainLocalizer
    jtau_records: Records
    jtau_domain: str

    def get_response(self, message: Any) -> Any:
        """Run a tool call written by a model and return what the model is shown."""
        requestor = self._jtau_side(message)
        arguments, changes = self.jtau_localizer.canonicalize_arguments(
            message.name, message.arguments, requestor
        )
        if changes:
            self.jtau_records.changes += changes
            message = message.model_copy(update={"arguments": arguments})
        token = _tool.set(message.name)
        try:
            return super().get_response(message)  # type: ignore[misc]
        finally:
            _tool.reset(token)

    def _jtau_side(self, message: Any) -> str:
        # In solo mode the agent calls the user's tools as its own.
        if (
            getattr(self, "solo_mode", False)
            and message.requestor == "assistant"
            and self.jtau_localizer.catalog.tool(message.name, "assistant") is None
        ):
            return "user"
        return str(message.requestor)

    def to_json_str(self, resp: Any) -> str:
        """Return the localized text of a response; called by upstream's ``get_response``."""
        kind = "results" if isinstance(resp, str) else "values"
        if not self.jtau_surface.localizes(kind):
            return str(super().to_json_str(resp))  # type: ignore[misc]
        return self.jtau_localizer.localize_response(_tool.get(), resp, self.jtau_records)


@cache
def _localized_class(cls: Any) -> Any:
    return type(f"Localized{cls.__name__}", (LocalizedEnvironment, cls), {})


def localize_environment(
    environment: Any, surface: LocalizedSurface, localizer: DomainLocalizer, policy: str
) -> Any:
    """Return the same environment with a localized face.

    Args:
        environment: a fresh environment of upstream's, owned by the caller.
        surface: what the models are told.
        localizer: the domain's localizer.
        policy: the localized policy.
    """
    cls: Any = type(environment)
    environment.__class__ = _localized_class(cls)
    environment.jtau_surface = surface
    environment.jtau_localizer = localizer
    environment.jtau_records = Records()
    environment.domain_name = environment.jtau_domain = surface.domain
    environment.policy = LocalizedText(policy, surface)
    texts = localizer.tool_texts
    for toolkit, requestor in ((environment.tools, "assistant"), (environment.user_tools, "user")):
        if toolkit is not None:
            localize_toolkit(toolkit, texts[requestor], surface.domain)
    return environment


def surface_of_environment(environment: Any) -> LocalizedSurface | None:
    """Return the surface of a localized environment, or ``None`` for any other."""
    return environment.jtau_surface if isinstance(environment, LocalizedEnvironment) else None
