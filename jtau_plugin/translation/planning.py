"""What an overlay needs: which texts are there, stale, missing or a person's, and what is obsolete.

Compares only; nothing is translated or written.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jtau_plugin.compat import layout
from jtau_plugin.errors import Problem
from jtau_plugin.models.translation import LedgerEntry
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.translation.english import English
from jtau_plugin.translation.extraction.domain import extract_domain
from jtau_plugin.translation.extraction.segment import COMPONENTS, POLICY, SourceSegment
from jtau_plugin.translation.extraction.structure import Structure
from jtau_plugin.translation.items import Item, State
from jtau_plugin.translation.ledger import Ledgers
from jtau_plugin.translation.obsolete import Obsolete, find_obsolete, pair_messages
from jtau_plugin.translation.overlay_texts import Held, OverlayTexts, places_by_order
from jtau_plugin.translation.provenance import reviewed_files
from jtau_plugin.translation.segments import task_sources


@dataclass
class Plan:
    """What the overlay of one domain needs.

    Attributes:
        folder: the locale's folder.
        domain: tau2's name of the domain.
        english: what is installed.
        structure: facts about the domain.
        items: every segment, in order.
        obsolete: texts whose source is gone.
        problems: what kept something from being read.
        texts: the overlay's files.
        components: which of the components are looked at.
    """

    folder: Path
    domain: str
    english: English
    structure: Structure
    items: list[Item]
    obsolete: list[Obsolete]
    texts: OverlayTexts
    problems: list[Problem] = field(default_factory=list)
    components: tuple[str, ...] = tuple(COMPONENTS)

    def of(self, *states: State) -> Iterator[Item]:
        """Yield the items in some states."""
        return (item for item in self.items if item.state in states)


@dataclass(frozen=True)
class Source:
    """What is installed of one domain, read once for all the plans of a run.

    Attributes:
        english: what is installed.
        structure: facts about the domain.
        segments: every segment of it, in order.
        problems: what kept something from being read.
    """

    english: English
    structure: Structure
    segments: tuple[SourceSegment, ...]
    problems: tuple[Problem, ...] = ()


def read_source(english: English, structure: Structure) -> Source:
    """Return a domain's segments with what they were read from.

    Args:
        english: what is installed.
        structure: facts about the domain.
    """
    problems: list[Problem] = []
    segments = tuple(extract_domain(english, structure, tuple(COMPONENTS), problems))
    return Source(english, structure, segments, tuple(problems))


def distribution() -> str:
    """Return the name of the distribution of tau2 that is installed."""
    return layout.detect_layout().distribution


def is_protected(
    held: Held,
    entry: LedgerEntry | None,
    written: Collection[str],
    *,
    is_reviewed_file: bool,
) -> bool:
    """Return whether a text is a person's: reviewed, or edited since a machine wrote it.

    Args:
        held: the text.
        entry: what the ledger says of it.
        written: fingerprints of texts that an interrupted run was about to write there.
        is_reviewed_file: the manifest says that a person has reviewed the file.
    """
    if entry is None or entry.text is None:
        is_recorded = entry is not None and entry.status == "reviewed"
        return is_recorded or is_reviewed_file
    if entry.status in ("reviewed", "stale") or entry.origin == "person":
        return True
    found = fingerprint_text(held.text)
    return found != entry.text and found not in written


def _is_current(segment: SourceSegment, held: Held, entry: LedgerEntry | None) -> bool:
    knows = entry is not None and entry.source == segment.fingerprint
    if not segment.sources:
        return entry is None or knows
    if set(segment.sources) <= set(held.sources):
        return True
    # What surrounds it has changed, not the text itself.
    return bool(segment.container) and knows


class _Planner:
    def __init__(
        self,
        folder: Path,
        ledgers: Ledgers,
        texts: OverlayTexts,
        written: Mapping[str, Collection[str]],
        domain: str,
    ) -> None:
        self._ledgers = ledgers
        self._texts = texts
        self._written = written
        self._reviewed = reviewed_files(folder, domain)

    def item(self, segment: SourceSegment) -> Item:
        """Return how a segment stands."""
        held = self._texts.find(segment)
        entry = self._ledgers.get(segment.address)
        if held is None:
            return Item(segment, State.MISSING, entry=entry)
        protected = is_protected(
            held,
            entry,
            self._written.get(segment.address, ()),
            is_reviewed_file=segment.file in self._reviewed,
        )
        if _is_current(segment, held, entry):
            state = State.CURRENT
        else:
            state = State.KEPT if protected else State.STALE
        previous = held.text if state is State.STALE else ""
        return Item(segment, state, held, entry, previous, protected)


def _ledger_places(
    file: str, own: Sequence[SourceSegment], ledgers: Ledgers, count: int
) -> dict[str, int] | None:
    """Return which section renders which segment as the ledger has it, if it fits the document."""
    domain = own[0].domain
    entries = [
        entry
        for entry in ledgers.of(domain)
        if entry.place is not None and entry.address.partition("#")[0] == file
    ]
    places = {entry.place for entry in entries}
    if not entries or places != set(range(count)):
        return None
    by_address = {entry.address: entry for entry in entries}
    found, taken = {}, set()
    for segment in own:
        if segment.address in by_address:
            found[segment.address] = by_address[segment.address].place or 0
            taken.add(segment.address)
    moved = {e.source: e for e in entries if e.address not in taken}
    for segment in own:
        if segment.address not in found and segment.fingerprint in moved:
            found[segment.address] = moved[segment.fingerprint].place or 0
    return found


def _place_sections(
    segments: Sequence[SourceSegment], texts: OverlayTexts, ledgers: Ledgers
) -> list[str]:
    """Find out which section renders which segment; return the documents that cannot be told."""
    by_order = places_by_order(segments, texts)
    documents: dict[str, list[SourceSegment]] = {}
    for segment in segments:
        if segment.kind == POLICY:
            documents.setdefault(segment.file, []).append(segment)
    unclear = []
    for file, own in documents.items():
        count = len(texts.sections(file))
        if not count:
            continue
        places = _ledger_places(file, own, ledgers, count)
        if places is None:
            places = {s.address: by_order[s.address] for s in own if s.address in by_order}
            if not places:
                unclear.append(file)
        texts.place_sections(places)
    return unclear


def _unclear_items(items: list[Item], unclear: Collection[str], texts: OverlayTexts) -> list[Item]:
    """Leave documents alone whose sections cannot be told apart: they are whole and a person's."""
    found = []
    for item in items:
        if item.segment.kind == POLICY and item.segment.file in unclear:
            sources = texts.document_sources(item.segment)
            is_current = set(item.segment.sources) <= set(sources)
            state = State.CURRENT if is_current else State.KEPT
            item = Item(item.segment, state, is_protected=True)  # noqa: PLW2901
        found.append(item)
    return found


