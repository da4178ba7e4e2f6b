"""Takes a review into an overlay: judges, tries, records, and writes all of it or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from jtau_plugin import resources
from jtau_plugin.errors import Problem, ReviewError
from jtau_plugin.overlays.yamlfile import read_text
from jtau_plugin.review.book import Answer, ReviewFile
from jtau_plugin.review.committing import commit
from jtau_plugin.review.editing import Editor
from jtau_plugin.review.judging import Judge, Judgement, Reading, Refusal, Remark, place_of
from jtau_plugin.review.recording import Recorder, Reviewer
from jtau_plugin.review.rows import address_of
from jtau_plugin.review.trial import Objection, Trial, settle
from jtau_plugin.review.words import Reader, Words, load_words
from jtau_plugin.translation.english import English, read_english
from jtau_plugin.translation.extraction.structure import find_structure
from jtau_plugin.translation.items import Item
from jtau_plugin.translation.ledger import Ledgers
from jtau_plugin.translation.planning import Plan, distribution, make_plan

Say = Callable[[str], None]
_LOCALE = re.compile(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*")


@dataclass(frozen=True)
class Job:
    """What is taken into what.

    Attributes:
        locale: the locale's id.
        folder: its folder.
        installed: tau2's domains.
        reviewer: who has read.
        round: the round; ``None`` counts up.
        date: today.
        structure: the locale whose overlay gives the facts.
    """

    locale: str
    folder: Path
    installed: tuple[str, ...]
    reviewer: str
    round: str | None = None
    date: str = ""
    structure: str | None = None


@dataclass
class Prepared:
    """What an import would do.

    Attributes:
        readings: texts that were read, and stand.
        new: those of them that were not recorded before.
        remarks: questions and notes.
        refused: rows that are not taken, each with the reason.
        warnings: what the checks would still say about corrections.
        unused: exemptions that exempt nothing any more.
        files: new texts of files, by path below the locale's folder.
        expected: what those files say now.
        round: the round that is recorded.
        blank: how many rows say nothing.
        beside: by address of a corrected text, the addresses of others that it is as well.
    """

    readings: tuple[Reading, ...] = ()
    new: list[Reading] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    warnings: tuple[Objection, ...] = ()
    unused: tuple[str, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    expected: dict[str, str | None] = field(default_factory=dict)
    round: str = ""
    blank: int = 0
    beside: dict[str, list[str]] = field(default_factory=dict)

    @property
    def corrected(self) -> list[Reading]:
        """The texts that change."""
        return [reading for reading in self.readings if reading.is_corrected]


class Importer:
    """Takes reviews into one locale.

    Args:
        job: what is taken into what.
        reader: knows columns and statuses by their words.
        say: is told what takes long.
    """

    def __init__(self, job: Job, reader: Reader, say: Say = lambda _: None) -> None:
        self.job = job
        self._reader = reader
        self._say = say
        self._english: dict[str, English] = {}

    @cached_property
    def words(self) -> Words:
        """How the locale's reviewers are addressed."""
        return load_words(self.job.folder)

    def prepare(self, file: ReviewFile) -> Prepared:
        """Return what taking a file in would do; nothing is written.

        Raises:
            ReviewError: if the file is of another locale.
            OverlayError: if a file of the overlay cannot be used.
            LayoutError: if there is no tau2.
        """
        _require_locale(file, self.job.locale)
        said = [answer for answer in file.answers if not answer.is_blank]
        ledgers, plans = self._plans(said)
        items: dict[str, Item] = {}
        for plan in plans.values():
            for item in plan.items:
                items.setdefault(item.address, item)
        judge = Judge(items, self.words, self._reader)
        found = judge.judge(file.answers)
        return self._settle(judge, found, plans, ledgers)

    def _plans(self, answers: Iterable[Answer]) -> tuple[Ledgers, dict[str, Plan]]:
        own = set(resources.iter_domains(self.job.folder)) & set(self.job.installed)
        files = {address_of(answer.key).strip().partition("#")[0] for answer in answers}
        asked = {file.rpartition("/")[0] for file in files}
        # What all domains share has to be right in each of them.
        domains = sorted(own if "" in asked else own & asked)
        ledgers = Ledgers(self.job.folder, domains)
        plans = {}
        for domain in domains:
            self._say(f"reading the installed English of {domain}")
            self._english[domain] = read_english(domain)
            structure = find_structure(domain, self.job.structure)
            plans[domain] = make_plan(self.job.folder, self._english[domain], structure, ledgers)
        return ledgers, plans

    def _settle(
        self, judge: Judge, found: Judgement, plans: Mapping[str, Plan], ledgers: Ledgers
    ) -> Prepared:
        folder = self.job.folder
        editor = Editor(folder)
        domains = {d: self._english[d] for d in _concerned(found.readings, plans)}
        if domains:
            self._say(f"checking {', '.join(domains)} with the corrections")
        settled = settle(found.readings, editor.edit, Trial(self.job.locale, folder, domains))
        refused = list(found.refused)
        for reading, reason in settled.refused:
            refused += judge.refuse(reading, "checks", found=reason)
        who = Reviewer(self.job.reviewer, self.job.round, self.job.date, distribution())
        recorder = Recorder(folder, plans, ledgers, who, self.words)
        records, new = recorder.record(
            settled.readings, found.remarks, is_clean=not settled.warnings
        )
        files = {**settled.files, **records}
        return Prepared(
            readings=settled.readings,
            new=new,
            remarks=found.remarks,
            refused=refused,
            warnings=settled.warnings,
            unused=settled.unused,
            files=files,
            expected={
                name: editor.original(name) if name in settled.files else _current(folder / name)
                for name in files
            },
            round=recorder.round,
            blank=found.blank,
            beside=_beside(settled.readings, plans),
        )

    def write(self, prepared: Prepared, folder: Path) -> list[Path]:
        """Write what was prepared and return the files.

        Args:
            prepared: what was prepared.
            folder: the locale's folder that is written: the one that was read, or a copy of it.

        Raises:
            ReviewError: if a file says something else by now, or cannot be written.
        """
        # The records come last: what they say is there by then.
        order = sorted(prepared.files, key=lambda name: name.endswith(_RECORDS))
        return commit(folder, {name: prepared.files[name] for name in order}, prepared.expected)


