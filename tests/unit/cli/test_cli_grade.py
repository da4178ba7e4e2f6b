"""``jtau grade``: what it refuses to read, to mix and to overwrite, and how it prints."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from result_runs import run_data, simulation

from jtau_plugin.cli import grade
from jtau_plugin.cli.grading import regrading, report, settings, writing
from jtau_plugin.cli.grading.plan import read_all
from jtau_plugin.cli.progress import Progress
from jtau_plugin.compat.results_file import ResultsFile, format_location, read_results
from jtau_plugin.errors import ResultsError, SettingError
from jtau_plugin.scoring.bootstrap import Bootstrap
from jtau_plugin.scoring.floor import Floor
from jtau_plugin.scoring.summary import RunSummary, summarize_overall, summarize_run

FAST = Bootstrap(repetitions=50)


def write(path: Path, data: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def why_not(*paths: Path) -> str:
    with pytest.raises(ResultsError) as caught:
        read_all(paths)
    return str(caught.value)


# --- files that cannot be read --------------------------------------------------------------------


def test_there_is_no_such_file(tmp_path: Path) -> None:
    assert "nothing.json: there is no such file" in why_not(tmp_path / "nothing.json")


def test_an_empty_file(tmp_path: Path) -> None:
    assert "is empty (the run was stopped" in why_not(write(tmp_path / "r.json", " \n"))


def test_a_truncated_file_is_told_with_line_and_column(tmp_path: Path) -> None:
    text = json.dumps(run_data({"0": "P"}), indent=2)
    cut = write(tmp_path / "r.json", text[: text.index("some/model") + 4])
    assert "r.json:10:14: is not complete JSON: it ends in the middle" in why_not(cut)
    short = write(tmp_path / "s.json", '{"info": {},\n "tasks": [')
    assert "s.json:2:12: is not complete JSON: it ends in the middle" in why_not(short)


def test_broken_json_is_told_with_line_and_column(tmp_path: Path) -> None:
    broken = write(tmp_path / "r.json", '{"info":\n  nonsense}')
    assert "r.json:2:3: is not valid JSON: Expecting value" in why_not(broken)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(b"\x80\x81")
    assert "is not UTF-8: byte 0" in why_not(path)


@pytest.mark.parametrize(
    ("data", "kind"), [([], "a list"), ("3", "a number"), ("null", "null"), ('"x"', "a text")]
)
def test_json_that_is_no_object(tmp_path: Path, data: Any, kind: str) -> None:
    assert f"holds {kind}, but results are an object" in why_not(write(tmp_path / "r.json", data))


def test_json_that_is_something_else(tmp_path: Path) -> None:
    path = write(tmp_path / "package.json", {"name": "x", "info": {}})
    assert "is no results file of tau2: it has no key 'tasks', 'simulations'" in why_not(path)


def test_a_summary_names_the_file_that_it_belongs_to(tmp_path: Path) -> None:
    path = write(tmp_path / "run_results.json", {"domain": "retail", "metrics": {}})
    assert "this is a summary; the results are in run.json" in why_not(path)
    path = write(tmp_path / "run_termination_summary.json", {})
    assert "the results are in run.json" in why_not(path)


def test_a_folder_without_results(tmp_path: Path) -> None:
    write(tmp_path / "a.json", {})
    write(tmp_path / "a_results.json", {})
    assert "is a folder without results.json; it holds a.json (name a file)" in why_not(tmp_path)


def test_wrong_values_are_told_with_their_places(tmp_path: Path) -> None:
    data = run_data({"0": "PP"})
    data["info"]["num_trials"] = 0
    del data["simulations"][0]["task_id"]
    data["simulations"][1]["trial"] = "first"
    said = why_not(write(tmp_path / "r.json", data))
    assert "info.num_trials: Input should be greater than or equal to 1, found 0" in said
    assert "simulations[0].task_id: Field required" in said
    assert "simulations[1].trial: " in said
    assert "found 'first'" in said


def test_an_impossible_number_of_trials_is_refused(tmp_path: Path) -> None:
    data = run_data({"0": "PP"})
    data["info"]["num_trials"] = 10**9
    said = why_not(write(tmp_path / "r.json", data))
    assert "info.num_trials: Input should be less than or equal to 10000" in said


def test_many_wrong_values_are_cut_short(tmp_path: Path) -> None:
    data = run_data({"0": "P" * 40})
    for entry in data["simulations"]:
        entry["trial"] = []
    assert "and 20 more like these" in why_not(write(tmp_path / "r.json", data))


def test_all_files_are_read_before_anything_is_said(tmp_path: Path) -> None:
    said = why_not(tmp_path / "a.json", write(tmp_path / "b.json", ""), tmp_path / "c.json")
    assert said.count("\n") == 3


def test_places_are_written_as_people_write_them() -> None:
    assert format_location(("simulations", 3, "reward_info", "reward")) == (
        "simulations[3].reward_info.reward"
    )


# --- files that can be read -----------------------------------------------------------------------


def test_unknown_keys_are_ignored_and_kept(tmp_path: Path) -> None:
    data = run_data({"0": "P"}) | {"format_version": 7}
    data["simulations"][0] |= {"review": {"x": 1}, "termination_reason": "judge_stop"}
    file = read_results(write(tmp_path / "r.json", data))
    assert file.raw == data
    assert file.results.simulations[0].termination_reason == "judge_stop"


def test_numbers_as_ids_of_tasks(tmp_path: Path) -> None:
    data = run_data({"0": "P"})
    data["tasks"][0]["id"] = data["simulations"][0]["task_id"] = 0
    assert read_results(write(tmp_path / "r.json", data)).results.tasks[0].id == "0"


def test_a_large_file(tmp_path: Path) -> None:
    data = run_data({str(i): "PFPF" for i in range(125)})
    for entry in data["simulations"]:
        entry["messages"] = [{"role": "assistant", "content": "注文" * 200}] * 20
    file = read_results(write(tmp_path / "r.json", data))
    assert len(file.results.simulations) == 500


def folder(tmp_path: Path, *, index: bool = True) -> Path:
    data = run_data({"0": "PF"})
    simulations = data.pop("simulations")
    if index:
        data["simulation_index"] = [{"id": entry["id"]} for entry in simulations]
    write(tmp_path / "run/results.json", data)
    for entry in simulations:
        write(tmp_path / f"run/simulations/{entry['id']}.json", entry)
    return tmp_path / "run"


@pytest.mark.parametrize("index", [True, False])
def test_a_run_in_a_folder(tmp_path: Path, index: bool) -> None:
    path = folder(tmp_path, index=index)
    for name in (path, path / "results.json"):
        file = read_results(name)
        assert [s.trial for s in file.results.simulations] == [0, 1]
        assert len(file.files) == 3


def test_a_folder_that_lost_a_simulation(tmp_path: Path) -> None:
    path = folder(tmp_path)
    (path / "simulations/0-0.json").unlink()
    write(path / "simulations/new.json", simulation("0", 2))
    said = why_not(path)
    assert "0-0.json: is in the index of results.json, but not there" in said
    assert "new.json: is not in the index of results.json" in said


def test_a_broken_simulation_is_named(tmp_path: Path) -> None:
    path = folder(tmp_path)
    write(path / "simulations/0-0.json", "{")
    assert "0-0.json:1:2: is not complete JSON" in why_not(path)


# --- what is not mixed ----------------------------------------------------------------------------

REPAIRS = {"classes": ["scorer", "facts"], "changes": [], "fingerprint": "x"}
STAMP = {"domain": "ja_retail", "protocol": "deterministic", "facts": "f0", "repairs": REPAIRS}


def stamped(tmp_path: Path, *stamps: dict[str, Any], name: str = "r.json") -> ResultsFile:
    data = run_data({"0": "P" * len(stamps)}, domain="retail")
    mark = json.dumps({"protocol": stamps[0].get("protocol"), "facts": "f0"})
    data["tasks"][0]["description"] = {"notes": f"jtau: {mark}\nnotes"}
    for entry, stamp in zip(data["simulations"], stamps, strict=True):
        entry["reward_info"]["info"] = {"jtau": stamp}
    return read_results(write(tmp_path / name, data))


def mixed(*files: ResultsFile, protocol: str | None = None) -> str:
    return "\n".join(map(str, settings.check_settings(files, protocol)))


def test_equal_settings_are_no_problem(tmp_path: Path) -> None:
    assert mixed(stamped(tmp_path, STAMP, STAMP, {}), stamped(tmp_path, STAMP, name="s.json")) == ""


def test_simulations_without_any_stamp_say_nothing(tmp_path: Path) -> None:
    assert mixed(stamped(tmp_path, {}, {"status": "evaluator_error"}, STAMP)) == ""


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("domain", "en_retail"),
        ("protocol", "judged"),
        ("locale", "en"),
        ("repairs", {**REPAIRS, "classes": ["rules"]}),
        ("repairs", {**REPAIRS, "fingerprint": "y"}),
    ],
)
def test_one_file_mixes_nothing(tmp_path: Path, key: str, value: Any) -> None:
    said = mixed(stamped(tmp_path, STAMP, {**STAMP, key: value}))
    assert f"mixes simulations by {key}: " in said
    assert "task 0, trial 1" in said


def test_facts_are_those_of_the_task(tmp_path: Path) -> None:
    said = mixed(stamped(tmp_path, STAMP, {**STAMP, "facts": "f1"}))
    assert "task 0: holds simulations of other facts: f1 (task 0, trial 1)" in said
    assert "the task in the file has f0" in said


def test_files_mix_no_protocols_unless_all_are_graded_by_one(tmp_path: Path) -> None:
    files = [
        stamped(tmp_path, STAMP),
        stamped(tmp_path, {**STAMP, "protocol": "judged"}, name="s.json"),
    ]
    assert "more than one choice of protocol: deterministic in" in mixed(*files)
    assert mixed(*files, protocol="judged") == ""


def test_files_mix_no_repairs(tmp_path: Path) -> None:
    other = {**STAMP, "repairs": {**REPAIRS, "changes": ["+retail-once"]}}
    files = stamped(tmp_path, STAMP), stamped(tmp_path, other, name="s.json")
    said = mixed(*files)
    assert "more than one choice of repairs: classes facts in" in said
    assert "classes facts, changes +retail-once in" in said


def test_the_scorer_s_own_part_is_decided_anew(tmp_path: Path) -> None:
    other = {**REPAIRS, "classes": ["facts"], "changes": ["-metrics-display"]}
    files = stamped(tmp_path, STAMP), stamped(tmp_path, {**STAMP, "repairs": other}, name="s.json")
    assert mixed(*files) == ""


# --- the copy -------------------------------------------------------------------------------------


def refusal(output: Path, *files: ResultsFile, force: bool = False) -> str:
    try:
        writing.check_output(output, files, force=force)
    except ResultsError as error:
        return str(error)
    return ""


def test_the_input_is_never_overwritten(tmp_path: Path) -> None:
    file = read_results(write(tmp_path / "r.json", run_data({"0": "P"})))
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "r.json")
    for output in (tmp_path / "r.json", tmp_path / "x/../r.json", link):
        (tmp_path / "x").mkdir(exist_ok=True)
        assert "is the file that is graded" in refusal(output, file, force=True)


def test_another_file_is_overwritten_only_by_force(tmp_path: Path) -> None:
    file = read_results(write(tmp_path / "r.json", run_data({"0": "P"})))
    other = write(tmp_path / "other.json", "{}")
    assert "exists already (--force overwrites it)" in refusal(other, file)
    assert refusal(other, file, force=True) == ""
    assert refusal(tmp_path / "new.json", file) == ""


def test_places_where_no_copy_can_be(tmp_path: Path) -> None:
    run = folder(tmp_path)
    file = read_results(run)
    assert "is a folder" in refusal(tmp_path, file)
    assert "there is no folder" in refusal(tmp_path / "no/r.json", file)
    assert "beside a folder simulations" in refusal(run / "copy.json", file)


def test_a_copy_is_written_whole_and_readable(tmp_path: Path) -> None:
    output = tmp_path / "copy.json"
    writing.write_results(output, {"said": "承知", "half": "\ud83d", "simulation_index": []})
    text = output.read_text(encoding="utf-8")
    assert "承知" in text
    assert json.loads(text) == {"said": "承知", "half": "\ud83d"}
    assert [path.name for path in tmp_path.iterdir()] == ["copy.json"]


def test_a_copy_that_fails_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    output = write(tmp_path / "copy.json", "old")
    with pytest.raises(ResultsError, match="No space left"):
        writing.write_results(output, {})
    assert output.read_text(encoding="utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["copy.json"]


# --- the command ----------------------------------------------------------------------------------


def test_one_output_for_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        grade.main(["a.json", "b.json", "-o", "c.json"])
    assert stop.value.code == 2
    assert "-o takes one file" in capsys.readouterr().err


@pytest.mark.parametrize("number", ["0", "-1", "two"])
def test_a_number_of_processes(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        grade.main(["a.json", f"--jobs={number}"])
    assert "expected a number from 1 on" in capsys.readouterr().err


def test_several_processes_need_joblib(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(regrading.importlib, "import_module", missing)
    with pytest.raises(SettingError, match=r"pip install 'jtau-plugin\[scale\]'"):
        grade.main(["a.json", "--jobs", "2"])


def test_nothing_is_graded_when_switched_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "r.json", run_data({"0": "P"}))
    monkeypatch.setenv("JTAU_DISABLE", "1")
    monkeypatch.setattr(grade.layout, "require_tau2", lambda: None)
    with pytest.raises(SettingError, match="JTAU_DISABLE is set"):
        grade.main([str(path)])


def test_the_opt_in_ends_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JTAU_PATCH_UPSTREAM", raising=False)
    with grade._upstream_allowed(is_asked=False) as allowed:
        assert not allowed
    with grade._upstream_allowed(is_asked=True) as allowed:
        assert allowed
    assert "JTAU_PATCH_UPSTREAM" not in grade.os.environ
    monkeypatch.setenv("JTAU_PATCH_UPSTREAM", "0")
    with grade._upstream_allowed(is_asked=True) as allowed:
        assert allowed
    assert grade.os.environ["JTAU_PATCH_UPSTREAM"] == "0"


# --- the report -----------------------------------------------------------------------------------


def graded(
    tmp_path: Path, before: dict[str, str], after: dict[str, str], floor: Floor | None = None
) -> tuple[Any, RunSummary]:
    file = read_results(write(tmp_path / "r.json", run_data(before)))
    results = read_results(write(tmp_path / "s.json", run_data(after))).results
    plan = SimpleNamespace(file=file, protocol="deterministic")
    run = summarize_run(results, "r.json", "deterministic", settings=FAST, floor=floor)
    return SimpleNamespace(plan=plan, results=results, graded=3, floor=floor), run


def test_the_report_says_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    floor = Floor("retail", 2, ("1",), ("0",), ("1",))
    one, run = graded(tmp_path, {"0": "PPPP", "1": "PFFF"}, {"0": "PPPU", "1": "EF.I"}, floor)
    report.print_run(one, run, "v1_0")
    shown = capsys.readouterr().out
    for line in (
        "r.json: retail, 2 tasks × 4 trials, protocol deterministic, agent some/model, user some/user",
        "    passed                3\n    failed                1\n",
        "  figure          strict  95% interval  upstream (v1_0)\n",
        "  pass^4          –       –             –\n",
        "Coverage: 8 cells expected, 7 played, 4 graded, 1 excluded; every other cell",
        "pass^4 has no value: task 0: fewer than 4 trials without user-simulator errors; between",
        "Intervals: bootstrap over tasks, 50 repetitions, seed 20260101; with fewer than 30 tasks",
        "Upstream's convention v0_2: stops with AttributeError",
        "Do-nothing floor: 1 of 2 tasks (0.500): 1\n  up to the judge: 0\n  could not be graded: 1\n",
        "Agent cost: $0.5000 on average (of 7 conversations).",
        "Upstream's verdict is not known for 4 graded conversations.",
        "Recorded in the file: 5 passed; 3 graded again, changed: 0/3, 1/0, 1/2, 1/3.",
        "Neither passed nor failed (4)\n",
        "  task 1, trial 0: evaluator error: the conversation ended normally and has no reward\n",
        "  task 1, trial 2: missing: was never played, or was lost\n",
    ):
        assert line in shown
    assert not report.is_whole(run)


def test_a_whole_run_has_nothing_more_to_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, run = graded(tmp_path, {"0": "PF"}, {"0": "PF"})
    report.print_run(one, run, "v0_2")
    shown = capsys.readouterr().out
    assert "Neither" not in shown
    assert "Problems" not in shown
    assert "convention" not in shown
    assert "none changed" in shown
    assert report.is_whole(run)


def test_strays_are_problems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = run_data({"0": "P"})
    data["simulations"] += [simulation("0", 7)]
    file = read_results(write(tmp_path / "r.json", data))
    run = summarize_run(file.results, "r.json", settings=FAST)
    one = SimpleNamespace(plan=SimpleNamespace(file=file), graded=0)
    report.print_run(one, run, "v0_2")
    assert "Problems (1)\n  r.json: simulation 0-7: is trial 7" in capsys.readouterr().out
    assert not report.is_whole(run)


def test_data_and_overall(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, run = graded(tmp_path, {"0": "F"}, {"0": "P"})
    data = report.run_data(one, run)
    changed = [{"task": "0", "trial": 0, "outcome": "passed"}]
    assert data["recorded"] == {"passed": 0, "changed": changed}
    overall = summarize_overall([run, run])
    assert overall is not None
    report.print_overall(overall)
    assert "Overall (macro over domains: retail, retail)\n" in capsys.readouterr().out


def test_progress_is_said_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("graded", 25) as progress:
        for _ in range(25):
            progress.step()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10
    assert lines[-1] == "jtau: 25 of 25 graded"


def test_little_work_has_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("graded", 3) as progress:
        progress.step()
    assert capsys.readouterr().err == ""


def test_a_terminal_s_line_is_rewritten(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with Progress("graded", 20) as progress:
        progress.step()
    assert capsys.readouterr().err == "\rjtau: 1 of 20 graded\n"
