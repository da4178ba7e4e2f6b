"""What becomes of each row that a reviewer wrote into, and of those that say nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from review_rows import FILE, answer_to, answers_of, make_item

from jtau_plugin.models.review import ReviewWords
from jtau_plugin.models.translation import LedgerEntry
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.review.book import Answer
from jtau_plugin.review.judging import Judge, Judgement
from jtau_plugin.review.rows import rows_of
from jtau_plugin.review.words import Reader, Words
from jtau_plugin.translation.items import Item, State

READER = Reader((Words(ReviewWords(encodings=("cp932",))),))


def judge(answers: list[Answer], *items: Item) -> Judgement:
    own = {item.address: item for item in items}
    return Judge(own, Words(), READER).judge(answers)


def reason(found: Judgement) -> str:
    assert not found.readings
    return " | ".join(dict.fromkeys(reason for _, reason in found.refused))


def test_a_correction_is_taken_with_or_without_a_status() -> None:
    for status in ("", "corrected", "approved"):
        [reading] = judge(
            answers_of(make_item(), correction=" おはようございます\n", status=status), make_item()
        ).readings
        assert reading.text == "おはようございます"
        assert reading.is_corrected
        assert reading.is_complete


def test_letters_that_were_taken_apart_are_put_together() -> None:
    # か with its mark as two characters, and an ideograph that must stay the variant that it is
    apart = "ありか\u3099とう。神\ufa19"
    [reading] = judge(answers_of(make_item(), correction=apart), make_item()).readings
    assert reading.text == "ありがとう。神\ufa19"


def test_approval_without_a_correction_is_a_reading() -> None:
    [reading] = judge(answers_of(make_item(), status="approved", note="good"), make_item()).readings
    assert not reading.is_corrected
    assert reading.note == "good"


def test_a_correction_that_is_the_text_approves_it_even_after_it_has_changed() -> None:
    now = make_item(text="おはようございます")
    old = answers_of(make_item(), correction="おはようございます")
    [reading] = judge(old, now).readings
    assert not reading.is_corrected


def test_empty_rows_say_nothing_whatever_has_changed() -> None:
    found = judge(answers_of(make_item()), make_item(text="other"))
    assert (found.blank, found.readings, found.refused) == (1, [], [])


def test_the_blanks_around_a_text_stay() -> None:
    item = make_item(text="  - なし\n")
    [reading] = judge(answers_of(item, correction="- ない"), item).readings
    assert reading.text == "  - ない\n"


def test_questions_and_notes_change_nothing_and_are_kept() -> None:
    a, b = make_item("a"), make_item("b")
    found = judge(
        [*answers_of(a, status="question", note="sure?"), *answers_of(b, note="nice")], a, b
    )
    assert [(r.item, r.is_question, r.answer.note) for r in found.remarks] == [
        (a, True, "sure?"),
        (b, False, "nice"),
    ]
    assert not found.readings


REFUSED = [
    ({"key": f"{FILE}#none", "status": "approved"}, "there is no such text"),
    ({"english_sha256": "0" * 64, "status": "approved"}, "the English has changed"),
    ({"english": "Good night", "status": "approved"}, "is not the one that was exported"),
    ({"translation_sha256": "0" * 64, "correction": "x"}, "the translation has changed"),
    ({"translation": "こんにちは", "status": "approved"}, "'Current translation' was edited"),
    ({"translation": "こんにちは"}, "'Current translation' was edited; write into 'Correction'"),
    ({"status": "perhaps"}, "'perhaps' is no status; choose approved, corrected, question"),
    ({"status": "corrected"}, "'Correction' is empty"),
    ({"status": "question", "correction": "x"}, "a correction in question"),
    ({"correction": "x\x00"}, "U+0000"),
    ({"note": "\ud83d", "status": "approved"}, "U+D83D"),
    ({"fault": ("number", "3"), "correction": "3"}, "holds a number or a date, not a text: 3"),
    ({"fault": ("formula", "=A1"), "correction": "=A1"}, "a formula, not a text: =A1"),
]


@pytest.mark.parametrize(("said", "why"), REFUSED, ids=[str(i) for i in range(len(REFUSED))])
def test_what_cannot_be_taken_is_refused_with_the_reason(said: dict, why: str) -> None:
    found = judge(answers_of(make_item(), **said), make_item())
    assert why in reason(found)
    [(answer, _)] = found.refused
    assert all(getattr(answer, name) == value for name, value in said.items())


def test_a_text_whose_english_has_changed_is_refused() -> None:
    item = make_item(state=State.KEPT)
    assert "has to be translated first" in reason(judge(answers_of(item, correction="x"), item))


def test_the_mark_of_a_locked_row_says_nothing() -> None:
    item = make_item(state=State.STALE)
    found = judge(answers_of(item, status="locked: the English has changed"), item)
    assert (found.blank, found.refused) == (1, [])


def test_equal_rows_count_once_and_empty_ones_not_at_all() -> None:
    [answer] = answers_of(make_item(), correction="x")
    found = judge([answer, replace(answer, where="row 9"), *answers_of(make_item())], make_item())
    assert len(found.readings) == 1
    assert not found.refused


def test_rows_that_contradict_each_other_are_all_refused() -> None:
    [answer] = answers_of(make_item(), correction="x")
    other = replace(answer, correction="y", where="row 9")
    found = judge([answer, other], make_item())
    assert "say different things: row 1, row 9" in reason(found)
    assert len(found.refused) == 2


def test_letters_that_an_encoding_lost_are_told_from_an_edit() -> None:
    item = make_item(text="カフェ(café)は9時から")
    damaged = {"translation": "カフェ(caf?)は9時から"}
    found = judge(answers_of(item, **damaged), item)
    assert (found.blank, found.refused) == (1, [])
    approved = judge(answers_of(item, **damaged, status="approved"), item)
    assert "became question marks" in reason(approved)
    other = answers_of(item, translation="カフェ(caf?)は8時から")
    assert "was edited" in reason(judge(other, item))


def test_letters_that_an_encoding_wrote_otherwise_are_put_back() -> None:
    item = make_item(text="9時〜17時")  # a wave dash, which comes out of cp932 as a tilde
    shown = item.held.text.encode("cp932").decode("cp932")
    assert shown == "9時～17時"
    assert judge(answers_of(item, translation=shown), item).blank == 1
    [reading] = judge(answers_of(item, translation=shown, correction="9時～18時"), item).readings
    assert reading.text == "9時〜18時"


def test_a_value_stays_on_one_line_and_a_section_keeps_its_headings() -> None:
    value = make_item(kind="value")
    assert "single line" in reason(judge(answers_of(value, correction="a\nb"), value))
    assert "single line" in reason(judge(answers_of(value, correction="a\tb"), value))
    section = make_item(kind="policy", english="# A\ntext", text="# あ\n文", file="shop/policy.md")
    found = judge(answers_of(section, correction="# あ\n文\n# い\n文"), section)
    assert "headings" in reason(found)
    assert judge(answers_of(section, correction="# い\n文"), section).readings


def test_two_wordings_with_one_text_take_one_answer() -> None:
    a, b = make_item("a", place="x"), make_item("b", "Good morning!", place="x")
    both = judge([*answers_of(a, correction="x"), *answers_of(b, correction="x")], a, b)
    assert [reading.text for reading in both.readings] == ["x", "x"]
    found = judge([*answers_of(a, correction="x"), *answers_of(b, status="approved")], a, b)
    assert "also that of" in reason(found)
    assert len(found.refused) == 2


def test_an_address_is_found_without_the_blank_at_its_end() -> None:
    item = make_item("Error. ")
    [answer] = answers_of(item, status="approved")
    assert judge([replace(answer, key=answer.key.strip())], item).readings


LONG = make_item(english="a line\n" * 60 + "end", text="一行\n" * 60 + "終")


def test_a_text_in_parts_is_read_once_all_of_them_are() -> None:
    first, *rest = answers_of(LONG, status="approved")
    [reading] = judge([first, *rest], LONG).readings
    assert reading.is_complete
    assert reading.text == LONG.held.text
    found = judge([first], LONG)
    assert "other parts" in reason(found)


def test_a_corrected_part_changes_the_text_and_leaves_it_unread() -> None:
    rows = rows_of(LONG)
    [reading] = judge([answer_to(rows[1], correction="二行\n終わり")], LONG).readings
    assert not reading.is_complete
    pieces = reading.text.split("\n")
    assert pieces[: rows[0].translation.count("\n") + 1] == rows[0].translation.split("\n")
    assert "二行\n終わり" in reading.text
    # Taken again: the text is there already, and nothing is refused.
    entry = LedgerEntry(
        address=LONG.address,
        source=LONG.segment.fingerprint,
        text=fingerprint_text(reading.text),
        origin="person",
    )
    now = replace(LONG, held=replace(LONG.held, text=reading.text), entry=entry)
    if [row.key for row in rows_of(now)] == [row.key for row in rows]:
        again = judge([answer_to(rows[1], correction="二行\n終わり")], now)
        assert not again.refused


def test_a_part_of_a_text_that_somebody_has_read_whole_is_enough() -> None:
    entry = LedgerEntry(
        address=LONG.address,
        source=LONG.segment.fingerprint,
        text=fingerprint_text(LONG.held.text),
        status="reviewed",
        reviewer="Emma",
    )
    item = replace(LONG, entry=entry)
    first, *_ = answers_of(item, status="approved")
    assert judge([first], item).readings[0].is_complete
    # Not any more once the text is another one.
    other = replace(item, entry=entry.model_copy(update={"text": "0" * 64}))
    assert "other parts" in reason(judge([first], other))
