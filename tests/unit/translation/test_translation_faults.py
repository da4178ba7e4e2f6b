"""Services fail in every way that they know; the texts end up the same, and none is paid twice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import model_server
import pytest
from model_server import (
    BAD_REPLIES,
    HARMLESS,
    NO_REPLIES,
    ModelServer,
    Request,
    always,
    first,
    poisoned,
    seeded,
    serving,
    well,
)

from jtau_plugin.checks.model import Context
from jtau_plugin.errors import TranslationError
from jtau_plugin.models.checks import CheckWords
from jtau_plugin.translation.engine.cache import AnswerCache
from jtau_plugin.translation.engine.client import Client, ModelSettings, require_model
from jtau_plugin.translation.engine.journal import Journal
from jtau_plugin.translation.engine.limits import Limits, Spent
from jtau_plugin.translation.engine.request import Target
from jtau_plugin.translation.engine.runner import Runner
from jtau_plugin.translation.engine.units import Answer, Failure, Unit, unit_id
from jtau_plugin.translation.extraction.segment import POLICY, VALUE
from jtau_plugin.translation.masking import MaskRules, mask
from jtau_plugin.translation.verification import Verifier

VERIFY = Verifier(
    Context(
        locale="th",
        domain="shop",
        words=CheckWords(),
        terms=(),
        tables={},
        told=frozenset(),
        names=frozenset(),
        persons=frozenset(),
        places=frozenset(),
    )
)
TARGET = Target("th", "Thai", "polite")
ENGLISH = [
    "# Returns\n\n- Take order #W100 back within 30 days.\n- Ask first.",
    "Refuse what costs more than $20.",
    "Call find_order before you answer.",
    "Say ###STOP### when nothing is left.",
    "Nothing is hidden in this sentence.",
    "A poisoned sentence stands here, with 7 words.",
    "Wait until 2024-05-15 and call again.",
    "Two things: 5 apples and 6 pears.",
]


def unit(english: str, kind: str = POLICY, scope: str = "") -> Unit:
    masked = mask(english, kind, MaskRules())
    return Unit(unit_id(kind, scope, english), kind, english, masked, scope=scope)


UNITS = [unit(english) for english in ENGLISH]


class Bench:
    """Runs units against a server, each time as a new process would."""

    def __init__(self, server: ModelServer, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.spent = Spent()

    @property
    def journal(self) -> Path:
        return self.folder / "run.jsonl"

    def run(
        self,
        units: list[Unit] = UNITS,
        limits: Limits | None = None,
        cache: bool = False,
        **more: Any,
    ) -> dict[str, Answer | Failure]:
        given: dict[str, Any] = {"timeout": 5.0, "first_wait": 0.001, "concurrency": 2}
        given |= {"api_base": self.server.url, **more}
        client = Client(ModelSettings("openai/x", **given))
        kept = AnswerCache(self.folder / "cache" if cache else None)
        with Journal(self.journal) as journal:
            runner = Runner(
                client, TARGET, journal, kept, limits=limits or Limits(batch=3), today="2026-01-02"
            )
            self.spent = runner.spent
            with runner:
                return runner.run(units, VERIFY)

    def texts(self, **more: Any) -> list[str]:
        outcomes = self.run(**more)
        return [outcomes[u.id].text for u in UNITS]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with serving(hang=2.0) as server:
        yield Bench(server, tmp_path)


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What a service without faults brings."""
    with serving() as server:
        return Bench(server, tmp_path_factory.mktemp("right")).texts()


def assert_paid_once(server: ModelServer) -> None:
    assert server.log.answered == {u.id: 1 for u in UNITS}


def test_without_faults_each_text_is_asked_for_once(bench: Bench, right: list[str]) -> None:
    assert right[0].startswith("# ⟦th⟧Returns\n\n- ⟦th⟧Take order #W100 back within 30 days.\n")
    assert bench.texts() == right
    assert bench.server.log.asked == {u.id: 1 for u in UNITS}
    assert bench.spent.requests == len(bench.server.log.requests) == 3
    assert (bench.spent.prompt_tokens, bench.spent.completion_tokens) == (300, 150)
    assert not bench.spent.is_priced


@pytest.mark.parametrize("mode", BAD_REPLIES)
def test_a_reply_that_is_partly_unusable(bench: Bench, right: list[str], mode: str) -> None:
    bench.server.choose = first(2, mode)
    assert bench.texts() == right
    assert_paid_once(bench.server)
    assert (bench.server.log.asked == {u.id: 1 for u in UNITS}) == (mode in HARMLESS)


