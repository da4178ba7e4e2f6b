"""``jtau grade`` on the installed tau2: verdicts, refusals, the copy, and files of other layouts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from result_runs import run_data
from tau2.data_model.simulation import Results

from jtau_plugin.cli.grading.protocols import protocol_basis, with_protocol, without_judge
from jtau_plugin.cli.main import main
from jtau_plugin.compat.refusal import refuse, tool_kinds
from jtau_plugin.compat.results_file import evaluate
from jtau_plugin.compat.tasks import read_mark
from jtau_plugin.scoring.causes import is_success
from jtau_plugin.scoring.floor import REFUSAL, Refusal, basis_of, decide, find_floor

from .grading import FakeJudge, hears, play, says, simulate
from .support import is_main, registry

JUDGED_TASK = "2"


def conversation(domain: str, task: Any, *, does: bool = True) -> list[dict[str, Any]]:
    environment = registry().get_env_constructor(domain)()
    messages = play(environment, task) if does else [hears("?"), says("承りかねます。"), hears("x")]
    return [message.model_dump(mode="json") for message in messages]


def recorded(task: Any, trial: int, messages: list[Any], **settings: Any) -> dict[str, Any]:
    run = simulate(task, []).model_dump(mode="json")
    return run | {"trial": trial, "messages": messages, "agent_cost": 0.25, **settings}


def make_run(domain: str, names: tuple[str, ...]) -> dict[str, Any]:
    """Two trials each: the first does what gold does, the second nothing."""
    tasks = [t for t in registry().get_tasks_loader(domain)("base") if t.id in names]
    data = run_data(dict.fromkeys(names, "P"), num_trials=2, domain=domain)
    data["info"] |= {"git_commit": "", "max_steps": 1, "max_errors": 1}
    data["tasks"] = [task.model_dump(mode="json") for task in tasks]
    data["simulations"] = [
        recorded(task, trial, conversation(domain, task, does=trial == 0))
        for task in tasks
        for trial in (0, 1)
    ]
    return data


@pytest.fixture(scope="module")
def japanese() -> dict[str, Any]:
    return make_run("ja_retail", ("0", "1"))


@pytest.fixture(scope="module")
def single(japanese: dict[str, Any]) -> dict[str, Any]:
    """The first task alone."""
    return {
        **japanese,
        "tasks": japanese["tasks"][:1],
        "simulations": japanese["simulations"][:2],
    }


@pytest.fixture(scope="module")
def english() -> dict[str, Any]:
    return make_run("retail", ("0",))


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(data: Any, name: str = "r.json") -> Path:
        path = tmp_path / name
        path.write_text(json.dumps(data), encoding="utf-8")
        return path

    return write


class Graded:
    """What one call of the command came to."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: Any) -> None:
        self.code = main(["grade", *map(str, arguments)])
        printed = capsys.readouterr()
        self.out, self.err = printed.out, printed.err

    @property
    def data(self) -> Any:
        return json.loads(self.out)

    @property
    def run(self) -> Any:
        (run,) = self.data["runs"]
        return run


@pytest.fixture
def grade(capsys: pytest.CaptureFixture[str]) -> Callable[..., Graded]:
    return lambda *arguments: Graded(capsys, *arguments)


def strict(run: Any) -> list[float | None]:
    return [figure["strict"] for figure in run["pass_hat_k"]]


Grade = Callable[..., Graded]
File = Callable[..., Path]


# --- verdicts -------------------------------------------------------------------------------------


def test_conversations_are_graded_again(grade: Grade, file: File, japanese: Any) -> None:
    path = file(japanese)
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    graded = grade(path, "--json", "--no-floor")
    assert graded.code == 0
    assert strict(graded.run) == [0.5, 0.0]
    assert graded.run["graded_again"] == 4
    assert graded.run["protocol"] == "deterministic"
    assert graded.run["inventory"]["passed"] == 2
    # Nothing was recorded, so grading is what found out about every conversation.
    assert graded.run["recorded"]["passed"] == 0
    assert len(graded.run["recorded"]["changed"]) == 4
    assert graded.data["ok"]
    assert graded.data["intervals"]["seed"] == 20260101
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before


