"""``jtau compare`` on what the embedded models play: known mixtures, lost checks, what reached a tool."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tau2.run import run_tasks

from jtau_plugin.cli.main import main
from jtau_plugin.reporting.compare.arms import read_arms, read_run
from jtau_plugin.reporting.compare.checks import Blame
from jtau_plugin.reporting.compare.comparison import Comparison, compare_arms
from jtau_plugin.reporting.compare.flips import LOST
from jtau_plugin.reporting.compare.settings import (
    check_mixtures,
    find_mixtures,
    fingerprint_raw_facts,
    mark_of,
)
from jtau_plugin.reporting.html.conversation import conversation_data
from jtau_plugin.reporting.html.reaching import Reaching
from jtau_plugin.scoring.bootstrap import Bootstrap

from .support import registry

TASKS = ("0", "2", "4", "16")
TRIALS = 3


def play(domain: str, model: str) -> dict[str, Any]:
    """What a model plays of some tasks, as it stands in a results file."""
    tasks = [task for task in registry().get_tasks_loader(domain)("base") if task.id in TASKS]
    results = run_tasks(
        domain=domain,
        tasks=tasks,
        agent="llm_agent",
        user="user_simulator",
        llm_agent=f"jtau/{model}",
        llm_args_agent={},
        llm_user=f"jtau/{model}",
        llm_args_user={},
        max_concurrency=1,
        console_display=False,
        log_level="ERROR",
    )
    data: dict[str, Any] = json.loads(results.model_dump_json())
    return data


@pytest.fixture(scope="module")
def played() -> dict[tuple[str, str], dict[str, Any]]:
    needed = (("en_retail", "oracle"), ("ja_retail", "oracle"), ("ja_retail", "saboteur"))
    return {key: play(*key) for key in needed}


def mix(played: dict[Any, Any], domain: str, rate: float, seed: int) -> dict[str, Any]:
    """Trials of which each is the oracle's with this chance, else the saboteur's."""
    chance = random.Random(seed)
    data = deepcopy(played[domain, "oracle"])
    by_model = {
        model: {s["task_id"]: s for s in run["simulations"]}
        for (name, model), run in played.items()
        if name == domain
    }
    data["info"]["num_trials"] = TRIALS
    data["info"]["agent_info"]["llm"] = "some/mixture"
    data["simulations"] = [
        {**by_model["oracle" if chance.random() < rate else "saboteur"][task], "trial": trial}
        for task in TASKS
        for trial in range(TRIALS)
    ]
    return data


@pytest.fixture
def files(played: dict[Any, Any], tmp_path: Path) -> dict[str, Path]:
    arms = {"en": mix(played, "en_retail", 1.0, 1), "ja": mix(played, "ja_retail", 0.4, 2)}
    lost = arms["ja"]["simulations"][0]
    lost |= {"termination_reason": "infrastructure_error", "reward_info": None}
    del arms["ja"]["simulations"][-1]
    for name, data in arms.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return {name: tmp_path / f"{name}.json" for name in arms}


def compare(files: dict[str, Path]) -> Comparison:
    arms = read_arms([f"{name}={path}" for name, path in files.items()])
    mixtures = find_mixtures(arms)
    check_mixtures(mixtures)
    return compare_arms(arms, mixtures, settings=Bootstrap(repetitions=200))


def rewards(path: Path) -> dict[tuple[str, int], float]:
    data = json.loads(path.read_text(encoding="utf-8"))
    return {
        (s["task_id"], s["trial"]): (s["reward_info"] or {}).get("reward", 0.0)
        for s in data["simulations"]
    }


def test_the_mixtures_are_recovered(files: dict[str, Path]) -> None:
    found = compare(files)
    expected = {name: rewards(path) for name, path in files.items()}

    for arm in found.arms:
        passed = sum(expected[arm.name].values())
        assert found.of_arm(arm).figure(1).strict == pytest.approx(passed / (len(TASKS) * TRIALS))
    (pair,) = found.pairs
    cells = [(task, trial) for task in TASKS for trial in range(TRIALS)]
    lost = [k for k in cells if expected["en"][k] == 1 and expected["ja"].get(k, 0) == 0]
    flips = [flip for task in pair.flips for flip in task.lost]
    assert sorted((f.pair.task_id, f.pair.trial) for f in flips) == sorted(lost)
    agents = [flip for flip in flips if flip.blame is Blame.AGENT]
    assert len(agents) == pair.matrix[LOST]
    assert sum(pair.lost_checks[Blame.NOBODY].values()) == len(flips) - len(agents)


def test_the_lost_checks_are_what_the_saboteur_broke(
    played: dict[Any, Any], tmp_path: Path
) -> None:
    for name, key in (("en", ("en_retail", "oracle")), ("ja", ("ja_retail", "saboteur"))):
        (tmp_path / f"{name}.json").write_text(json.dumps(played[key]), encoding="utf-8")

    (pair,) = compare({"en": tmp_path / "en.json", "ja": tmp_path / "ja.json"}).pairs

    found = {task.task.task_id: [c.kind for c in task.lost[0].lost] for task in pair.flips}
    expected = {
        s["task_id"]: [k for k, v in s["reward_info"]["reward_breakdown"].items() if v == 0]
        for s in played["ja_retail", "saboteur"]["simulations"]
    }
    assert found == expected
    assert found["2"] == ["COMMUNICATE"]
    assert found["0"] == ["DB"]


def test_facts_are_the_same_read_from_a_file(played: dict[Any, Any]) -> None:
    for data in played.values():
        for task in data["tasks"]:
            assert fingerprint_raw_facts(task) == mark_of(task)["facts"]


def test_what_reached_the_tool_is_shown_beside_what_was_written(files: dict[str, Path]) -> None:
    run, reaching = read_run(files["ja"]), Reaching()
    cell = run.inventory.cells["0", 1]

    data = conversation_data(run, cell, reaching.of_run(run))

    calls = [call for turn in data["turns"] for item in turn for call in item["calls"]]
    look_up = next(call for call in calls if call["name"] == "find_user_id_by_name_zip")
    assert look_up["arguments"][:2] == [
        ["first_name", "ユスフ", "Yusuf"],
        ["last_name", "ロッシ", "Rossi"],
    ]
    assert look_up["gold"]
    assert reaching.notes == []


def test_another_overlay_than_the_run_s_is_not_guessed_from(files: dict[str, Path]) -> None:
    data = json.loads(files["ja"].read_text(encoding="utf-8"))
    for simulation in data["simulations"][1:]:
        simulation["reward_info"]["info"]["jtau"]["overlay"] = "0" * 64
    files["ja"].write_text(json.dumps(data), encoding="utf-8")
    run, reaching = read_run(files["ja"]), Reaching()

    found = reaching.of_run(run)("find_user_id_by_name_zip", {"first_name": "ユスフ"}, "assistant")

    assert found is None
    assert "the run had another overlay than is installed" in reaching.notes[0]


def test_the_commands(
    files: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arms = [f"{name}={path}" for name, path in files.items()]
    quick = ["--repetitions", "50", "--no-floor"]

    html, csv = str(tmp_path / "r.html"), str(tmp_path / "r.csv")
    assert main(["compare", *arms, *quick, "--html", html, "--csv", csv]) == 0
    printed = capsys.readouterr().out
    assert "From English to Japanese, some/mixture loses" in printed
    assert "database: unlike gold:" in printed
    assert Path(html).read_text(encoding="utf-8").startswith("<!doctype html>")
    assert main(["compare", *arms, *quick, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [row["arm"] for row in data["tables"]["arms"]] == ["en", "ja"]
    assert main(["analyze", *arms, *quick, "-o", str(tmp_path / "csv")]) == 0
    assert (tmp_path / "csv" / "differences.csv").is_file()


def test_the_floor_is_that_of_the_tasks(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    arms = [f"{name}={path}" for name, path in files.items()]

    assert main(["compare", *arms, "--repetitions", "50", "--json"]) == 0

    tables = json.loads(capsys.readouterr().out)["tables"]
    assert {row["floor"] for row in tables["figures"] if row["k"] == 1} == {0.0}


def test_a_run_of_tau2_s_own_domain_is_another_thing(
    played: dict[Any, Any],
    files: dict[str, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = deepcopy(played["en_retail", "oracle"])
    own = {task.id: task for task in registry().get_tasks_loader("retail")("base")}
    data["info"]["environment_info"]["domain_name"] = "retail"
    data["tasks"] = [json.loads(own[task].model_dump_json()) for task in TASKS]
    for simulation in data["simulations"]:
        simulation["reward_info"]["info"] = None
    path = tmp_path / "own.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    arms = [f"own={path}", f"ja={files['ja']}"]

    assert main(["compare", *arms, "--no-floor", "--repetitions", "50"]) == 1
    said = capsys.readouterr().err
    assert "different protocol: upstream's (" in said
    assert "--allow-mixed" in said
    assert main(["compare", *arms, "--no-floor", "--repetitions", "50", "--allow-mixed"]) == 0
    assert capsys.readouterr().out.startswith("MIXED")
