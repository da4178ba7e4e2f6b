"""Which checks a locale has, what they look at, and what an exemption covers."""

from __future__ import annotations

import inspect
from dataclasses import replace
from types import ModuleType

import pytest

from jtau_plugin.checks.language import PLAIN, Language, get_language, register_language
from jtau_plugin.checks.model import (
    ERROR,
    POLICY,
    SHOWN,
    WARNING,
    Check,
    Fault,
    Finding,
    of_segment,
)
from jtau_plugin.checks.runner import NEUTRAL, apply_exemptions, checks_of, run_checks
from jtau_plugin.models.checks import Exemption

from . import (
    judge,
    test_japanese,
    test_markup,
    test_numbers,
    test_speech,
    test_terms,
    test_text,
    test_values,
    test_wording,
)
from .judge import CONTEXT, segment

ALL = checks_of("ja")


def test_names_are_unique_and_titles_are_sentences():
    names = [check.name for check in ALL]
    assert len(set(names)) == len(names) > 25
    for check in ALL:
        assert check.title.endswith("."), check.name
        assert check.title[0].isupper()
        assert check.kinds <= SHOWN | {"document"}
        assert (check.of_segment is None) != (check.of_all is None)
        assert check.severity in (ERROR, WARNING)


def _asked(modules: list[ModuleType]) -> set[str]:
    source = "".join(inspect.getsource(module) for module in modules)
    return {check.name for check in ALL if f"check_{check.name.replace('-', '_')}" in source}


def test_every_check_has_its_cases():
    modules = [test_japanese, test_markup, test_numbers, test_terms, test_text, test_values]
    assert {check.name for check in ALL} - _asked([*modules, test_speech, test_wording]) == set()


@pytest.mark.parametrize("locale", ["th", "en", "", "jax"])
def test_a_locale_without_a_language_has_the_neutral_checks(locale):
    assert checks_of(locale) == NEUTRAL
    assert get_language(locale) is PLAIN


@pytest.mark.parametrize("locale", ["ja", "JA", "ja-JP", "ja_JP"])
def test_japanese_has_its_own(locale):
    assert get_language(locale) is get_language("ja") is not PLAIN
    assert set(NEUTRAL) < set(checks_of(locale))


def test_a_second_locale_registers_its_language():
    @of_segment(WARNING)
    def check_shouting(segment, context):
        """Nobody shouts."""
        if segment.target.isupper():
            yield Fault("too loud")

    language = Language(checks=(check_shouting,))
    register_language("qx", language)
    register_language("qx", language)
    assert checks_of("qx-YY")[-1].name == "shouting"
    found = run_checks([segment("Quiet!", "LOUD!")], replace(CONTEXT, locale="qx"))
    assert ("shouting", WARNING) in {(f.check, f.severity) for f in found}
    with pytest.raises(ValueError, match="qx"):
        register_language("qx", PLAIN)
    with pytest.raises(ValueError, match="ja"):
        register_language("ja", PLAIN)


def test_the_neutral_checks_work_without_a_language():
    context = replace(CONTEXT, locale="th")
    good = segment("Order {id} has 3 items.", "คำสั่งซื้อ {id} มี 3 รายการ")
    numbers = next(check for check in NEUTRAL if check.name == "numbers")
    assert list(numbers.run([good], context)) == []
    assert list(numbers.run([replace(good, target="คำสั่งซื้อ {id}")], context)) != []


def test_a_document_is_looked_at_line_by_line():
    text = segment("# A\n\nIt costs $5.\nNo number.", "# あ\n\n5ドルです。\n6です。", POLICY)
    numbers = next(check for check in NEUTRAL if check.name == "numbers")
    found = list(numbers.run([text], CONTEXT))
    assert [(f.segment.line, f.where, f.segment.target) for f in found] == [
        (6, "a.yaml:6", "6です。")
    ]
    assert found[0].segment.address == text.address


def test_a_document_of_another_length_is_looked_at_whole():
    text = segment("# A\nIt costs $5.", "# あ\n\n5ドルです。", POLICY)
    assert text.pairs() == (text,)


def _finding(check: str, address: str, message: str) -> Finding:
    return Finding(check, ERROR, replace(segment("", ""), address=address), message)


def test_exemptions():
    findings = [
        _finding("numbers", "retail/tasks.yaml#tasks.1.a[b].text", "not in the text: 5"),
        _finding("numbers", "retail/tasks.yaml#tasks.1.a[b].text", "not in the text: 6"),
        _finding("terms", "retail/tasks.yaml#tasks.1.a[b].text", "not in the text: 5"),
        _finding("numbers", "retail/tasks.yaml#tasks.11.text", "not in the text: 5"),
    ]
    exemptions = [
        Exemption(
            check="numbers", address="retail/tasks.yaml#tasks.1.a[b].*", about="text: 5", reason="r"
        ),
        Exemption(check="numbers", address="airline/*", reason="r"),
        Exemption(check="numbers", address="*tasks.11.text", reason="r"),
    ]
    result = apply_exemptions(findings, exemptions)
    assert result.findings == (findings[1], findings[2])
    assert result.used == (1, 0, 1)


def test_what_tests_read():
    """``passes`` is what a test of a check should read like."""
    assert isinstance(ALL[0], Check)
    assert judge.passes(ALL[0], "a text", "文")
