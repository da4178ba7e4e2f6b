"""JTAU_TOOL_MIX: the same mix for the same seed, and nothing is guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.domains.toolmix import ToolMix, read_tool_mix
from jtau_plugin.errors import SettingError

TOOLS = [("assistant", f"tool_{n}") for n in range(400)]


def read(monkeypatch: pytest.MonkeyPatch, text: str, seed: str = "") -> ToolMix | None:
    monkeypatch.setenv("JTAU_TOOL_MIX", text)
    monkeypatch.setenv("JTAU_TOOL_MIX_SEED", seed)
    return read_tool_mix(["ja", "th"])


def test_no_setting_is_no_mix(monkeypatch):
    assert read(monkeypatch, "") is None


def test_shares_are_about_what_was_asked(monkeypatch):
    mix = read(monkeypatch, "ja:0.5, en:0.3,th:0.2", seed="7")
    assert mix is not None
    found = list(mix.assign("retail", TOOLS).values())
    for locale, share in (("ja", 0.5), ("en", 0.3), ("th", 0.2)):
        assert abs(found.count(locale) / len(found) - share) < 0.08


def test_the_whole_share_is_everything(monkeypatch):
    mix = read(monkeypatch, "en:1")
    assert mix is not None
    assert set(mix.assign("retail", TOOLS).values()) == {"en"}


@given(st.integers(-9, 9), st.integers(-9, 9))
def test_the_seed_decides_and_the_order_of_tools_does_not(first, second):
    shares = (("ja", 0.5), ("en", 0.5))
    one, other = ToolMix(shares, first), ToolMix(shares, second)
    assert one.assign("retail", TOOLS) == one.assign("retail", reversed(TOOLS))
    assert (one.assign("retail", TOOLS) == other.assign("retail", TOOLS)) == (first == second)


@pytest.mark.parametrize(
    ("text", "seed", "said"),
    [
        ("xx:1", "", "no overlay for 'xx'; there are en, ja, th"),
        ("ja:half,en:0.5", "", "the share of ja is 'half'"),
        ("ja:1.5", "", "the share of ja is '1.5'"),
        ("ja:nan", "", "the share of ja is 'nan'"),
        ("ja:0.5,en:0.4", "", "the shares add up to 0.9, expected 1"),
        ("ja:0.5,ja:0.5", "", "'ja' stands twice"),
        ("ja", "", "the share of ja is ''"),
        ("ja:0.5,en:0.5", "x", "JTAU_TOOL_MIX_SEED: 'x', expected a whole number"),
    ],
)
def test_a_setting_that_means_nothing_is_refused(monkeypatch, text, seed, said):
    with pytest.raises(SettingError) as raised:
        read(monkeypatch, text, seed)
    assert said in str(raised.value)
