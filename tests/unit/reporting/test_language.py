"""Which language and register turns are in: labelled turns, rules with their examples, no guesses."""

from __future__ import annotations

import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin import resources
from jtau_plugin.errors import OverlayError
from jtau_plugin.models.measures import RegisterRule, RegisterRules
from jtau_plugin.overlays.catalog import get_catalog
from jtau_plugin.reporting.language import choosing, extra, rules
from jtau_plugin.reporting.language.identify import LABELS, OTHER, SHORT, TARGET, ScriptIdentifier
from jtau_plugin.reporting.language.masking import Shown, mask_data
from jtau_plugin.reporting.language.register import RegisterReader
from jtau_plugin.reporting.language.scripts import iter_runs
from jtau_plugin.reporting.measures import names_beside

CASES = Path(__file__).parents[2] / "cases"
TURNS = yaml.safe_load((CASES / "turns.yaml").read_text(encoding="utf-8"))
REGISTERS = yaml.safe_load((CASES / "register.yaml").read_text(encoding="utf-8"))
LOCALE = dict(resources.iter_locales())["ja"]
CASE_LIST = [
    (language, group["label"], turn, tuple(group.get("tools", ())))
    for language, groups in TURNS.items()
    for group in groups
    for turn in group["turns"]
]


@cache
def names() -> frozenset[str]:
    domains = resources.iter_domains(LOCALE)
    return frozenset().union(*(names_beside(get_catalog("ja", domain)) for domain in domains))


@cache
def identifier(language: str, *, with_names: bool = True) -> Any:
    return choosing.find_identifier(language, names() if with_names else ())


class TestLabelledTurns:
    def test_there_are_enough_of_every_kind(self) -> None:
        counts = Counter((language, label) for language, label, *_ in CASE_LIST)

        assert sum(counts.values()) >= 300
        assert {label for _, label in counts} == set(LABELS)
        assert counts["ja", TARGET] >= 150
        assert counts["ja", OTHER] >= 80

    @pytest.mark.parametrize("with_names", [True, False])
    @pytest.mark.parametrize("language", list(TURNS))
    def test_each_is_told(self, language: str, with_names: bool) -> None:
        reader = identifier(language, with_names=with_names)

        wrong = [
            f"{turn!r} is {label}, found {found.label}: {found.rule}"
            for target, label, turn, tools in CASE_LIST
            if target == language and (found := reader.read(turn, Shown(tools))).label != label
        ]

        assert wrong == []

    def test_what_the_issue_names(self) -> None:
        read = identifier("ja").read

        assert read("はい。").label == TARGET
        assert read("返品確認").label == TARGET
        assert read("承知しました。I have cancelled your order.").label == "code-switched"


class TestRealJapanese:
    """Everything that the overlay says is Japanese, and was written by others for another end."""

    FILES = ("*/tasks.yaml", "*/say.yaml", "*/messages.yaml", "*/values.yaml", "prompts.yaml")

    def texts(self) -> set[str]:
        found: set[str] = set()

        def walk(value: Any) -> None:
            if isinstance(value, str):
                found.add(re.sub(r"\{\w+\}", "", value))
            elif isinstance(value, dict):
                for child in value.values():
                    walk(child)
            elif isinstance(value, list):
                for child in value:
                    walk(child)

        for pattern in self.FILES:
            for path in LOCALE.glob(pattern):
                walk(yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader))
        for path in LOCALE.glob("*/*.md"):
            found.update(path.read_text(encoding="utf-8").splitlines())
        return {text for text in found if re.search("[ぁ-んァ-ヶ一-龠]", text)}

    def test_none_of_it_is_another_language(self) -> None:
        texts = self.texts()
        read = identifier("ja", with_names=False).read

        assert len(texts) > 2000
        assert [text for text in texts if read(text).label == OTHER] == []

    def test_sentences_are_polite(self) -> None:
        reader = choosing.find_register_reader("ja")
        assert reader is not None
        spoken = [text for text in self.texts() if text.endswith("。") and "\n" not in text]

        levels = Counter(reader.read(text).level for text in spoken)

        assert levels["plain"] + levels["mixed"] <= len(spoken) * 0.01
        assert levels["polite"] >= len(spoken) * 0.8


class TestIdentifier:
    @given(st.text(max_size=200))
    def test_any_text_has_a_label(self, text: str) -> None:
        for language in ("ja", "en"):
            assert identifier(language).read(text).label in LABELS

    @given(st.sampled_from([turn for language, _, turn, _ in CASE_LIST if language == "ja"]))
    def test_a_token_at_the_end_changes_nothing(self, turn: str) -> None:
        read = identifier("ja").read

        assert read(f"{turn}\n###STOP###").label == read(turn).label

    def test_ids_and_data_are_blank(self) -> None:
        text = 'a #W12 x_y b@c.de http://e.f/g {"h": {"i": [1]}} `j` k'

        masked = mask_data(text)

        assert len(masked) == len(text)
        assert [run.text for run in iter_runs(masked)] == ["a", "k"]

    def test_a_quotation_is_nobodys_language(self) -> None:
        read = identifier("ja").read
        said = "Mobile data is turned off"

        assert read(said).label == OTHER
        assert read(said, Shown([f"Status: {said}."])).label == SHORT
        assert read(f"画面に{said}と出ています。").label == "code-switched"
        assert read(f"画面に{said}と出ています。", Shown([said])).label == TARGET
        assert read("data is", Shown([said])).label == OTHER

    def test_a_name_of_the_data_is_no_other_language(self) -> None:
        assert "sold out" not in names()
        with_name = ScriptIdentifier("ja", rules.load_rules("ja").script, ["sold out"])

        assert identifier("ja").read("sold outです。").label == "code-switched"
        assert with_name.read("sold outです。").label == TARGET
        assert with_name.read("It is sold out.").label == OTHER
        assert identifier("ja").read("・switch type: clicky → linear").label == SHORT
        assert identifier("ja", with_names=False).read("・switch type: clicky").label == OTHER


