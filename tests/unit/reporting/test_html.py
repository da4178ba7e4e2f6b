"""The page is one file that loads nothing, and what comes from results files is only text in it."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from arm_runs import ArmFile, japanese
from hostile_runs import ATTACKS, EVERYTHING, write_hostile

from jtau_plugin.reporting import charts
from jtau_plugin.reporting.charts.style import missing_characters
from jtau_plugin.reporting.compare.arms import read_arms, read_run
from jtau_plugin.reporting.compare.comparison import Comparison, compare_arms
from jtau_plugin.reporting.compare.csvfile import cell_text, to_csv
from jtau_plugin.reporting.compare.measured import GivenTag, Measured
from jtau_plugin.reporting.compare.settings import find_mixtures
from jtau_plugin.reporting.compare.tables import Table, all_tables
from jtau_plugin.reporting.html import render_page
from jtau_plugin.reporting.html.conversation import conversation_data
from jtau_plugin.reporting.html.markup import Markup, escape, json_script, tag
from jtau_plugin.reporting.visible import visible
from jtau_plugin.scoring.bootstrap import Bootstrap

QUICK = Bootstrap(repetitions=50)
_VOID = {"br", "input", "meta"}


def compare(*arguments: str) -> Comparison:
    arms = read_arms(arguments)
    return compare_arms(arms, find_mixtures(arms), settings=QUICK)


class Outline(HTMLParser):
    """What a browser would make of a page: its elements, attributes and blocks."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.blocks: list[tuple[str, dict[str, str | None], str]] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.open.append(tag)
        if tag in {"script", "style"}:
            self.blocks.append((tag, dict(attrs), ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in {"script", "style"}:
            name, attributes, text = self.blocks[-1]
            self.blocks[-1] = (name, attributes, text + data)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("arms")
    rates = {str(number): 0.6 for number in range(12)}
    en = ArmFile(rates, trials=2).write(folder / "en.json", 1)
    ja = japanese(rates, trials=2, caller=0.2, infrastructure=0.1).write(folder / "ja.json", 2)
    return render_page(compare(f"en={en}", f"ja={ja}"))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    folder = tmp_path_factory.mktemp("hostile")
    en = write_hostile(folder / "en.json")
    ja = write_hostile(folder / "ja.json", domain="ja_retail", scenario="domain", locale="ja")
    return compare(f"{ATTACKS[1].replace('=', '')}={en}", f"__proto__={ja}")


class TestMarkup:
    def test_text_is_escaped_and_markup_is_not(self) -> None:
        inner = tag("b", "<i>")

        assert tag("p", "a & b", inner, None, class_="x", hidden=True, title='"') == (
            '<p class="x" hidden title="&quot;">a &amp; b<b>&lt;i&gt;</b></p>'
        )
        assert isinstance(inner, Markup)
        assert escape("'\u202e") == "&#x27;⟨U+202E⟩"

    @pytest.mark.parametrize("attack", ATTACKS)
    def test_a_block_of_data_cannot_be_left(self, attack: str) -> None:
        block = json_script("x", {attack: [attack]})
        text = block.removeprefix('<script type="application/json" id="x">')
        text = text.removesuffix("</script>\n")

        assert "<" not in text
        assert json.loads(text) == {visible(attack): [visible(attack)]}

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("日本語\t1\n2", "日本語\t1\n2"),
            ("a\r\nb", "a\nb"),
            ("\x1b[0m", "⟨U+001B⟩[0m"),
            ("\u2028\u2067\ufeff", "⟨U+2028⟩⟨U+2067⟩⟨U+FEFF⟩"),
            ("\ud800", "⟨U+D800⟩"),
            ("👩‍👧 é が", "👩‍👧 é が"),
        ],
    )
    def test_what_is_hidden_is_written_out(self, text: str, expected: str) -> None:
        assert visible(text) == expected
        assert visible(visible(text)) == expected


