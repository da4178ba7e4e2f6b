"""``jtau review`` as a person runs it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from jtau_plugin import resources

from .conftest import JTAU, Run, assert_no_traceback

SUBJECT = "prompts.yaml#prompts.greeting.text"


def test_a_table_goes_out_and_comes_back(run: Run, tmp_path: Path) -> None:
    skip = shutil.ignore_patterns("airline", "telecom")
    root = tmp_path / "overlays"
    shutil.copytree(resources.data_root() / "overlays" / "ja", root / "ja", ignore=skip)
    own = {"JTAU_OVERLAY_PATH": str(root)}
    export = [*JTAU, "review", "export", "--locale", "ja", "--domain", "retail"]
    done = run([*export, "--component", "prompts", "-o", "review.csv"], **own)
    assert done.returncode == 0, done.stderr
    assert "18 texts written to review.csv" in done.stdout
    path = run.folder / "review.csv"
    lines = path.read_text(encoding="utf-8-sig").split("\n")
    [greeting] = [i for i, line in enumerate(lines) if line.startswith(SUBJECT)]
    # A row goes on over several lines; the status stands before the locale.
    last = next(i for i in range(greeting, len(lines)) if ",,,ja," in lines[i])
    lines[last] = lines[last].replace(",,,ja,", ",,承認,ja,")
    path.write_text("\n".join(lines), encoding="utf-8-sig", newline="")
    take = [*JTAU, "review", "import", "review.csv", "--reviewer", "Emma", "--yes", "--json"]
    done = run(take, **own)
    assert_no_traceback(done)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["approved"] == [SUBJECT]
    assert "1 of 18 segments, by Emma" in (root / "ja" / "locale.yaml").read_text(encoding="utf-8")
