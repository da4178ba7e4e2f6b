"""``jtau review``: hands texts out to a reviewer, and takes the review back in."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from jtau_plugin import __version__, resources
from jtau_plugin.cli import output
from jtau_plugin.cli.quiet import quiet_tau2
from jtau_plugin.cli.reviewing import options, report
from jtau_plugin.cli.translating.options import today
from jtau_plugin.compat import layout
from jtau_plugin.errors import OverlayError, Problem, ReviewError, SettingError
from jtau_plugin.review.book import Book
from jtau_plugin.review.exporting import Sample, dump_book, make_book
from jtau_plugin.review.importing import Importer, Job, Prepared, file_locale
from jtau_plugin.review.reading import read_review
from jtau_plugin.review.rejects import keep_rejects, write_new
from jtau_plugin.review.words import Reader
from jtau_plugin.translation.english import read_english
from jtau_plugin.translation.extraction.segment import COMPONENTS
from jtau_plugin.translation.extraction.structure import find_structure
from jtau_plugin.translation.items import State
from jtau_plugin.translation.ledger import Ledgers
from jtau_plugin.translation.listing import base_domains, require_domains
from jtau_plugin.translation.locating import find_locale, origin_of, start_from_existing
from jtau_plugin.translation.planning import Plan, make_plan

SUMMARY = "hands texts out for review and takes the review back in"
#: Version of the JSON: raised when a key is renamed, removed or given another meaning.
SCHEMA = 1


def _existing(locale: str, out: Path | None) -> Path:
    """Return the folder of a locale that is only read."""
    folders = dict(resources.iter_locales())
    if out is not None:
        folders[locale] = out.expanduser().resolve() / locale
    return _require_locale(locale, folders.get(locale))


def _require_locale(locale: str, folder: Path | None) -> Path:
    if folder is None or not (folder / "locale.yaml").is_file():
        known = ", ".join(dict(resources.iter_locales())) or "none"
        problem = Problem(f"locale {locale!r}", f"no overlay; found: {known}", "name it: --out DIR")
        raise OverlayError("An overlay is missing.", [problem])
    return folder


# --- export


def _plans(given: argparse.Namespace, folder: Path) -> list[Plan]:
    own = list(resources.iter_domains(folder))
    asked = require_domains(given.domain) if given.domain else base_domains()
    missing = [name for name in asked if name not in own] if given.domain else []
    if missing:
        what = f"no overlay; {given.locale} has: {', '.join(own) or 'none'}"
        problems = [Problem(f"{given.locale}/{name}", what) for name in missing]
        raise OverlayError("An overlay is missing.", problems)
    domains = [name for name in own if name in asked]
    ledgers = Ledgers(folder, domains)
    components = tuple(given.component) or tuple(COMPONENTS)
    plans = []
    for domain in domains:
        report.progress(f"reading the installed English of {domain}")
        structure = find_structure(domain, given.structure)
        plans.append(
            make_plan(folder, read_english(domain), structure, ledgers, components=components)
        )
    return plans


def _export_data(book: Book, plans: Sequence[Plan], path: Path, form: str) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "plugin": __version__,
        "locale": book.locale,
        "file": str(path),
        "format": form,
        "sheets": [
            {
                "file": file,
                "texts": len({row.address for row in rows}),
                "total": book.totals[file],
                "rows": len(rows),
                "locked": len({row.address for row in rows if row.is_locked}),
            }
            for file, rows in book.files().items()
        ],
        "untranslated": _untranslated(plans),
        "problems": [str(problem) for plan in plans for problem in plan.problems],
    }


def _untranslated(plans: Sequence[Plan]) -> int:
    missing = {i.address for p in plans for i in p.of(State.MISSING)}
    return len(missing)


def _export(given: argparse.Namespace) -> int:
    form = options.chosen_format(given)
    path = given.output.expanduser()
    if path.exists() and not given.force:
        problem = Problem(str(path), "is there already", "name another file, or use --force")
        raise ReviewError("Nothing was written.", [problem])
    layout.require_tau2()
    with quiet_tau2():
        folder = _existing(given.locale, given.out)
        plans = _plans(given, folder)
        drawn = Sample(given.sample, given.seed)
        book = make_book(given.locale, folder, plans, drawn, today())
    data = dump_book(book, form)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not write_new(path, data, over=given.force):
        raise ReviewError("Nothing was written.", [Problem(str(path), "is there already")])
    found = _export_data(book, plans, path, form)
    if given.json:
        output.print_json(found)
    else:
        _print_export(book, plans, path)
    return 0


def _print_export(book: Book, plans: Sequence[Plan], path: Path) -> None:
    rows = []
    for file, own in book.files().items():
        count, total = len({row.address for row in own}), book.totals[file]
        of = f" of {total}, seed {book.seed}" if count < total else ""
        rows.append((file, f"{count}{of}"))
    output.print_table(rows)
    for plan in plans:
        for problem in plan.problems:
            print(f"jtau: {problem}", file=sys.stderr)
    locked = len({row.address for row in book.rows if row.is_locked})
    if locked:
        print(f"{locked} texts are locked: their English has changed since they were translated.")
    if missing := _untranslated(plans):
        print(f"{missing} texts are not translated yet and were left out.")
    print(f"{len({row.address for row in book.rows})} texts written to {path}")


# --- import


def _may_write(given: argparse.Namespace, prepared: Prepared) -> bool:
    """Ask whether what was shown is to be written."""
    if given.yes:
        return True
    if not sys.stdin.isatty():
        raise SettingError("nothing was written: there is no terminal to ask on (use --yes)")
    question = f"Write this into the overlay ({report.summary(prepared)})? [y/N] "
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _import(given: argparse.Namespace) -> int:
    reviewer = options.plain_line("--reviewer", given.reviewer)
    round_ = options.plain_line("--round", given.round) if given.round is not None else None
    reader = Reader()
    file = read_review(given.file.expanduser(), reader)
    locale = file_locale(file)
    layout.require_tau2()
    with quiet_tau2():
        if given.dry_run and given.out is None:
            target = _existing(locale, None)  # a packaged overlay can be read
        else:
            target = find_locale(locale, given.out)
        job = Job(
            locale=locale,
            folder=_require_locale(locale, origin_of(locale, target)),
            installed=tuple(base_domains()),
            reviewer=reviewer,
            round=round_,
            date=today(),
            structure=given.structure,
        )
        importer = Importer(job, reader, report.progress)
        prepared = importer.prepare(file)
    stream = sys.stderr if given.json else sys.stdout
    report.print_diffs(prepared, stream)
    report.print_findings(prepared, stream)
    has_something = bool(prepared.files or prepared.refused)
    if given.dry_run or not has_something:
        return _finish(given, file.ignored, prepared, [], None)
    if not _may_write(given, prepared):
        print("jtau: nothing was written", file=sys.stderr)
        return 1
    rejects = None
    if prepared.refused:
        path = given.file.expanduser()
        if given.rejects is not None:
            path = given.rejects.expanduser() / path.name
        rejects = keep_rejects(path, prepared.refused, file, importer.words, reader)
    start_from_existing(locale, target)
    files = importer.write(prepared, target)
    return _finish(given, file.ignored, prepared, files, rejects)


def _finish(
    given: argparse.Namespace,
    ignored: Sequence[str],
    prepared: Prepared,
    files: Sequence[Path],
    rejects: Path | None,
) -> int:
    if given.json:
        own = report.import_data(prepared, files, rejects, ignored)
        head = {"schema": SCHEMA, "plugin": __version__, "dry_run": given.dry_run}
        output.print_json({**head, **own})
    else:
        if ignored:
            print(f"Left aside: {', '.join(map(report.shown, ignored))}")
        print(f"{report.summary(prepared)}; {len(files)} files written.")
        if given.out is not None and files:
            print(
                f"The locale is now in {given.out}: JTAU_OVERLAY_PATH={given.out} makes it count."
            )
        if rejects is not None:
            print(f"What was not taken is in {rejects}")
        if files and prepared.corrected:
            print(
                "The texts have changed: raise the locale's version and say so in its changelog, "
                "then run jtau check."
            )
    return 1 if prepared.refused else 0


_ACTIONS = {"export": _export, "import": _import}


def main(arguments: Sequence[str]) -> int:
    """Export or import a review.

    Returns:
        1 if something of a review was not taken, else 0.

    Raises:
        ReviewError: for a file that cannot be read, taken or written.
        OverlayError: if there is no such locale, or a file of it cannot be used.
        SettingError: for options that mean nothing, a library that is not installed, and where
            there is nobody to ask.
        LayoutError: if there is no tau2, or no such domain.
    """
    given = options.parser().parse_args(arguments)
    return _ACTIONS[given.action](given)
