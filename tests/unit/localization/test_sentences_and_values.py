"""Sentences, values and JSON text, without tau2."""

from __future__ import annotations

import json
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from jtau_plugin.compat.readable import dump_readable
from jtau_plugin.compat.sources import extract_templates
from jtau_plugin.compat.tasks import TaskMark, read_mark, render_scenario
from jtau_plugin.compat.text import LocalizedText, surface_of
from jtau_plugin.errors import JtauError
from jtau_plugin.localization.messages import MessageBook
from jtau_plugin.localization.results import ResultLocalizer
from jtau_plugin.localization.values import ValueShower
from jtau_plugin.models.overlay import DictField, Message, PythonMessage, ResultSpec
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.overlays.tables import Table

SOURCE = '''
class Tools:
    def buy(self, item, n):
        """Not a sentence."""
        if n > 1:
            raise ValueError(f"Item {item} not found")
        if n > 2:
            raise ValueError(f"{item} not found")
        if n > 3:
            raise ValueError("Order not found")
        if n > 4:
            raise KeyError
        if n > 5:
            return f"Status of {item} is {self.status}, {n:.2f} left"
        return item
'''
TEMPLATES = extract_templates(SOURCE)
STATUS = Table(
    "status",
    MappingProxyType({"open": "受付中"}),
    MappingProxyType({"open": "open", "受付中": "open"}),
)


def message(english: str, text: str, **values: str) -> Message:
    return Message(source=fingerprint_text(english), at=("Tools.buy",), text=text, values=values)


MESSAGES = [
    message("Item {item} not found", "アイテム{item}が見つかりません。"),
    message("{item} not found", "{item}が見つかりません。"),
    message("Order not found", "注文が見つかりません。"),
    message(
        "Status of {item} is {status}, {n} left",
        "{item}の残りは{n}、ステータスは{status}です。",
        status="status",
    ),
]
PYTHON = [PythonMessage(pattern="division by zero", text="0で割ることはできません。")]


@pytest.fixture
def book() -> MessageBook:
    return MessageBook(TEMPLATES, MESSAGES, PYTHON, {"status": STATUS}, {})


def localize(book: MessageBook, sentence: str) -> tuple[str, list[tuple[str, str]]]:
    misses: list[tuple[str, str]] = []
    return book.localize(sentence, lambda scope, text: misses.append((scope, text))), misses


def test_templates_are_read_from_the_source() -> None:
    assert [(t.text, t.kind) for t in TEMPLATES] == [
        ("Item {item} not found", "raise"),
        ("{item} not found", "raise"),
        ("Order not found", "raise"),
        ("Status of {item} is {status}, {n} left", "return"),
    ]


@pytest.mark.parametrize(
    ("english", "japanese"),
    [
        ("Order not found", "注文が見つかりません。"),
        ("Item 12 not found", "アイテム12が見つかりません。"),
        ("12 not found", "12が見つかりません。"),
        ("Item {n} not found", "アイテム{n}が見つかりません。"),
        ("{item} not found", "{item}が見つかりません。"),
        ("Status of #W1 is open, 1.50 left", "#W1の残りは1.50、ステータスは受付中です。"),
        ("division by zero", "0で割ることはできません。"),
        ("", ""),
    ],
)
def test_a_sentence_is_matched_whole(english: str, japanese: str, book: MessageBook) -> None:
    assert localize(book, english) == (japanese, [])


@pytest.mark.parametrize("text", ["Order not found!", "Out of stock", "Not found"])
def test_what_matches_nothing_stays_and_is_a_miss(text: str, book: MessageBook) -> None:
    assert localize(book, text) == (text, [("message", text)])


@given(st.text(max_size=30))
def test_any_text_is_localized_or_missed_but_never_lost(text: str) -> None:
    book = MessageBook(TEMPLATES, MESSAGES, PYTHON, {"status": STATUS}, {})

    shown, misses = localize(book, f"{text} not found")

    assert misses or text in shown


def test_new_and_gone_sentences_are_known() -> None:
    templates = [
        *TEMPLATES,
        *extract_templates('class T:\n def f(self):\n  raise ValueError("New")'),
    ]
    gone = message("Gone", "なくなりました。")

    book = MessageBook(templates, [*MESSAGES, gone], [], {"status": STATUS}, {})

    assert [template.text for template in book.missing] == ["New"]
    assert book.unused == [gone]


class Item(BaseModel):
    name: str
    options: dict[str, str]
    note: str | None = None


class Order(BaseModel):
    status: str
    items: list[Item]
    by_id: dict[str, Item]
    price: float = 1.0


TABLES = {
    "status": STATUS,
    "name": Table("name", MappingProxyType({"Pen": "ペン"}), MappingProxyType({})),
    "option": Table("option", MappingProxyType({"color": "色"}), MappingProxyType({})),
    "option/color": Table("option/color", MappingProxyType({"red": "赤"}), MappingProxyType({})),
}
FIELDS = {
    "Order.status": "status",
    "Item.name": "name",
    "Item.options": DictField(keys="option", values="option/{key}"),
}


