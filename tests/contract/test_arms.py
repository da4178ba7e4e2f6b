"""The control arm and the scenarios: one set of facts, and exactly the surfaces that they name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tau2.agent.llm_agent import LLMAgent
from tau2.user.user_simulator import UserSimulator

from jtau_plugin.compat.tasks import read_mark
from jtau_plugin.domains import LocalizedDomain, localized_domains, registration
from jtau_plugin.domains.registration import load_scenarios
from jtau_plugin.errors import JtauError, OverlayError, SettingError

from .scripted import orchestrate
from .support import call, registry

_JAPANESE = re.compile("[぀-ヿ㐀-鿿]")
_NAMES = re.compile(r"(?m)^- .+: .+$")
BASES = ("retail", "airline", "telecom")
SCENARIOS = {
    "ja_{}": "agent greeting policy results scenario tools user values",
    "en_{}": "",
    "ja_{}_interaction": "agent greeting user",
    "ja_{}_tools": "tools",
    "ja_{}_agentside": "agent greeting policy results tools values",
}
#: A call of each domain that answers with data, and one that is refused.
CALLS = {
    "retail": ("get_order_details", {"order_id": "#W2378156"}, {"order_id": "#W0"}),
    "airline": ("get_reservation_details", {"reservation_id": "4WQ150"}, {"reservation_id": "X"}),
    "telecom": ("get_details_by_id", {"id": "L1001"}, {"id": "X1"}),
}


@cache
def tasks_of(name: str) -> dict[str, Any]:
    return {task.id: task for task in registry().get_tasks_loader(name)()}


def shown(name: str, base: str) -> dict[str, str]:
    """Return what the models of a domain are really shown, by surface."""
    env = registry().get_env_constructor(name)()
    # Loaded anew: what is kept was loaded with the default repairs.
    task = registry().get_tasks_loader(name)()[0]
    policy = env.get_policy()
    agent = LLMAgent(tools=env.get_tools(), domain_policy=policy, llm="m", llm_args={})
    user = UserSimulator(instructions=str(task.user_scenario), llm="m", llm_args={})
    tool, known, unknown = CALLS[base]
    orchestrator = orchestrate(task, name)
    orchestrator.initialize()
    return {
        "policy": str(policy),
        "agent": agent.system_prompt.replace(str(policy), ""),
        # Without the list of Japanese names that an English user simulator is given.
        "user": _NAMES.sub("", user.system_prompt.replace(str(task.user_scenario), "")),
        "scenario": str(task.user_scenario),
        "greeting": orchestrator.trajectory[0].content,
        "tools": json.dumps([t.openai_schema for t in env.get_tools()], ensure_ascii=False),
        "values": call(env, tool, known).content,
        "results": call(env, tool, unknown).content,
    }


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("pattern", SCENARIOS)
def test_exactly_the_surfaces_of_the_scenario_are_japanese(pattern: str, base: str) -> None:
    seen = shown(pattern.format(base), base)
    japanese = {surface for surface, text in seen.items() if _JAPANESE.search(text)}
    assert japanese == set(SCENARIOS[pattern].split())


@pytest.mark.parametrize("base", BASES)
def test_the_control_arm_without_repairs_is_upstream(
    base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JTAU_PATCHES", "-facts,-text,-rules,-tools")
    assert shown(f"en_{base}", base) == shown(base, base)


@pytest.mark.parametrize("base", BASES)
def test_all_arms_have_one_set_of_facts(base: str) -> None:
    facts = [
        {i: read_mark(task).facts for i, task in tasks_of(pattern.format(base)).items()}
        for pattern in SCENARIOS
    ]
    assert all(other == facts[0] for other in facts)
    held = [
        {i: read_mark(task).repairs for i, task in tasks_of(pattern.format(base)).items()}
        for pattern in SCENARIOS
    ]
    assert all(other == held[0] for other in held)


def test_the_control_arm_reads_arguments_by_the_language_free_rules() -> None:
    env = registry().get_env_constructor("en_retail")()
    assert not call(env, "get_order_details", {"order_id": "「＃Ｗ２３７８１５６」"}).error
    assert call(
        env,
        "find_user_id_by_name_zip",
        {"first_name": "ユスフ", "last_name": "ロッシ", "zip": "19122"},
    ).error
    canonical, changes = env.jtau_localizer.canonicalize_arguments(
        "cancel_pending_order", {"order_id": "#W1", "reason": "もう必要ない"}
    )
    assert canonical["reason"] == "もう必要ない"
    assert changes == []


def test_interaction_reads_arguments_as_the_control_arm_does() -> None:
    env = registry().get_env_constructor("ja_retail_interaction")()
    name = {"first_name": "ユスフ", "last_name": "ロッシ", "zip": "19122"}
    assert call(env, "find_user_id_by_name_zip", name).error
    japanese = registry().get_env_constructor("ja_retail_tools")()
    assert call(japanese, "find_user_id_by_name_zip", name).content == "yusuf_rossi_9620"


def test_an_english_caller_is_told_the_japanese_names_of_its_values() -> None:
    task = tasks_of("ja_retail_agentside")["0"]
    user = UserSimulator(instructions=str(task.user_scenario), llm="m", llm_args={})
    english = tasks_of("en_retail")["0"]
    plain = UserSimulator(instructions=str(english.user_scenario), llm="m", llm_args={})
    assert user.system_prompt.startswith(plain.system_prompt)
    added = user.system_prompt.removeprefix(plain.system_prompt)
    assert "- clicky: クリッキー" in added
    assert "###" not in added.replace("### marks", "")


def test_results_name_the_scenario_and_what_it_localizes() -> None:
    for pattern, scenario in (("en_{}", "control"), ("ja_{}_agentside", "agentside")):
        said = localized_domains()[pattern.format("retail")].provenance()
        assert said["scenario"] == scenario
    assert said["directive"] == "1"
    assert "user" not in said["surfaces"]


@pytest.mark.parametrize(
    ("name", "other"),
    [("en_retail", "ja_retail"), ("ja_retail_tools", "ja_retail"), ("ja_retail", "en_retail")],
)
def test_a_task_of_one_arm_is_refused_in_another(name: str, other: str) -> None:
    orchestrator = orchestrate(next(iter(tasks_of(name).values())), other)
    with pytest.raises(JtauError, match=f"run it with --domain {name}"):
        orchestrator.initialize()


def test_tools_may_be_mixed_by_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JTAU_TOOL_MIX", "ja:0.5,en:0.5")
    env = registry().get_env_constructor("ja_retail_tools")()
    english = registry().get_env_constructor("retail")()
    plain = {t.name: t.openai_schema for t in english.get_tools()}
    mixed = {t.name: t.openai_schema for t in env.get_tools()}
    said = localized_domains()["ja_retail_tools"].provenance()["tool_mix"]
    for name, schema in mixed.items():
        is_japanese = bool(_JAPANESE.search(json.dumps(schema, ensure_ascii=False)))
        assert is_japanese == (said["tools"][f"assistant/{name}"] == "ja")
        assert is_japanese or schema == plain[name]
    assert {"ja", "en"} == set(said["tools"].values())
    # The other domains have no mix.
    assert localized_domains()["ja_retail"].provenance()["tool_mix"] is None
    monkeypatch.setenv("JTAU_TOOL_MIX", "xx:1")
    with pytest.raises(SettingError, match="no overlay for 'xx'"):
        registry().get_env_constructor("ja_retail_tools")()


_OWN = """\
scenarios:
  policyonly:
    name: "{locale}_{base}_policyonly"
    title: only the policy in Japanese
    surfaces: {user: false, agent: false, greeting: false, tools: false, arguments: false,
      values: false, results: false, tasks: false}