_RECORDS = ("ledger.jsonl", "manifest.yaml", "locale.yaml")


def _beside(readings: Sequence[Reading], plans: Mapping[str, Plan]) -> dict[str, list[str]]:
    """Return which other texts a corrected one stands for, of which the review says nothing."""
    read = {reading.address for reading in readings}
    items = {i.address: i for plan in plans.values() for i in plan.items}
    places: dict[object, list[str]] = {}
    for address, item in items.items():
        if address not in read and item.held is not None:
            places.setdefault(place_of(item), []).append(address)
    corrected = (reading for reading in readings if reading.is_corrected)
    found = {r.address: places.get(place_of(r.item), []) for r in corrected}
    return {address: others for address, others in found.items() if others}


def _current(path: Path) -> str | None:
    return read_text(path) if path.is_file() else None


def _concerned(readings: Sequence[Reading], plans: Mapping[str, Plan]) -> list[str]:
    """Return the domains whose models read a text that changes."""
    changed = {r.item.segment.domain for r in readings if r.is_corrected}
    return [domain for domain in plans if domain in changed or "" in changed]


def file_locale(file: ReviewFile) -> str:
    """Return the locale of a file.

    Raises:
        ReviewError: if it names none, or several.
    """
    names = {answer.locale for answer in file.answers if answer.locale}
    if len(names) != 1:
        what = f"rows of several locales: {', '.join(sorted(names))}" if names else "no locale"
        problem = Problem("column locale", what, "restore the column from the exported file")
        raise ReviewError("It cannot be told to which locale the file belongs.", [problem])
    [name] = names
    if not _LOCALE.fullmatch(name):
        raise ReviewError(
            "It cannot be told to which locale the file belongs.",
            [Problem("column locale", f"{name!r} is no locale", "restore the column")],
        )
    return name


def _require_locale(file: ReviewFile, locale: str) -> None:
    found = file_locale(file)
    if found != locale:
        problem = Problem("column locale", f"{found!r}, expected {locale!r}")
        raise ReviewError("The file is a review of another locale.", [problem])
