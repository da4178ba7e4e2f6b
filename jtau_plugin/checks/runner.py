"""Runs all checks of a locale over an overlay's segments, and applies the exemptions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from jtau_plugin.checks import (
    markup,
    numbers,
    people,
    speech,
    structure,
    terms,
    text,
    values,
    wording,
)
from jtau_plugin.checks.language import get_language
from jtau_plugin.checks.model import Check, Context, Finding, Segment
from jtau_plugin.models.checks import Exemption

NEUTRAL: tuple[Check, ...] = (
    *text.CHECKS,
    *markup.CHECKS,
    *numbers.CHECKS,
    *people.CHECKS,
    *speech.CHECKS,
    *structure.CHECKS,
    *terms.CHECKS,
    *values.CHECKS,
    *wording.CHECKS,
)
"""The checks that need to know nothing of a language."""


def checks_of(locale: str) -> tuple[Check, ...]:
    """Return every check of a locale: those of any language, then its own."""
    return (*NEUTRAL, *get_language(locale).checks)


def run_checks(segments: Sequence[Segment], context: Context) -> list[Finding]:
    """Return the findings of all checks among the segments of one overlay, without exemptions."""
    return [
        finding for check in checks_of(context.locale) for finding in check.run(segments, context)
    ]


@lru_cache(maxsize=1024)
def _address_pattern(pattern: str) -> re.Pattern[str]:
    # Addresses hold brackets of their own, so that only * is special here.
    return re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)


def is_exempted(finding: Finding, exemptions: Sequence[Exemption]) -> bool:
    """Return whether an exemption covers a finding."""
    return any(_covers(exemption, finding) for exemption in exemptions)


def _covers(exemption: Exemption, finding: Finding) -> bool:
    return (
        exemption.check == finding.check
        and (exemption.about is None or exemption.about in finding.message)
        and _address_pattern(exemption.address).fullmatch(finding.segment.address) is not None
    )


@dataclass(frozen=True)
class Exempted:
    """Findings with and without the exempted ones.

    Attributes:
        findings: what remains.
        used: how many findings each exemption took away.
    """

    findings: tuple[Finding, ...]
    used: tuple[int, ...]


def apply_exemptions(findings: Sequence[Finding], exemptions: Sequence[Exemption]) -> Exempted:
    """Take away the findings that an exemption covers; each counts for the first that does."""
    used = [0] * len(exemptions)
    left = []
    for finding in findings:
        index = next((i for i, e in enumerate(exemptions) if _covers(e, finding)), None)
        if index is None:
            left.append(finding)
        else:
            used[index] += 1
    return Exempted(tuple(left), tuple(used))
