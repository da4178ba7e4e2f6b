"""``jtau run``: what is added to tau2's arguments, and where the results are said to be."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from jtau_plugin.cli import run
from jtau_plugin.compat import commandline, hooks, layout
from jtau_plugin.errors import LayoutError, OverlayError

EMBEDDED = ["--domain", "ja_retail", "--agent-llm", "jtau/oracle", "--user-llm", "jtau/oracle"]


class FakeTau2:
    """tau2's command line as far as ``run`` looks at it, in either layout."""

    def __init__(self, data: Path, takes_results_dir: bool) -> None:
        self.takes_results_dir = takes_results_dir
        self.argv: list[str] = []
        self.result: object = None
        self.error: BaseException | None = None
        self.writes = True
        self.DATA_DIR = data

    def add_run_args(self, parser):
        parser.add_argument("--domain", "-d", choices=["retail", "ja_retail"])
        parser.add_argument("--agent-llm", default="gpt-4.1")
        parser.add_argument("--user-llm", default="gpt-4.1")
        parser.add_argument("--save-to")
        parser.add_argument("--task-ids", nargs="+")
        if self.takes_results_dir:
            parser.add_argument("--results-dir")

    def main(self):
        self.argv = sys.argv
        if self.writes:
            self._write()
        if self.error is not None:
            raise self.error
        return self.result

    def _write(self):
        _, _, *arguments = self.argv
        given = commandline.parse_run(arguments)
        if self.takes_results_dir:
            folder = Path(given.results_dir) if given.results_dir else self.DATA_DIR
            file = folder / f"{given.save_to}.json"
        else:
            file = self.DATA_DIR / "simulations" / given.save_to / "results.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}")


@pytest.fixture
def here(tmp_path, monkeypatch):
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(params=[True, False], ids=["v0_2", "v1_0"])
def tau2(request, tmp_path, monkeypatch, here):
    fake = FakeTau2(tmp_path / "data", request.param)
    monkeypatch.setattr(layout, "require_tau2", lambda: None)
    monkeypatch.setattr(hooks, "activate", lambda: None)
    monkeypatch.setattr(commandline, "module", lambda name: fake)
    monkeypatch.delenv(run.LOCAL_PRICES, raising=False)
    return fake


def said(capsys) -> Path:
    """Return the file that the last lines name, after looking at how they name it."""
    first, second = capsys.readouterr().out.splitlines()[-2:]
    shown = first.removeprefix("Results: ")
    assert second == f"Look at them: tau2 view --file {shown}"
    return Path(shown)


def test_results_land_in_the_current_folder(tau2, here, capsys):
    assert run.main(EMBEDDED) == 0
    file = said(capsys)
    assert file.parts[0] == "jtau-results"
    assert file.is_file()
    assert "ja_retail_oracle" in str(file)
    assert [p.name for p in here.iterdir()] == ["jtau-results"]
    assert tau2.argv[:2] == ["tau2", "run"]
    assert tau2.argv[-len(EMBEDDED) :] == EMBEDDED


def test_a_name_of_the_users_own_stands(tau2, capsys):
    run.main([*EMBEDDED, "--save-to", "mine"])
    file = said(capsys)
    assert file.is_file()
    assert tau2.argv.count("--save-to") == 1
    if tau2.takes_results_dir:
        assert file == Path("jtau-results/mine.json")
    else:
        assert file == tau2.DATA_DIR / "simulations" / "mine" / "results.json"


@pytest.mark.parametrize("tau2", [True], indirect=True)
def test_a_folder_of_the_users_own_stands(tau2, tmp_path, capsys):
    folder = tmp_path / "own results"
    run.main([*EMBEDDED, f"--results-dir={folder}", "--save-to=mine"])
    assert tau2.argv == ["tau2", "run", *EMBEDDED, f"--results-dir={folder}", "--save-to=mine"]
    out = capsys.readouterr().out
    assert f"Results: {folder}/mine.json\n" in out
    assert f"tau2 view --file '{folder}/mine.json'\n" in out


