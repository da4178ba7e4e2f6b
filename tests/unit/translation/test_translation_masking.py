"""What must stay as it is is hidden from a translator, and comes back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jtau_plugin.translation.extraction.segment import LITERAL, NAME, TASK, VALUE
from jtau_plugin.translation.masking import MaskRules, lost_masks, mask, restore

RULES = MaskRules(
    choices={"pending": "保留中", "4g_only": "4Gのみ", "no": "いいえ"},
    persons=frozenset({"Mei", "Kovacs"}),
    lines={"This line is known already.": "この行は訳してあります。"},
)


def hidden(text, kind=TASK):
    return [(m.text, m.kind) for m in mask(text, kind, RULES).masks]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Order #W2378156 is late", [("#W2378156", "id")]),
        ("pay $1,234.50 or 5GB", [("1,234.50", "number"), ("5", "number")]),
        ("on 2024-05-15 at 15:00", [("2024-05-15", "date"), ("15:00", "time")]),
        ("write to a.b@example.com", [("a.b@example.com", "email")]),
        ("call 555-123-2002", [("555-123-2002", "phone")]),
        ("{item_id} not found", [("{item_id}", "placeholder")]),
        ("say ###STOP### in <policy>", [("###STOP###", "token"), ("<policy>", "tag")]),
        ("call get_user_details now", [("get_user_details", "name")]),
        ("use `2 + 2`", [("`2 + 2`", "code")]),
        ("the icon 📵 and ℹ️ here", [("📵", "icon"), ("ℹ️", "icon")]),
        ("You are Mei Kovacs, Mei", [("Mei Kovacs", "person")]),
        ("the status is 'pending'", [("pending", "choice")]),
        ("no, it is **pending**", [("pending", "choice")]),
        ("the mode 4g_only", [("4g_only", "choice")]),
        ("reservation VAAOXJ", [("VAAOXJ", "id")]),
        ("YOU ARE BEING TRANSFERRED", []),
        ("PLEASE HOLD ON", []),
        ("there is no pending order", []),
        ("1. First\n2. Then 30 days", [("30", "number")]),
        (
            "This line is known already.\nThis one is not.",
            [("This line is known already.", "line")],
        ),
    ],
)
def test_what_is_hidden(text, found):
    assert hidden(text) == found


def test_a_bare_word_is_never_exchanged():
    masked = mask("no pending order, but 'no' and 'pending'", TASK, RULES)
    assert masked.text == "no pending order, but '⟪1⟫' and '⟪2⟫'"
    assert restore(masked, masked.text) == "no pending order, but 'いいえ' and '保留中'"


def test_equal_things_are_one_token():
    masked = mask("5 of 5, not 6", TASK, RULES)
    assert masked.text == "⟪1⟫ of ⟪1⟫, not ⟪2⟫"
    assert lost_masks(masked, "⟪2⟫ではなく⟪1⟫のうち⟪1⟫") == []


def test_choices_inside_code():
    masked = mask('`set_mode(mode="4g_only", n=1)` or `"4g_only"`', TASK, RULES)
    assert restore(masked, masked.text) == '`set_mode(mode="4Gのみ", n=1)` or `"4Gのみ"`'


def test_values_keep_their_numbers_and_names_hide_nothing():
    assert hidden("3-piece", VALUE) == [("3", "number")]
    assert hidden("4g_5g_preferred", LITERAL) == []
    assert hidden("Anna 2", NAME) == []
    assert mask("1000", VALUE, RULES).is_nothing_left


def test_blanks_around_a_text_stay():
    masked = mask(" - granted:\n", TASK, RULES)
    assert restore(masked, "付与:") == " 付与:\n"


@pytest.mark.parametrize(
    ("translation", "said"),
    [
        ("番号は⟪1⟫", "⟪2⟫ ('b@c.de') stands 0 times, expected 1"),
        ("⟪1⟫⟪1⟫⟪2⟫", "⟪1⟫ ('7') stands 2 times, expected 1"),
        ("⟪1⟫⟪2⟫⟪9⟫", "⟪9⟫ was never handed out"),
        ("⟪1⟫⟪2⟫⟪", "a token is broken"),
    ],
)
def test_what_is_lost_is_said(translation, said):
    assert lost_masks(mask("number 7 for b@c.de", TASK, RULES), translation) == [said]


@pytest.mark.parametrize("written", ["⟪ 1 ⟫", "⟪１⟫", "⟪1⟫", "⟪01⟫"])
def test_a_token_may_be_written_a_little_differently(written):
    masked = mask("number 7", TASK, RULES)
    assert lost_masks(masked, f"番号{written}") == []
    assert restore(masked, f"番号{written}") == "番号7"


def test_brackets_of_the_source_itself():
    masked = mask("odd ⟪1⟫ text", TASK, RULES)
    assert restore(masked, masked.text) == "odd ⟪1⟫ text"


PIECES = st.sampled_from(
    ["no", "'pending'", "#W123", "{x}", " ", "\n", "1. ", "7", "`a`", "📵", "⟪", "⟫", "Mei Kovacs",
     "a_b", "<t>", "###STOP###", "x@y.zz", "2024-01-02", "**pending**", "word", "  ", "1,000"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_what_comes_back_unchanged_is_what_went_out(text):
    rules = MaskRules(choices={"pending": "pending"}, persons=RULES.persons)
    masked = mask(text, TASK, rules)
    assert lost_masks(masked, masked.text) == []
    assert restore(masked, masked.text) == text