@pytest.mark.parametrize("mode", NO_REPLIES)
def test_a_request_that_is_not_answered(bench: Bench, right: list[str], mode: str) -> None:
    bench.server.choose = first(2, mode)
    assert bench.texts(timeout=0.4 if mode == "hang" else 5.0) == right
    assert_paid_once(bench.server)
    assert bench.server.log.requests.count(mode) == 2


@pytest.mark.parametrize("seed", range(2))
def test_all_faults_at_once(bench: Bench, right: list[str], seed: int) -> None:
    modes = [m for m in BAD_REPLIES + NO_REPLIES if m != "hang"]
    bench.server.choose = seeded(seed, modes)
    limits = Limits(batch=3, attempts=20)
    assert bench.texts(limits=limits, max_retries=20, concurrency=4) == right
    assert_paid_once(bench.server)


@pytest.mark.parametrize(
    "mode", ["500", "reset", "413", "refusal", "empty text", "no JSON", "null content"]
)
def test_one_text_that_never_comes_takes_no_other_with_it(
    bench: Bench, right: list[str], mode: str
) -> None:
    bench.server.choose = poisoned(["poisoned"], mode)
    outcomes = bench.run(max_retries=1, limits=Limits(batch=8, attempts=3))
    failed = [u.english for u in UNITS if isinstance(outcomes[u.id], Failure)]
    assert failed == ["A poisoned sentence stands here, with 7 words."]
    assert [outcomes[u.id].text for u in UNITS if u.english not in failed] == [
        text for text, u in zip(right, UNITS, strict=True) if u.english not in failed
    ]
    (reason,) = outcomes[UNITS[5].id].reasons
    assert reason
    assert all(count == 1 for count in bench.server.log.answered.values())


def test_the_next_run_asks_for_nothing_but_what_failed(bench: Bench, right: list[str]) -> None:
    bench.server.choose = poisoned(["poisoned"], "no JSON")
    bench.run(limits=Limits(batch=8, attempts=2))
    bench.server.choose, bench.server.log = well, type(bench.server.log)()
    assert bench.texts() == right
    assert bench.server.log.asked == {UNITS[5].id: 1}


def test_a_service_that_is_down_is_given_up(bench: Bench, right: list[str]) -> None:
    bench.server.choose = always("500")
    with pytest.raises(TranslationError, match=r"does not answer.*the same command goes on"):
        bench.run(max_retries=1, limits=Limits(batch=1))
    assert len(bench.server.log.requests) <= 8
    bench.server.choose = well
    assert bench.texts() == right


def test_a_service_that_goes_down_halfway_keeps_what_it_sold(
    bench: Bench, right: list[str]
) -> None:
    bench.server.choose = lambda request: "well" if request.number < 2 else "503"
    with pytest.raises(TranslationError, match="does not answer"):
        bench.run(max_retries=0, limits=Limits(batch=1), concurrency=1)
    assert sum(bench.server.log.answered.values()) == 2
    bench.server.choose = well
    assert bench.texts() == right
    assert_paid_once(bench.server)


@pytest.mark.parametrize("mode", ["401", "404", "quota"])
def test_what_no_request_can_mend_ends_the_run_at_once(bench: Bench, mode: str) -> None:
    bench.server.choose = always(mode)
    with pytest.raises(TranslationError, match="openai/x cannot be asked"):
        bench.run(concurrency=1)
    assert len(bench.server.log.requests) == 1


def test_a_request_that_is_always_wrong_is_not_made_for_each_text(bench: Bench) -> None:
    bench.server.choose = always("400")
    with pytest.raises(TranslationError, match="does not answer"):
        bench.run(limits=Limits(batch=8), concurrency=1)
    assert [len(batch) for batch in bench.server.log.batches] == [8, 4, 2, 1, 1, 2, 1]


def test_a_busy_service_is_waited_for(bench: Bench, right: list[str]) -> None:
    """More refusals than a failing service would be forgiven."""
    bench.server.choose = first(9, "429")
    assert bench.texts(max_retries=1, limits=Limits(batch=8), concurrency=1) == right
    assert_paid_once(bench.server)


@pytest.mark.parametrize("concurrency", [1, 8])
def test_the_texts_do_not_depend_on_how_many_are_asked_at_once(
    bench: Bench, right: list[str], concurrency: int
) -> None:
    assert bench.texts(concurrency=concurrency, limits=Limits(batch=1)) == right
    assert bench.server.log.most_at_once <= concurrency


