"""A phone that connects to a VPN gets details of its own, as they are before anybody breaks one.

Upstream hands every phone the one object on the class, which breaking a VPN changes for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from jtau_plugin.compat.layout import module
from jtau_plugin.compat.scope import is_object_in_scope
from jtau_plugin.fixes._vectors import check_in_both, differences, toolkit_of_ours

#: What breaking changes, as it stands in tau2's source. The object itself cannot tell: an English
#: environment of the same process, whose tools stay tau2's, may have broken it already.
_UNBROKEN = "excellent"


def make(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that connects with an unbroken copy of the default."""

    def _connect_vpn(self: Any, *args: Any, **kwargs: Any) -> Any:
        is_connected = original(self, *args, **kwargs)
        if is_connected and is_object_in_scope(self):
            level = module("tau2.domains.telecom.user_data_model").PerformanceLevel(_UNBROKEN)
            details = self.device.vpn_details
            self.device.vpn_details = details.model_copy(update={"server_performance": level})
        return is_connected

    return _connect_vpn


def check() -> list[str]:
    """Return what is wrong when a phone connects after another phone's VPN was broken."""
    return check_in_both(_check)


def _check(locale: str) -> Iterator[str]:
    data = module("tau2.domains.telecom.user_data_model")
    first, second = (
        toolkit_of_ours(
            "tau2.domains.telecom.user_tools",
            "TelecomUserTools",
            data.TelecomUserDB(),
            locale,
            "telecom",
        )
        for _ in range(2)
    )
    default = type(first).default_vpn_details.model_copy()
    first.break_vpn()
    second.connect_vpn()
    expected = {"broken": "poor", "next": _UNBROKEN, "default": default}
    found = {
        "broken": first.device.vpn_details.server_performance.value,
        "next": second.device.vpn_details.server_performance.value,
        "default": type(first).default_vpn_details,
    }
    yield from differences(expected, found)
