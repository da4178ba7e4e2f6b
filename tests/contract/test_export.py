"""Patches for upstream: every repair fits what is installed, and becomes a commit that holds.

The second half needs a checkout of tau2-bench 1.0.1, named by ``JTAU_TAU2_CHECKOUT``, with its last
commit complete and unchanged.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jtau_plugin.cli.patching import exporting, verifying
from jtau_plugin.upstream.contributions import load_contributions

CHECKOUT = os.environ.get("JTAU_TAU2_CHECKOUT", "")
needs_checkout = pytest.mark.skipif(not CHECKOUT, reason="JTAU_TAU2_CHECKOUT names no checkout")


def test_everything_fits_the_installed_tau2():
    found = verifying.verify()
    assert [str(problem) for problem in found.problems] == []
    assert len(found.standings) == len(found.entries)


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def fingerprints(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def exported(tmp_path_factory) -> Path:
    """The patches of everything, made from the checkout as it is."""
    out = tmp_path_factory.mktemp("export") / "out"
    before = fingerprints(Path(CHECKOUT))
    done = exporting.make_export(Path(CHECKOUT), out, [], [], force=False)
    assert fingerprints(Path(CHECKOUT)) == before
    impossible = {o.change.id: o.reason for o in done.outcomes if o.state == "impossible"}
    assert impossible == {}
    assert [o.change.id for o in done.outcomes if o.reason] == []
    return out


@pytest.fixture(scope="module")
def clone(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("clone") / "tau2-bench"
    git(folder.parent, "clone", "-q", CHECKOUT, str(folder))
    git(folder, "config", "user.name", "A Contributor")
    git(folder, "config", "user.email", "contributor@example.org")
    git(folder, "tag", "start")
    return folder


@needs_checkout
def test_each_patch_applies_alone(exported, clone):
    patches = sorted((exported / "alone").glob("*.patch"))
    assert len(patches) > len(load_contributions().contributions)
    git(clone, "checkout", "-q", "--detach", "start")
    for patch in patches:
        git(clone, "apply", "--check", str(patch))


@needs_checkout
def test_the_patches_of_each_subject_apply_in_order(exported, clone):
    for subject in sorted((exported / "pull-requests").iterdir()):
        git(clone, "checkout", "-q", "--detach", "start")
        git(clone, "am", "-q", *map(str, sorted(subject.glob("*.patch"))))


@pytest.fixture(scope="module")
def patched(exported, clone) -> Path:
    """The checkout with the whole series."""
    series = sorted((exported / "series").glob("*.patch"))
    git(clone, "checkout", "-q", "--detach", "start")
    git(clone, "am", "-q", *map(str, series))
    assert len(git(clone, "log", "--format=%h", "start..HEAD").split()) == len(series)
    return clone


@needs_checkout
def test_the_series_leaves_data_and_code_that_can_be_read(patched):
    names = git(patched, "diff", "--name-only", "start").splitlines()
    assert names
    for name in names:
        text = (patched / name).read_text(encoding="utf-8")
        if name.endswith(".json"):
            json.loads(text)
        elif name.endswith(".py"):
            compile(text, name, "exec")


@needs_checkout
def test_nothing_is_left_to_do_after_the_series(patched, tmp_path):
    done = exporting.make_export(patched, tmp_path / "out", [], [], force=False)
    assert {outcome.state for outcome in done.outcomes} == {"already upstream"}


@needs_checkout
@pytest.mark.exhaustive
def test_the_new_tests_fail_before_and_pass_after(patched, tmp_path):
    """Run with this Python's packages and the checkout's own tau2."""
    if sys.version_info < (3, 12):
        pytest.skip("tau2-bench 1.0 wants Python 3.12")
    tests = [
        path
        for one in load_contributions().contributions
        for path in one.adds
        if path.startswith("tests/")
    ]
    assert run_tests(patched, tests).returncode == 0
    before = tmp_path / "before"
    git(tmp_path, "clone", "-q", CHECKOUT, str(before))
    for path in tests:
        (before / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(patched / path, before / path)
    for path in tests:
        assert run_tests(before, [path]).returncode != 0, path


def run_tests(folder: Path, tests: list[str]) -> subprocess.CompletedProcess[bytes]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder / "src"),
        "TAU2_DATA_DIR": str(folder / "data"),
        "JTAU_DISABLE": "1",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
