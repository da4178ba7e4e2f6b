"""Checks overlays: brings segments, words and exemptions together and collects what is found.

Whatever is wrong with an overlay becomes a finding; nothing is raised for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from jtau_plugin import resources
from jtau_plugin.checks.language import get_language
from jtau_plugin.checks.model import ERROR, WARNING, Context, Finding, Segment, Severity
from jtau_plugin.checks.runner import NEUTRAL, apply_exemptions, run_checks
from jtau_plugin.errors import OverlayError, Problem, ProblemsError
from jtau_plugin.models.checks import Exemption
from jtau_plugin.overlays.catalog import Catalog, get_catalog
from jtau_plugin.overlays.yamlfile import YamlFile
from jtau_plugin.translation.context import load_exemptions, make_context
from jtau_plugin.translation.english import English, read_english
from jtau_plugin.translation.fit import Pairs, check_fit
from jtau_plugin.translation.inventory import (
    digest_problems,
    file_problems,
    raw_problems,
    record_problems,
)
from jtau_plugin.translation.segments import collect_segments, pair_texts

#: Findings that no single check makes, with their titles.
TITLES: Mapping[str, str] = {
    "overlay": "The overlay's files can be used.",
    "files": "Every file is UTF-8 without a byte order mark, and its lines end in LF.",
    "fit": "The overlay renders the installed English, all of it and nothing else.",
    "record": "What is recorded of the files is so.",
    "sources": "The installed files are those that the manifest has on record.",
    "unused-exemption": "Every exemption exempts something.",
}
#: Those of them that do not fail.
WARNINGS: frozenset[str] = frozenset({"sources"})
_WHERE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?:: (?P<key>.*))?")


@dataclass(frozen=True)
class ExemptionUse:
    """An exemption and how many findings it covers."""

    exemption: Exemption
    count: int


@dataclass(frozen=True)
class Report:
    """What was found in the overlays of one locale.

    Attributes:
        overlays: what was checked, ``ja/retail``.
        findings: errors first, then by file and line.
        exemptions: those that covered something.
    """

    overlays: tuple[str, ...]
    findings: tuple[Finding, ...]
    exemptions: tuple[ExemptionUse, ...]

    def count(self, severity: Severity) -> int:
        """Return how many findings have this severity."""
        return sum(finding.severity is severity for finding in self.findings)


@lru_cache(maxsize=16)
def _english(domain: str) -> English:
    return read_english(domain)


def _finding(check: str, problem: Problem) -> Finding:
    match = _WHERE.fullmatch(problem.where)
    file, line = (match["file"], int(match["line"])) if match else (problem.where, 1)
    segment = Segment(
        address=(match and match["key"]) or problem.where,
        kind=check,
        source="",
        target="",
        file=file,
        line=line,
    )
    severity = WARNING if check in WARNINGS else ERROR
    return Finding(check, severity, segment, problem.what, problem.hint)


def _findings(check: str, problems: Iterable[Problem]) -> list[Finding]:
    return [_finding(check, problem) for problem in problems]


@dataclass(frozen=True)
class Collected:
    """The texts of one domain's overlay, and what the checks know about it.

    Attributes:
        catalog: the overlay.
        english: what it renders.
        pairs: what tau2 says in the domain, each with the overlay's text.
        segments: every text beside its English.
        context: what the checks know.
    """

    catalog: Catalog
    english: English
    pairs: Pairs
    segments: Sequence[Segment]
    context: Context


def collect(locale: str, domain: str) -> Collected:
    """Return the texts of one domain's overlay.

    Raises:
        OverlayError: if a file of it cannot be used.
        LayoutError: if the installed tau2 has no such domain.
    """
    catalog = get_catalog(locale, domain)
    english = _english(domain)
    pairs = pair_texts(catalog, english)
    segments = collect_segments(catalog, english, pairs)
    return Collected(catalog, english, pairs, segments, make_context(catalog, english))


def check_domain(locale: str, domain: str) -> list[Finding]:
    """Return the findings in the overlay of one domain, without exemptions."""
    try:
        found = collect(locale, domain)
        problems = check_fit(found.catalog, found.english, found.pairs)
        record = list(record_problems(found.catalog))
    except ProblemsError as error:
        return _findings("overlay", error.problems)
    return [
        *_findings("fit", problems),
        *_findings("record", record),
        *_findings("sources", digest_problems(found.catalog, found.english)),
        *run_checks(found.segments, found.context),
    ]


def _once(findings: Iterable[Finding]) -> list[Finding]:
    """Return each finding once: the locale's shared files are seen with every domain."""
    seen: dict[tuple[str, str, int, str], Finding] = {}
    for finding in findings:
        segment = finding.segment
        key = (finding.check, f"{segment.file} {segment.address}", segment.line, finding.message)
        seen.setdefault(key, finding)
    return list(seen.values())


