"""The measures on real conversations of the embedded models, and what they know of tau2's tools."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tau2.run import get_tasks, run_tasks

from jtau_plugin.compat.extension import EXTENSION
from jtau_plugin.domains import localized_domains
from jtau_plugin.reporting.compare.arms import read_arms
from jtau_plugin.reporting.compare.comparison import compare_arms
from jtau_plugin.reporting.compare.measured import measure_run
from jtau_plugin.reporting.compare.tables import tags_table
from jtau_plugin.reporting.conversation import read_conversation
from jtau_plugin.reporting.identity import load_domain_tools
from jtau_plugin.reporting.measures import Measurer, measure_results, setting_of, tasks_of
from jtau_plugin.reporting.recording import record_language
from jtau_plugin.reporting.tagging import tag_by_rules

from .support import registry

#: Which tag each of the saboteur's faults must be given.
FAULTS = {
    "other_choice": "wrong-argument-value",
    "other_item": "wrong-argument-value",
    "other_payment": "wrong-argument-value",
    "left_out": "missing-action",
    "wrong_fact": "not-communicated",
}
_TASKS = {"retail": ("1", "2", "16", "20"), "airline": ("7", "8")}


def play(model: str, domain: str, ids: tuple[str, ...]) -> dict[str, Any]:
    """Return what a results file would hold of these tasks."""
    tasks = [task for task in get_tasks(domain, "base") if task.id in ids]
    results = run_tasks(
        domain=domain,
        tasks=tasks,
        agent="llm_agent",
        user="user_simulator",
        llm_agent=f"jtau/{model}",
        llm_args_agent={},
        llm_user=f"jtau/{model}",
        llm_args_user={},
        max_concurrency=4,
        console_display=False,
        log_level="ERROR",
    )
    raw: dict[str, Any] = json.loads(results.model_dump_json())
    raw["played"] = results
    return raw


@pytest.fixture(scope="module")
def wide() -> dict[str, Any]:
    return play("oracle-wide", "ja_retail", _TASKS["retail"][:3])


@pytest.fixture(scope="module", params=sorted(_TASKS))
def sabotaged(request: pytest.FixtureRequest) -> dict[str, Any]:
    return play("saboteur", f"ja_{request.param}", _TASKS[request.param])


@pytest.mark.parametrize("domain", sorted(load_domain_tools()))
def test_what_is_said_of_the_tools_is_so(domain: str) -> None:
    known = load_domain_tools()[domain]
    environment = registry().get_env_constructor(domain)()
    installed = environment.tools.get_tools()
    types = {name: environment.tools.tool_type(name).value for name in installed}

    assert set(known.writes) == {name for name, kind in types.items() if kind == "write"}
    assert set(known.gives_up) <= set(types)
    for look_up in known.look_ups:
        schema = installed[look_up.tool].params.model_json_schema()
        assert set(look_up.parameters) == set(schema["properties"])
        assert types[look_up.tool] == "read"
    parameters = {
        name
        for tool in installed.values()
        for name in tool.params.model_json_schema()["properties"]
    }
    assert {*known.owner_arguments, *known.object_arguments} <= parameters


class TestTheOracle:
    def test_it_speaks_polite_japanese_and_finds_its_caller(self, wide: dict[str, Any]) -> None:
        for found in measure_results(wide):
            assert set(found.agent_labels or ()) == {"target"}
            assert set(found.user_labels or ()) <= {"target", "no text"}
            counts = found.register_counts or {}
            assert (counts["plain"], counts["mixed"]) == (0, 0)
            assert found.fault_rules == ()
            assert found.is_identified
            assert not [turn for turn in found.agent_turns or () if turn.slips]

    def test_arguments_are_read_as_the_run_read_them(self, wide: dict[str, Any]) -> None:
        localizer = localized_domains()["ja_retail"].localizer()
        measurer = Measurer(setting_of(wide))
        calls = 0
        for simulation in wide["simulations"]:
            for call in read_conversation(simulation["messages"]).calls:
                theirs = localizer.canonicalize_arguments(call.name, dict(call.arguments))
                ours = measurer.arguments.canonicalize(call)
                assert (dict(ours[0]), ours[1]) == theirs
                calls += 1
            found = measurer.measure(simulation)
            stamp = simulation["reward_info"]["info"]["jtau"]
            normalised = Counter(a.kind for a in found.arguments or () if a.is_normalised)
            assert normalised == Counter(stamp["normalized"])
            assert (found.argument_counts or {})["refused"] == 0
            assert (found.argument_counts or {})["localized"] > 0
        assert calls > 10

    def test_the_record_is_made_of_tau2s_own_objects(self, wide: dict[str, Any]) -> None:
        measured = {found.simulation_id: found for found in measure_results(wide)}
        for simulation in wide["played"].simulations:
            stamp = simulation.reward_info.info["jtau"]
            found = measured[simulation.id]

            record = record_language(stamp["domain"], stamp, simulation.messages)

            assert record["agent"] == dict(Counter(found.agent_labels))
            assert record["user"] == dict(Counter(found.user_labels))
            assert record["arguments"] == found.argument_counts
            assert record["register"] == found.register_counts
            assert json.loads(json.dumps(record)) == record
            assert stamp["language"] == record  # the scorer recorded it while the run was graded

    def test_a_measure_that_fails_costs_no_reward(
        self, wide: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: Any) -> Any:
            raise RuntimeError("no rules")

        monkeypatch.setattr("jtau_plugin.reporting.recording.record_language", fail)
        simulation = wide["played"].simulations[0]
        task = next(t for t in wide["played"].tasks if t.id == simulation.task_id)
        scorer = EXTENSION.scorer
        assert scorer is not None

        graded = scorer.grade(task, simulation, "ja_retail", "all", lambda: simulation.reward_info)

        assert graded.reward == simulation.reward_info.reward
        assert "no rules" in graded.info["jtau"]["language"]["error"]


class TestTheSaboteur:
    def test_a_comparison_has_the_tags(self, sabotaged: dict[str, Any], tmp_path: Path) -> None:
        path = tmp_path / "arm.json"
        data = {key: value for key, value in sabotaged.items() if key != "played"}
        path.write_text(json.dumps(data), encoding="utf-8")
        (arm,) = read_arms([f"arm={path}"])
        (run,) = arm.runs.values()
        expected = {
            (one.case.measures.task_id, 0): [finding.tag for finding in one.findings]
            for one in tag_by_rules(sabotaged)
        }

        found = measure_run(run)

        assert {key: [tag.id for tag in one.tags or ()] for key, one in found.items()} == expected
        table = tags_table(compare_arms([arm], measure=lambda _: found))
        assert sum(row[-1] for row in table.rows if isinstance(row[-1], int)) == sum(
            len(set(tags)) for tags in expected.values()
        )
        assert {row[2] for row in table.rows} == {"agent"}

    def test_every_fault_is_found_and_nothing_else(self, sabotaged: dict[str, Any]) -> None:
        records = {s["task_id"]: _record(s) for s in sabotaged["simulations"]}
        seen = 0
        for tagged in tag_by_rules(sabotaged):
            record = records[tagged.case.measures.task_id]
            tags = {finding.tag: finding for finding in tagged.findings}
            if record is None:
                assert tags == {}
                continue
            seen += 1
            assert set(tags) == {FAULTS[record["fault"]]}
            (finding,) = tags.values()
            if record["fault"] == "wrong_fact":
                assert finding.detail == record["gold"]
            else:
                assert finding.detail.startswith(record["tool"])
        assert seen >= 2

    def test_tasks_are_those_of_the_file(self, sabotaged: dict[str, Any]) -> None:
        assert {s["task_id"] for s in sabotaged["simulations"]} == set(tasks_of(sabotaged))


def _record(simulation: dict[str, Any]) -> dict[str, Any] | None:
    """Return the fault that the saboteur recorded; ``None`` if it found none to make."""
    for message in simulation["messages"]:
        raw = message.get("raw_data") or {}
        choice = raw["choices"][0] if "choices" in raw else raw
        fields = (choice.get("message") or {}).get("provider_specific_fields") or {}
        if "jtau" in fields:
            return fields["jtau"] if fields["jtau"].get("fault") else None
    return None


def test_measuring_needs_no_tau2() -> None:
    code = (
        "import sys; sys.modules['tau2'] = None\n"
        "from jtau_plugin.reporting.measures import measure_results\n"
        "from jtau_plugin.reporting.tagging import tag_by_rules\n"
        "raw = {'info': {'environment_info': {'domain_name': 'ja_retail'}}, 'tasks': [],\n"
        "       'simulations': [{'task_id': '0', 'messages': [{'role': 'user', 'content': 'はい'}]}]}\n"
        "assert next(measure_results(raw)).user_labels == ('target',)\n"
        "tag_by_rules(raw)\n"
        "assert 'litellm' not in sys.modules\n"
    )
    from .support import run_python

    run_python(code)
    assert "tau2" in sys.modules
