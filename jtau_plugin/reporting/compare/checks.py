"""Which check a conversation lost, and whose loss it is, as it is recorded.

Reads a simulation as it stands in a file of any layout; what is not recorded stays unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from jtau_plugin.reporting.reading import as_list, as_mapping, as_mappings, as_number
from jtau_plugin.scoring.causes import GRADED, Outcome, is_success
from jtau_plugin.scoring.inventory import Cell


class Blame(str, Enum):
    """Whose loss it is; unclear where a caller that broke its rules may have caused it."""

    AGENT = "agent"
    UNCLEAR = "agent or caller"
    CALLER = "caller"
    NOBODY = "not graded"


@dataclass(frozen=True)
class LostCheck:
    """One thing that was not met.

    Attributes:
        kind: ``DB``, ``COMMUNICATE``, ``ACTION``, ``ENV_ASSERTION``, ``NL_ASSERTION``, ``END`` for
            a conversation that did not end by itself, ``CALLER`` or ``UNGRADED``.
        detail: what exactly; may be empty.
    """

    kind: str
    detail: str = ""
    blame: Blame = Blame.AGENT

    @property
    def name(self) -> str:
        """The kind, as a report calls it."""
        return CHECK_NAMES.get(self.kind, self.kind)


#: What the kinds are called.
CHECK_NAMES = {
    "DB": "database",
    "COMMUNICATE": "not communicated",
    "ACTION": "missing action",
    "ENV_ASSERTION": "environment",
    "NL_ASSERTION": "assertion",
    "END": "premature end",
    "UNGRADED": "not graded",
    "CALLER": "caller's fault",
    "UNKNOWN": "unknown check",
}
#: By kind: the field of a reward, and whether a check in it is met.
_FIELDS = {
    "COMMUNICATE": ("communicate_checks", "met"),
    "ACTION": ("action_checks", "action_match"),
    "ENV_ASSERTION": ("env_assertions", "met"),
    "NL_ASSERTION": ("nl_assertions", "met"),
}
KINDS = ("DB", *_FIELDS)


def lost_checks(cell: Cell, simulation: Mapping[str, Any] | None) -> tuple[LostCheck, ...]:
    """Return what a cell that has not passed lost; nothing for one that has.

    Args:
        cell: what the inventory says of it.
        simulation: the conversation as it stands in the file; ``None`` for a missing one.
    """
    if cell.outcome is Outcome.PASSED:
        return ()
    if cell.outcome is Outcome.USER_ERROR:
        return (LostCheck("CALLER", cell.reason, Blame.CALLER),)
    if cell.outcome not in GRADED:
        return (LostCheck("UNGRADED", f"{cell.outcome.value}: {cell.reason}", Blame.NOBODY),)
    if cell.reason:
        return (LostCheck("END", cell.reason),)
    reward = as_mapping((simulation or {}).get("reward_info"))
    return tuple(_lost(reward)) or (LostCheck("UNKNOWN", "the file does not say which"),)


def counted_kinds(reward: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the kinds of checks that a reward is made of, as far as it says so."""
    breakdown = as_mapping(reward.get("reward_breakdown"))
    names = breakdown or as_list(reward.get("reward_basis")) or KINDS
    return tuple(str(name) for name in names)


def _lost(reward: Mapping[str, Any]) -> Iterator[LostCheck]:
    breakdown = as_mapping(reward.get("reward_breakdown"))
    for kind in counted_kinds(reward):
        value = as_number(breakdown.get(kind))
        if value is not None and is_success(value):
            continue
        details = list(unmet(reward, kind))
        if details or value is not None:
            yield LostCheck(kind, "; ".join(details))


def unmet(reward: Mapping[str, Any], kind: str) -> Iterator[str]:
    """Yield what of a kind is not met, one text for each check."""
    if kind == "DB":
        check = as_mapping(reward.get("db_check"))
        if check.get("db_match") is False:
            yield _database_detail(reward)
        return
    field, verdict = _FIELDS.get(kind, ("", ""))
    for check in as_mappings(reward.get(field)):
        if check.get(verdict) is False:
            yield describe_check(kind, check)


def _database_detail(reward: Mapping[str, Any]) -> str:
    missing = [
        describe_check("ACTION", check)
        for check in as_mappings(reward.get("action_checks"))
        if check.get("action_match") is False
    ]
    return f"unlike gold: {', '.join(missing)}" if missing else ""


def describe_check(kind: str, check: Mapping[str, Any]) -> str:
    """Return what one check asks for, in a few words."""
    if kind == "COMMUNICATE":
        return str(check.get("info", ""))
    if kind == "ACTION":
        return str(as_mapping(check.get("action")).get("name", ""))
    if kind == "ENV_ASSERTION":
        assertion = as_mapping(check.get("env_assertion"))
        return str(assertion.get("message") or assertion.get("func_name") or "")
    return str(check.get("nl_assertion", ""))
