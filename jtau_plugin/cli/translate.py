"""``jtau translate``: has a model translate what a locale lacks, and writes it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from jtau_plugin import __version__
from jtau_plugin.cli import output
from jtau_plugin.cli.extract import add_choice
from jtau_plugin.cli.quiet import quiet_tau2
from jtau_plugin.cli.translating import options, report
from jtau_plugin.cli.translating.progress import TranslationProgress
from jtau_plugin.compat import layout
from jtau_plugin.errors import SettingError
from jtau_plugin.translation.estimating import estimate
from jtau_plugin.translation.extraction.segment import COMPONENTS
from jtau_plugin.translation.listing import require_domains
from jtau_plugin.translation.locating import (
    find_locale,
    locale_facts,
    origin_of,
    reading_folder,
    require_locale,
)
from jtau_plugin.translation.planning import Source
from jtau_plugin.translation.session import Job, Session

SUMMARY = "has a model translate what a locale lacks"
#: Version of the JSON: raised when a key is renamed, removed or given another meaning.
SCHEMA = 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jtau translate",
        description="Has a model translate what a locale lacks or what has become stale: values "
        "and terms first, then prose with the words that are settled. A text that a person has "
        "reviewed or edited is never written over. Exits with 1 if something is left.",
    )
    parser.add_argument("--locale", required=True, metavar="LOCALE", help="such as 'th'")
    add_choice(parser, tuple(COMPONENTS))
    parser.add_argument("--dry-run", action="store_true", help="only say what it would take")
    parser.add_argument(
        "--again", action="store_true", help="also what a model has translated before"
    )
    parser.add_argument("--language", default="", help="English name of a new locale's language")
    parser.add_argument("--register", default="", help="how a new locale is spoken")
    options.add_writing_options(parser)
    options.add_model_options(parser)
    return parser


def make_session(
    given: argparse.Namespace,
    job: Job,
    progress: TranslationProgress | None = None,
    *,
    is_asked: bool = True,
    sources: dict[str, Source] | None = None,
) -> Session:
    """Return a session as a command line asks for it.

    Args:
        given: the command line.
        job: what is to be done.
        progress: is told how it goes.
        is_asked: whether the model will be.
        sources: what has been read of the installed domains.
    """
    return Session(
        job,
        options.model_settings(given, is_asked=is_asked),
        limits=options.limits(given),
        cache=None if given.no_cache else options.cache_dir(given),
        journal=options.journal_path(given, job.folder),
        progress=progress,
        sources=sources,
    )


def _dry_run(given: argparse.Namespace, job: Job) -> int:
    with quiet_tau2():
        session = make_session(given, job, is_asked=False)
        ledgers = session.ledgers()
        plans = [session.plan(domain, ledgers) for domain in job.domains]
        found = estimate(
            plans, job.target, given.model or "", options.limits(given), again=given.again
        )
    if given.json:
        data = [report.estimate_data(own) for own in found]
        output.print_json(
            {"schema": SCHEMA, "plugin": __version__, "locale": given.locale, "estimate": data}
        )
    else:
        report.print_estimates(found, given.model or "")
    return 0


def main(arguments: Sequence[str]) -> int:
    """Translate.

    Returns:
        1 if a segment could not be translated or written, else 0.

    Raises:
        SettingError: for options that mean nothing.
        TranslationError: if the model cannot be asked; what was paid is kept.
        OverlayError: if a file of the overlay cannot be used.
        LayoutError: if there is no tau2, or no such domain.
    """
    given = _parser().parse_args(arguments)
    require_locale(given.locale)
    if not given.model and not given.dry_run:
        raise SettingError("jtau translate wants --model; --dry-run goes without")
    if given.dry_run:
        folder = reading_folder(given.locale, given.out)
    else:
        folder = find_locale(given.locale, given.out)
    layout.require_tau2()
    with quiet_tau2():
        domains = tuple(require_domains(given.domain))
    job = Job(
        folder=folder,
        facts=locale_facts(
            given.locale, origin_of(given.locale, folder), given.language, given.register
        ),
        domains=domains,
        components=tuple(given.component) or tuple(COMPONENTS),
        structure=given.structure,
        again=given.again,
        accepts_old=given.accept_old,
        today=options.today(),
    )
    if given.dry_run:
        return _dry_run(given, job)
    with TranslationProgress(is_quiet=given.json) as progress, quiet_tau2():
        session = make_session(given, job, progress)
        reports = session.translate()
    if given.json:
        data = {
            "schema": SCHEMA,
            "plugin": __version__,
            "locale": given.locale,
            "model": given.model,
            "domains": [report.report_data(own) for own in reports],
            "spent": report.spent_data(session.spent),
        }
        output.print_json(data)
    else:
        report.print_reports(given.locale, reports, session.spent)
        print(report.hint(folder))
    return 0 if all(own.is_complete for own in reports) else 1