class TestPage:
    def test_nothing_is_loaded(self, page: str) -> None:
        loading = {"src", "srcset", "action", "formaction", "data", "poster", "style"}
        for name, attributes in Outline(page).tags:
            assert not loading & attributes.keys(), (name, attributes)
            assert name not in {"link", "img", "iframe", "object", "embed", "base", "form"}
            if name == "a":
                assert (attributes["href"] or "").startswith("#")
            assert not any(key.startswith("on") for key in attributes)

    def test_the_policy_names_exactly_what_runs(self, page: str) -> None:
        outline = Outline(page)
        policy = next(
            attributes["content"] or ""
            for name, attributes in outline.tags
            if attributes.get("http-equiv") == "Content-Security-Policy"
        )
        running = [
            (name, text)
            for name, attributes, text in outline.blocks
            if attributes.get("type") != "application/json"
        ]

        assert policy.startswith("default-src 'none'; ")
        assert [name for name, _ in running] == ["style", "script"]
        for name, text in running:
            digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode()
            assert f"{name}-src 'sha256-{digest}'" in policy

    def test_every_conversation_is_there_once(self, page: str) -> None:
        blocks = {
            attributes["id"]: json.loads(text)
            for _, attributes, text in Outline(page).blocks
            if attributes.get("type") == "application/json"
        }
        index = blocks.pop("index")
        numbers = [
            number
            for arms in index["tasks"].values()
            for cells in arms.values()
            for _, _, number in cells
            if number is not None
        ]

        assert sorted(f"c{number}" for number in numbers) == sorted(blocks)
        assert len(numbers) == 48

    def test_the_page_is_well_formed_whatever_the_files_say(self, hostile: Comparison) -> None:
        found = render_page(hostile)
        outline = Outline(found)

        assert outline.open == []
        assert {name for name, _ in outline.tags} <= {name for name, _ in _allowed(found)}
        assert not re.search("[\u202a-\u202e\u2066-\u2069\x00\x1b\u2028]", found)
        found.encode("utf-8")

    def test_error_tags_are_shown_and_filtered_by(self, tmp_path: Path) -> None:
        path = ArmFile({"0": 0.0, "1": 1.0}).write(tmp_path / "en.json")
        given = (
            GivenTag("loop", "loop", "agent", "said <b>3</b> times"),
            GivenTag("user-simulator-fault", "fault of the simulated caller", "caller", "silence"),
        )
        found = compare_arms(
            read_arms([f"en={path}"]),
            settings=QUICK,
            measure=lambda _: {("0", 0): Measured(tags=given)},
        )
        outline = Outline(render_page(found))

        rows = {a["data-key"]: a["data-tag"] for n, a in outline.tags if "data-tag" in a}
        assert rows == {"retail/0": "loop user-simulator-fault", "retail/1": ""}
        chips = [(a["class"], a["title"]) for _, a in outline.tags if a.get("title") in
                 {"said <b>3</b> times", "silence"}]  # fmt: skip
        assert chips == [("chip fail", "said <b>3</b> times"), ("chip caller", "silence")]
        values = {a.get("value") for n, a in outline.tags if n == "option"}
        assert {"loop", "user-simulator-fault"} <= values
        data = next(json.loads(t) for n, a, t in outline.blocks if a.get("id") == "c0")
        assert data["tags"] == [{"title": "loop", "side": "agent", "detail": "said <b>3</b> times"}]

    def test_mixed_conditions_are_told(self, tmp_path: Path) -> None:
        en = ArmFile({"0": 1.0}).write(tmp_path / "en.json")
        ja = japanese({"0": 1.0}, stamp={"protocol": "judged"}).write(tmp_path / "ja.json")

        found = render_page(compare(f"en={en}", f"ja={ja}"))

        assert "Mixed conditions" in found
        assert "different protocol: deterministic (en); judged (ja)" in found


def _allowed(page: str) -> list[tuple[str, None]]:
    """The elements of this project's own pages."""
    names = """html head meta title style body a header button p h1 main section h2 h3 ul li div
        article b span small figure figcaption svg g path defs use text clippath rect details
        summary table thead tbody tr th td label input select option dl dt dd footer dialog
        script tspan"""
    assert page
    return [(name, None) for name in names.split()]