def test_two_runs_in_one_second_have_two_names(here, tmp_path):
    request = commandline.RunRequest("ja_retail", "jtau/oracle", None, None, True)
    folder = here / "jtau-results"
    folder.mkdir()
    names = set()
    for _ in range(5):
        name = run.make_run_name(request, folder)
        (folder / f"{name}.json").touch()
        names.add(name)
    assert len(names) == 5


def test_a_name_holds_nothing_that_a_file_system_refuses(here):
    request = commandline.RunRequest("ja_retail", "openai/a:b c/", None, None, True)
    assert run.make_run_name(request, here).endswith("_ja_retail_a-b-c")


def test_nothing_is_said_when_nothing_was_written(tau2, capsys):
    tau2.writes = False
    assert run.main(EMBEDDED) == 0
    assert capsys.readouterr().out == ""


def test_after_an_error_it_is_said_where_the_rest_is(tau2, capsys):
    tau2.error = OverlayError("broken", [])
    with pytest.raises(OverlayError):
        run.main(EMBEDDED)
    assert said(capsys).is_file()


@pytest.mark.parametrize(("result", "code"), [(None, 0), (0, 0), (3, 3), ("done", 0)])
def test_tau2s_exit_code_passes(tau2, result, code):
    tau2.result = result
    assert run.main(EMBEDDED) == code


def test_the_arguments_of_the_process_are_restored(tau2, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["jtau", "run"])
    tau2.error = RuntimeError()
    with pytest.raises(RuntimeError):
        run.main(EMBEDDED)
    assert sys.argv == ["jtau", "run"]


def test_wrong_usage_exits_with_2_before_anything_runs(tau2, capsys):
    with pytest.raises(SystemExit) as caught:
        run.main(["--domain", "xx_retail"])
    assert caught.value.code == 2
    assert "usage: jtau run" in capsys.readouterr().err
    assert tau2.argv == []


def test_help_is_tau2s_own(tau2, capsys):
    with pytest.raises(SystemExit) as caught:
        run.main(["--help"])
    assert caught.value.code == 0
    out = capsys.readouterr().out
    assert "ja_retail" in out
    assert "jtau-results" in out


def test_a_tau2_without_its_parser_is_run_as_it_is(tau2, monkeypatch, capsys):
    tau2.writes = False
    monkeypatch.setattr(commandline, "module", lambda name: SimpleNamespace(main=tau2.main))
    assert run.main(EMBEDDED) == 0
    assert tau2.argv == ["tau2", "run", *EMBEDDED]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "is_set"),
    [
        (EMBEDDED, True),
        (["--agent-llm=jtau/saboteur", "--user-llm=jtau/oracle"], True),
        (["--agent-llm", "gpt-4.1", "--user-llm", "jtau/oracle"], False),
        (["--agent-llm", "jtau/oracle"], False),
        ([], False),
    ],
)
def test_prices_are_local_only_when_no_model_has_one(tau2, arguments, is_set):
    run.main([*arguments, "--domain", "ja_retail"])
    assert (run.LOCAL_PRICES in os.environ) is is_set
    os.environ.pop(run.LOCAL_PRICES, None)


def test_the_users_own_setting_for_prices_stands(tau2, monkeypatch):
    monkeypatch.setenv(run.LOCAL_PRICES, "False")
    run.main(EMBEDDED)
    assert os.environ[run.LOCAL_PRICES] == "False"


def test_a_disabled_plugin_is_said(tau2, monkeypatch, capsys):
    monkeypatch.setenv("JTAU_DISABLE", "1")
    run.main(["--domain", "retail"])
    assert "JTAU_DISABLE is set" in capsys.readouterr().err


def test_without_tau2_nothing_runs(tau2, monkeypatch):
    def refuse():
        raise LayoutError("tau2 is not installed.", [])

    monkeypatch.setattr(layout, "require_tau2", refuse)
    with pytest.raises(LayoutError):
        run.main(EMBEDDED)
    assert tau2.argv == []
