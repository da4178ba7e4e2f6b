"""Japanese runs through ``jtau run`` and ``tau2 run``, and the files they leave."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import JTAU, MOCKED, ORACLE, PYTHON, TAU2, read_results, rewards, run_process

FIVE = ["--domain", "ja_retail", *ORACLE, "--num-tasks", "5", "--max-concurrency", "2"]


@pytest.fixture(scope="module")
def five(tmp_path_factory):
    """What ``jtau run`` did with five tasks: the process and the folder it ran in."""
    folder = tmp_path_factory.mktemp("five")
    return run_process([*JTAU, "run", *FIVE], folder), folder


@pytest.fixture(scope="module")
def file(five) -> Path:
    """The results that the last lines name."""
    done, folder = five
    assert done.returncode == 0, done.stderr[-3000:]
    first, second = done.stdout.splitlines()[-2:]
    shown = first.removeprefix("Results: ")
    assert second == f"Look at them: tau2 view --file {shown}"
    return folder / shown


def test_five_tasks_are_solved(file):
    assert rewards(file) == [1.0] * 5


def test_the_results_are_the_only_thing_left_behind(five, file):
    _, folder = five
    assert [p.name for p in folder.iterdir()] == ["jtau-results"]


def test_nothing_is_complained_about(five):
    done, _ = five
    for noise in (
        "Provider List",
        "jtau-plugin:",
        "Traceback",
        "model cost map",
        "calculating cost",
    ):
        assert noise not in done.stdout + done.stderr


def test_the_conversation_is_japanese_and_readable(file):
    text = file.read_text(encoding="utf-8")
    messages = [m for s in json.loads(text)["simulations"] for m in s["messages"]]
    said = [m["content"] for m in messages if m["role"] in ("assistant", "user") and m["content"]]
    spoken = [text for text in said if "###" not in text]
    assert len(spoken) > 20
    assert all(any("ぁ" <= c <= "ん" for c in text) for text in spoken), spoken
    tools = [m["content"] for m in messages if m["role"] == "tool"]
    assert any("配達済み" in content for content in tools)
    assert not any("\\u" in content for content in tools)


def test_every_result_says_where_it_comes_from(file):
    for simulation in read_results(file)["simulations"]:
        provenance = simulation["reward_info"]["info"]["jtau"]
        assert provenance["domain"] == "ja_retail"
        assert len(provenance["overlay"]) == len(provenance["facts"]) == 64
        assert provenance["misses"] == provenance["stale"] == []


def test_tau2_itself_runs_the_domain(run, save_in):
    options, file = save_in(run.folder, "mine")
    done = run([*TAU2, "run", *FIVE[:-4], "--num-tasks", "2", *options])
    assert done.returncode == 0, done.stderr[-3000:]
    assert rewards(file) == [1.0, 1.0]


def test_tau2_shows_a_conversation(run, file):
    done = run([*TAU2, "view", "--file", str(file)], given="1\n1\n3\n1\n\n5\n")
    assert "郵便番号" in done.stdout
    assert "\\u" not in done.stdout


def test_tau2_grades_the_file_again(run, file, is_main):
    done = run([*TAU2, "evaluate-trajs", str(file), "-o", str(run.folder / "graded")])
    assert done.returncode == 0, done.stderr[-3000:]
    (graded,) = (run.folder / "graded").rglob("*.json")
    assert rewards(graded) == [1.0] * 5
    provenance = read_results(graded)["simulations"][0]["reward_info"]["info"]["jtau"]
    assert provenance["domain"] == "ja_retail"


def test_the_domain_is_listed_in_the_help(run):
    for command in (TAU2, JTAU):
        done = run([*command, "run", "--help"])
        assert done.returncode == 0
        assert "ja_retail" in done.stdout


def test_jtau_domains(run):
    done = run([*JTAU, "domains", "--json"])
    assert done.returncode == 0, done.stderr
    found = {domain["name"]: domain for domain in json.loads(done.stdout)["domains"]}
    assert found["ja_retail"]["base"] == "retail"
    assert "小売" in run([*JTAU, "domains"]).stdout


def test_an_unknown_domain_is_wrong_usage(run):
    done = run([*JTAU, "run", "--domain", "ja_nowhere"])
    assert done.returncode == 2
    assert "ja_retail" in done.stderr


def test_a_spawned_process_knows_the_domain(run):
    script = run.folder / "spawn.py"
    script.write_text(
        "import multiprocessing, sys\n"
        "def work(_):\n"
        "    import tau2.registry\n"
        "    return 'ja_retail' in sys.modules['tau2.registry'].registry.get_domains()\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.map(work, [1]))\n"
    )
    done = run([PYTHON, str(script)])
    assert done.stdout.endswith("[True]\n"), done.stderr


def test_a_module_of_tau2_run_by_name_knows_the_domain(run):
    done = run([PYTHON, "-m", "tau2.cli", "run", "--help"])
    assert "ja_retail" in done.stdout


def test_disabled_is_as_if_it_were_not_there(run, save_in):
    done = run([*TAU2, "run", "--help"], JTAU_DISABLE="1")
    assert done.returncode == 0
    assert "ja_retail" not in done.stdout
    assert run([*TAU2, "run", "--domain", "ja_retail"], JTAU_DISABLE="1").returncode == 2
    options, file = save_in(run.folder, "english")
    assert run([*TAU2, "run", *MOCKED, *options], JTAU_DISABLE="1").returncode == 0
    assert len(rewards(file)) == 1


def test_an_english_run_is_not_marked(run):
    done = run([*JTAU, "run", *MOCKED])
    assert done.returncode == 0, done.stderr[-3000:]
    shown = done.stdout.splitlines()[-2].removeprefix("Results: ")
    (simulation,) = read_results(run.folder / shown)["simulations"]
    assert "jtau" not in (simulation["reward_info"]["info"] or {})


def test_a_program_without_tau2_loads_nothing_of_ours(run):
    code = "import sys, json; print([m for m in sys.modules if m.startswith(('jtau', 'pydantic'))])"
    assert eval(run([PYTHON, "-c", code]).stdout) in (
        ["jtau_plugin", "jtau_plugin._bootstrap"],
        [],
    )
