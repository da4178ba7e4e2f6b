"""Repairs of documents: guards, what is satisfied, what contradicts, in English and localized."""

from __future__ import annotations

from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.errors import RepairError
from jtau_plugin.models.patches import DocumentRepair
from jtau_plugin.patching.documents import (
    fingerprint_lines,
    load_document_repairs,
    read_document_repairs,
    repair_document,
    repair_localized_document,
)

ENGLISH = """# Guide

- Turn the radio off.
- Look at the bar.
- There are five lamps.
- Go to room 6.
**If it is ON:**
- Wait."""
JAPANESE = """# 手引き

- 無線をオフにしてください。
- バーを見てください。
- ランプは5個あります。
- 部屋6に進んでください。
**オンの場合:**
- 待ってください。"""


def guard(*lines: str) -> str:
    return fingerprint_lines(lines)


def edit(op: str, *lines: str, ja: Any = (), **more: Any) -> dict[str, Any]:
    pairs = [{"find": find, "replace": replace} for find, replace in ja]
    localized = {"localized": {"ja": pairs}, "lines": len(lines)}
    return {"op": op, "guard": guard(*lines), **localized, **more}


def repair(name: str, *edits: dict[str, Any], document: str = "guide") -> DocumentRepair:
    return DocumentRepair.model_validate(
        {
            "id": name,
            "title": "A title",
            "class": "text",
            "why": "a reason",
            "evidence": "read",
            "documents": {document: edits},
        }
    )


COUNT = repair(
    "count",
    edit("substitute", "- There are five lamps.", find="five", value="six", ja=[("5個", "6個")]),
)
BRANCH = repair(
    "branch",
    edit(
        "insert_after",
        "- Turn the radio off.",
        "- Look at the bar.",
        value="    - If it is dark, go on.",
        ja=[
            ("バーを見てください。", "バーを見てください。\n    - 暗い場合は、次に進んでください。")
        ],
    ),
)
BLANK = repair(
    "blank",
    edit(
        "insert_before",
        "**If it is ON:**",
        value="\n",
        ja=[("ください。\n**オンの", "ください。\n\n**オンの")],
    ),
)
ROOM = repair(
    "room",
    edit("replace", "- Go to room 6.", value="- Go to room 2.2.", ja=[("部屋6", "部屋2.2")]),
)
WAIT = repair("wait", edit("remove", "- Wait.", ja=[("\n- 待ってください。", "")]))
ALL = (COUNT, BRANCH, BLANK, ROOM, WAIT)


def problems(call: Any, *arguments: Any) -> list[str]:
    with pytest.raises(RepairError) as caught:
        call(*arguments)
    return [str(problem) for problem in caught.value.problems]


def mend(text: str, *repairs: DocumentRepair) -> str:
    return repair_document("guide", text, repairs)


def mend_ja(text: str, *repairs: DocumentRepair) -> str:
    return repair_localized_document("guide", text, repairs, "ja")


def test_every_operation() -> None:
    assert mend(ENGLISH, *ALL) == (
        "# Guide\n\n- Turn the radio off.\n- Look at the bar.\n    - If it is dark, go on.\n"
        "- There are six lamps.\n- Go to room 2.2.\n\n**If it is ON:**"
    )
    assert mend_ja(JAPANESE, *ALL) == (
        "# 手引き\n\n- 無線をオフにしてください。\n- バーを見てください。\n"
        "    - 暗い場合は、次に進んでください。\n- ランプは6個あります。\n"
        "- 部屋2.2に進んでください。\n\n**オンの場合:**"
    )


def test_a_document_without_edits_is_left_alone() -> None:
    assert repair_document("other", ENGLISH, ALL) == ENGLISH
    assert repair_localized_document("other", JAPANESE, ALL, "ja") == JAPANESE
    assert mend(ENGLISH) == ENGLISH


def test_the_guard_is_blind_to_blanks_at_line_ends_and_to_nothing_else() -> None:
    trailing = ENGLISH.replace("five lamps.", "five lamps.  ")
    assert "- There are six lamps.  " in mend(trailing, COUNT)
    assert problems(mend, ENGLISH.replace("There are five", "there are five"), COUNT) == [
        (
            "repair count: guide, edit 1: the guarded lines stand nowhere, expected 1 times "
            "(the text has changed: read it again and renew the repair)"
        )
    ]


