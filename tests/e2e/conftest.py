"""The commands as a person runs them: processes of their own, outside the checkout."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from jtau_plugin import resources
from jtau_plugin.compat import layout

PYTHON = sys.executable
_BIN = Path(sys.executable).parent
_SECONDS = 300


def _command(name: str, module: str) -> list[str]:
    script = _BIN / name
    return [str(script)] if script.is_file() else [PYTHON, "-m", module]


JTAU = _command("jtau", "jtau_plugin.cli.main")
TAU2 = _command("tau2", "tau2.cli")
ORACLE = ["--agent-llm", "jtau/oracle", "--user-llm", "jtau/oracle"]
#: An English simulation without network: litellm gives these answers itself.
MOCKED = [
    *("--domain", "mock", "--num-tasks", "1", "--max-steps", "6"),
    *("--agent-llm", "gpt-4.1", "--agent-llm-args", '{"mock_response": "Hello."}'),
    *("--user-llm", "gpt-4.1", "--user-llm-args", '{"mock_response": "###STOP###"}'),
]

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def run_process(
    command: Sequence[str], cwd: Path, given: str | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command with a clean environment and these variables added."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("JTAU_")}
    environment |= {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "PYTHONIOENCODING": "utf-8"}
    environment["PYTHONPATH"] = os.pathsep.join(
        filter(None, [variables.pop("PYTHONPATH", ""), environment.get("PYTHONPATH", "")])
    )
    return subprocess.run(
        command,
        cwd=cwd,
        input=given,
        stdin=subprocess.DEVNULL if given is None else None,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=_SECONDS,
        check=False,
        env=environment | variables,
    )


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """``run(command, NAME=value, …)`` in an empty folder."""
    folder = tmp_path / "here"
    folder.mkdir()

    def run(
        command: Sequence[str], given: str | None = None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        return run_process(command, folder, given, **variables)

    run.folder = folder
    return run


@pytest.fixture(scope="session")
def is_main() -> bool:
    """Whether the installed tau2 is tau2-bench 1.0."""
    return layout.detect_layout().name == "v1_0"


@pytest.fixture
def save_in(is_main: bool) -> Callable[[Path, str], tuple[list[str], Path]]:
    """Return tau2's own options for a place of the results, and the file that it will write."""

    def options(folder: Path, name: str) -> tuple[list[str], Path]:
        if is_main:
            return ["--save-to", str(folder / name)], folder / name / "results.json"
        return ["--results-dir", str(folder), "--save-to", name], folder / f"{name}.json"

    return options


def installed_tau2() -> Path:
    """Return the folder of the installed package."""
    spec = importlib.util.find_spec("tau2")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


@pytest.fixture
def copy_of_tau2(tmp_path: Path) -> Path:
    """A copy of the installed tau2 in a folder for the path, its data linked, not copied."""
    source = installed_tau2()
    target = tmp_path / "drifted" / "tau2"
    skip = shutil.ignore_patterns("data", "__pycache__", "*.pyc", "voice")
    shutil.copytree(source, target, ignore=skip)
    for name in ("data", "voice"):
        if (source / name).is_dir():
            (target / name).symlink_to(source / name)
    return target


@pytest.fixture
def own_overlays(tmp_path: Path) -> Path:
    """A copy of the installed overlays, to be broken."""
    target = tmp_path / "overlays"
    shutil.copytree(resources.data_root() / "overlays", target)
    return target


def read_results(file: Path) -> dict[str, Any]:
    """Return a results file of tau2."""
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return data


def rewards(file: Path) -> list[float]:
    """Return the rewards in a results file of tau2."""
    return [s["reward_info"]["reward"] for s in read_results(file)["simulations"]]


def assert_no_traceback(done: subprocess.CompletedProcess[str]) -> None:
    """Fail with the whole output if a traceback was printed."""
    assert "Traceback" not in done.stderr + done.stdout, done.stderr
