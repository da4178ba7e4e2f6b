"""``jtau translate`` as a person runs it: what it prints, how it ends, what it leaves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import JTAU, assert_no_traceback

_WHAT = ["--domain", "airline", "--component", "prompts", "--component", "policy"]


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.exhaustive
def test_the_same_inputs_give_the_same_files(run, tmp_path):
    """Whatever the order of sets and of answers."""
    made = []
    for seed, concurrency in (("1", "1"), ("2", "8")):
        out = tmp_path / f"out{seed}"
        done = run(
            [
                *(*JTAU, "translate", "--locale", "th", "--model", "jtau/echo", *_WHAT),
                *("--out", str(out), "--no-cache", "--json", "--concurrency", concurrency),
            ],
            PYTHONHASHSEED=seed,
            SOURCE_DATE_EPOCH="1767312000",
            JTAU_CACHE_DIR=str(tmp_path / f"cache{seed}"),
        )
        assert done.returncode == 0, done.stderr[-3000:]
        report = json.loads(done.stdout)
        assert report["domains"][0]["complete"]
        assert done.stderr == ""  # nobody asked for progress
        made.append(files(out))
    assert made[0] == made[1]
    assert "th/airline/policy.md" in made[0]


@pytest.mark.exhaustive
def test_a_dry_run_needs_neither_key_nor_folder(run):
    command = [*JTAU, "translate", "--locale", "th", *_WHAT, "--dry-run", "--model", "gpt-4.1"]
    done = run(command, OPENAI_API_KEY="")
    assert done.returncode == 0, done.stderr[-3000:]
    assert "airline: " in done.stdout
    assert done.stdout.splitlines()[-1].startswith("About $0.0")
    assert list(run.folder.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--locale", "../x", "--model", "jtau/echo"], "is no code of a language"),
        (["--locale", "th", "--model", "jtau/echo"], "name a folder for it: --out DIR"),
        pytest.param(
            ["--locale", "th", "--model", "gpt-4.1", "--out", "o"],
            "wants OPENAI_API_KEY",
            marks=pytest.mark.exhaustive,  # it imports litellm
        ),
    ],
)
def test_what_cannot_be_done_is_one_sentence(run, given, said):
    done = run([*JTAU, "translate", "--domain", "airline", *given], OPENAI_API_KEY="")
    assert done.returncode == 1
    assert_no_traceback(done)
    assert said in done.stderr
    assert done.stdout == ""
    assert list(run.folder.iterdir()) == []
