"""Translates what an overlay lacks, domain by domain, and writes it.

The order is fixed: literals settle the words, then prose is asked for with the words that occur in
it. What is settled is written once per domain; what failed is reported and never written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from jtau_plugin.compat import layout
from jtau_plugin.errors import Problem, TranslationError
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.translation.engine.cache import AnswerCache
from jtau_plugin.translation.engine.client import Client, ModelSettings
from jtau_plugin.translation.engine.journal import Journal, WrittenText
from jtau_plugin.translation.engine.limits import Limits, Progress, Silence, Spent
from jtau_plugin.translation.engine.request import PROMPT_VERSION, Target
from jtau_plugin.translation.engine.runner import Runner
from jtau_plugin.translation.engine.units import Answer
from jtau_plugin.translation.english import read_english
from jtau_plugin.translation.extraction.segment import COMPONENTS, POLICY
from jtau_plugin.translation.extraction.structure import find_structure
from jtau_plugin.translation.glossary import Glossary
from jtau_plugin.translation.items import Item, State
from jtau_plugin.translation.ledger import Ledgers
from jtau_plugin.translation.locating import origin_of, start_from_existing
from jtau_plugin.translation.planning import Plan, Source, plan_source, read_source
from jtau_plugin.translation.provenance import RunInfo
from jtau_plugin.translation.questions import (
    Question,
    count_units,
    is_wanted,
    known_lines,
    literal_questions,
    prose_questions,
    prose_waves,
    spread,
)
from jtau_plugin.translation.settled import outgrown, settled_glossary, taken_forms
from jtau_plugin.translation.verification import Verifier
from jtau_plugin.translation.writing.entries import Writing
from jtau_plugin.translation.writing.files import writing_into
from jtau_plugin.translation.writing.locale import LocaleFacts
from jtau_plugin.translation.writing.overlay import NewText, OverlayWriter, Written

#: How manifests name a distribution.
_LABELS = {"tau2": "tau2-bench"}
_LONGEST_NOTE = 300


@dataclass(frozen=True)
class Job:
    """What is to be done to a locale.

    Attributes:
        folder: the locale's folder; it is made if it is not there.
        facts: what is known of the locale.
        domains: tau2's names.
        components: which of the components.
        structure: the locale whose overlay gives the facts; the default one when ``None``.
        again: also translate what a machine has translated and nobody has touched since.
        accepts_old: a renewed text keeps the fingerprints that it had.
        prunes: remove what is obsolete even where it could stay for another layout.
        today: the date that texts get.
    """

    folder: Path
    facts: LocaleFacts
    domains: tuple[str, ...]
    components: tuple[str, ...] = tuple(COMPONENTS)
    structure: str | None = None
    again: bool = False
    accepts_old: bool = False
    prunes: bool = False
    today: str = ""

    @property
    def target(self) -> Target:
        """What a model is told of the language."""
        facts = self.facts
        return Target(facts.locale, facts.language, facts.register, facts.style)


@dataclass(frozen=True)
class Fault:
    """A segment without a usable translation.

    Attributes:
        address: its address.
        kind: its kind.
        reasons: what was wrong with the last attempt.
    """

    address: str
    kind: str
    reasons: tuple[str, ...]


@dataclass
class DomainReport:
    """What became of one domain.

    Attributes:
        domain: tau2's name of it.
        translated: texts by kind.
        faults: segments that are not translated.
        notes: by address, what the checks would still say about a text that was written.
        kept: addresses of stale texts that are a person's.
        written: the files.
        problems: what could not be read as it should.
    """

    domain: str
    translated: dict[str, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    written: Written = field(default_factory=Written)
    problems: list[Problem] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Whether everything is translated that a machine may translate."""
        return not self.faults and not self.written.incomplete


