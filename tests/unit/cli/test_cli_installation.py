"""Copies of the plugin, its files, and the line that loads it."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys

import pytest

from jtau_plugin import __version__
from jtau_plugin.cli.diagnosis import installation
from jtau_plugin.cli.diagnosis.section import Section


def install(root, version=__version__, files=(("jtau_plugin/__init__.py", None),)):
    """Lay an installation into a folder; files are (name, content)."""
    info = root / f"jtau_plugin-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: jtau-plugin\nVersion: {version}\n"
    )
    record = []
    for name, content in files:
        text = content if content is not None else f'__version__ = "{version}"\n'
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode()
        record.append(f"{name},sha256={digest.rstrip('=')},{len(text.encode())}")
    record.append(f"{info.name}/RECORD,,")
    (info / "RECORD").write_text("\n".join(record) + "\n")
    return root


def ask(function, monkeypatch, *paths) -> Section:
    monkeypatch.setattr(sys, "path", [str(path) for path in paths])
    section = Section("plugin")
    function(section)
    return section


def test_one_installation_is_healthy(tmp_path, monkeypatch):
    section = ask(installation.ask_plugin, monkeypatch, install(tmp_path / "site"))
    assert section.problems == []
    assert section.facts["version"] == __version__
    assert section.facts["installed"] == [f"{__version__} in {tmp_path / 'site'}"]


def test_the_same_folder_twice_on_the_path_is_one_copy(tmp_path, monkeypatch):
    site = install(tmp_path / "site")
    link = tmp_path / "link"
    link.symlink_to(site)
    section = ask(installation.ask_plugin, monkeypatch, site, site, link, f"{site}/")
    assert section.problems == []


def test_two_versions_are_named_the_first_first(tmp_path, monkeypatch):
    first, second = tmp_path / "first", tmp_path / "second"
    section = ask(installation.ask_plugin, monkeypatch, install(first), install(second, "0.0.9"))
    first_used = "on the path, of which the first is used"
    packages = f"{__version__} in {first / 'jtau_plugin'}; 0.0.9 in {second / 'jtau_plugin'}"
    installed = f"{__version__} in {first}; 0.0.9 in {second}"
    assert [problem.what for problem in section.problems] == [
        f"2 copies of the package {first_used}: {packages}",
        f"2 installations of jtau-plugin {first_used}: {installed}",
    ]


def test_another_version_than_the_installed_one_is_a_problem(tmp_path, monkeypatch):
    section = ask(installation.ask_plugin, monkeypatch, install(tmp_path / "site", "0.0.9"))
    (problem,) = section.problems
    assert problem.what == f"version 0.0.9 is installed, {__version__} is imported"


def test_a_folder_that_is_not_installed_is_a_note(tmp_path, monkeypatch):
    section = ask(installation.ask_plugin, monkeypatch, tmp_path)
    assert section.problems == []
    assert "not installed" in section.notes[0].what


def test_a_missing_and_a_changed_file_are_problems(tmp_path, monkeypatch):
    files = [
        ("jtau_plugin/__init__.py", None),
        ("jtau_plugin/_data/overlays/ja/retail/policy.md", "# ポリシー\n全文\n"),
        ("jtau_plugin/_data/overlays/ja/retail/tasks.yaml", "tasks: {}\n"),
    ]
    site = install(tmp_path / "site", files=files)
    overlay = site / "jtau_plugin/_data/overlays/ja/retail"
    (overlay / "policy.md").write_text("# ポリシー\n", encoding="utf-8")
    (overlay / "tasks.yaml").unlink()
    section = ask(installation.ask_plugin, monkeypatch, site)
    assert [(p.where, p.what) for p in section.problems] == [
        (str(overlay / "policy.md"), "the file has changed since it was installed"),
        (str(overlay / "tasks.yaml"), "the file is missing"),
    ]


def test_a_removed_hook_file_is_no_missing_file(tmp_path, monkeypatch):
    files = [("jtau_plugin/__init__.py", None), ("jtau_plugin.pth", "import sys\n")]
    site = install(tmp_path / "site", files=files)
    (site / "jtau_plugin.pth").unlink()
    assert ask(installation.ask_plugin, monkeypatch, site).problems == []


@pytest.fixture
def loading(monkeypatch, tmp_path):
    """``loading(state, package, messages)`` asks with this answer of a fresh interpreter."""

    def ask_with(state, package="", messages=""):
        answer = (state, str(package), messages)
        monkeypatch.setattr(installation, "_site_folders", lambda: [str(tmp_path)])
        monkeypatch.setattr(installation, "_ask_fresh_interpreter", lambda: answer)
        section = Section("loading")
        installation.ask_loading(section)
        return section

    return ask_with


def put_hook(folder, name="jtau_plugin.pth"):
    file = folder / name
    file.write_text("import jtau_plugin._bootstrap as b; b.install()\n")
    return file


def test_an_active_hook_is_healthy(loading, tmp_path):
    file = put_hook(tmp_path)
    (tmp_path / "other.pth").write_text("/somewhere\n")
    section = loading("active", installation._PACKAGE / "__init__.py")
    assert section.problems == section.notes == []
    assert section.facts["pth"] == [str(file)]


def test_no_hook_file_is_a_note(loading):
    section = loading("not active")
    assert section.problems == []
    assert "'tau2 run' does not know" in section.notes[0].what


def test_a_hook_file_that_does_nothing_is_a_problem(loading, tmp_path):
    file = put_hook(tmp_path)
    (problem,) = loading("not active").problems
    assert problem.where == str(file)


def test_a_hook_that_complains_is_a_problem(loading, tmp_path):
    put_hook(tmp_path)
    problems = loading("not active", messages="jtau-plugin: not loaded: ImportError").problems
    assert problems[0].what == "a fresh interpreter says: jtau-plugin: not loaded: ImportError"


def test_a_hook_of_another_copy_is_a_problem(loading, tmp_path):
    put_hook(tmp_path)
    (problem,) = loading("active", tmp_path / "old" / "jtau_plugin" / "__init__.py").problems
    assert str(tmp_path / "old") in problem.what


def test_a_fresh_interpreter_is_asked_with_the_plugin_on(monkeypatch):
    asked = {}

    def fake_run(command, **kwargs):
        asked.update(kwargs["env"])
        return subprocess.CompletedProcess(command, 0, "active\n/x/jtau_plugin/__init__.py\n", "")

    monkeypatch.setenv("JTAU_DISABLE", "1")
    monkeypatch.setattr(installation.subprocess, "run", fake_run)
    state, file, messages = installation._ask_fresh_interpreter()
    assert (state, file, messages) == ("active", "/x/jtau_plugin/__init__.py", "")
    assert "JTAU_DISABLE" not in asked


def test_an_interpreter_that_cannot_start_is_a_state(monkeypatch):
    done = subprocess.CompletedProcess([], 9, "", "Fatal error\n")
    monkeypatch.setattr(installation.subprocess, "run", lambda *a, **k: done)
    state = installation._ask_fresh_interpreter()
    assert state == ("failed with exit code 9", "", "Fatal error")


@pytest.mark.parametrize(
    ("encoding", "notes"), [("UTF-8", 0), ("utf8", 0), ("cp932", 1), ("ascii", 1)]
)
def test_an_encoding_that_is_not_utf8_is_a_note(monkeypatch, encoding, notes):
    monkeypatch.setattr(installation.locale, "getpreferredencoding", lambda **_: encoding)
    section = Section("python")
    installation.ask_python(section)
    assert len(section.notes) == notes
    assert section.facts["encoding"] == encoding
