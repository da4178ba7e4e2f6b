"""What can be wrong around the plugin: said clearly, and never in the way of an English run."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import jtau_plugin

from .conftest import (
    JTAU,
    MOCKED,
    ORACLE,
    PYTHON,
    TAU2,
    assert_no_traceback,
    installed_tau2,
    rewards,
    run_process,
)

ONE = ["--domain", "ja_retail", *ORACLE, "--num-tasks", "1"]
PACKAGE = Path(jtau_plugin.__file__).parent


def doctor(run, *arguments, **variables):
    """Return the doctor's process and what its JSON says."""
    done = run([*JTAU, "doctor", "--json", *arguments], **variables)
    assert_no_traceback(done)
    data = json.loads(done.stdout)
    assert done.returncode == (0 if data["ok"] else 1)
    return data


def problems(data, section) -> list[str]:
    return [
        f"{p['where']}: {p['what']} ({p['hint']})"
        for p in data["problems"]
        if p["section"] == section
    ]


class TestHealthy:
    @pytest.fixture(scope="class")
    def data(self, tmp_path_factory):
        folder = tmp_path_factory.mktemp("doctor")
        done = run_process([*JTAU, "doctor", "--json"], folder)
        assert_no_traceback(done)
        assert list(folder.iterdir()) == []
        return json.loads(done.stdout)

    def test_there_is_no_problem_with_an_installed_wheel(self, data):
        # In a checkout two copies may be on the path, which is worth saying.
        found = [p for p in data["problems"] if p["section"] != "plugin"]
        assert found == []
        assert data["ok"] is not data["problems"]

    def test_the_keys_that_programs_read(self, data):
        assert data["schema"] == 1
        assert data["plugin"] == jtau_plugin.__version__
        sections = data["sections"]
        assert sections["tau2"]["layout"] in ("v0_2", "v1_0")
        assert sections["tau2"]["impostor"] is False
        assert set(sections["hooks"].values()) <= {"ok", "not in this tau2"}
        assert "ja_retail" in sections["domains"]["registered"]
        assert sections["loading"]["fresh_interpreter"] == "active"
        overlay = sections["overlays"]["ja/retail"]
        assert len(overlay["fingerprint"]) == 64
        assert overlay["ja_retail"] == {
            "differences": 0,
            "sentences_without_a_rendering": 0,
            "values_without_a_rendering": 0,
            "tasks": 114,
            "task_texts_wrong": 0,
            "task_texts_stale": 0,
        }

    def test_the_report_for_people(self, run):
        done = run([*JTAU, "doctor"])
        assert_no_traceback(done)
        assert "ja_retail" in done.stdout
        assert "No problem found." in done.stdout or "sys.path: " in done.stdout


class TestImpostor:
    @pytest.fixture
    def impostor(self, tmp_path):
        """The unrelated package of the same name, as it would be installed."""
        folder = tmp_path / "impostor"
        (folder / "tau2").mkdir(parents=True)
        (folder / "tau2" / "__init__.py").write_text("from tau2.solver import solve\n")
        (folder / "tau2" / "solver.py").write_text("def solve():\n    return 42\n")
        (folder / "tau2-0.3.0.dist-info").mkdir()
        (folder / "tau2-0.3.0.dist-info" / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: tau2\nVersion: 0.3.0\n"
        )
        return str(folder)

    def test_the_doctor_recognizes_it(self, run, impostor):
        data = doctor(run, PYTHONPATH=impostor)
        assert data["sections"]["tau2"]["impostor"] is True
        found = problems(data, "tau2")
        assert any("unrelated package" in p and "pip uninstall tau2" in p for p in found), found

    def test_a_run_is_refused_with_one_message(self, run, impostor):
        done = run([*JTAU, "run", *ONE], PYTHONPATH=impostor)
        assert done.returncode == 1
        assert_no_traceback(done)
        assert done.stderr.startswith("jtau: The installed tau2 is not the benchmark.")

    def test_its_own_users_notice_nothing(self, run, impostor):
        code = "import tau2; print(tau2.solve())"
        done = run([PYTHON, "-c", code], PYTHONPATH=impostor)
        assert (done.stdout, done.stderr) == ("42\n", "")


class TestUnknownLayout:
    @pytest.fixture
    def drifted(self, copy_of_tau2):
        """A tau2 whose environments take another parameter: localization would miss arguments."""
        file = copy_of_tau2 / "environment" / "environment.py"
        text = file.read_text(encoding="utf-8")
        start = text.index("def get_response")
        end = text.find("\n    def ", start)
        end = len(text) if end < 0 else end
        body = text[start:end].replace("message", "request")
        file.write_text(text[:start] + body + text[end:], encoding="utf-8")
        return str(copy_of_tau2.parent)

    def test_the_doctor_names_what_is_missing(self, run, drifted):
        data = doctor(run, PYTHONPATH=drifted)
        assert any(
            "tau2.environment.environment.Environment.get_response takes no message" in p
            for p in problems(data, "tau2")
        ), data["problems"]

    def test_a_localized_run_is_refused(self, run, drifted):
        done = run([*JTAU, "run", *ONE], PYTHONPATH=drifted)
        assert done.returncode == 1
        assert "Environment.get_response takes no message" in done.stderr

    def test_an_english_run_goes_on(self, run, drifted, save_in):
        options, file = save_in(run.folder, "english")
        done = run([*TAU2, "run", *MOCKED, *options], PYTHONPATH=drifted)
        assert done.returncode == 0, done.stderr[-3000:]
        assert len(rewards(file)) == 1