def test_the_wording_of_either_layout_is_accepted() -> None:
    both = repair(
        "both",
        {
            "op": "substitute",
            "guard": [guard("- There are 5 lamps."), guard("- There are five lamps.")],
            "find": "lamps",
            "value": "lights",
            "localized": {},
        },
    )
    assert "five lights" in mend(ENGLISH, both)
    assert "5 lights" in mend(ENGLISH.replace("five", "5"), both)


@pytest.mark.parametrize("copies", [1, 3])
def test_lines_have_to_stand_as_often_as_said(copies: int) -> None:
    twice = repair("twice", edit("replace", "- Wait.", value="- Rest.", count=2))
    assert mend(f"{ENGLISH}\n- Wait.", twice).count("- Rest.") == 2
    assert "expected 2 times" in problems(mend, ENGLISH + "\n- Wait." * (copies - 1), twice)[0]


def test_a_passage_has_to_stand_as_often_as_said() -> None:
    assert "stands nowhere" in problems(mend_ja, JAPANESE.replace("5個", "五個"), COUNT)[0]
    assert "stands 2 times" in problems(mend_ja, f"{JAPANESE}\n5個", COUNT)[0]


def test_the_literal_has_to_be_unambiguous() -> None:
    vague = repair("vague", edit("substitute", "- Go to room 6.", find="o", value="0"))
    assert "'o' stands 4 times in the guarded lines" in problems(mend, ENGLISH, vague)[0]


def test_a_repair_without_a_wording_in_the_locale_is_an_error() -> None:
    found = problems(repair_localized_document, "guide", "# Leitfaden", [COUNT], "de")
    assert found == ["repair count: guide, edit 1: no wording for the locale 'de' (add it)"]


def test_all_problems_are_told_at_once() -> None:
    assert len(problems(mend, "# Guide", COUNT, BRANCH, ROOM)) == 3


OTHER_COUNT = repair(
    "other-count",
    edit(
        "substitute",
        "- There are five lamps.",
        find="lamps",
        value="lights",
        ja=[("ランプは5個", "灯りは5個")],
    ),
)
HEADLESS = repair(
    "headless",
    edit(
        "remove",
        "- Look at the bar.",
        "- There are five lamps.",
        ja=[("- バーを見てください。\n", "")],
    ),
)
AFTER_BAR = repair(
    "after-bar",
    edit(
        "insert_before",
        "- Look at the bar.",
        value="- Sit down.",
        ja=[("- バーを見", "- 座ってください。\n- バーを見")],
    ),
)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (COUNT, OTHER_COUNT),
        (COUNT, HEADLESS),
        (BRANCH, HEADLESS),
        (BRANCH, AFTER_BAR),
        (COUNT, COUNT),
    ],
)
def test_repairs_of_the_same_lines_name_each_other(
    first: DocumentRepair, second: DocumentRepair
) -> None:
    for pair in ((first, second), (second, first)):
        (found,) = problems(mend, ENGLISH, *pair)
        assert first.id in found
        assert second.id in found
        assert "the same passage" in found


@pytest.mark.parametrize(
    ("first", "second"), [(COUNT, OTHER_COUNT), (BRANCH, HEADLESS), (BRANCH, AFTER_BAR)]
)
def test_repairs_of_the_same_localized_passage_name_each_other(
    first: DocumentRepair, second: DocumentRepair
) -> None:
    (found,) = problems(mend_ja, JAPANESE, first, second)
    assert first.id in found
    assert second.id in found


def test_two_insertions_between_the_same_lines_keep_their_order() -> None:
    below = repair("below", edit("insert_after", "- Go to room 6.", value="- Below."))
    above = repair("above", edit("insert_before", "**If it is ON:**", value="- Above."))
    for order in ((below, above), (above, below)):
        repaired = mend(ENGLISH, *order)
        assert "- Go to room 6.\n- Below.\n- Above.\n**If" in repaired
        assert mend(repaired, *order) == repaired


@pytest.mark.parametrize("size", range(len(ALL) + 1))
def test_every_subset_applies_in_any_order_and_once(size: int) -> None:
    for chosen in combinations(ALL, size):
        english, japanese = mend(ENGLISH, *chosen), mend_ja(JAPANESE, *chosen)
        for order in permutations(chosen):
            assert mend(ENGLISH, *order) == english
            assert mend_ja(JAPANESE, *order) == japanese
        assert mend(english, *chosen) == english
        assert mend_ja(japanese, *chosen) == japanese
        # What is repaired in part takes the rest; the whole is the same.
        assert mend(english, *ALL) == mend(ENGLISH, *ALL)
        assert mend_ja(japanese, *ALL) == mend_ja(JAPANESE, *ALL)


