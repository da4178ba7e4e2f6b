"""``jtau check``: the mechanical checks of overlays, each finding with its file and line."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from jtau_plugin import __version__
from jtau_plugin.checks.model import ERROR, WARNING, Finding, Severity
from jtau_plugin.checks.runner import checks_of
from jtau_plugin.cli import output
from jtau_plugin.cli.quiet import quiet_tau2
from jtau_plugin.compat import layout
from jtau_plugin.translation.checking import TITLES, Report, check_overlays

SUMMARY = "checks the texts of overlays against their English and the locale's own rules"
#: Version of the JSON: raised when a key is renamed, removed or given another meaning.
SCHEMA = 1
_EXCERPT = 60
_HEADINGS = {ERROR: "Errors", WARNING: "Warnings"}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jtau check",
        description="Checks the texts of overlays against the installed English and the locale's "
        "own rules. Exits with 1 if there is an error; warnings are none.",
    )
    parser.add_argument(
        "overlay",
        nargs="?",
        metavar="LOCALE[/DOMAIN]",
        help="what to check, 'ja' or 'ja/retail'; every overlay when left out",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _titles(locale: str) -> dict[str, str]:
    return {**{check.name: check.title for check in checks_of(locale)}, **TITLES}


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


def as_data(reports: Sequence[Report], installed: str) -> dict[str, object]:
    """Return the reports as plain data: the format of ``--json``."""
    titles: dict[str, str] = {}
    for report in reports:
        titles |= _titles(_locale(report))
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
    }


def _shown_path(file: str) -> str:
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except ValueError:
        return file


def _lines(finding: Finding) -> Iterator[str]:
    where = f"{_shown_path(finding.segment.file)}:{finding.segment.line}"
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


def main(arguments: Sequence[str]) -> int:
    """Check overlays and print what was found.

    Returns:
        1 if there is an error, else 0.

    Raises:
        OverlayError: if there is no such overlay.
        LayoutError: if there is no tau2.
        SettingError: if ``JTAU_OVERLAY_PATH`` names a folder that does not exist.
    """
    given = _parser().parse_args(arguments)
    locale, _, domain = (given.overlay or "").strip("/").partition("/")
    layout.require_tau2()
    with quiet_tau2():
        reports = check_overlays(locale or None, domain or None)
        installed = layout.detect_layout()
    if given.json:
        output.print_json(as_data(reports, f"{installed.distribution} {installed.version}"))
    else:
        _print_report(reports)
    return 1 if any(report.count(ERROR) for report in reports) else 0
