"""Everything that a model is shown is a segment of ``jtau extract``, or of a class that is named.

Simulations are played through tau2's own orchestrator, with refused and broken calls in them, and
whatever was handed to litellm is explained: English by the English of the extracted segments, the
Japanese arms by the overlay's text at the same addresses. A text that nothing explains fails the
test with its words.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache

import pytest

from jtau_plugin.translation.extraction.segment import LIBRARY, SourceSegment

from .explained import CLASSES, Account, Book, Leftover, Text
from .explained_sentences import ID, NUMBER, fixed_words, leaves_of
from .explaining import account_for
from .shown import Played, play, tasks_of
from .stumbling import stumbles

#: Fields of the databases that no locale renders, by the last part of their name.
_FIELDS = """
    account_number_last_4 actual_arrival_time_est actual_departure_time_est address1 address2
    bill_id bill_ids brand city country created_at customer_id date date_of_birth dates destination
    device_id dob email estimated_arrival_time_est estimated_departure_time_est expiration_date
    first_name flight_number flights full_name id imei item_id item_ids last_four last_name line_id
    line_ids mms_apn mmsc_url model order_id orders origin payment_id payment_method_id
    payment_methods phone_number plan_id product_id products protocol reservation_id reservations
    return_payment_method_id scheduled_arrival_time_est scheduled_departure_time_est server_address state street tracking_id user_id users
    variants zip zip_code
