"""``jtau check``: the mechanical checks of overlays, each finding with its file and line."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterator, Sequence

from jtau_plugin import __version__, resources
from jtau_plugin.checks.model import ERROR, WARNING, Finding, Severity
from jtau_plugin.cli import output
from jtau_plugin.cli.checking import fixes
from jtau_plugin.cli.quiet import quiet_tau2
from jtau_plugin.compat import layout
from jtau_plugin.translation.checking import Report, check_overlays, list_checks
from jtau_plugin.translation.fixing import FixReport, fix_overlays

SUMMARY = "checks the texts of overlays against their English and the locale's own rules"
#: Version of the JSON: raised when a key is renamed, removed or given another meaning.
SCHEMA = 1
_EXCERPT = 60
_HEADINGS = {ERROR: "Errors", WARNING: "Warnings"}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jtau check",
        description="Checks the texts of overlays against the installed English and the locale's "
        "own rules. Exits with 1 if there is an error, or one is left by --fix; warnings are none.",
    )
    parser.add_argument(
        "overlay",
        nargs="?",
        metavar="LOCALE[/DOMAIN]",
        help="what to check, 'ja' or 'ja/retail'; every overlay when left out",
    )
    parser.add_argument(
        "--fix",
        action="store_true",
        help="mend what can be derived; a text that a person has reviewed or edited is only listed",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="with --fix: show what would be mended"
    )
    parser.add_argument("--list", action="store_true", help="list the checks, and check nothing")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _locale(report: Report) -> str:
    return report.overlays[0].partition("/")[0] if report.overlays else ""


def _as_data(finding: Finding) -> dict[str, object]:
    segment = finding.segment
    return {
        "check": finding.check,
        "severity": finding.severity.value,
        "address": segment.address,
        "kind": segment.kind,
        "file": segment.file,
        "line": segment.line,
        "message": finding.message,
        "hint": finding.hint,
        "text": segment.target,
    }


def as_data(
    reports: Sequence[Report], installed: str, fixed: Sequence[FixReport] | None = None
) -> dict[str, object]:
    """Return the reports as plain data: the format of ``--json``.

    Args:
        reports: what was found, after the fixes if there were any.
        installed: the tau2 that was found.
        fixed: what became of ``--fix``; ``None`` without it.
    """
    titles: dict[str, str] = {}
    for report in reports:
        titles |= {about.name: about.title for about in list_checks([_locale(report)])}
    made: dict[str, object] = {} if fixed is None else {"fixes": fixes.as_data(fixed)}
    return {
        "schema": SCHEMA,
        "plugin": __version__,
        "tau2": installed,
        "ok": not any(report.count(ERROR) for report in reports),
        "overlays": [name for report in reports for name in report.overlays],
        "errors": sum(report.count(ERROR) for report in reports),
        "warnings": sum(report.count(WARNING) for report in reports),
        "findings": [_as_data(finding) for report in reports for finding in report.findings],
        "exemptions": [
            {
                "check": use.exemption.check,
                "address": use.exemption.address,
                "about": use.exemption.about,
                "reason": use.exemption.reason,
                "findings": use.count,
            }
            for report in reports
            for use in report.exemptions
        ],
        "checks": titles,
        **made,
    }


def _lines(finding: Finding) -> Iterator[str]:
    where = f"{output.shown_path(finding.segment.file)}:{finding.segment.line}"
    hint = f" ({finding.hint})" if finding.hint else ""
    yield f"  {where}: [{finding.check}] {finding.message}{hint}"
    text = " ".join(finding.segment.target.split())
    if text:
        yield f"      {text[:_EXCERPT]}{'…' if len(text) > _EXCERPT else ''}"


def _print_findings(findings: Sequence[Finding], severity: Severity) -> None:
    mine = [finding for finding in findings if finding.severity is severity]
    if mine:
        print(f"{_HEADINGS[severity]} ({len(mine)})")
        for finding in mine:
            for line in _lines(finding):
                print(line)
        print()


def _print_report(reports: Sequence[Report]) -> None:
    findings = [finding for report in reports for finding in report.findings]
    for severity in (ERROR, WARNING):
        _print_findings(findings, severity)
    uses = [use for report in reports for use in report.exemptions]
    if uses:
        print(f"Exemptions ({len(uses)}, for {sum(use.count for use in uses)} findings)")
        for use in uses:
            about = f", {use.exemption.about}" if use.exemption.about else ""
            print(f"  [{use.exemption.check}] {use.exemption.address}{about}")
            print(f"      {use.exemption.reason}")
        print()
    names = ", ".join(name for report in reports for name in report.overlays) or "no overlay"
    errors = sum(report.count(ERROR) for report in reports)
    warnings = sum(report.count(WARNING) for report in reports)
    print(f"Checked {names}: {errors} errors, {warnings} warnings.")


def _list(given: argparse.Namespace, locale: str) -> int:
    checks = list_checks([locale] if locale else [name for name, _ in resources.iter_locales()])
    if given.json:
        output.print_json({"schema": SCHEMA, "checks": [dataclasses.asdict(c) for c in checks]})
        return 0
    output.print_table([(c.name, c.severity, c.language, c.title) for c in checks])
    return 0


def main(arguments: Sequence[str]) -> int:
    """Check overlays and print what was found; with ``--fix``, mend first what can be derived.

    Returns:
        1 if there is an error, or one is left, else 0.

    Raises:
        OverlayError: if there is no such overlay.
        LayoutError: if there is no tau2.
        SettingError: if ``JTAU_OVERLAY_PATH`` names a folder that does not exist, or if the overlay
            is no place for edits.
        TranslationError: if another run is writing into the overlay.
    """
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.dry_run and not given.fix:
        parser.error("--dry-run goes with --fix")
    locale, _, domain = (given.overlay or "").strip("/").partition("/")
    if given.list:
        return _list(given, locale)
    layout.require_tau2()
    with quiet_tau2():
        fixed = None
        if given.fix:
            fixed = fix_overlays(locale or None, domain or None, writes=not given.dry_run)
        reports = check_overlays(locale or None, domain or None)
        installed = layout.detect_layout()
    if given.json:
        data = as_data(reports, f"{installed.distribution} {installed.version}", fixed)
        output.print_json(data)
    else:
        fixes.print_fixes(fixed or [])
        _print_report(reports)
    return 1 if any(report.count(ERROR) for report in reports) else 0
