"""``jtau domains``: the localized domains that the installed tau2 now knows."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from jtau_plugin.cli import output
from jtau_plugin.cli.quiet import quiet_tau2
from jtau_plugin.compat import hooks, layout
from jtau_plugin.domains import localized_domains
from jtau_plugin.domains.registration import load_scenarios
from jtau_plugin.errors import OverlayError
from jtau_plugin.overlays.catalog import get_catalog

SUMMARY = "lists the registered localized domains"
SCHEMA = 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="jtau domains", description=SUMMARY.capitalize() + ".")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _describe(name: str) -> dict[str, object]:
    domain = localized_domains()[name]
    facts: dict[str, object] = {
        "name": name,
        "base": domain.base,
        "locale": domain.locale,
        "scenario": domain.scenario.id,
        "about": domain.scenario.title,
    }
    try:
        catalog = get_catalog(domain.source_locale, domain.overlay)
    except OverlayError as error:
        return {**facts, "title": None, "language": None, "version": None, "error": str(error)}
    is_localized = domain.scenario.surfaces.is_any
    return {
        **facts,
        "title": catalog.manifest.title if is_localized else domain.overlay,
        "language": catalog.about.language if is_localized else "English",
        "version": catalog.about.version,
        "error": None,
    }


def main(arguments: Sequence[str]) -> int:
    """List the domains.

    Returns:
        1 if the overlay of one of them cannot be used, else 0.

    Raises:
        LayoutError: if there is no tau2.
        OverlayError: if a file of scenarios cannot be used.
        SettingError: if ``JTAU_OVERLAY_PATH`` names a folder that does not exist.
    """
    given = _parser().parse_args(arguments)
    layout.require_tau2()
    with quiet_tau2():
        hooks.activate()
        known = layout.registry().get_domains()
    found = [_describe(name) for name in sorted(localized_domains()) if name in known]
    if given.json:
        output.print_json({"schema": SCHEMA, "domains": found})
    else:
        columns = ("name", "title", "language", "about", "version", "error")
        rows = [[str(domain[column] or "") for column in columns] for domain in found]
        output.print_table(rows)
        if not found:
            print("No localized domain is registered; 'jtau doctor' says why.")
    load_scenarios()  # raises what registering could only log
    return 1 if any(domain["error"] for domain in found) else 0