class TestRenamedModule:
    @pytest.fixture
    def renamed(self, copy_of_tau2):
        """A tau2 that moved the module whose hook renders the agent's prompt."""
        folder = copy_of_tau2 / "agent"
        (folder / "llm_agent.py").rename(folder / "chat_agent.py")
        for file in copy_of_tau2.rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            if "agent.llm_agent" in text:
                file.write_text(
                    text.replace("agent.llm_agent", "agent.chat_agent"),
                    encoding="utf-8",
                )
        return str(copy_of_tau2.parent)

    def test_the_doctor_names_the_hook(self, run, renamed):
        data = doctor(run, PYTHONPATH=renamed)
        assert any(
            p.startswith("hook on tau2.agent.llm_agent: not in this tau2")
            for p in problems(data, "hooks")
        ), data["problems"]

    def test_a_localized_run_is_refused(self, run, renamed):
        done = run([*JTAU, "run", *ONE], PYTHONPATH=renamed)
        assert done.returncode == 1
        assert "tau2.agent.llm_agent" in done.stderr


class TestTwoVersions:
    @pytest.fixture
    def older(self, tmp_path):
        """An older copy in front of the installed one."""
        folder = tmp_path / "older"
        shutil.copytree(
            PACKAGE, folder / "jtau_plugin", ignore=shutil.ignore_patterns("__pycache__", "_data")
        )
        (folder / "jtau_plugin" / "__init__.py").write_text('__version__ = "0.0.9"\n')
        (folder / "jtau_plugin-0.0.9.dist-info").mkdir()
        (folder / "jtau_plugin-0.0.9.dist-info" / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: jtau-plugin\nVersion: 0.0.9\n"
        )
        data = PACKAGE / "_data"
        source = data if data.is_dir() else PACKAGE.parent
        (folder / "jtau_plugin" / "_data").mkdir()
        for name in ("overlays", "patches"):
            (folder / "jtau_plugin" / "_data" / name).symlink_to(source / name)
        return folder

    def test_the_doctor_names_both(self, run, older):
        data = doctor(run, PYTHONPATH=str(older))
        assert data["plugin"] == "0.0.9"
        (found,) = [p for p in problems(data, "plugin") if "copies of the package" in p]
        assert f"0.0.9 in {older / 'jtau_plugin'}; {jtau_plugin.__version__} in {PACKAGE}" in found
        assert "(uninstall all but one)" in found


class TestReadOnly:
    """Site-packages that nobody may write to, as in a container or a shared installation."""

    @pytest.fixture
    def locked(self, tmp_path, is_main):
        folder = tmp_path / "site"
        skip = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PACKAGE, folder / "jtau_plugin", ignore=skip)
        if not (folder / "jtau_plugin" / "_data").is_dir():
            for name in ("overlays", "patches"):
                shutil.copytree(PACKAGE.parent / name, folder / "jtau_plugin" / "_data" / name)
        if not is_main:
            shutil.copytree(installed_tau2(), folder / "tau2", ignore=skip)
        paths = [folder, *folder.rglob("*")]
        for path in paths:
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o222)
        yield folder
        for path in paths:
            path.chmod(stat.S_IMODE(path.stat().st_mode) | 0o200)

    @pytest.fixture
    def unprivileged(self, locked):
        """The beginning of a command for a process that permissions bind, also when we are root."""
        if os.geteuid() != 0:
            return []
        dropped = "-dac_override,-dac_read_search,-fowner"
        prefix = ["setpriv", f"--bounding-set={dropped}", f"--inh-caps={dropped}"]
        attempt = [*prefix, "touch", str(locked / "written")]
        if shutil.which("setpriv") is None:
            pytest.skip("root ignores permissions, and there is no setpriv to change that")
        if subprocess.run(attempt, capture_output=True, check=False).returncode == 0:
            (locked / "written").unlink()
            pytest.skip("root ignores permissions here, whatever is dropped")
        return prefix

    def test_a_run_leaves_its_results_here(self, run, locked, unprivileged):
        done = run([*unprivileged, *JTAU, "run", *ONE], PYTHONPATH=str(locked))
        assert done.returncode == 0, done.stderr[-3000:]
        shown = done.stdout.splitlines()[-2].removeprefix("Results: ")
        assert rewards(run.folder / shown) == [1.0]

    def test_the_doctor_finds_nothing_wrong_with_it(self, run, locked, unprivileged):
        done = run([*unprivileged, *JTAU, "doctor", "--json"], PYTHONPATH=str(locked))
        assert_no_traceback(done)
        data = json.loads(done.stdout)
        assert data["sections"]["plugin"]["package"] == str(locked / "jtau_plugin")
        assert {p["section"] for p in data["problems"]} <= {"plugin"}, data["problems"]