class Session:
    """Works on one locale.

    Args:
        job: what is to be done.
        settings: how the model is asked.
        limits: how much is asked for at a time.
        cache: folder of kept answers; nothing is kept when ``None``.
        journal: file of the diary; none when ``None``.
        progress: is told how it goes.
        sources: what another session with the same structure has read, by domain.
    """

    def __init__(
        self,
        job: Job,
        settings: ModelSettings,
        *,
        limits: Limits | None = None,
        cache: Path | None = None,
        journal: Path | None = None,
        progress: Progress | None = None,
        sources: dict[str, Source] | None = None,
    ) -> None:
        self.job = job
        self._settings = settings
        self._limits = limits or Limits()
        self._cache = AnswerCache(cache)
        self._journal_path = journal
        self._progress = progress or Silence()
        self.sources = {} if sources is None else sources
        self.spent = Spent()

    @property
    def _folder(self) -> Path:
        """The folder whose texts count: that of the locale elsewhere, until it has been copied."""
        return origin_of(self.job.facts.locale, self.job.folder)

    def source(self, domain: str) -> Source:
        """Return what is installed in a domain, read once."""
        if domain not in self.sources:
            structure = find_structure(domain, self.job.structure)
            self.sources[domain] = read_source(read_english(domain), structure)
        return self.sources[domain]

    def plan(self, domain: str, ledgers: Ledgers, journal: Journal | None = None) -> Plan:
        """Return what the overlay of a domain needs."""
        return plan_source(
            self._folder,
            self.source(domain),
            ledgers,
            components=self.job.components,
            written=journal.written if journal is not None else {},
        )

    def ledgers(self) -> Ledgers:
        """Return the locale's ledgers."""
        return Ledgers(self._folder, self.job.domains)

    def run_info(self) -> RunInfo:
        """Return what the run says of itself."""
        installed = layout.detect_layout()
        name = _LABELS.get(installed.distribution, installed.distribution)
        return RunInfo(
            model=self._settings.model,
            parameters=self._settings.parameters,
            prompt=PROMPT_VERSION,
            date=self.job.today,
            tau2=installed.distribution,
            installed=f"{name} {installed.version}",
        )

    def translate(self) -> list[DomainReport]:
        """Translate what is missing or stale and write it.

        Raises:
            TranslationError: if the model cannot be asked; what was paid is kept.
            OverlayError: if a file of the overlay cannot be used.
        """
        reports = {domain: DomainReport(domain) for domain in self.job.domains}
        client = Client(self._settings, self._say_wait)
        with writing_into(self.job.folder), Journal(self._journal_path) as journal:
            runner = Runner(
                client,
                self.job.target,
                journal,
                self._cache,
                limits=self._limits,
                today=self.job.today,
                progress=self._progress,
            )
            self.spent = runner.spent
            with runner:
                new = self._answers(reports, runner, journal)
            try:
                start_from_existing(self.job.facts.locale, self.job.folder)
                for domain, report in reports.items():
                    self._write(domain, report, new, journal)
            except OSError as error:
                raise TranslationError(
                    f"{error.filename or self.job.folder}: {error.strerror or error}; what has "
                    "been translated is kept, the same command goes on from here"
                ) from error
            if all(not report.written.incomplete for report in reports.values()):
                journal.finish()
        return list(reports.values())

    def _say_wait(self, reason: str, seconds: float) -> None:
        self._progress.say(f"waiting {seconds:.1f} s: {reason}")

    def _answers(
        self, reports: Mapping[str, DomainReport], runner: Runner, journal: Journal
    ) -> dict[str, NewText]:
        """Have everything translated: the literals of all domains, then their prose."""
        ledgers = self.ledgers()
        plans: dict[str, Plan] = {}
        asking = _Asking(runner)
        for domain in reports:
            plan, taken = self._as_before(self.plan(domain, ledgers, journal), journal)
            plans[domain] = plan
            asking.new.update(taken)
        locale, language = self.job.facts.locale, self.job.facts.language
        wanted: dict[str, list[Item]] = {}
        for domain, plan in plans.items():
            reports[domain].problems += plan.problems
            reports[domain].kept += [item.address for item in plan.of(State.KEPT)]
            known = {item.address for items in wanted.values() for item in items}
            mine = [i for i in plan.items if is_wanted(i, again=self.job.again)]
            known |= asking.new.keys()
            wanted[domain] = [item for item in mine if item.address not in known]
        self._progress.start(sum(map(count_units, wanted.values())))
        for domain, plan in plans.items():
            glossary = settled_glossary(plan, locale, {})
            questions = literal_questions(wanted[domain], glossary, language)
            asking.ask(questions, glossary, reports[domain], taken_forms(plan, wanted[domain]))
        literals = {address: text.text for address, text in asking.new.items()}
        for domain, plan in plans.items():
            lines = known_lines(_pairs(plan.items))
            for is_shared in (True, False):
                glossary = settled_glossary(plan, locale, literals, all_domains=is_shared)
                items = [i for i in wanted[domain] if (not i.segment.domain) == is_shared]
                if is_shared:
                    more = outgrown(plan, glossary, asking.new, items)
                    self._progress.start(count_units(more))
                    items += more
                for groups in prose_waves(items, lines):
                    questions = prose_questions(groups, glossary, lines, language)
                    asking.ask(questions, glossary, reports[domain])
                    lines = {**known_lines(asking.sections(questions)), **lines}
        return asking.new

    def _as_before(self, plan: Plan, journal: Journal) -> tuple[Plan, dict[str, NewText]]:
        """Return a plan as it was before a run that was killed began to write.

        So the same questions come up, whose answers the journal has. What another model wrote is
        taken as it stands: its ledger may lack it.
        """
        items, taken = [], {}
        for item in plan.items:
            written = _written(item, journal)
            if written is None or item.held is None:
                items.append(item)
            elif (written.model, written.prompt) == (self._settings.model, PROMPT_VERSION):
                state = State.STALE if written.previous else State.MISSING
                items.append(replace(item, state=state, previous=written.previous))
            elif item.state is not State.CURRENT:
                items.append(item)
            else:
                items.append(item)
                taken[item.address] = NewText(
                    item.held.text, written.note, written.date, written.model, written.prompt
                )
        return replace(plan, items=items), taken

    def _write(
        self, domain: str, report: DomainReport, new: Mapping[str, NewText], journal: Journal
    ) -> None:
        # Planned again: what all domains share may have been written with another one.
        ledgers = self.ledgers()
        plan = self.plan(domain, ledgers, journal)
        texts = {i.address: new[i.address].text for i in plan.items if i.address in new}
        writer = OverlayWriter(
            Writing(plan, texts, self.job.accepts_old, self.job.prunes),
            new,
            ledgers=ledgers,
            facts=self.job.facts,
            run=self.run_info(),
            journal=journal,
        )
        report.written = writer.write()


