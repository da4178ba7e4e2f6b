"""Phrases, building blocks, and the neutral form of a locale that has none."""

import dataclasses
import shutil

import pytest

from jtau_plugin.errors import OverlayError
from jtau_plugin.models.oracle import TaskLines
from jtau_plugin.oracle.beats import Beat, Script
from jtau_plugin.oracle.book import Book, fill_lines, load_book
from jtau_plugin.oracle.chance import choose, stable_number
from jtau_plugin.oracle.facts import FactSpeaker
from jtau_plugin.oracle.guide import Guide, first_sentence
from jtau_plugin.oracle.moves import Move
from jtau_plugin.overlays.catalog import get_catalog

CATALOG = get_catalog("ja", "retail")
BOOK = load_book(CATALOG)


@pytest.fixture
def bare(tmp_path):
    """The catalog of a copy of the overlay that has no file for the embedded model."""
    folder = tmp_path / "ja"
    shutil.copytree(CATALOG.folder.parent, folder)
    for name in ("oracle.yaml", "retail/oracle.yaml", "retail/say.yaml"):
        (folder / name).unlink()
    return dataclasses.replace(CATALOG, folder=folder / "retail")


def test_choices_depend_on_the_seed_alone():
    assert stable_number("a", 1) == stable_number("a", 1) != stable_number("a", 2)
    assert {choose("xyz", number) for number in range(50)} == set("xyz")


def test_phrases_vary_by_task_and_are_the_same_for_one():
    said = {BOOK.say("open", str(task), concern="A") for task in range(50)}
    assert len(said) > 3
    assert BOOK.say("open", "7", concern="A") == BOOK.say("open", "7", concern="A")


def test_lines_without_a_value_are_left_out_and_lists_become_lines():
    values = {"a": "1", "b": "", "items": ["x", "y"]}
    assert fill_lines(["a: {a}", "b: {b}", "c: {c}", "- {items}"], values) == [
        "a: 1",
        "- x",
        "- y",
    ]


def test_a_locale_without_phrases_says_the_values_or_greets(bare):
    book = load_book(bare)
    assert book.locale is None
    assert (
        book.say("failed", title="交換", error="在庫がありません。") == "交換\n在庫がありません。"
    )
    assert book.say("anything_else") == book.greeting
    assert book.bullet == ""
    assert book.lines("0") == TaskLines()


def test_a_locale_without_phrases_describes_a_write_by_its_own_texts(bare):
    guide = Guide(bare, load_book(bare))
    move = Move("cancel_pending_order", {"order_id": "#W1", "reason": "no longer needed"})
    assert guide.plain_details(move) == ["注文ID: #W1", "キャンセルの理由: 不要になった"]


def test_a_broken_file_is_an_error(bare):
    (bare.folder / "say.yaml").write_text('"0": {sey: []}', encoding="utf-8")
    with pytest.raises(OverlayError, match="sey"):
        load_book(bare)


def test_a_pattern_that_is_none_is_an_error(bare):
    path = bare.folder.parent / "oracle.yaml"
    text = (CATALOG.folder.parent / "oracle.yaml").read_text(encoding="utf-8")
    path.write_text(text.replace("^特に(あり|な)", "^特に(あり"), encoding="utf-8")
    with pytest.raises(OverlayError, match="regular expression"):
        load_book(bare)


def test_first_sentence_drops_asides_and_the_full_stop():
    assert first_sentence("権限（位置情報など）を付与します。必要です。") == "権限を付与します"
    assert first_sentence("注文ID（例:「#W0」）。先頭") == "注文ID"


def speaker(wide=None):
    return FactSpeaker(BOOK, CATALOG, "0", wide)


@pytest.mark.parametrize(
    ("value", "line", "said"),
    [
        ("8276.23", "合計は{}ドルです。", "合計は8,276.23ドルです。"),
        ("481.5", "価格は{}ドルです。", "価格は481.50ドルです。"),
        ("10", "全部で{}種類です。", "全部で10種類です。"),
        ("746342064230", "番号は{}です。", "番号は746342064230です。"),
        ("polyester", "素材は{}です。", "素材はポリエステルです。"),
        ("tactile", "{}です。", "タクタイルです。"),
        ("943 Maple Drive", "{}です。", "943 Maple Driveです。"),
    ],
)
def test_facts(value, line, said):
    assert speaker().sentences([value], TaskLines(say=(line,))) == [said]


def test_one_sentence_may_hold_several_facts():
    lines = TaskLines(say=("{}と{}です。",), forms={"a": "ア"})
    assert speaker().sentences(["a", "12"], lines) == ["アと12です。"]


def test_facts_that_the_sentences_do_not_fit_are_said_neutrally():
    said = speaker().sentences(["10", "20"], TaskLines(say=("{}です。",)))
    assert len(said) == 2
    assert "10" in said[0]
    assert "20" in said[1]


def test_facts_of_a_locale_without_phrases_are_the_values(bare):
    said = FactSpeaker(load_book(bare), bare, "0", None).sentences(["10"], TaskLines())
    assert said == ["10"]


def test_every_task_with_lines_uses_each_name_of_its_phrases():
    assert isinstance(BOOK, Book)
    for task_id, lines in BOOK.tasks.items():
        for talk in lines.talks:
            assert talk.user, task_id
        assert "{" not in "".join((lines.opening or "", lines.identity or "", lines.refusal or ""))


def test_a_script_tells_the_sides_apart():
    beats = (Beat("user", "open", "A"), Beat("agent", "call", tool="t"), Beat("user", "yes", "B"))
    script = Script(beats)
    assert [beat.text for beat in script.of("user")] == ["A", "B"]
