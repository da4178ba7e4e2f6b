"""The composition root: builds and registers every domain of ours.

Registering reads no overlay file; a domain's files are read when it is first used.
"""

from __future__ import annotations

from jtau_plugin.compat import hooks
from jtau_plugin.domains.domain import LocalizedDomain
from jtau_plugin.domains.registration import (
    find_surface,
    is_variant,
    localized_domains,
    register_domains,
)

__all__ = [
    "LocalizedDomain",
    "activate",
    "find_surface",
    "is_variant",
    "localized_domains",
    "register_domains",
]


def activate() -> None:
    """Entry point of the group ``tau2.plugins``: hook into a tau2 that is already imported."""
    hooks.activate()