def _order(finding: Finding) -> tuple[bool, str, int, str]:
    return finding.severity is not ERROR, finding.segment.file, finding.segment.line, finding.check


def _unused(
    exemptions: Sequence[Exemption],
    used: Sequence[int],
    file: YamlFile | None,
    domains: Sequence[str],
    is_whole: bool,
) -> Iterator[Finding]:
    for index, (exemption, count) in enumerate(zip(exemptions, used, strict=True)):
        domain = exemption.address.partition("/")[0]
        is_looked_for = domain in domains or is_whole
        if count or exemption.optional or not is_looked_for or file is None:
            continue
        what = f"exempts nothing: {exemption.check} at {exemption.address}"
        where = file.where(("exemptions", index))
        yield _finding("unused-exemption", Problem(where, what, "remove it"))


def check_locale(locale: str, folder: Path, domains: Sequence[str]) -> Report:
    """Check the overlays of some domains of a locale.

    Args:
        locale: id of the locale.
        folder: its folder.
        domains: the domains to check.
    """
    found = [finding for domain in domains for finding in check_domain(locale, domain)]
    found += _findings("overlay", file_problems(folder, domains))
    found += _findings("files", raw_problems([folder, *(folder / d for d in domains)]))
    findings = _once(found)
    try:
        exemptions, file = load_exemptions(folder)
    except OverlayError:
        exemptions, file = (), None  # what is wrong with it is found already
    result = apply_exemptions(findings, exemptions)
    is_whole = set(domains) >= set(resources.iter_domains(folder))
    left = [*result.findings, *_unused(exemptions, result.used, file, domains, is_whole)]
    uses = (ExemptionUse(e, count) for e, count in zip(exemptions, result.used, strict=True))
    return Report(
        overlays=tuple(f"{locale}/{domain}" for domain in domains),
        findings=tuple(sorted(left, key=_order)),
        exemptions=tuple(use for use in uses if use.count),
    )


def find_overlays(
    locale: str | None = None, domain: str | None = None
) -> list[tuple[str, Path, list[str]]]:
    """Return (locale, folder, domains) of every overlay, of a locale, or of one domain of it.

    Raises:
        OverlayError: if there is no such locale or domain.
    """
    folders = dict(resources.iter_locales())
    if locale is not None and locale not in folders:
        what = f"no overlay; found: {', '.join(folders) or 'none'}"
        raise OverlayError("An overlay is missing.", [Problem(f"locale {locale!r}", what)])
    found = []
    for name in [locale] if locale is not None else folders:
        domains = list(resources.iter_domains(folders[name]))
        if domain is not None and domain not in domains:
            what = f"no overlay; {name} has: {', '.join(domains) or 'none'}"
            raise OverlayError("An overlay is missing.", [Problem(f"{name}/{domain}", what)])
        found.append((name, folders[name], [domain] if domain else domains))
    return found


def check_overlays(locale: str | None = None, domain: str | None = None) -> list[Report]:
    """Check every overlay, those of a locale, or that of one domain of it.

    Raises:
        OverlayError: if there is no such locale or domain.
        LayoutError: if there is no tau2.
    """
    return [check_locale(*found) for found in find_overlays(locale, domain)]


@dataclass(frozen=True)
class About:
    """What a check is.

    Attributes:
        name: ``numbers``.
        severity: ``error``, or ``warning``, which does not fail.
        language: the locale whose texts it is for; ``any`` if it needs to know nothing of a
            language.
        title: what holds when it passes.
    """

    name: str
    severity: str
    language: str
    title: str


def list_checks(locales: Iterable[str]) -> list[About]:
    """Return every check of some locales: of the files, of any language, and of their own."""
    found = [
        About(name, (WARNING if name in WARNINGS else ERROR).value, "any", title)
        for name, title in TITLES.items()
    ]
    found += [About(c.name, c.severity.value, "any", c.title) for c in NEUTRAL]
    for locale in locales:
        own = get_language(locale).checks
        found += [About(c.name, c.severity.value, locale, c.title) for c in own]
    return found
