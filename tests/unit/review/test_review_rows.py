"""Long texts go into several rows and come back whole; samples are drawn, not picked."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from review_rows import FILE, make_item, make_row

from jtau_plugin.models.review import ReviewWords
from jtau_plugin.models.translation import LedgerEntry
from jtau_plugin.review.book import context_lines
from jtau_plugin.review.rows import address_of, rows_of, split_parts
from jtau_plugin.review.sampling import allocate, sample
from jtau_plugin.review.width import visual_lines
from jtau_plugin.review.words import Words
from jtau_plugin.translation.items import State

lines = st.lists(
    st.sampled_from(["", "a line", "## title", "あ" * 60, "x" * 100, "- "]), max_size=60
)


@given(lines, lines, st.integers(1, 30))
def test_the_parts_are_the_text(ours: list[str], theirs: list[str], most: int) -> None:
    english, text = "\n".join(ours), "\n".join(theirs)
    parts = split_parts(english, text, most, 0)
    assert "\n".join(part for part, _ in parts) == english
    assert "\n".join(part for _, part in parts) == text
    if len(parts) > 1:
        assert all(part.strip() for part, _ in parts) or not english.strip() or text.strip()


@given(st.lists(st.sampled_from(["", "a line", "あ" * 60]), min_size=1, max_size=80))
def test_no_part_is_longer_than_a_row_shows(text: list[str]) -> None:
    parts = split_parts("\n".join(text), "\n".join(text), 10, 0)
    for _, part in parts:
        assert visual_lines(part.strip("\n")) <= 10


def test_texts_of_other_lines_are_cut_at_their_paragraphs() -> None:
    english = "one\n\n" + "two\n" * 9 + "\nthree"
    text = "一\n\n" + "二\n" * 8 + "\n三"
    assert [part for part, _ in split_parts(english, text, 9, 0)] == [
        "one\n",
        "two\n" * 9,
        "three",
    ]


def test_texts_that_do_not_correspond_stay_whole() -> None:
    english, text = "a\n" * 40, "あ\n\nい\n" * 40
    assert split_parts(english, text) == [(english, text)]


def test_a_part_has_a_key_and_a_fingerprint_of_its_own() -> None:
    item = make_item(english="a line\n" * 60 + "end", text="一行\n" * 60 + "終")
    rows = rows_of(item)
    assert [row.key for row in rows] == [f"{FILE}#a [{i}/{len(rows)}]" for i in (1, 2, 3)]
    assert {address_of(row.key) for row in rows} == {item.address}
    assert "part 2 of 3" in "\n".join(context_lines(rows[1], Words()))


def test_a_text_whose_english_has_changed_is_locked() -> None:
    assert rows_of(make_item(state=State.STALE))[0].is_locked
    assert rows_of(make_item(state=State.KEPT))[0].is_locked
    assert not rows_of(make_item())[0].is_locked


def test_what_an_earlier_review_said_is_shown() -> None:
    entry = LedgerEntry(
        address="x",
        source="0" * 64,
        status="reviewed",
        reviewer="Emma",
        round="2",
        date="2026-12-01",
        note="fine now",
    )
    shown = context_lines(rows_of(make_item(entry=entry))[0], Words())
    assert shown[-2:] == ["reviewed before: Emma / 2 / 2026-12-01", "note from before: fine now"]


def test_a_question_from_before_is_shown_and_a_machines_note_is_not() -> None:
    entry = LedgerEntry(address="x", source="0" * 64, note="question (Emma): sure?")
    assert rows_of(make_item(entry=entry))[0].history == (("before", "question (Emma): sure?"),)
    entry = LedgerEntry(address="x", source="0" * 64, note="1.2 characters per character")
    assert rows_of(make_item(entry=entry))[0].history == ()


def shop(count: int, file: str = FILE) -> list:
    """Return rows of many tasks, three texts each, of two kinds."""
    return [
        make_row(
            f"{task}.{part}",
            "e",
            "t",
            context=(("task", str(task)), ("is", "why" if part else "who")),
        )
        for task in range(count)
        for part in range(3)
    ]


def test_a_sample_has_some_of_every_kind_and_of_many_tasks() -> None:
    drawn = sample(shop(40), 30, "7")
    assert len(drawn) == 30
    assert Counter(dict(row.context)["is"] for row in drawn) == {"who": 10, "why": 20}
    assert len({dict(row.context)["task"] for row in drawn}) >= 20


def test_the_same_seed_draws_the_same_and_another_seed_others() -> None:
    rows = shop(40)
    assert sample(rows, 10, "1") == sample(rows, 10, "1") != sample(rows, 10, "2")
    positions = [rows.index(row) for row in sample(rows, 10, "1")]
    assert positions == sorted(positions)


def test_small_files_and_documents_are_whole() -> None:
    rows = shop(40)
    policy = [row.__class__(**{**vars(row), "file": "shop/policy.md"}) for row in rows]
    prompts = [row.__class__(**{**vars(row), "file": "prompts.yaml"}) for row in rows]
    assert sample(policy, 5) == policy
    assert sample(prompts, 5) == prompts
    assert sample(rows, 120) == rows


def test_a_text_in_parts_is_drawn_whole() -> None:
    parts = [make_row("long", "e", "t", part=part, parts=3) for part in range(3)]
    drawn = sample([*parts, *shop(5)], 15)
    assert {row.part for row in drawn if row.parts == 3} in (set(), {0, 1, 2})
    assert len({row.address for row in drawn}) == 15


@given(
    st.dictionaries(
        st.tuples(st.text(max_size=3), st.text(max_size=3)), st.integers(1, 90), min_size=1
    ),
    st.integers(1, 120),
)
def test_shares_add_up_and_are_never_more_than_there_are(sizes: dict, count: int) -> None:
    shares = allocate(sizes, count)
    assert sum(shares.values()) == min(count, sum(sizes.values()))
    assert all(0 <= shares[name] <= sizes[name] for name in sizes)
    if count >= len(sizes):
        assert all(shares.values())


@pytest.mark.parametrize("word", ["approved", "APPROVED ", "ａｐｐｒｏｖｅｄ", "承認", " 承認　"])
def test_a_status_is_known_however_it_is_written(word: str) -> None:
    from jtau_plugin.review.words import Reader

    reader = Reader((Words(), Words(ReviewWords(statuses={"approved": "承認"}))))
    assert reader.status(word) == "approved"
    assert reader.status("maybe") is None
    assert reader.status(" ") == ""


def test_words_that_cannot_be_used_are_refused() -> None:
    with pytest.raises(ValueError, match="'shift-moon' is no encoding"):
        ReviewWords(encodings=("shift-moon",))
    with pytest.raises(ValueError, match="Extra inputs"):
        ReviewWords(column={})  # type: ignore[call-arg]


def test_the_words_of_the_shipped_locale_can_be_filled_in() -> None:
    from jtau_plugin import resources
    from jtau_plugin.review.words import load_words

    own = load_words(resources.data_root() / "overlays" / "ja")
    every = Words()
    for words in (own, every):
        for passage in words.instructions:
            assert all(line.format(**words.named()) for line in passage.lines)
        for name in ("unknown", "translation-edited", "nothing", "question", "damaged"):
            assert "{" not in words.reason(name)
        assert "3" in words.label("sample", count=3, total=9, seed="1")
        assert "2" in words.reviewed.format(round="2", date="2026-12-01")
    assert set(own.columns) == set(every.columns)
    assert set(own.statuses) == set(every.statuses)