def test_the_report_has_the_floor_and_upstream_s_verdicts(
    grade: Grade, file: File, japanese: Any
) -> None:
    graded = grade(file(japanese))
    assert "ja_retail, 2 tasks × 2 trials, protocol deterministic" in graded.out
    assert "  pass^1          0.500" in graded.out
    assert "Do-nothing floor: 0 of 2 tasks (0.000)." in graded.out
    # On 1.0 the task's own basis has a judge, whom nobody asked.
    known = not any("NL_ASSERTION" in task_basis(task) for task in japanese["tasks"])
    assert ("Upstream's scorer: 2 of 4 passed, where ours says 2" in graded.out) is known
    assert ("Upstream's verdict is not known for 4 graded" in graded.out) is not known


def task_basis(raw: dict[str, Any]) -> list[str]:
    mark = json.loads(raw["description"]["notes"].partition("\n")[0].removeprefix("jtau: "))
    return list(mark["basis"])


def test_what_cannot_be_replayed_is_an_evaluator_error_and_named(
    grade: Grade, file: File, japanese: Any
) -> None:
    data = deepcopy(japanese)
    changed = [m for m in data["simulations"][0]["messages"] if m["role"] == "tool"]
    for message in changed:
        message["content"] = "another world"
    graded = grade(file(data), "--json", "--no-floor")
    assert graded.code == 1
    assert not graded.data["ok"]
    assert graded.run["inventory"]["evaluator error"] == 1
    (cell,) = graded.run["cells"]
    assert (cell["task"], cell["trial"], cell["outcome"]) == ("0", 0, "evaluator error")
    assert "Tool call" in cell["reason"]
    assert strict(graded.run) == [0.25, 0.0]


def test_trials_that_were_lost_are_not_forgotten(grade: Grade, file: File, japanese: Any) -> None:
    data = deepcopy(japanese)
    data["simulations"].pop(1)
    data["simulations"][1] |= {"termination_reason": "user_error", "messages": []}
    graded = grade(file(data), "--json", "--no-floor")
    counts = graded.run["inventory"]
    assert (counts["missing"], counts["user-simulator error"], counts["failed"]) == (1, 1, 1)
    assert strict(graded.run) == [0.25, None]
    assert graded.run["pass_hat_k"][1]["short_tasks"] == ["1"]
    failed = grade(file(data), "--json", "--no-floor", "--user-errors", "fail")
    assert strict(failed.run) == [0.25, 0.0]
    assert failed.run["coverage"]["excluded"] == 0


def test_a_file_of_another_layout(grade: Grade, file: File, japanese: Any) -> None:
    """Keys and reasons that the installed models do not know take nothing away."""
    data = deepcopy(japanese) | {"simulation_index": None, "format_version": 2}
    data["info"] |= {"speech_complexity": "x", "retrieval_config": {"k": 1}}
    data["tasks"][0] |= {"difficulty": [{"id": "1"}], "required_documents": ["x"]}
    for entry in data["simulations"]:
        entry |= {"review": {"errors": 1}, "mode": "a mode", "skipped": False, "policy": 7}
        entry["messages"][0] |= {"is_audio": False, "turn_taking_action": None, "chunk_id": 3}
        entry["reward_info"] = {
            "reward": 0.0,
            "reward_breakdown": {"A_NEW_KIND": 1.0},
            "action_checks": [{"tool_type": "read"}],
        }
    data["simulations"][1] |= {"termination_reason": "judge_stop"}
    data["simulations"][3] |= {"termination_reason": "infrastructure_error", "messages": None}
    graded = grade(file(data), "--json", "--no-floor")
    counts = graded.run["inventory"]
    assert (counts["passed"], counts["failed"], counts["infrastructure error"]) == (2, 1, 1)
    assert graded.run["graded_again"] == 2