class _Asking:
    """Has questions answered and keeps the answers.

    Args:
        runner: asks the model.
    """

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self.new: dict[str, NewText] = {}

    def ask(
        self,
        questions: Sequence[Question],
        glossary: Glossary,
        report: DomainReport,
        taken: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        """Have some questions answered, all together, and report what became of each segment."""
        units = [question.unit for question in questions]
        verify = Verifier(glossary.context)
        outcomes = self._runner.run(units, verify, taken) if units else {}
        for question in questions:
            outcome = outcomes[question.unit.id]
            if isinstance(outcome, Answer):
                self._take(question, outcome, report)
                continue
            for item in question.items:
                fault = Fault(item.address, item.segment.kind, outcome.reasons)
                report.faults.append(fault)

    def _take(self, question: Question, answer: Answer, report: DomainReport) -> None:
        note = "; ".join(answer.notes)[:_LONGEST_NOTE]
        for address, text in spread(question, answer.text).items():
            self.new[address] = NewText(text, note, answer.date)
            if note:
                report.notes[address] = note
        kind, counts = question.unit.kind, report.translated
        counts[kind] = counts.get(kind, 0) + len(question.items)

    def sections(self, questions: Sequence[Question]) -> list[tuple[str, str]]:
        """Return the sections of documents among some questions, each with its translation."""
        items = [item for question in questions for item in question.items]
        return [
            (item.segment.english, self.new[item.address].text)
            for item in items
            if item.segment.kind == POLICY and item.address in self.new
        ]


def _written(item: Item, journal: Journal) -> WrittenText | None:
    """Return what a killed run has noted of a text that it then wrote."""
    own = journal.written.get(item.address)
    if own is None or item.held is None or item.state is State.KEPT:
        return None  # one whose manifest is not written yet looks stale
    return own.get(fingerprint_text(item.held.text))


def _pairs(items: Sequence[Item]) -> list[tuple[str, str]]:
    """Return the sections that are current, each with its translation."""
    return [
        (item.segment.english, item.held.text)
        for item in items
        if item.segment.kind == POLICY and item.state is State.CURRENT and item.held is not None
    ]