def make_plan(
    folder: Path,
    english: English,
    structure: Structure,
    ledgers: Ledgers,
    *,
    components: Collection[str] = tuple(COMPONENTS),
) -> Plan:
    """Return what the overlay of one domain needs.

    Args:
        folder: the locale's folder; it may not exist yet.
        english: what is installed.
        structure: facts about the domain.
        ledgers: the locale's ledgers.
        components: which of the components are looked at.
    """
    return plan_source(folder, read_source(english, structure), ledgers, components=components)


def plan_source(
    folder: Path,
    source: Source,
    ledgers: Ledgers,
    *,
    components: Collection[str] = tuple(COMPONENTS),
    written: Mapping[str, Collection[str]] | None = None,
) -> Plan:
    """Return what the overlay of one domain needs, whose segments have been read.

    Args:
        folder: the locale's folder; it may not exist yet.
        source: what is installed.
        ledgers: the locale's ledgers.
        components: which of the components are looked at.
        written: texts that an interrupted run was about to write, as the journal has them.
    """
    english, structure, everything = source.english, source.structure, source.segments
    problems = list(source.problems)
    segments = [segment for segment in everything if segment.component in components]
    texts = OverlayTexts(folder, english.domain, task_sources(everything))
    unclear = _place_sections(segments, texts, ledgers)
    planner = _Planner(folder, ledgers, texts, written or {}, english.domain)
    items = _unclear_items([planner.item(s) for s in segments], unclear, texts)
    obsolete = find_obsolete(
        english, structure, everything, texts, ledgers=ledgers, distribution=distribution()
    )
    obsolete = [o for o in obsolete if o.component in components]
    for file in unclear:
        what = "its sections are other than the source's, so that none can be renewed"
        problems.append(Problem(str(folder / file), what, "give it the source's headings"))
    items = pair_messages(items, obsolete, texts, english)
    return Plan(
        folder=folder,
        domain=english.domain,
        english=english,
        structure=structure,
        items=items,
        obsolete=obsolete,
        texts=texts,
        problems=problems,
        components=tuple(components),
    )
