"""``jtau patches``: lists, shows and verifies the repairs, and exports them for upstream."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from jtau_plugin.cli import output
from jtau_plugin.cli.patching import exporting, listing, showing, verifying
from jtau_plugin.cli.quiet import quiet_tau2
from jtau_plugin.compat import layout
from jtau_plugin.models.patches import REPAIR_CLASSES
from jtau_plugin.upstream.entries import find_entry
from jtau_plugin.upstream.fixes_page import fixes_page

SUMMARY = "lists, shows and verifies what is repaired, and exports it for upstream"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jtau patches",
        description="What this plugin repairs in tau2: code, tasks, documents, descriptions of "
        "tools. JTAU_PATCHES=-id,+class switches them.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    lists = actions.add_parser("list", help="every repair, whether it is on, and how it stands")
    _add_class(lists)
    form = lists.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--markdown", action="store_true", help="print the page FIXES.md")
    shows = actions.add_parser("show", help="everything about one repair")
    shows.add_argument("id", metavar="ID")
    shows.add_argument("--json", action="store_true", help="print JSON")
    verifies = actions.add_parser(
        "verify",
        help="hold every repair, on or off, against the installed tau2 and each other",
        description="Checks fingerprints, guards, self-checks and conflicts of every repair, on or "
        "off. Exits with 1 on a problem.",
    )
    verifies.add_argument("--json", action="store_true", help="print JSON")
    _add_export(actions.add_parser("export", help="make patches for a checkout of tau2-bench"))
    return parser


def _add_class(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--class",
        dest="classes",
        action="append",
        default=[],
        choices=REPAIR_CLASSES,
        help="only this class; may be given several times",
    )


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Makes a commit-sized patch of each repair for the last commit of a checkout of tau2-bench "
        "1.0, alone and in series, with the texts of issues and pull requests. The checkout is "
        "left as it is."
    )
    parser.add_argument("--repo", required=True, type=Path, metavar="DIR", help="the checkout")
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="where to write")
    parser.add_argument(
        "--id",
        dest="ids",
        action="append",
        default=[],
        metavar="ID",
        help="only this repair; may be given several times",
    )
    _add_class(parser)
    parser.add_argument("--force", action="store_true", help="write into a folder that is in use")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _list(given: argparse.Namespace) -> int:
    if given.markdown:
        sys.stdout.write(fixes_page())
        return 0
    found = listing.listed(given.classes)
    if given.json:
        output.print_json(listing.as_data(found))
    else:
        listing.print_list(found)
    return 0


def _show(given: argparse.Namespace) -> int:
    one = listing.listed_one(find_entry(given.id))
    if given.json:
        output.print_json(showing.as_data(one))
    else:
        showing.print_repair(one)
    return 0


def _verify(given: argparse.Namespace) -> int:
    layout.require_tau2()
    with quiet_tau2():
        installed = layout.detect_layout()
        found = verifying.verify()
    name = f"{installed.distribution} {installed.version}"
    if given.json:
        output.print_json(verifying.as_data(found, name))
    else:
        verifying.print_verification(found, name)
    return 1 if found.problems else 0


def _export(given: argparse.Namespace) -> int:
    done = exporting.make_export(given.repo, given.out, given.ids, given.classes, force=given.force)
    if given.json:
        output.print_json(exporting.as_data(done, given.out))
    else:
        exporting.print_export(done, given.out)
    return 0


_ACTIONS = {"list": _list, "show": _show, "verify": _verify, "export": _export}


def main(arguments: Sequence[str]) -> int:
    """Run one action on the repairs.

    Returns:
        1 if ``verify`` finds a problem, else 0.

    Raises:
        OverlayError: for a file below ``patches/`` that cannot be used.
        RepairError: for repairs that contradict each other.
        SettingError: for an id that is unknown, or a ``JTAU_PATCHES`` that means nothing.
        LayoutError: if there is no tau2 where one is needed.
        ProblemsError: for a checkout or folder that cannot be exported from or to.
    """
    given = _parser().parse_args(arguments)
    return _ACTIONS[given.action](given)
