"""An overall figure is a mean over the domains of one arm, never over arms."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from jtau_plugin.cli.grade import is_one_arm


def graded(domain: str, agent: str = "m") -> Any:
    info = SimpleNamespace(
        environment_info=SimpleNamespace(domain_name=domain),
        agent_info=SimpleNamespace(llm=agent),
        user_info=SimpleNamespace(llm="u"),
    )
    return SimpleNamespace(results=SimpleNamespace(info=info))


@pytest.mark.parametrize(
    ("domains", "is_one"),
    [
        (("ja_retail", "ja_airline", "ja_telecom"), True),
        (("en_retail", "en_airline"), True),
        (("retail", "airline"), True),
        (("ja_retail", "en_retail"), False),
        (("ja_retail", "en_airline"), False),
        (("ja_retail", "ja_airline_tools"), False),
        (("ja_retail", "ja_retail"), False),
        (("ja_retail", "airline"), False),
    ],
)
def test_domains_of_one_arm(domains: tuple[str, ...], is_one: bool) -> None:
    assert is_one_arm([graded(domain) for domain in domains]) is is_one


def test_two_models_are_two_arms() -> None:
    assert not is_one_arm([graded("ja_retail", "a"), graded("ja_airline", "b")])