def shown(response: Any, tool: str = "get") -> tuple[Any, list[tuple[str, str]]]:
    misses: list[tuple[str, str]] = []
    shower = ValueShower(TABLES, FIELDS, lambda text, _: text)
    results = ResultLocalizer(shower, FIELDS, {"get": ResultSpec(fields={"state": "status"})})
    text = results.dump(tool, response, lambda scope, value: misses.append((scope, value)))
    assert "\\u" not in text
    return json.loads(text), misses


def test_values_are_shown_by_field_at_every_depth() -> None:
    pen = Item(name="Pen", options={"color": "red"})
    order = Order(status="open", items=[pen], by_id={"Pen": pen})

    found, misses = shown([order])

    item = {"name": "ペン", "options": {"色": "赤"}, "note": None}
    assert found == [{"status": "受付中", "items": [item], "by_id": {"Pen": item}, "price": 1.0}]
    assert misses == []
    assert pen.options == {"color": "red"}


def test_a_value_without_a_form_stays_and_is_a_miss() -> None:
    found, misses = shown(Item(name="Ink", options={"color": "mauve", "size": "L"}))

    assert found["name"] == "Ink"
    assert found["options"] == {"色": "mauve", "size": "L"}
    assert misses == [
        ("name", "Ink"),
        ("option/color", "mauve"),
        ("option", "size"),
        ("option/size", "L"),
    ]


def test_plain_mappings_are_shown_where_they_are_declared() -> None:
    assert shown({"state": "open", "status": "open"})[0] == {"state": "受付中", "status": "open"}
    assert shown({"state": "open"}, tool="other")[0] == {"state": "open"}


@given(st.recursive(st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(), st.lists))
def test_readable_json_is_the_same_json(value: Any) -> None:
    text = dump_readable(value)

    assert json.loads(text) == value
    text.encode("utf-8")


def test_half_a_surrogate_pair_stays_escaped() -> None:
    broken = {"a\ud83d": "日\ud83d\\", "b": "😀"}

    text = dump_readable(broken)

    assert json.loads(text) == broken
    assert text == '{"a\\ud83d": "日\\ud83d\\\\", "b": "😀"}'


def test_a_mark_is_read_only_where_it_was_written() -> None:
    line = 'jtau: {"domain": "ja_retail", "facts": "f", "protocol": "deterministic"}'

    def task(notes: object) -> Any:
        return SimpleNamespace(description=SimpleNamespace(notes=notes))

    assert read_mark(task(f"{line}\nmore")) == TaskMark("ja_retail", "deterministic", "f")
    for notes in (None, "", 5, "A note", f"See {line}", "jtau: nonsense"):
        assert read_mark(task(notes)) is None
    newer = line.replace("}", ', "new": 1}')
    assert read_mark(task(newer)) == TaskMark("ja_retail", "deterministic", "f")
    for broken in ('jtau: {"domain": 1}', 'jtau: {"domain": "ja_retail"', "jtau: {}"):
        with pytest.raises(JtauError, match="no mark"):
            read_mark(task(broken))
    assert read_mark(SimpleNamespace(description=None)) is None
    assert read_mark(SimpleNamespace()) is None


def test_a_text_keeps_its_surface_only_as_long_as_it_is_itself() -> None:
    surface: Any = SimpleNamespace(domain="ja_retail")
    text = LocalizedText("規約", surface)

    assert surface_of(text) is surface
    assert surface_of(str(text)) in (surface, None)
    assert surface_of(text + "。") is None
    assert surface_of(None) is None
    assert text == "規約"
    assert hash(text) == hash("規約")


def test_a_scenario_is_written_in_upstream_s_layout() -> None:
    labels = {
        "persona": "ペルソナ:",
        "instructions": "指示:",
        "domain": "ドメイン: ",
        "domain_label": "小売",
        "reason_for_call": "理由:",
        "known_info": "既知:",
        "unknown_info": "未知:",
        "task_instructions": "タスク:",
    }
    instructions = SimpleNamespace(
        reason_for_call="返品\nしたい",
        known_info="名前",
        unknown_info=None,
        task_instructions="急ぐ",
    )
    scenario = SimpleNamespace(persona="短気", instructions=instructions)

    assert render_scenario(scenario, labels) == (
        "ペルソナ:\n\t短気\n指示:\n\tドメイン: 小売\n\t理由:\n\t\t返品\n\t\tしたい\n"
        "\t既知:\n\t\t名前\n\tタスク:\n\t\t急ぐ"
    )
    plain = SimpleNamespace(persona=None, instructions="返品したい")
    assert render_scenario(plain, labels) == "指示:\n\t返品したい"
