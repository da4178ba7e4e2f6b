"""A user's checkout: what is read, and what is refused."""

from __future__ import annotations

import shutil

import pytest

from jtau_plugin.upstream import checkout as checkout_module
from jtau_plugin.upstream.checkout import Checkout, CheckoutError, FileMissingError

from .checkouts import FILES, LINES, POLICY, REGISTRY, git, make_checkout


@pytest.fixture
def folder(tmp_path):
    return make_checkout(tmp_path / "repo")


def refused(folder) -> str:
    with pytest.raises(CheckoutError) as caught:
        Checkout(folder)
    return str(caught.value)


def test_the_last_commit_is_read(folder):
    (folder / POLICY).write_text("changed")
    checkout = Checkout(folder)
    assert checkout.read(POLICY) == LINES
    assert checkout.has(REGISTRY)
    assert not checkout.has("nothing.txt")
    assert checkout.author() == "Ann Lee <ann@example.org>"
    git(folder, "tag", "v1.0.1")
    assert checkout.describe() == "v1.0.1"


def test_a_subfolder_stands_for_its_checkout(folder):
    assert Checkout(folder / "src").root.resolve() == folder.resolve()


def test_other_folders_are_refused(tmp_path, folder):
    assert "no such folder" in refused(tmp_path / "nowhere")
    (tmp_path / "plain").mkdir()
    assert "no git checkout (git clone https://github.com/sierra" in refused(tmp_path / "plain")
    git(tmp_path / "plain", "init", "-q")
    assert "it has no commit" in refused(tmp_path / "plain")
    other = {path: text for path, text in FILES.items() if path != REGISTRY}
    said = refused(make_checkout(tmp_path / "other", other))
    assert "no tau2-bench 1.0: its last commit has no src/tau2/registry.py" in said


def test_files_that_cannot_be_read_are_named(tmp_path):
    files = {**FILES, "big.json": "version https://git-lfs.github.com/spec/v1\noid x\n"}
    folder = make_checkout(tmp_path, files)
    (folder / "latin.txt").write_bytes(b"\xe4")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "more")
    checkout = Checkout(folder)
    for path, said in (
        ("nothing.txt", "is not in this checkout"),
        ("big.json", "git lfs pull"),
        ("latin.txt", "is not UTF-8"),
    ):
        with pytest.raises(FileMissingError, match=said):
            checkout.read(path)
    shutil.rmtree(folder / ".git" / "objects")
    (folder / ".git" / "objects").mkdir()
    with pytest.raises(FileMissingError, match=r"the content of .* is not in this checkout"):
        checkout.read(POLICY)


def test_changed_files_are_refused(folder):
    checkout = Checkout(folder)
    checkout.require_clean([POLICY, "nothing.txt"])
    checkout.require_clean([])
    (folder / POLICY).write_text("changed")
    checkout.require_clean([REGISTRY])
    with pytest.raises(CheckoutError, match=r"policy.md: differs from the last commit"):
        checkout.require_clean([REGISTRY, POLICY])


def test_a_machine_without_git_is_told_so(folder, monkeypatch):
    def missing(*arguments, **options):
        raise FileNotFoundError

    monkeypatch.setattr(checkout_module.subprocess, "run", missing)
    assert "there is no git (install git)" in refused(folder)