class TestRegister:
    @pytest.mark.parametrize("level", list(REGISTERS))
    def test_labelled_turns(self, level: str) -> None:
        reader = choosing.find_register_reader("ja")
        assert reader is not None

        wrong = [
            (turn, found)
            for turn in REGISTERS[level]
            if ((found := reader.read(turn)).level or "none") != level
        ]

        assert wrong == []

    def test_every_rule_keeps_to_its_examples(self) -> None:
        found = rules.load_rules("ja")
        assert found is not None
        assert found.register_ is not None
        reader = RegisterReader(found.register_)

        wrong = []
        for rule in found.register_.rules:
            for examples, fires in ((rule.examples, True), (rule.not_examples, False)):
                for text in examples:
                    register = reader.read(text)
                    if (rule.id in (*register.rules, *register.slips)) is not fires:
                        wrong.append((rule.id, text, register))

        assert wrong == []

    def test_a_slip_is_told_and_decides_nothing(self) -> None:
        reader = choosing.find_register_reader("ja")
        assert reader is not None

        register = reader.read("了解しました。")

        assert (register.level, register.slips) == ("polite", ("ryoukai",))

    def test_two_rules_never_have_one_id(self) -> None:
        rule = RegisterRule(id="a", level="plain", pattern="x", why="y", examples=("x",))

        with pytest.raises(ValueError, match="an id of its own"):
            RegisterRules(sentence=".", list_item="-", trailing="", rules=(rule, rule))

    def test_a_language_without_rules_has_no_register(self) -> None:
        assert choosing.find_register_reader("en") is None
        assert choosing.find_register_reader("xx") is None


class TestRules:
    def test_a_locale_brings_its_own(self, tmp_path: Path, monkeypatch) -> None:
        folder = tmp_path / "xq"
        folder.mkdir()
        (folder / "locale.yaml").write_text("locale: xq\n", encoding="utf-8")
        (folder / "measures.yaml").write_text("script: {own: [thai]}\n", encoding="utf-8")
        monkeypatch.setenv("JTAU_OVERLAY_PATH", str(tmp_path))

        reader = choosing.find_identifier("xq")

        assert reader is not None
        assert reader.read("ขอบคุณ").label == TARGET
        assert reader.read("はい").label == OTHER

    def test_a_broken_file_names_its_line(self, tmp_path: Path, monkeypatch) -> None:
        folder = tmp_path / "xr"
        folder.mkdir()
        (folder / "locale.yaml").write_text("locale: xr\n", encoding="utf-8")
        (folder / "measures.yaml").write_text(
            "script:\n  own: [runes]\n  shared_rules: {charset: ebcdic-0}\n", encoding="utf-8"
        )
        monkeypatch.setenv("JTAU_OVERLAY_PATH", str(tmp_path))

        with pytest.raises(OverlayError, match=r"measures\.yaml:2.*runes") as error:
            choosing.find_identifier("xr")
        assert len(error.value.problems) == 2


class TestModel:
    def test_without_the_extra_nothing_is_measured(self, monkeypatch) -> None:
        monkeypatch.setitem(sys.modules, "py3langid", None)
        monkeypatch.setitem(sys.modules, "py3langid.langid", None)
        extra.load_model.cache_clear()

        assert choosing.find_identifier("ko") is None

        extra.load_model.cache_clear()

    def test_the_model_tells_what_has_no_rules(self) -> None:
        pytest.importorskip("py3langid")
        extra.load_model.cache_clear()
        korean, german = choosing.find_identifier("ko"), choosing.find_identifier("de-DE")
        assert korean is not None
        assert german is not None

        assert korean.read("네, 감사합니다. 주문을 취소하고 싶어요.").label == TARGET
        assert korean.read("I have cancelled your order for you.").label == OTHER
        assert korean.read("주문을 취소했습니다. 다른 문의가 있으신가요?").label == TARGET
        mixed = "주문을 취소했습니다.\nIs there anything else that I can do for you?"
        assert korean.read(mixed).label == "code-switched"
        assert german.read("Ich möchte meine Bestellung stornieren, bitte.").label == TARGET
        assert german.read("OK").label == SHORT
        assert german.read("###STOP###").label == "no text"
        assert choosing.find_identifier("tlh") is None
