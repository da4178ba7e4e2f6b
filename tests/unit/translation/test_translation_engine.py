"""The small parts of the engine: replies, waits, diary, cache, ledger, judgement of single words."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.checks.model import Context
from jtau_plugin.errors import OverlayError, SettingError, TranslationError
from jtau_plugin.models.checks import CheckWords
from jtau_plugin.models.translation import LedgerEntry
from jtau_plugin.translation.engine.cache import AnswerCache
from jtau_plugin.translation.engine.client import ModelSettings, require_parameters
from jtau_plugin.translation.engine.journal import Journal, WrittenText
from jtau_plugin.translation.engine.pace import backoff, retry_after
from jtau_plugin.translation.engine.reply import parse_reply
from jtau_plugin.translation.engine.units import Unit
from jtau_plugin.translation.extraction.segment import (
    LABEL,
    NAME,
    POLICY,
    PROMPT,
    TASK,
    TERM,
    TOOL,
)
from jtau_plugin.translation.ledger import dump_ledger, load_ledger, save_ledger
from jtau_plugin.translation.locating import require_locale
from jtau_plugin.translation.masking import MaskRules, mask
from jtau_plugin.translation.verification import Verifier
from jtau_plugin.translation.writing.files import write_atomically, writing_into

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

# --- replies

_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.sampled_from(["a", "id", "text"]),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["a", "id", "text", "x"]), inner)
    ),
)


@given(st.text(alphabet='{}[]",:\\ abidtex0\n`⟪⟫\ud83d') | _JSON.map(json.dumps))
def test_no_reply_can_stop_a_run(content: str) -> None:
    reply = parse_reply(content, ["a", "b"])
    assert reply.texts.keys() | reply.faults.keys() == {"a", "b"}
    assert not reply.texts.keys() & reply.faults.keys()
    for text in reply.texts.values():
        assert text.strip()
        text.encode("utf-8")


@given(st.text(min_size=1).filter(str.strip), st.text(min_size=1).filter(str.strip))
def test_what_a_reply_says_is_read(first: str, second: str) -> None:
    from jtau_plugin.translation.engine.reply import _is_text

    written = {"translations": [{"id": "a", "text": first}, {"id": "b", "text": second}]}
    reply = parse_reply(json.dumps(written), ["a", "b"])
    for name, text in (("a", first), ("b", second)):
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
        if _is_text(plain):
            assert reply.texts[name] == plain
        else:
            assert reply.faults[name] == "the translation holds control characters"


def test_an_id_of_the_whole_reply_is_no_translation() -> None:
    content = json.dumps({"id": "r1", "translations": [{"id": "a", "translation": "x"}]})
    assert parse_reply(content, ["a"]).texts == {"a": "x"}


# --- waits


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"Retry-After-Ms": "250", "Retry-After": "7"}, 0.25),
        ({"Retry-After": "99999"}, 600.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"Retry-After": "-5"}, None),
        ({"Retry-After": "²"}, None),
        ({"Retry-After": "soon"}, None),
        ({}, None),
    ],
)
def test_how_long_a_service_asks_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_date_to_come_back_at() -> None:
    moment = datetime.now(timezone.utc) + timedelta(seconds=100)
    assert 90 < (retry_after({"Retry-After": format_datetime(moment, usegmt=True)}) or 0) <= 100


@given(st.text(), st.text())
def test_no_header_can_stop_a_run(value: str, other: str) -> None:
    found = retry_after({"Retry-After": value, "Retry-After-Ms": other})
    assert found is None or 0 <= found <= 600


@given(st.integers(0, 10_000), st.floats(0, 100))
def test_waits_grow_up_to_a_minute(attempt: int, base: float) -> None:
    assert 0 <= backoff(attempt, base) <= 60
    assert backoff(3, 1.0) >= 4


# --- diary and cache


def test_a_diary_that_was_torn_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with Journal(path) as journal:
        journal.answer(["k1", "k2"], {"k1": {"text": "one", "date": "2026-01-02"}})
        journal.write({"a#b": WrittenText("f" * 64, model="m", previous="before")})
        journal.write({"a#b": WrittenText("f" * 64, model="m")})
    whole = path.read_bytes()
    path.write_bytes(b'{"type": "answers"}\nno JSON\n[1]\n' + whole + b'{"type": "answers", "ans')
    with Journal(path) as journal:
        assert journal.answers == {"k1": {"text": "one", "date": "2026-01-02"}}
        (written,) = journal.written["a#b"].values()
        assert written.previous == "before"  # what was there first
        journal.answer(["k3"], {"k3": {"text": "three"}})
    with Journal(path) as journal:
        assert journal.answers.keys() == {"k1", "k3"}
        journal.finish()
    assert not path.exists()


def test_a_run_that_asked_nothing_leaves_no_diary(tmp_path: Path) -> None:
    with Journal(tmp_path / "runs" / "x.jsonl"):
        pass
    assert list((tmp_path / "runs").iterdir()) == []


@pytest.mark.parametrize("content", ["", "{", "[]", '{"text": 5}', "\ud83d"])
def test_a_kept_answer_that_cannot_be_read_is_none(tmp_path: Path, content: str) -> None:
    cache = AnswerCache(tmp_path)
    key = "ab" * 32
    cache.put(key, {"text": "x"})
    assert cache.get(key) == {"text": "x"}
    (path,) = tmp_path.rglob("*.json")
    path.write_bytes(content.encode("utf-8", errors="surrogatepass"))
    assert cache.get(key) is None


# --- files


def test_two_runs_never_write_one_locale(tmp_path: Path) -> None:
    folder = tmp_path / "th"
    with writing_into(folder):
        with pytest.raises(TranslationError, match="another run"), writing_into(folder):
            pass
        assert folder.is_dir()
    assert not folder.exists()  # it stayed empty


def test_what_a_killed_run_left_is_swept(tmp_path: Path) -> None:
    folder = tmp_path / "th"
    write_atomically(folder / "shop" / "tools.yaml", "x\n")
    (folder / "shop" / ".tools.yaml.abcd_123.tmp").write_text("half")
    (folder / ".mine.tmp").write_text("a person's")
    with writing_into(folder):
        pass
    left = {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}
    assert left == {"shop/tools.yaml", ".mine.tmp"}


def test_a_folder_that_cannot_be_written_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    folder = tmp_path / "file" / "th"
    with pytest.raises(TranslationError, match="nothing can be written"), writing_into(folder):
        pass


# --- ledger


def test_a_ledger_is_the_same_in_any_order(tmp_path: Path) -> None:
    entries = [LedgerEntry(address=f"a#{i}", source=str(i) * 64) for i in range(3)]
    assert dump_ledger(entries) == dump_ledger(reversed(entries))
    assert save_ledger(tmp_path, {e.address: e for e in entries})
    assert not save_ledger(tmp_path, load_ledger(tmp_path))


def test_a_line_of_a_ledger_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    good = dump_ledger([LedgerEntry(address="a#1", source="0" * 64)])
    (tmp_path / "ledger.jsonl").write_text(f"{good}{good}no JSON\n")
    with pytest.raises(OverlayError) as caught:
        load_ledger(tmp_path)
    assert [p.where.rpartition(":")[2] for p in caught.value.problems] == ["2", "3"]


# --- where a model is asked


@pytest.mark.parametrize(
    ("given", "service"),
    [
        ("", ""),
        ("http://me:secret@Host:80/v1/?key=secret#secret", "http://host:80/v1"),
        ("host/v1", "host/v1"),
    ],
)
def test_a_service_is_known_by_its_address_without_secrets(
    monkeypatch: pytest.MonkeyPatch, given: str, service: str
) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.delenv(name, raising=False)
    assert ModelSettings("openai/x", api_base=given).service == service


def test_the_environment_may_name_a_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://a")
    monkeypatch.setenv("OPENAI_API_BASE", "http://b")
    monkeypatch.setenv("HOSTED_VLLM_API_BASE", "http://c")
    assert ModelSettings("gpt-4.1").service == "http://a"
    assert ModelSettings("openai/x", api_base="http://d").service == "http://d"
    assert ModelSettings("hosted_vllm/x").service == "http://c"
    assert ModelSettings("anthropic/x").service == ""


# --- judgement


@pytest.mark.parametrize(
    ("kind", "english", "text", "fault"),
    [
        (NAME, "Akron", "แอครอน", ""),
        (NAME, "Akron", "แอครอน 98765", "numbers 98765, expected none"),
        (TERM, "24 hours", "๒๔ ชั่วโมง", ""),
        (TERM, "24 hours", "๒๔ ชั่วโมง 7", "numbers 24, 7, expected 24"),
        (LABEL, "Persona:", "บุคลิก: 98765", "numbers 98765, expected none"),
        (NAME, "Akron", "x" * 200, "a name or a word is expected, not an explanation"),
        (NAME, "Akron", "one\ntwo", "a single line is expected, without tabs"),
        (NAME, "Akron", "I'm sorry, but I can't help with that.", "this is no translation"),
        (POLICY, "# A\n\nWait.", "# ก รอ", "1 lines, expected 3"),
        (TOOL, "Find an order.", "หาคำสั่งซื้อ\n\nหาคำสั่งซื้อ", "3 lines, expected a single one"),
        (TASK, "You want a seat.", "คุณ\nต้องการที่นั่ง", "2 lines, expected a single one"),
        (TOOL, "Find an order,\nwhoever asks.", "หาคำสั่งซื้อไม่ว่าใครถาม", ""),
        (TOOL, "Find it.\n\nAsk first.", "หา ถามก่อน", "1 paragraphs, expected 2"),
        (PROMPT, "Be kind.\n\nAsk first.", "สุภาพ\n \nถามก่อน\n\nพูดไทย", ""),
    ],
)
def test_what_makes_a_translation_unusable(kind: str, english: str, text: str, fault: str) -> None:
    unit = Unit("u1", kind, english, mask(english, kind, MaskRules()))
    faults = VERIFY(unit, text).faults
    if fault:
        assert any(said.startswith(fault) for said in faults), faults
    else:
        assert faults == ()


@given(st.text())
def test_no_text_can_stop_a_run(text: str) -> None:
    english = "Wait 5 days for {item_id}, then call find_order."
    unit = Unit("u1", POLICY, english, mask(english, POLICY, MaskRules()))
    VERIFY(unit, text)
    VERIFY(unit, f"{text}{unit.masked.text}{text}")


# --- options


@pytest.mark.parametrize("locale", ["../x", "TH", "x", "", "th/..", "zh_Hant", "ｔｈ", "th\n"])
def test_what_is_no_locale(locale: str) -> None:
    with pytest.raises(SettingError, match="is no code of a language"):
        require_locale(locale)


@pytest.mark.parametrize("locale", ["th", "fil", "pt-br", "zh-hant"])
def test_what_is_a_locale(locale: str) -> None:
    require_locale(locale)


@pytest.mark.parametrize(
    "name", ["api_key", "aws_secret_access_key", "extra_headers", "stream", "n"]
)
def test_parameters_that_are_not_for_a_user_to_set(name: str) -> None:
    with pytest.raises(SettingError, match=f"--param {name}"):
        require_parameters({name: "x"})
    require_parameters({"temperature": 0.5, "max_tokens": 4000, "reasoning_effort": "low"})
