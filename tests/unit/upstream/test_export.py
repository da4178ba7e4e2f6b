"""The export: what is written, that it applies, and that the checkout stays."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest

from jtau_plugin.models.patches import Upstream
from jtau_plugin.upstream.changes import Group
from jtau_plugin.upstream.checkout import Checkout, CheckoutError
from jtau_plugin.upstream.export import NOBODY, export
from jtau_plugin.upstream.syntax import AnchorError
from jtau_plugin.upstream.trial import ExportError

from .checkouts import LINES, POLICY, REGISTRY, change, git, line_change, make_checkout, replacing

OTHER = Group("fix/registry", "the registry")


@pytest.fixture
def folder(tmp_path):
    return make_checkout(tmp_path / "repo")


def snapshot(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def unreadable(files):
    raise AnchorError("the function is gone")


def adding(path: str, text: str):
    return lambda files: {path: text}


CHANGES = [
    line_change(1, upstream=Upstream(issues=("#7",), state="open")),
    line_change(2),
    line_change(11, class_="text"),
    change("done", replacing(POLICY, "Line 99\n", "Line 5\n")),
    change("gone", unreadable),
    change("registry", replacing(REGISTRY, "{}", "dict()"), group=OTHER),
    change("new-file", adding("tests/test_x.py", "x = 1\n"), group=OTHER),
]


def by_id(done) -> dict:
    return {outcome.change.id: outcome for outcome in done.outcomes}


def test_every_patch_applies_alone_and_all_together(folder, tmp_path):
    before = snapshot(folder)
    out = tmp_path / "out"
    done = export(Checkout(folder), CHANGES, out, force=False)
    assert snapshot(folder) == before
    states = {name: outcome.state for name, outcome in by_id(done).items()}
    assert states == {
        "line-1": "written",
        "line-2": "written",
        "line-11": "written",
        "done": "already upstream",
        "gone": "impossible",
        "registry": "written",
        "new-file": "written",
    }
    assert by_id(done)["gone"].reason == "the function is gone"
    assert by_id(done)["line-1"].patches == (
        "alone/line-1.patch",
        "series/0001-line-1.patch",
        "pull-requests/domain-shop-fix-texts/0001-line-1.patch",
    )
    for patch in sorted((out / "alone").glob("*.patch")):
        git(folder, "apply", "--check", str(patch))
    copy = tmp_path / "copy"
    git(tmp_path, "clone", "-q", str(folder), str(copy))
    git(copy, "config", "user.name", "Bob")
    git(copy, "config", "user.email", "bob@example.org")
    git(copy, "am", "-q", *map(str, sorted((out / "series").glob("*.patch"))))
    log = git(copy, "log", "--format=%an %s", "-5").splitlines()
    assert log[-1] == "Ann Lee fix: shop: change line-1"
    assert git(copy, "log", "--format=%b", "-1", "HEAD~4").rstrip().endswith("Fixes #7")
    text = (copy / POLICY).read_text()
    assert text.count("changed") == 3
    assert (copy / "tests/test_x.py").read_text() == "x = 1\n"
    for subject in sorted((out / "pull-requests").iterdir()):
        git(copy, "checkout", "-q", "-B", subject.name, "origin/HEAD")
        git(copy, "am", "-q", *map(str, sorted(subject.glob("*.patch"))))


def test_neighbours_are_told(folder, tmp_path):
    done = export(Checkout(folder), CHANGES, tmp_path / "out", force=False)
    assert done.neighbours == ("line-2",)
    assert "- `line-2`" in (tmp_path / "out" / "README.md").read_text()
    done = export(Checkout(folder), CHANGES[1:3], tmp_path / "out2", force=False)
    assert done.neighbours == ()
    assert "one after the other" in (tmp_path / "out2" / "README.md").read_text()


def test_what_an_earlier_change_undoes_is_not_in_the_series(folder, tmp_path):
    rival = change("rival", replacing(POLICY, "Line 1\n", "Line one\n"))
    twin = change("twin", replacing(POLICY, "Line 1\n", "Line 1, changed\n"))
    done = export(Checkout(folder), [line_change(1), rival, twin], tmp_path / "out", force=False)
    found = by_id(done)
    assert found["rival"].reason == "not in the series: 'Line 1\\n' stands 0 times"
    assert found["twin"].reason == "an earlier patch of the series does the same"
    assert found["rival"].patches == ("alone/rival.patch",)


def test_texts_for_upstream_are_in_its_templates(folder, tmp_path):
    export(Checkout(folder), CHANGES, tmp_path / "out", force=False)
    folder = tmp_path / "out" / "pull-requests" / "domain-shop-fix-texts"
    issue = (folder / "issue.md").read_text()
    for part in ("Problem/Goal", "Proposed Solution", "Impact", "Timeline", "Dependencies"):
        assert f"\n## {part}\n" in issue
    assert "### Change line-1\n\nBecause of line-1.\n\nEvidence: Read." in issue
    assert "Reported in: #7." in issue
    text = (folder / "pull-request.md").read_text()
    assert text.startswith("Title: `fix: texts of shop`\nBranch: `domain/shop/fix-texts`\n")
    for part in ("Summary", "Changes Made", "Testing", "Documentation", "Checklist"):
        assert f"\n## {part}\n" in text


def test_equal_checkouts_give_equal_patches(folder, tmp_path):
    for name in ("a", "b"):
        export(Checkout(folder), CHANGES, tmp_path / name, force=False)
    assert snapshot(tmp_path / "a") == snapshot(tmp_path / "b")


def test_a_folder_in_use_is_refused(folder, tmp_path):
    out = tmp_path / "out"
    (out / "alone").mkdir(parents=True)
    (out / "alone" / "old.patch").write_text("old")
    (out / "mine.txt").write_text("mine")
    with pytest.raises(ExportError, match="is not empty"):
        export(Checkout(folder), CHANGES, out, force=False)
    export(Checkout(folder), CHANGES, out, force=True)
    assert not (out / "alone" / "old.patch").exists()
    assert (out / "mine.txt").read_text() == "mine"
    with pytest.raises(ExportError, match="is no folder"):
        export(Checkout(folder), CHANGES, out / "mine.txt", force=True)
    for inside in (folder, folder / "patches"):
        with pytest.raises(ExportError, match="lies in the checkout"):
            export(Checkout(folder), CHANGES, inside, force=True)


def test_a_dirty_checkout_is_refused_before_anything_is_written(folder, tmp_path):
    (folder / POLICY).write_text("changed")
    with pytest.raises(CheckoutError, match="differs from the last commit"):
        export(Checkout(folder), CHANGES, tmp_path / "out", force=False)
    assert not (tmp_path / "out").exists()
    done = export(Checkout(folder), [CHANGES[5]], tmp_path / "out", force=False)
    assert by_id(done)["registry"].state == "written"


def test_without_a_name_the_author_is_to_be_filled_in(folder, tmp_path, monkeypatch):
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    subprocess.run(["git", "config", "--unset", "user.name"], cwd=folder, check=True)
    done = export(Checkout(folder), CHANGES[:1], tmp_path / "out", force=False)
    assert done.author == NOBODY
    assert f"From: {NOBODY}\n" in (tmp_path / "out" / "alone" / "line-1.patch").read_text()


def test_a_patch_that_does_not_hold_is_never_written(folder, tmp_path, monkeypatch):
    from jtau_plugin.upstream import stack

    monkeypatch.setattr(
        stack, "difference", lambda *given: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-no\n+yes\n"
    )
    with pytest.raises(ExportError, match="does not apply alone"):
        export(Checkout(folder), CHANGES[:1], tmp_path / "out", force=False)
    assert not (tmp_path / "out").exists()


def test_nothing_to_do(folder, tmp_path):
    done = export(Checkout(folder), CHANGES[3:5], tmp_path / "out", force=False)
    assert [outcome.state for outcome in done.outcomes] == ["already upstream", "impossible"]
    assert list((tmp_path / "out").rglob("*.patch")) == []
    assert (folder / POLICY).read_text() == LINES