"""
_DATA_FIELDS = frozenset(_FIELDS.split())


@dataclass(frozen=True)
class Run:
    """One simulation.

    Attributes:
        base: tau2's domain.
        task: which of its tasks, by place.
        kind: of agent: ``gt``, ``solo``.
        model: an embedded model.
        stumbles: whether both sides begin with calls that go wrong; a seed.
        patches: ``JTAU_PATCHES``.
    """

    base: str
    task: int
    kind: str = ""
    model: str = "oracle"
    stumbles: int | None = None
    patches: str = ""

    @property
    def domain(self) -> str:
        return self.base.partition("-")[0]


_ALL = "+facts,+text,+rules,+tools"
RUNS = (
    Run("retail", 2),
    Run("retail", 57, stumbles=1),
    Run("retail", 81, stumbles=2, patches=_ALL),
    Run("retail", 24, model="saboteur"),
    Run("retail", 16, kind="gt"),
    Run("airline", 7),
    Run("airline", 20, stumbles=3),
    Run("airline", 33, stumbles=4, patches=_ALL),
    Run("airline", 14, model="saboteur"),
    Run("airline", 41, kind="gt"),
    Run("telecom", 1),
    Run("telecom", 40, stumbles=5),
    Run("telecom", 77, stumbles=6, patches=_ALL),
    Run("telecom", 104, model="saboteur"),
    Run("telecom", 60, kind="solo"),
    Run("telecom-workflow", 12),
    Run("telecom-workflow", 55, stumbles=7),
    Run("telecom-workflow", 90, patches=_ALL, model="oracle-wide"),
    Run("telecom-workflow", 33, kind="gt"),
    Run("telecom-workflow", 5, kind="solo"),
)
#: What CI plays: each domain once, with some calls that go wrong.
SAMPLE = (
    Run("retail", 2, stumbles=1),
    Run("airline", 7, stumbles=2),
    Run("telecom", 40, stumbles=3),
    Run("telecom-workflow", 5, kind="solo"),
)


@cache
def book_of(domain: str, locale: str) -> Book:
    return Book(domain, locale)


def _play(run: Run, locale: str, monkeypatch: pytest.MonkeyPatch, **wrong: int) -> Played:
    domain = f"{locale}_{run.base}"
    task = list(tasks_of(domain).values())[run.task]
    calls = None if run.stumbles is None else stumbles(domain, run.stumbles, **wrong)
    return play(monkeypatch, domain, task, model=run.model, kind=run.kind, stumbles=calls)


def _report(left: list[Leftover]) -> str:
    return "\n".join(["shown to a model, and explained by nothing:", *map(str, left)])


def _check(account: Account) -> None:
    assert not account.left, _report(list(account.left))
    assert account.classes.keys() <= {"segment", *CLASSES}
    fields = {name.rpartition(".")[2] for name in account.fields}
    assert fields <= _DATA_FIELDS, f"shown as data, and perhaps prose: {fields - _DATA_FIELDS}"


@cache
def _sample(locale: str) -> tuple[tuple[str, Played, Account], ...]:
    found = []
    for run in SAMPLE if locale != "en" else SAMPLE[:3]:
        with pytest.MonkeyPatch.context() as patch:
            played = _play(run, locale, patch, golds=2, tools=5)
        account = account_for(played, book_of(run.domain, locale))
        found.append((run.domain, played, account))
    return tuple(found)


@pytest.mark.parametrize("locale", ["ja", "en"])
def test_a_sample_is_explained_to_the_last_character(locale: str) -> None:
    for _, played, account in _sample(locale):
        _check(account)
        assert account.classes["segment"] > 5_000
        assert played.is_solo or account.classes["written"] > 500
    refused = [w for _, _, a in _sample(locale) for w, _ in a.pieces if w.startswith("refusal")]
    assert len(refused) > 20


def _is_of(text: Text, left: str, book: Book) -> bool:
    """Return whether a text that is left over is this segment, or a sentence with it inside."""
    repaired = {s.address: s.shown for s, _ in book.sections()}
    if left in (text.shown.strip(), repaired.get(text.address, "").strip()):
        return True
    if text.segment.component == "policy":
        return False
    for line in filter(fixed_words, text.shown.split("\n")):
        # What is left over has no blanks around it, and a place may be empty.
        pieces = (re.escape(piece.strip()) for piece in re.split(r"\{\w+\}", line))
        if re.search(".*".join(pieces), left, re.DOTALL):
            return True
    return False


def _needs_none(text: str, played: Played) -> bool:
    """Return whether a text is explained without a segment: an id, or what a model wrote itself."""
    is_shaped = ID.fullmatch(text) or NUMBER.fullmatch(text) or not fixed_words(text)
    return bool(is_shaped) or text in {str(leaf) for leaf in leaves_of(played.calls())}


def _without(address: str, domain: str, played: Played, locale: str) -> list[Leftover]:
    return list(account_for(played, Book(domain, locale, [address])).left)


def _of_every_kind(
    candidates: list[tuple[str, str, Played]], count: int, chance: random.Random
) -> list[tuple[str, str, Played]]:
    """Choose by chance, one of each kind of segment in turn."""
    chance.shuffle(candidates)
    seen: Counter[str] = Counter()
    ranked = []
    for address, domain, played in candidates:
        kind = _segment(address, domain).kind
        seen[kind] += 1
        ranked.append((seen[kind], (address, domain, played)))
    ranked.sort(key=lambda item: item[0])
    return [chosen for _, chosen in ranked[:count]]


def _segment(address: str, domain: str) -> SourceSegment:
    return book_of(domain, "en").texts[address].segment


def _missed(locale: str, sample: tuple[tuple[str, Played, Account], ...], count: int) -> None:
    """Take segments out of the extraction by chance: each time exactly that text is left over."""
    chance = random.Random(11)
    candidates = [
        (address, domain, played)
        for domain, played, account in sample
        for address in sorted(account.sole())
        if not all(_needs_none(text, played) for text in account.sole()[address])
    ]
    kinds: Counter[str] = Counter()
    for address, domain, played in _of_every_kind(candidates, count, chance):
        book = book_of(domain, locale)
        text = book.texts[address]
        left = _without(address, domain, played, locale)
        assert left, f"{address} is out, and nobody misses {text.shown!r}"
        if text.segment.kind == LIBRARY and locale == "en":
            # Known by its pattern; of several lines each is left over for itself.
            pattern = re.sub(r"\\n *", r"\\s+", str(text.segment.key[1]))
            rest = re.sub(pattern, "", "\n".join(one.text for one in left))
            assert not rest.strip(), f"without {address}: {rest}"
            left = []
        for one in left:
            assert _is_of(text, one.text, book), f"without {address}: {one}"
        kinds[text.segment.kind] += 1
    assert len(kinds) > 5, kinds


@pytest.mark.parametrize("locale", ["ja", "en"])
def test_a_segment_that_is_missing_is_what_is_reported(locale: str) -> None:
    _missed(locale, _sample(locale), 9)


@pytest.mark.exhaustive
@pytest.mark.parametrize("locale", ["ja", "en"])
def test_twenty_simulations_are_explained_to_the_last_character(
    locale: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    total = Account()
    sample = []
    for run in RUNS:
        with monkeypatch.context() as patch:
            patch.setenv("JTAU_PATCHES", run.patches)
            played = _play(run, locale, patch)
            # A book of its own: what is repaired differs by setting.
            account = account_for(played, Book(run.domain, locale))
        _check(account)
        total.classes += account.classes
        total.pieces |= account.pieces
        if not run.patches:
            sample.append((run.domain, played, account))
    used = {address for own in total.pieces.values() for address in own}
    count = sum(total.classes.values())
    with capsys.disabled():
        sys.stdout.write(
            f"\n{locale}: {len(RUNS)} simulations, {count} characters explained, "
            f"{len(used)} segments met; {dict(total.classes.most_common())}\n"
        )
    _missed(locale, tuple(sample), 100)
