"""``jtau sync``: what tau2's new sources make stale, missing or obsolete, and only that again."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from jtau_plugin import __version__, resources
from jtau_plugin.cli import output
from jtau_plugin.cli.extract import add_choice
from jtau_plugin.cli.quiet import quiet_tau2
from jtau_plugin.cli.translate import make_session
from jtau_plugin.cli.translating import options, report
from jtau_plugin.cli.translating.progress import TranslationProgress
from jtau_plugin.compat import layout
from jtau_plugin.errors import OverlayError, Problem, SettingError
from jtau_plugin.translation.extraction.segment import COMPONENTS
from jtau_plugin.translation.items import State
from jtau_plugin.translation.listing import base_domains, require_domains
from jtau_plugin.translation.locating import (
    find_locale,
    locale_facts,
    origin_of,
    require_locale,
)
from jtau_plugin.translation.planning import Plan, Source
from jtau_plugin.translation.session import DomainReport, Job, Session

SUMMARY = "renews what tau2's new sources make stale, missing or obsolete"
#: Version of the JSON: raised when a key is renamed, removed or given another meaning.
SCHEMA = 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jtau sync",
        description="Compares overlays with the installed tau2 and renews what it makes stale, "
        "missing or obsolete, and nothing else. Texts that a person has reviewed are left to a "
        "person. Exits with 1 if something is left.",
    )
    parser.add_argument(
        "--locale", action="append", default=[], metavar="LOCALE", help="all when left out"
    )
    add_choice(parser, tuple(COMPONENTS))
    parser.add_argument("--check", action="store_true", help="only list it; 1 if there is any")
    parser.add_argument(
        "--prune",
        action="store_true",
        help="remove what is obsolete even where the file can keep it for another layout",
    )
    options.add_writing_options(parser)
    options.add_model_options(parser)
    return parser


def _locales(given: argparse.Namespace) -> list[str]:
    for name in given.locale:
        require_locale(name)
    folders = dict(resources.iter_locales())
    if given.out is not None:
        own = given.out.expanduser()
        folders |= {p.name: p for p in own.glob("*") if (p / "locale.yaml").is_file()}
    unknown = [name for name in given.locale if name not in folders]
    if unknown:
        what = f"no overlay; found: {', '.join(folders) or 'none'}"
        raise OverlayError(
            "An overlay is missing.", [Problem(f"locale {n!r}", what) for n in unknown]
        )
    return list(dict.fromkeys(given.locale)) or list(folders)


def _job(given: argparse.Namespace, locale: str) -> Job:
    # Reading needs no permission to write: a packaged overlay can be checked.
    if given.check and given.out is None:
        folder = dict(resources.iter_locales())[locale]
    else:
        folder = find_locale(locale, given.out)
    origin = origin_of(locale, folder)
    own = tuple(resources.iter_domains(origin))
    wanted = require_domains(given.domain) if given.domain else own
    domains = [domain for domain in own if domain in wanted]
    if not domains:
        what = f"none of the domains {', '.join(wanted)}; it has {', '.join(own) or 'none'}"
        raise OverlayError("An overlay is missing.", [Problem(f"locale {locale!r}", what)])
    installed = base_domains()
    return Job(
        folder=origin if given.check else folder,
        facts=locale_facts(locale, origin),
        domains=tuple(domain for domain in domains if domain in installed),
        components=tuple(given.component) or tuple(COMPONENTS),
        structure=given.structure,
        accepts_old=given.accept_old,
        prunes=given.prune,
        today=options.today(),
    )


def _is_in_sync(plan: Plan) -> bool:
    is_current = all(item.state is State.CURRENT for item in plan.items)
    return is_current and not plan.obsolete and not plan.problems


def _needs_model(plan: Plan) -> bool:
    return any(True for _ in plan.of(State.STALE, State.MISSING))


def _plans(session: Session) -> list[Plan]:
    with quiet_tau2():
        ledgers = session.ledgers()
        return [session.plan(domain, ledgers) for domain in session.job.domains]


def _print(given: argparse.Namespace, found: list[dict[str, object]]) -> None:
    if given.json:
        output.print_json({"schema": SCHEMA, "plugin": __version__, "locales": found})


def _renew(
    given: argparse.Namespace, job: Job, sources: dict[str, Source], *, is_asked: bool
) -> tuple[list[DomainReport], Session]:
    with TranslationProgress(is_quiet=given.json) as progress, quiet_tau2():
        session = make_session(given, job, progress, is_asked=is_asked, sources=sources)
        return session.translate(), session


def main(arguments: Sequence[str]) -> int:
    """Bring overlays up to date.

    Returns:
        1 if something is not as it should be, or with ``--check`` was not; else 0.

    Raises:
        OverlayError: if there is no such locale, or a file of it cannot be used.
        SettingError: if something has to be translated and no model is named.
        TranslationError: if the model cannot be asked; what was paid is kept.
        LayoutError: if there is no tau2.
    """
    given = _parser().parse_args(arguments)
    layout.require_tau2()
    found: list[dict[str, object]] = []
    is_done = True
    sources: dict[str, Source] = {}
    for locale in _locales(given):
        with quiet_tau2():
            job = _job(given, locale)
        reading = Job(**{**vars(job), "folder": origin_of(locale, job.folder)})
        plans = _plans(make_session(given, reading, is_asked=False, sources=sources))
        is_asked = any(map(_needs_model, plans))
        seen: set[str] = set()
        listed = [report.plan_data(plan, seen) for plan in plans]
        own: dict[str, object] = {"locale": locale, "found": listed}
        found.append(own)
        if not given.json:
            for plan, data in zip(plans, listed, strict=True):
                report.print_plan(f"{locale}/{plan.domain}", data)
        if given.check:
            is_done = is_done and all(map(_is_in_sync, plans))
            continue
        if not given.model and is_asked:
            _print(given, found)
            raise SettingError("something has to be translated: name a model with --model")
        reports, session = _renew(given, job, sources, is_asked=is_asked)
        own["domains"] = [report.report_data(domain) for domain in reports]
        own["spent"] = report.spent_data(session.spent)
        if not given.json:
            report.print_reports(locale, reports, session.spent)
        is_done = is_done and all(r.is_complete and not r.kept for r in reports)
    _print(given, found)
    return 0 if is_done else 1