"""


@pytest.fixture
def own_scenarios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file of scenarios in a folder of the user's own."""
    path = tmp_path / "ja" / "scenarios.yaml"
    path.parent.mkdir()
    monkeypatch.setenv("JTAU_OVERLAY_PATH", str(tmp_path))
    registration._scenarios.cache_clear()
    yield path
    registration._scenarios.cache_clear()


def test_a_person_can_define_a_scenario(own_scenarios: Path) -> None:
    own_scenarios.write_text(_OWN, encoding="utf-8")
    scenarios = load_scenarios()["ja"]
    assert {"policyonly", "tools", "agentside", "interaction"} == set(scenarios)
    own = LocalizedDomain("ja", "retail", "retail", "retail", scenarios["policyonly"])
    assert own.name == "ja_retail_policyonly"
    env = own.get_environment()
    english = registry().get_env_constructor("retail")()
    assert _JAPANESE.search(env.get_policy())
    assert [t.openai_schema for t in env.get_tools()] == [
        t.openai_schema for t in english.get_tools()
    ]
    assert call(env, *CALLS["retail"][:2]).content == call(english, *CALLS["retail"][:2]).content
    assert own.provenance()["surfaces"] == ["policy"]


@pytest.mark.parametrize(
    ("name", "owner"),
    [
        ("{base}", "tau2's own domain"),
        ("{locale}_{base}", "the domain with everything localized"),
        ("en_{base}", "the control arm"),
        ("{locale}_{base}_policyonly", "the scenario 'policyonly'"),
    ],
)
def test_a_scenario_does_not_hide_another(own_scenarios: Path, name: str, owner: str) -> None:
    more = f'  second:\n    name: "{name}"\n    title: t\n'
    own_scenarios.write_text(_OWN + more, encoding="utf-8")
    with pytest.raises(OverlayError) as error:
        load_scenarios()
    (problem,) = error.value.problems
    assert f"is the name of {owner}" in problem.what
    assert problem.where.startswith(f"{own_scenarios}:8: ")


def test_scenarios_of_the_overlay_are_the_ones_tested_here() -> None:
    names = {s.name_for("ja", "{}") for s in load_scenarios()["ja"].values()}
    assert names | {"ja_{}", "en_{}"} == set(SCENARIOS)
