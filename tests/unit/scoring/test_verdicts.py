"""Upstream's verdict beside ours, from what the components recorded or from their checks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from jtau_plugin.scoring.verdicts import sections_of, upstream_reward, upstream_verdicts


def reward(**fields: Any) -> SimpleNamespace:
    empty = dict.fromkeys(
        (
            "db_check",
            "env_assertions",
            "action_checks",
            "communicate_checks",
            "nl_assertions",
            "info",
        )
    )
    return SimpleNamespace(**{**empty, **fields})


def verdicts(reward_info: Any, kind: str = "all") -> dict[str, float | None]:
    return upstream_verdicts(reward_info, sections_of(reward_info, kind))


def test_what_was_recorded_comes_first() -> None:
    info = {
        "env": {"jtau": {"verdicts": {"DB": 0.0, "ENV_ASSERTION": 1.0}}},
        "action": {"jtau": {"verdicts": {"ACTION": 0.0}}},
        "communicate": {"note": "nothing to communicate"},
        "nl": {"jtau": {"verdicts": {"NL_ASSERTION": None}}},
    }

    assert verdicts(reward(info=info)) == {
        "DB": 0.0,
        "ENV_ASSERTION": 1.0,
        "ACTION": 0.0,
        "COMMUNICATE": 1.0,
        "NL_ASSERTION": None,
    }


def test_a_component_that_is_upstream_s_own_says_it_itself() -> None:
    met, missed = SimpleNamespace(met=True), SimpleNamespace(met=False)
    found = verdicts(
        reward(
            db_check=SimpleNamespace(db_reward=0.0),
            env_assertions=[met],
            action_checks=[SimpleNamespace(action_match=False)],
            communicate_checks=[met, missed],
            nl_assertions=[met],
            info={"env": None, "nl": None, "communicate": None, "action": None},
        )
    )

    assert list(found.values()) == [0.0, 1.0, 0.0, 0.0, 1.0]


def test_a_component_that_did_not_run_is_unknown() -> None:
    info = {"jtau": {"verdicts": {"COMMUNICATE": 0.0}}}

    found = verdicts(reward(info=info), "communicate")

    assert {name for name, verdict in found.items() if verdict is not None} == {"COMMUNICATE"}
    assert verdicts(reward(info={}))["NL_ASSERTION"] is None


@pytest.mark.parametrize(
    ("basis", "known", "expected"),
    [
        (("DB", "COMMUNICATE"), {"DB": 1.0, "COMMUNICATE": 1.0}, 1.0),
        (("DB", "COMMUNICATE"), {"DB": 1.0, "COMMUNICATE": 0.0}, 0.0),
        (("DB", "NL_ASSERTION"), {"DB": 1.0, "NL_ASSERTION": None}, None),
        (("DB", "SOMETHING_NEW"), {"DB": 1.0}, None),
        ((), {"DB": 1.0}, None),
    ],
)
def test_the_product_is_over_upstream_s_basis(
    basis: tuple[str, ...], known: dict[str, float | None], expected: float | None
) -> None:
    assert upstream_reward(basis, known) == expected