class TestNoHook:
    """An installation that Python's start does not look into, as with ``pip install --target``."""

    def test_jtau_run_works_without_it(self, run):
        # -S leaves site-packages and every .pth file out; the path is laid by hand.
        path = os.pathsep.join(p for p in sys.path if p and Path(p).is_dir())
        code = (
            f"import sys; from jtau_plugin.cli.main import main; sys.exit(main(['run', *{ONE!r}]))"
        )
        done = run([PYTHON, "-S", "-c", code], PYTHONPATH=path)
        assert done.returncode == 0, done.stderr[-3000:]
        shown = done.stdout.splitlines()[-2].removeprefix("Results: ")
        assert rewards(run.folder / shown) == [1.0]


class TestBrokenOverlay:
    def test_a_folder_that_does_not_exist(self, run, tmp_path, save_in):
        gone = str(tmp_path / "gone")
        options, file = save_in(run.folder, "english")
        done = run([*TAU2, "run", *MOCKED, *options], JTAU_OVERLAY_PATH=gone)
        assert done.returncode == 0, done.stderr[-3000:]
        assert len(rewards(file)) == 1
        lines = [line for line in done.stderr.splitlines() if line.startswith("jtau-plugin:")]
        assert len(lines) == 1
        assert gone in lines[0]
        found = problems(doctor(run, JTAU_OVERLAY_PATH=gone), "settings")
        assert gone in found[0]

    def test_a_truncated_file(self, run, own_overlays, save_in):
        file = own_overlays / "ja" / "retail" / "values.yaml"
        text = file.read_text(encoding="utf-8")
        file.write_text(text[: len(text) // 2] + '\n  broken: "', encoding="utf-8")
        options, results = save_in(run.folder, "english")
        done = run([*TAU2, "run", *MOCKED, *options], JTAU_OVERLAY_PATH=str(own_overlays))
        assert done.returncode == 0, done.stderr[-3000:]
        assert len(rewards(results)) == 1
        refused = run([*JTAU, "run", *ONE], JTAU_OVERLAY_PATH=str(own_overlays))
        assert refused.returncode == 1
        assert_no_traceback(refused)
        assert f"{file}:" in refused.stderr.partition("jtau: ")[2]
        data = doctor(run, JTAU_OVERLAY_PATH=str(own_overlays))
        assert any(str(file) in p for p in problems(data, "overlays"))

    def test_a_missing_file(self, run, own_overlays):
        (own_overlays / "ja" / "retail" / "policy.md").unlink()
        done = run([*JTAU, "domains", "--json"], JTAU_OVERLAY_PATH=str(own_overlays))
        assert done.returncode == 1
        found = {d["name"]: d for d in json.loads(done.stdout)["domains"]}
        assert "policy.md: cannot be read" in found["ja_retail"]["error"]
        data = doctor(run, JTAU_OVERLAY_PATH=str(own_overlays))
        assert any("policy.md: cannot be read" in p for p in problems(data, "overlays"))

    def test_a_stale_source(self, run, own_overlays):
        file = own_overlays / "ja" / "retail" / "tasks.yaml"
        text = file.read_text(encoding="utf-8")
        start = text.index("source:", text.index("  '0':"))
        end = text.index("text:", start)
        other = re.sub(r"\b[0-9a-f]{64}\b", "ab" * 32, text[start:end])
        file.write_text(text[:start] + other + text[end:], encoding="utf-8")
        overlays = str(own_overlays)
        data = doctor(run, JTAU_OVERLAY_PATH=overlays)
        facts = data["sections"]["overlays"]["ja/retail"]["ja_retail"]
        assert facts["task_texts_stale"] == 1
        assert any("the English has changed" in p for p in problems(data, "overlays"))
        refused = run([*JTAU, "run", *ONE], JTAU_OVERLAY_PATH=overlays)
        assert refused.returncode == 1
        assert_no_traceback(refused)
        assert "JTAU_ALLOW_STALE=1" in refused.stderr
        done = run([*JTAU, "run", *ONE], JTAU_OVERLAY_PATH=overlays, JTAU_ALLOW_STALE="1")
        assert done.returncode == 0, done.stderr[-3000:]


class TestSettings:
    def test_an_unknown_variable(self, run):
        found = problems(doctor(run, JTAU_ALOW_STALE="1"), "settings")
        assert found == [
            "environment variable JTAU_ALOW_STALE: means nothing (did you mean JTAU_ALLOW_STALE?)"
        ]

    def test_a_disabled_plugin_is_examined_and_noted(self, run):
        data = doctor(run, JTAU_DISABLE="1")
        assert any(note["where"] == "JTAU_DISABLE=1" for note in data["notes"])
        assert "ja_retail" in data["sections"]["domains"]["registered"]

    def test_a_terminal_that_knows_no_japanese(self, run):
        done = run([*JTAU, "domains"], PYTHONIOENCODING="ascii")
        assert done.returncode == 0
        assert "\\u5c0f\\u58f2" in done.stdout
