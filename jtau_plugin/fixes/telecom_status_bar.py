"""A phone without a network shows no icon for mobile data, rather than one that says it is off.

Upstream shows the switch as off wherever there is no network, even while it is on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from jtau_plugin.compat.layout import module
from jtau_plugin.compat.scope import is_object_in_scope
from jtau_plugin.fixes._vectors import check_in_both, differences, toolkit_of_ours

_SEPARATOR = " | "
_OFF = "📵 Data Disabled"


def make(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that leaves the icon out while the switch is on."""

    def _check_status_bar(self: Any, *args: Any, **kwargs: Any) -> Any:
        shown = original(self, *args, **kwargs)
        if is_object_in_scope(self) and self.device.data_enabled:
            return _SEPARATOR.join(icon for icon in shown.split(_SEPARATOR) if icon != _OFF)
        return shown

    return _check_status_bar


def check() -> list[str]:
    """Return what is wrong with the status bar of a phone without SIM card."""
    return check_in_both(_check)


def _check(locale: str) -> Iterator[str]:
    data = module("tau2.domains.telecom.user_data_model")
    for is_on in (True, False):
        phone = toolkit_of_ours(
            "tau2.domains.telecom.user_tools",
            "TelecomUserTools",
            data.TelecomUserDB(),
            locale,
            "telecom",
        )
        phone.unseat_sim_card()
        phone.device.data_enabled = is_on
        found = {"data icon": _OFF in phone.check_status_bar()}
        yield from differences({"data icon": not is_on}, found)