LINES = st.lists(
    st.sampled_from(["a", "b", "a b", "b a", "", "  a", "# c"]), min_size=1, max_size=12
)


@st.composite
def documents_and_edits(draw: Any) -> tuple[str, dict[str, Any]]:
    lines = draw(LINES)
    start = draw(st.integers(0, len(lines) - 1))
    size = draw(st.integers(1, min(3, len(lines) - start)))
    value = draw(st.text("ab \n", min_size=1, max_size=8).filter(lambda text: text.strip()))
    op = draw(st.sampled_from(["replace", "insert_after", "insert_before", "remove"]))
    held = lines[start : start + size]
    more = {} if op == "remove" else {"value": value}
    return "\n".join(lines), edit(op, *held, **more)


@given(documents_and_edits())
def test_what_was_repaired_is_satisfied(case: Any) -> None:
    text, one = case
    some = repair("some", one)
    try:
        once = mend(text, some)
    except RepairError:
        return  # the lines stand more than once, or stand there again
    assert mend(once, some) == once


@given(
    st.text("あい5", min_size=1, max_size=10),
    st.text("あい5", min_size=1, max_size=3),
    st.text("あい5", max_size=4),
)
def test_a_localized_passage_that_was_replaced_is_satisfied(
    text: str, find: str, replace: str
) -> None:
    some = repair("some", edit("replace", "x", value="y", ja=[(find, replace)]))
    try:
        once = mend_ja(text, some)
    except RepairError:
        return  # not there, not just once, or there again
    assert mend_ja(once, some) == once


def test_a_change_that_makes_its_own_lines_again_is_refused() -> None:
    again = repair("again", edit("replace", "a", "b", value="b", ja=[("あい", "い")]))
    expected = "edit 1: what it changes stands in the repaired text again"
    assert expected in problems(mend, "a\na\nb\nb", again)[0]
    assert expected in problems(mend_ja, "ああいい", again)[0]


def write(folder: Path, text: str) -> Path:
    path = folder / "retail.yaml"
    path.write_text(text, encoding="utf-8")
    return path


ENTRY = """
  - id: {id}
    title: A title
    class: text
    why: a reason
    evidence: read
    documents:
      policy:
        - {{op: remove, guard: "{guard}", localized: {{ja: []}}}}
"""


def test_a_file_is_read(tmp_path: Path) -> None:
    entry = ENTRY.format(id="one", guard="0" * 64)
    content = read_document_repairs(write(tmp_path, f"domain: retail\nrepairs:{entry}"))
    assert content.repairs[0].documents["policy"][0].guard == ("0" * 64,)
    assert content.repairs[0].is_default


def test_a_domain_without_a_file_has_no_repairs() -> None:
    content = load_document_repairs("no-such-domain")
    assert (content.repairs, content.tool_texts, content.decisions) == ((), (), ())


def test_everything_wrong_in_a_file_is_told_with_its_line(tmp_path: Path) -> None:
    entry = ENTRY.format(id="one", guard="0" * 64)
    found = problems(
        read_document_repairs, write(tmp_path, f"domain: airline\nrepairs:{entry}{entry}")
    )
    assert [line.replace(str(tmp_path), "DIR") for line in found] == [
        (
            "DIR/retail.yaml:1: domain: domain is 'airline', expected 'retail' "
            "(correct it, or rename the file)"
        ),
        "DIR/retail.yaml:12: repairs.1.id: 'one' is the id of another repair (rename one)",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("domain: retail\nrepairs:" + ENTRY.format(id="one", guard="00"), "SHA-256"),
        ("domain: retail\nrepairs:" + ENTRY.format(id="One!", guard="0" * 64), "pattern"),
        ("domain: retail\nrepair: []", "unknown key"),
        ("domain: retail\nrepairs: [", "truncated"),
        ("", "empty"),
    ],
)
def test_a_broken_file_is_an_error_with_a_place(tmp_path: Path, text: str, expected: str) -> None:
    found = problems(read_document_repairs, write(tmp_path, text))
    assert any(expected in line for line in found)
    assert all("retail.yaml" in line for line in found)