def test_a_conversation_that_tau2_cannot_read(grade: Grade, file: File, japanese: Any) -> None:
    data = deepcopy(japanese)
    data["simulations"][0]["messages"][0] = {"role": "stranger", "content": "x"}
    data["simulations"][2]["messages"] = []
    graded = grade(file(data), "--json", "--no-floor")
    reasons = [cell["reason"] for cell in graded.run["cells"]]
    assert graded.code == 1
    assert "the installed tau2 cannot read messages[0]" in reasons[0]
    assert "is not recorded as messages" in reasons[1]


def test_a_run_in_a_folder(grade: Grade, tmp_path: Path, single: Any) -> None:
    data = deepcopy(single)
    (tmp_path / "run/simulations").mkdir(parents=True)
    for number, entry in enumerate(data.pop("simulations")):
        path = tmp_path / f"run/simulations/{number}.json"
        path.write_text(json.dumps(entry), encoding="utf-8")
    (tmp_path / "run/results.json").write_text(json.dumps(data), encoding="utf-8")
    assert strict(grade(tmp_path / "run", "--json", "--no-floor").run) == [0.5, 0.0]


def test_five_hundred_simulations(grade: Grade, file: File, japanese: Any) -> None:
    tasks = registry().get_tasks_loader("ja_retail")("base")[:100]
    data = deepcopy(japanese)
    data["info"]["num_trials"] = 5
    data["tasks"] = [task.model_dump(mode="json") for task in tasks]
    first = next(s for s in data["simulations"] if (s["task_id"], s["trial"]) == ("0", 0))
    long = [{"role": "assistant", "content": "承りました。" * 50}] * 20
    data["simulations"] = [
        first
        if (task.id, trial) == ("0", 0)
        else recorded(task, trial, long, termination_reason="max_steps")
        for task in tasks
        for trial in range(5)
    ]
    graded = grade(file(data), "--json", "--no-floor")
    assert graded.run["coverage"]["present"] == 500
    assert strict(graded.run)[0] == pytest.approx(1 / 500)


@pytest.mark.slow
def test_in_several_processes(grade: Grade, file: File, japanese: Any) -> None:
    pytest.importorskip("joblib")
    path = file(japanese)
    assert strict(grade(path, "--json", "--no-floor", "--jobs", "2").run) == [0.5, 0.0]


# --- tau2's own domains ---------------------------------------------------------------------------