def test_a_session_that_is_lent_is_left_alone(
    bench: Bench, right: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """tau2 v1.0.1 lends litellm one for all event loops: its connections may be another's."""
    import litellm

    lent = object()
    monkeypatch.setattr(litellm, "aclient_session", lent)
    assert bench.texts() == right
    assert_paid_once(bench.server)
    assert litellm.aclient_session is lent


def test_a_kept_answer_is_not_asked_for_again(bench: Bench, right: list[str]) -> None:
    bench.texts(cache=True)
    bench.journal.unlink()
    log, bench.server.log = bench.server.log, type(bench.server.log)()
    assert log.requests
    assert bench.texts(cache=True) == right
    assert bench.server.log.requests == []
    assert bench.spent.known == len(UNITS)


def test_a_kept_answer_of_another_model_is_none(bench: Bench) -> None:
    bench.texts(cache=True)
    bench.journal.unlink()
    bench.texts(cache=True, parameters={"temperature": 1})
    assert bench.server.log.asked == {u.id: 2 for u in UNITS}


def test_a_kept_answer_of_another_service_is_none(bench: Bench, right: list[str]) -> None:
    """Whatever the model is called there; a password in the address makes no other service."""
    bench.texts(cache=True)
    with serving() as other:
        away = Bench(other, bench.folder)
        assert away.texts(cache=True) == right
        assert other.log.asked == {u.id: 1 for u in UNITS}
    url = bench.server.url.replace("//", "//me:secret@")
    bench.journal.unlink()
    again = bench.texts(cache=True, api_base=url)
    assert again == right
    assert bench.server.log.asked == {u.id: 1 for u in UNITS}
    kept = [path.read_text() for path in bench.folder.rglob("*") if path.is_file()]
    assert len(kept) == 2 * len(UNITS)
    assert not any("secret" in text for text in kept)


def test_values_that_read_alike_are_told_apart_or_fail(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two values of a one-to-one table may not have one form."""
    same = [unit("gray", VALUE, "table color"), unit("grey", VALUE, "table color")]
    reply = {"translations": [{"id": u.id, "text": "เทา"} for u in same]}
    asked: list[Request] = []

    def choose(request: Request) -> str:
        asked.append(request)
        return "well"

    bench.server.choose = choose
    monkeypatch.setattr(model_server, "echo_reply", lambda content: json.dumps(reply))
    outcomes = bench.run(same, limits=Limits(attempts=3))
    assert outcomes[same[0].id].text == "เทา"
    assert outcomes[same[1].id] == Failure(
        ("'เทา' is already the text of 'gray': tell them apart",)
    )
    assert [len(r.segments) for r in asked] == [2, 1, 1]
    assert asked[1].segments[0]["mend"] == ["'เทา' is already the text of 'gray': tell them apart"]


def test_a_limit_of_costs_ends_the_asking(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    from jtau_plugin.translation.engine import client

    monkeypatch.setattr(client, "_cost", lambda response: 0.5)
    outcomes = bench.run(limits=Limits(batch=2, cost=1.0), concurrency=1)
    assert len(bench.server.log.requests) == 2
    assert bench.spent.cost == 1.0
    failed = [u for u in UNITS if isinstance(outcomes[u.id], Failure)]
    assert failed == UNITS[4:]
    assert outcomes[UNITS[4].id] == Failure(("the limit of costs is reached",))


def test_a_service_that_is_named_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    from jtau_plugin.errors import SettingError

    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    require_model("openai/x", "http://127.0.0.1:1")
    with pytest.raises(SettingError, match="wants OPENAI_API_KEY in the environment"):
        require_model("gpt-4.1")
    with pytest.raises(SettingError, match="litellm knows no such model"):
        require_model("no-such-model")


def test_an_interrupted_run_keeps_what_was_answered(
    bench: Bench, right: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while requests are on their way."""
    real = Client.complete
    done = 0

    async def complete(self: Client, messages: Any) -> Any:
        nonlocal done
        if done == 2:
            raise KeyboardInterrupt
        answer = await real(self, messages)
        done += 1
        return answer

    with monkeypatch.context() as patch:
        patch.setattr(Client, "complete", complete)
        with pytest.raises(KeyboardInterrupt):
            bench.run(limits=Limits(batch=1), concurrency=1)
    assert bench.texts() == right
    assert_paid_once(bench.server)
