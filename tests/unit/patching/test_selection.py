"""JTAU_PATCHES: classes first, then ids, whatever the order; and nothing is guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jtau_plugin.errors import SettingError
from jtau_plugin.models.patches import REPAIR_CLASSES, Repair, RepairClass
from jtau_plugin.patching.selection import select


def repair(name: str, kind: RepairClass, default: bool | None = None) -> Repair:
    return Repair.model_validate(
        {"id": name, "title": name, "class": kind, "why": "w", "evidence": "e", "default": default}
    )


REPAIRS = (
    repair("nl-verdicts", "scorer"),
    repair("retail-18", "facts"),
    repair("telecom-steps", "text"),
    repair("retail-once", "rules"),
    repair("retail-order", "tools", default=True),
    repair("airline-cancel", "tools", default=False),
)


def test_defaults_follow_class_and_card():
    chosen = select(REPAIRS, "")
    assert chosen.enabled == {"nl-verdicts", "retail-18", "telecom-steps", "retail-order"}
    assert chosen.changes == ()


def test_a_class_switches_all_its_members():
    assert {"retail-order", "airline-cancel"} <= select(REPAIRS, "+tools").enabled
    assert not {"retail-order", "airline-cancel"} & select(REPAIRS, "-tools").enabled


def test_an_id_wins_over_its_class_in_either_order():
    for setting in ("-tools,+airline-cancel", "+airline-cancel,-tools"):
        chosen = select(REPAIRS, setting)
        assert chosen.is_enabled("airline-cancel")
        assert not chosen.is_enabled("retail-order")
        assert chosen.changes == ("+airline-cancel", "-retail-order")


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("retail-18", "has no sign"),
        ("-retail-81", "did you mean retail-18"),
        ("+nothing-like-it-anywhere", "jtau patches list"),
        ("+rules,-rules", "both on and off"),
        ("bad,-worse", "'bad' has no sign"),
    ],
)
def test_a_setting_that_means_nothing_is_refused(setting, said):
    with pytest.raises(SettingError, match="JTAU_PATCHES") as raised:
        select(REPAIRS, setting)
    assert said in str(raised.value)


def test_every_wrong_name_is_reported_at_once():
    with pytest.raises(SettingError) as raised:
        select(REPAIRS, "-first-wrong,second-wrong,+retail-18")
    assert "first-wrong" in str(raised.value)
    assert "second-wrong" in str(raised.value)


NAMES = [r.id for r in REPAIRS] + list(REPAIR_CLASSES)


@given(st.dictionaries(st.sampled_from(NAMES), st.booleans()), st.randoms())
def test_the_order_of_a_setting_does_not_matter(switches, random):
    tokens = [("+" if on else "-") + name for name, on in switches.items()]
    shuffled = tokens[:]
    random.shuffle(shuffled)
    assert select(REPAIRS, ",".join(tokens)) == select(REPAIRS, " , ".join(shuffled))


@given(st.dictionaries(st.sampled_from(NAMES), st.booleans()))
def test_the_changes_of_a_choice_make_the_same_choice(switches):
    chosen = select(REPAIRS, ",".join(("+" if on else "-") + n for n, on in switches.items()))
    assert select(REPAIRS, ",".join(chosen.changes)).enabled == chosen.enabled