def test_tau2_s_own_domains_are_graded_only_when_asked(
    grade: Grade, file: File, english: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file(english)
    assert main(["grade", str(path)]) == 1
    assert "one of tau2's own domains (--upstream grades it" in capsys.readouterr().err
    graded = grade(path, "--json", "--no-floor", "--upstream")
    assert graded.code == 0
    assert strict(graded.run) == [0.5, 0.0]
    assert graded.run["protocol"] == "deterministic"


def test_the_setting_asks_too(
    grade: Grade, file: File, english: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JTAU_PATCH_UPSTREAM", "1")
    assert grade(file(english), "--json", "--no-floor").code == 0


# --- protocols ------------------------------------------------------------------------------------


@pytest.mark.parametrize("domain", ["ja_retail", "ja_airline"])
def test_another_protocol_is_what_a_run_would_have_had(
    domain: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = {}
    for protocol in ("deterministic", "judged"):
        monkeypatch.setenv("JTAU_PROTOCOL", protocol)
        tasks[protocol] = registry().get_tasks_loader(domain)("base")
    assert any("NL_ASSERTION" in basis_of(task) for task in tasks["judged"])
    for one, other in zip(tasks["deterministic"], tasks["judged"], strict=True):
        assert with_protocol(one, "judged").model_dump() == other.model_dump()
        assert with_protocol(other, "deterministic").model_dump() == one.model_dump()
        assert protocol_basis(one, "deterministic") == basis_of(one)
        assert basis_of(without_judge(other)) == basis_of(one)


def answer(met: bool, assertions: list[str]) -> str:
    return json.dumps(
        {
            "results": [
                {"index": i, "expectedOutcome": text, "reasoning": "r", "metExpectation": met}
                for i, text in enumerate(assertions, 1)
            ]
        },
        ensure_ascii=False,
    )


@pytest.mark.parametrize("met", [True, False])
def test_the_judged_protocol_asks_the_judge(
    grade: Grade, file: File, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, met: bool
) -> None:
    data = make_run("ja_retail", (JUDGED_TASK,))
    criteria = data["tasks"][0]["evaluation_criteria"]
    data["simulations"][0]["messages"].append(
        says("、".join(criteria["communicate_info"])).model_dump()
    )
    judge = FakeJudge(answer(met, criteria["nl_assertions"])).install(monkeypatch)
    path = file(data)
    assert strict(grade(path, "--json", "--no-floor").run) == [0.5, 0.0]
    assert judge.asked == []
    copy = tmp_path / "copy.json"
    graded = grade(path, "--json", "--no-floor", "--protocol", "judged", "-o", copy)
    assert strict(graded.run) == [0.5 * met, 0.0]
    assert graded.run["protocol"] == "judged"
    assert judge.asked
    (task,) = Results.load(copy).tasks
    mark = read_mark(task)
    assert mark is not None
    assert mark.protocol == "judged"
    assert basis_of(task) == ("DB", "COMMUNICATE", "NL_ASSERTION")


def test_a_judge_that_answers_with_prose_is_an_evaluator_error(
    grade: Grade, file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = make_run("ja_retail", (JUDGED_TASK,))
    FakeJudge("It went well, I think.").install(monkeypatch)
    graded = grade(file(data), "--json", "--no-floor", "--protocol", "judged")
    assert graded.code == 1
    assert graded.run["inventory"]["evaluator error"] == 2


# --- what is refused ------------------------------------------------------------------------------


def refused(capsys: pytest.CaptureFixture[str], *paths: Path) -> str:
    assert main(["grade", *map(str, paths), "--no-floor"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err


def test_an_unknown_domain(file: File, japanese: Any, capsys: pytest.CaptureFixture[str]) -> None:
    data = deepcopy(japanese)
    data["info"]["environment_info"]["domain_name"] = "ja_retial"
    said = refused(capsys, file(data))
    assert (
        "was run in the domain 'ja_retial', which is not registered (did you mean ja_retail" in said
    )


def test_facts_that_were_changed_after_the_run(
    file: File, japanese: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    data = deepcopy(japanese)
    data["tasks"][0]["evaluation_criteria"]["actions"].pop()
    said = refused(capsys, file(data))
    assert "task 0: has facts" in said
    assert "the file was changed after the run" in said
    assert "task 1" not in said


def remark(raw: dict[str, Any], **changes: Any) -> None:
    first, _, rest = raw["description"]["notes"].partition("\n")
    mark = json.loads(first.removeprefix("jtau: ")) | changes
    raw["description"]["notes"] = f"jtau: {json.dumps(mark)}\n{rest}"


def test_facts_that_are_not_installed(
    file: File, japanese: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jtau_plugin.cli.grading.plan._installed_facts", lambda *_: {"0": "e" * 64})
    said = refused(capsys, file(japanese))
    assert "task 0: was run with facts" in said
    assert "installed are eeeeeeeeeeee" in said
    assert "task 1: ja_retail has no such task" in said


def test_marks_that_are_missing_broken_or_of_another_domain(
    file: File, japanese: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    data = deepcopy(japanese)
    data["tasks"][0]["description"] = None
    remark(data["tasks"][1], domain="en_retail")
    said = refused(capsys, file(data))
    assert "task 0: carries no mark of ja_retail" in said
    assert "task 1: is marked for en_retail, but was run in ja_retail" in said
    data["tasks"][1]["description"] = {"notes": "jtau: {"}
    assert "which is no mark of a localized task" in refused(capsys, file(data))


def test_a_task_that_tau2_cannot_have(
    file: File, japanese: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    data = deepcopy(japanese)
    data["tasks"][0]["user_scenario"] = 3
    assert "task 0: user_scenario: " in refused(capsys, file(data))


def test_problems_of_all_files_are_said_together(
    file: File, japanese: Any, english: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    data = deepcopy(japanese)
    data["tasks"][0]["description"] = None
    said = refused(capsys, file(data), file(english, "e.json"), file(japanese, "j.json"))
    assert said.count("\n  - ") == 3
    assert "is of ja_retail, as " in said


def test_two_protocols_are_not_mixed(
    file: File, japanese: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    data = deepcopy(japanese)
    remark(data["tasks"][1], protocol="judged")
    assert "more than one choice of protocol" in refused(capsys, file(data))


def test_other_repairs_than_are_set_are_refused(
    grade: Grade,
    file: File,
    single: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = file(single)
    copy = path.with_name("copy.json")
    assert grade(path, "--no-floor", "-o", copy).code == 0
    monkeypatch.setenv("JTAU_PATCHES", "-text")
    assert "but set are" in refused(capsys, copy)
    assert "set JTAU_PATCHES as it was for the run" in refused(capsys, copy)


# --- the copy -------------------------------------------------------------------------------------


def test_the_copy_is_a_results_file_of_tau2(
    grade: Grade, file: File, tmp_path: Path, single: Any
) -> None:
    data = deepcopy(single)
    data["simulations"][1]["hand_written"] = "承知"
    copy = tmp_path / "copy.json"
    graded = grade(file(data), "--json", "--no-floor", "-o", copy)
    rewards = [run.reward_info.reward for run in Results.load(copy).simulations]
    assert rewards == [1.0, 0.0]
    written = json.loads(copy.read_text(encoding="utf-8"))
    for entry, original in zip(written["simulations"], data["simulations"], strict=True):
        stamp = entry.pop("reward_info")["info"]["jtau"]
        assert stamp["status"] == "evaluated"
        assert entry == {k: v for k, v in original.items() if k != "reward_info"}
    assert written["tasks"] == data["tasks"]
    again = grade(copy, "--json", "--no-floor")
    assert again.run["recorded"] == {"passed": 1, "changed": []}
    assert strict(again.run) == strict(graded.run)


def test_the_copy_overwrites_nothing(
    grade: Grade, file: File, single: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path, other = file(single), file({}, "other.json")
    for output in (path, other):
        assert main(["grade", str(path), "--no-floor", "-o", str(output)]) == 1
        assert "The re-graded copy cannot be written." in capsys.readouterr().err
    assert json.loads(path.read_text(encoding="utf-8")) == single
    assert grade(path, "--no-floor", "-o", other, "--force").code == 0


# --- the floor ------------------------------------------------------------------------------------


def refusal_reward(domain: str, task: Any) -> float:
    return float(evaluate(refuse(task, REFUSAL), task, domain).reward)


@pytest.mark.slow
@pytest.mark.parametrize("domain", ["ja_airline", "en_retail", "ja_telecom"])
def test_the_floor_is_what_grading_a_refusal_finds(domain: str) -> None:
    """What is decided without grading is what grading would have found."""
    kinds = tool_kinds(registry().get_env_constructor(domain)())
    decided = 0
    for task in registry().get_tasks_loader(domain)("base"):
        verdict = decide(task, kinds)
        if verdict is not None:
            decided += 1
            expected = Refusal.PASSES if is_success(refusal_reward(domain, task)) else Refusal.FAILS
            assert verdict is expected, task.id
    assert decided


def test_the_floor_of_a_few_tasks() -> None:
    names = ("0", "1", "7", "11")
    tasks = [t for t in registry().get_tasks_loader("ja_airline")("base") if t.id in names]
    kinds = tool_kinds(registry().get_env_constructor("ja_airline")())
    floor = find_floor("ja_airline", tasks, kinds, lambda t: refusal_reward("ja_airline", t))
    assert floor.passing == ("0", "1")
    assert (floor.tasks, floor.rate) == (4, 0.5)
    judged = [with_protocol(task, "judged") for task in tasks]
    under_judge = find_floor(
        "ja_airline", judged, kinds, lambda t: refusal_reward("ja_airline", without_judge(t))
    )
    assert under_judge.passing == ()
    assert under_judge.judged == ("0", "1")


def test_both_layouts_are_what_these_tests_think() -> None:
    assert is_main() == hasattr(Results, "load_metadata")
