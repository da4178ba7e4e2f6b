"""Says in ledgers and manifests who has read what: new texts of those files, nothing is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from jtau_plugin.models.translation import LedgerEntry
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.overlays.yamlfile import read_text
from jtau_plugin.review.judging import Reading, Remark
from jtau_plugin.review.words import Words
from jtau_plugin.translation.extraction.segment import POLICY
from jtau_plugin.translation.items import Item, State
from jtau_plugin.translation.ledger import NAME, Ledgers, dump_ledger
from jtau_plugin.translation.planning import Plan
from jtau_plugin.translation.provenance import NOBODY, SEGMENTS_REVIEWED, count_file
from jtau_plugin.translation.writing.yamledit import update_yaml

_NOT_RECORDED = "not recorded"
Data = dict[str, Any]


@dataclass(frozen=True)
class Reviewer:
    """Who has read, and when.

    Attributes:
        name: the person's name.
        round: the round; ``None`` takes the one after the last.
        date: today.
        tau2: the distribution whose English was beside the texts.
    """

    name: str
    round: str | None
    date: str
    tau2: str


class Recorder:
    """Brings the records of one locale up to date.

    Args:
        folder: the locale's folder.
        plans: how its texts stand, by domain.
        ledgers: its ledgers; they are changed, not written.
        who: who has read.
        words: the words for ``locale.yaml``.
    """

    def __init__(
        self,
        folder: Path,
        plans: Mapping[str, Plan],
        ledgers: Ledgers,
        who: Reviewer,
        words: Words,
    ) -> None:
        self._folder = folder
        self._plans = plans
        self._ledgers = ledgers
        self._who = who
        self._words = words
        self.round = who.round or self._next_round()

    def _next_round(self) -> str:
        numbers = [0]
        for _, data in self._manifests():
            for artefact in (data.get("artefacts") or {}).values():
                reviews = artefact.get("reviews") or () if isinstance(artefact, dict) else ()
                numbers += [int(r["round"]) for r in reviews if str(r["round"]).isdecimal()]
        return str(max(numbers) + 1)

    def _manifests(self) -> Iterator[tuple[str, Data]]:
        names = ["locale.yaml", *(f"{p.parent.name}/{p.name}" for p in self._paths())]
        for name in names:
            data = yaml.safe_load(read_text(self._folder / name))
            if isinstance(data, dict):
                yield name, data

    def _paths(self) -> list[Path]:
        return sorted(self._folder.glob("*/manifest.yaml"))

    def record(
        self, readings: Iterable[Reading], remarks: Iterable[Remark], *, is_clean: bool
    ) -> tuple[dict[str, str], list[Reading]]:
        """Return the new texts of records, and the readings that were not recorded before.

        Args:
            readings: what was read.
            remarks: questions and notes, which stay with their texts.
            is_clean: the checks passed with the corrections.
        """
        new = [reading for reading in readings if self._put(reading)]
        for remark in remarks:
            self._remark(remark)
        for reading in new:
            self._know_neighbours(reading.item)
        files = {
            _join(domain, NAME): dump_ledger(self._ledgers.of(domain))
            for domain in ("", *self._plans)
        }
        if new:
            files |= self._artefacts(new, is_clean=is_clean)
        return {name: text for name, text in files.items() if text != self._old(name)}, new

    def _old(self, name: str) -> str:
        path = self._folder / name
        return read_text(path) if path.is_file() else ""

    # --- ledger

    def _put(self, reading: Reading) -> bool:
        """Record a text as read; return whether that is new."""
        old, item = reading.item.entry, reading.item
        if not (reading.is_complete or reading.is_corrected):
            return False  # a part of it, which is there already
        status = "reviewed" if reading.is_complete else "translated"
        text = fingerprint_text(reading.text)
        is_corrected = reading.is_corrected or any(a.correction.strip() for a in reading.answers)
        wanted = {
            "source": item.segment.fingerprint,
            "text": text,
            "status": status,
            "reviewer": self._who.name,
        }
        is_known = (
            old is not None
            and not reading.is_corrected
            and all(getattr(old, name) == value for name, value in wanted.items())
            and self._who.round in (None, old.round)
            and reading.note in (old.note or "")
        )
        if is_known:
            return False
        is_machines = old is not None and old.origin == "machine" and not reading.is_corrected
        entry = LedgerEntry(
            address=item.address,
            **wanted,
            place=self._place(item),
            origin="person" if is_corrected else old.origin if old is not None else "written",
            model=old.model if old is not None and is_machines else None,
            prompt=old.prompt if old is not None and is_machines else None,
            date=self._who.date,
            tau2=self._who.tau2,
            round=self.round,
            note=reading.note or None,
        )
        self._ledgers.put(entry)
        return True

    def _remark(self, remark: Remark) -> None:
        item, note = remark.item, " ".join(remark.answer.note.split("\n")).strip()
        what = "question" if remark.is_question else "note"
        said = f"{what} ({self._who.name}): {note}" if note else f"{what} ({self._who.name})"
        old = self._ledgers.get(item.address)
        if old is None:
            self._ledgers.put(
                LedgerEntry(
                    address=item.address,
                    source=item.segment.fingerprint,
                    place=self._place(item),
                    tau2=self._who.tau2,
                    note=said,
                )
            )
        elif said not in (old.note or ""):
            both = f"{old.note} / {said}" if old.note else said
            self._ledgers.put(old.model_copy(update={"note": both}))

    def _place(self, item: Item) -> int | None:
        """Return which section of its document a text is."""
        plan = self._plan_of(item)
        if item.segment.kind != POLICY or item.held is None or plan is None:
            return None
        lines = [section.line for section in plan.texts.sections(item.segment.file)]
        return lines.index(item.held.line)

    def _plan_of(self, item: Item) -> Plan | None:
        return self._plans.get(item.segment.domain)

    def _know_neighbours(self, item: Item) -> None:
        """Say of the other parts of a document or tool which English they render.

        When the whole changes, a part that stays what it was can then still be told.
        """
        plan = self._plan_of(item)
        if not item.segment.container or plan is None:
            return
        for other in plan.items:
            is_beside = other.segment.container == item.segment.container
            if not is_beside or other.held is None or other.state is not State.CURRENT:
                continue
            if self._ledgers.get(other.address) is None:
                self._ledgers.put(
                    LedgerEntry(
                        address=other.address,
                        source=other.segment.fingerprint,
                        place=self._place(other),
                        tau2=self._who.tau2,
                    )
                )

    # --- manifests

    def _artefacts(self, new: Sequence[Reading], *, is_clean: bool) -> dict[str, str]:
        by_file: dict[str, list[Reading]] = {}
        for reading in new:
            by_file.setdefault(reading.item.segment.file, []).append(reading)
        files = {}
        for name, data in self._manifests():
            folder = name.rpartition("/")[0]
            own = {f: r for f, r in by_file.items() if f.rpartition("/")[0] == folder}
            own.pop(name, None)  # the domain's name stands in the manifest itself
            for file, readings in own.items():
                self._artefact(data, file, readings, is_clean=is_clean)
            if name == "locale.yaml":
                self._locale(data)
            files[name] = update_yaml(read_text(self._folder / name), data)
        return files

    def _artefact(
        self, data: Data, file: str, readings: Sequence[Reading], *, is_clean: bool
    ) -> None:
        artefacts = data.setdefault("artefacts", {})
        entry = artefacts.setdefault(
            file.rpartition("/")[2],
            {
                "translated": _NOT_RECORDED,
                "date": self._who.date,
                "second_reading": NOBODY,
                "mechanical_checks": NOBODY,
                "human_review": NOBODY,
            },
        )
        items = {
            item.address: item
            for plan in self._plans.values()
            for item in plan.items
            if item.segment.file == file
        }
        counts = count_file(file, items.values(), self._ledgers)
        if is_clean and any(reading.is_corrected for reading in readings):
            entry["mechanical_checks"] = self._who.date
        # What somebody wrote by hand about a review stays as it is.
        if SEGMENTS_REVIEWED.match(str(entry["human_review"])) or entry["human_review"] == NOBODY:
            entry["human_review"] = self._human_review(file, counts)
        entry["counts"] = counts
        self._add_round(entry, readings)

    def _human_review(self, file: str, counts: Mapping[str, int]) -> str:
        if not counts.get("reviewed"):
            return NOBODY
        entries = self._ledgers.of(file.rpartition("/")[0])
        own = [e for e in entries if e.address.partition("#")[0] == file]
        names = sorted({e.reviewer for e in own if e.status == "reviewed" and e.reviewer})
        return (
            f"{counts['reviewed']} of {counts['segments']} segments, by {', '.join(names)}; "
            f"last: round {self.round}, {self._who.date}"
        )

    def _add_round(self, entry: Data, readings: Sequence[Reading]) -> None:
        reviews: list[Data] = entry.setdefault("reviews", [])
        who = {"reviewer": self._who.name, "round": self.round}
        own = next((r for r in reviews if {n: str(r[n]) for n in who} == who), None)
        if own is None:
            own = {**who, "date": self._who.date, "segments": 0, "corrections": 0}
            reviews.append(own)
        own["date"] = self._who.date
        own["segments"] += sum(reading.is_complete for reading in readings)
        own["corrections"] = own.get("corrections", 0) + sum(r.is_corrected for r in readings)

    def _locale(self, data: Data) -> None:
        words = self._words
        said = str(data.get("review", ""))
        pattern = re.escape(words.reviewed)
        for name in ("round", "date"):
            pattern = pattern.replace(re.escape(f"{{{name}}}"), ".+?")
        if said == words.unreviewed or re.fullmatch(pattern, said):
            data["review"] = words.reviewed.format(round=self.round, date=self._who.date)


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