class TestConversation:
    def data(self, tmp_path: Path, messages: list[object], **criteria: object) -> dict:
        raw = ArmFile({"0": 0.0}).data()
        raw["simulations"][0]["messages"] = messages
        raw["tasks"][0]["evaluation_criteria"].update(criteria)
        (tmp_path / "run.json").write_text(json.dumps(raw), encoding="utf-8")
        run = read_run(tmp_path / "run.json")
        cell = run.inventory.cells["0", 0]

        def canonicalize(tool: str, arguments: dict, requestor: str) -> dict:
            return {key: {"青": "blue"}.get(value, value) for key, value in arguments.items()}

        return conversation_data(
            run, cell, canonicalize, Measured(labels={0: "other", 4: "target"})
        )

    MESSAGES = (
        {"role": "assistant", "content": "Hello"},
        {"role": "user", "content": "Hi"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "name": "paint", "arguments": {"colour": "青", "n": 2}}],
        },
        {"role": "tool", "id": "1", "content": "Error: no", "error": True},
        {"role": "assistant", "content": "Done"},
        {"role": "user", "content": "Bye"},
    )

    def test_turns_calls_and_results(self, tmp_path: Path) -> None:
        opening, first, second = self.data(tmp_path, list(self.MESSAGES))["turns"]

        assert [(item["who"], item["text"], item["label"]) for item in opening] == [
            ("agent", "Hello", "other")
        ]
        assert [item["who"] for item in first] == ["caller", "agent", "agent"]
        assert [item["label"] for item in first] == [None, None, "target"]
        (call,) = first[1]["calls"]
        assert call["arguments"] == [["colour", "青", "blue"], ["n", "2", None]]
        assert (call["result"], call["error"]) == ("Error: no", True)
        assert [item["text"] for item in second] == ["Bye"]

    def test_calls_are_held_against_gold(self, tmp_path: Path) -> None:
        gold = [{"name": "paint", "arguments": {"colour": "blue", "n": 2}}]
        found = self.data(tmp_path, list(self.MESSAGES), actions=gold)
        assert found["turns"][1][1]["calls"][0]["gold"] is True
        assert found["unmade"] == []

        gold[0]["arguments"] = {"colour": "red", "n": 2}
        found = self.data(tmp_path, list(self.MESSAGES), actions=gold)
        call = found["turns"][1][1]["calls"][0]
        assert (call["gold"], call["expected"]) == (False, [["colour", "red"]])
        assert found["unmade"] == [{"name": "paint", "arguments": [["colour", "red"], ["n", "2"]]}]

    def test_what_the_scorer_found_is_as_in_gold(self, tmp_path: Path) -> None:
        raw = ArmFile({"0": 1.0}).data()
        raw["simulations"][0]["messages"] = list(self.MESSAGES)
        gold = {"name": "paint", "arguments": {"colour": "blue", "n": 2}}
        raw["tasks"][0]["evaluation_criteria"]["actions"] = [gold]
        checks = [{"action": gold, "action_match": True}]
        raw["simulations"][0]["reward_info"]["action_checks"] = checks
        (tmp_path / "run.json").write_text(json.dumps(raw), encoding="utf-8")
        run = read_run(tmp_path / "run.json")

        found = conversation_data(run, run.inventory.cells["0", 0], lambda *_: None)

        call = found["turns"][1][1]["calls"][0]
        assert (call["gold"], call["known"], call["arguments"][0]) == (
            True,
            False,
            ["colour", "青", None],
        )
        assert found["unmade"] == []

    def test_the_lost_check_is_marked(self, tmp_path: Path) -> None:
        found = self.data(tmp_path, [])

        assert found["lost"] == [{"name": "database", "detail": "", "loss": "agent"}]
        assert found["checks"][0] == {
            "name": "database",
            "counts": True,
            "items": [{"text": "ends in the state that gold leads to", "met": False}],
        }

    def test_a_bundle_of_results_is_taken_apart(self, tmp_path: Path) -> None:
        messages = [*self.MESSAGES[:3], {"role": "tool", "tool_messages": [self.MESSAGES[3]]}]

        turns = self.data(tmp_path, messages)["turns"]

        assert turns[1][1]["calls"][0]["result"] == "Error: no"
        assert [item["who"] for item in turns[1]] == ["caller", "agent"]


class TestCsv:
    @pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", " =1"])
    def test_text_is_never_a_formula(self, text: str) -> None:
        assert cell_text(text).startswith("'")

    def test_numbers_stay_numbers(self) -> None:
        assert [cell_text(value) for value in (-0.5, 3, None, True, "x=1")] == [
            "-0.5",
            "3",
            "",
            "true",
            "x=1",
        ]

    def test_it_reads_back(self) -> None:
        table = Table("x", "", ("a", "b"), (('1,"2"\n3', None), ("日本", -1)))

        rows = list(csv.reader(io.StringIO(to_csv(table))))
        assert rows == [["a", "b"], ['1,"2"\n3', ""], ["日本", "-1"]]

    def test_no_cell_of_a_hostile_file_is_a_formula(self, hostile: Comparison) -> None:
        for table in all_tables(hostile):
            for row in csv.reader(io.StringIO(to_csv(table))):
                assert not any(cell.startswith(("=", "@", "+", "-h")) for cell in row)


class TestCharts:
    @pytest.fixture(autouse=True)
    def _needs_matplotlib(self) -> None:
        pytest.importorskip("matplotlib")

    def test_every_chart_is_saved_with_its_caption(self, tmp_path: Path) -> None:
        rates = {str(number): 0.5 for number in range(6)}
        en = ArmFile(rates, trials=2).write(tmp_path / "en.json", 1)
        ja = japanese(rates, trials=2).write(tmp_path / "ja.json", 2)
        arms = read_arms([f"en={en}", f"日本語={ja}"])
        labels = ("target", "code-switched")
        found = compare_arms(
            arms,
            settings=QUICK,
            measure=lambda run: {key: Measured(agent_turns=labels) for key in run.inventory.cells},
        )

        for chart in charts.CHARTS:
            path = tmp_path / f"{chart.name}.svg"
            assert charts.save(chart, found, path, 7.2, 100), chart.name
            text = path.read_text(encoding="utf-8")
            words = re.sub(r"\s+", " ", " ".join(re.findall(r">([^<>]+)</text>", text)))
            assert str(ja.name) in words.replace(" ", "")
            assert "repetitions" in words

    def test_hostile_names_are_drawn_as_text(self, hostile: Comparison, tmp_path: Path) -> None:
        for chart in charts.CHARTS:
            if charts.save(chart, hostile, tmp_path / f"{chart.name}.svg", 3.6, 50):
                assert "<script" not in (tmp_path / f"{chart.name}.svg").read_text(encoding="utf-8")

    def test_characters_without_a_font_are_named(self) -> None:
        assert missing_characters(["abc"]) == ""
        assert missing_characters(["a\U0010fffd"]) == "\U0010fffd"

    def test_everything_hostile_is_in_the_example(self) -> None:
        assert all(attack in EVERYTHING for attack in ATTACKS)
