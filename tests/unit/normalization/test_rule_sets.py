"""Which rules a locale gets, and how another locale brings its own."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import pytest

from jtau_plugin.normalization import get_rules, register_rules
from jtau_plugin.normalization.rules import LANGUAGE_FREE


@pytest.mark.parametrize("locale", ["en", "en-US", "fr", "", "jax"])
def test_a_locale_without_rules_gets_the_language_free_ones(locale: str) -> None:
    assert get_rules(locale) is LANGUAGE_FREE


@pytest.mark.parametrize("locale", ["ja", "JA", "ja-JP", "ja_JP"])
def test_japanese_has_its_own(locale: str) -> None:
    assert get_rules(locale) is get_rules("ja") is not LANGUAGE_FREE


def test_japanese_keeps_the_language_free_rules_where_language_does_not_matter() -> None:
    for kind in ("ascii", "enum", "number", "expression", "address_line", "place"):
        assert getattr(get_rules("ja"), kind) is getattr(LANGUAGE_FREE, kind)


def test_a_second_locale_registers_its_rules() -> None:
    rules = dataclasses.replace(LANGUAGE_FREE, boolean=lambda value: value)
    register_rules("xx", rules)
    register_rules("xx", rules)
    assert get_rules("xx-YY") is rules
    with pytest.raises(ValueError, match="xx"):
        register_rules("xx", LANGUAGE_FREE)


def test_built_in_rules_are_not_replaced() -> None:
    with pytest.raises(ValueError, match="ja"):
        register_rules("ja", LANGUAGE_FREE)


def test_a_rule_set_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        get_rules("ja").date = str  # type: ignore[misc]


def test_japanese_is_loaded_only_when_asked_for() -> None:
    code = (
        "import sys; from jtau_plugin.normalization import get_rules; get_rules('en');"
        "assert 'jtau_plugin.normalization.japanese_rules' not in sys.modules; get_rules('ja');"
        "assert 'jtau_plugin.normalization.japanese_rules' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
