"""``jtau review`` as a person runs it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from jtau_plugin import resources
from jtau_plugin.cli import main as cli

from .conftest import JTAU, Run, assert_no_traceback

SUBJECT = "prompts.yaml#prompts.greeting.text"


def test_a_table_goes_out_and_comes_back(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    skip = shutil.ignore_patterns("airline", "telecom")
    root = tmp_path / "overlays"
    shutil.copytree(resources.data_root() / "overlays" / "ja", root / "ja", ignore=skip)
    path = run.folder / "review.csv"
    monkeypatch.setenv("JTAU_OVERLAY_PATH", str(root))
    export = ["review", "export", "--locale", "ja", "--domain", "retail", "-o", str(path)]
    assert cli.main([*export, "--component", "prompts"]) == 0
    lines = path.read_text(encoding="utf-8-sig").split("\n")
    [greeting] = [i for i, line in enumerate(lines) if line.startswith(SUBJECT)]
    # A row goes on over several lines; the status stands before the locale.
    last = next(i for i in range(greeting, len(lines)) if ",,,ja," in lines[i])
    lines[last] = lines[last].replace(",,,ja,", ",,承認,ja,")
    path.write_text("\n".join(lines), encoding="utf-8-sig", newline="")
    take = [*JTAU, "review", "import", "review.csv", "--reviewer", "Emma", "--yes", "--json"]
    done = run(take, JTAU_OVERLAY_PATH=str(root))
    assert_no_traceback(done)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["approved"] == [SUBJECT]
    assert "1 of 18 segments, by Emma" in (root / "ja" / "locale.yaml").read_text(encoding="utf-8")
