"""README, CHANGELOG and CONTRIBUTING say what is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from jtau_plugin import __version__
from jtau_plugin.cli.main import COMMANDS
from jtau_plugin.scoring.communicate import is_communicated

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_hook_is_shown_as_it_is_installed():
    assert blocks("text") == [(ROOT / "jtau_plugin.pth").read_text(encoding="utf-8")]


def test_the_commands_are_one_line_each():
    first, second, third, japanese = blocks("sh")
    for command in (first, second, third):
        assert command.count("\n") == 1
        assert shlex.split(command)
    assert first == japanese
    assert ".[demo]" in first
    assert "jtau run --domain ja_retail" in first
    assert ".[demo,test]" in second
    assert "&& .venv/bin/pytest" in second


def test_the_extras_exist():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for extra in ("demo", "test"):
        assert re.search(rf"^{extra} = \[", text, re.MULTILINE)


def test_every_command_is_described():
    named = set(re.findall(r"^\| `jtau ([a-z]+)", README, re.MULTILINE))
    assert named == set(COMMANDS)


def test_every_domain_is_listed():
    listed = {
        name for row in re.findall(r"^\| (`ja_[^*]*?) \|", README, re.M) for name in row.split(", ")
    }
    manifests = (ROOT / "overlays").glob("*/*/manifest.yaml")
    offered = {f"`{m.parents[1].name}_{m.parent.name}`" for m in manifests}
    assert offered <= listed
    assert {name.partition("-")[0].rstrip("`") + "`" for name in listed} == offered


def test_what_readme_says_about_numbers_holds():
    assert "`1万2,345ドル` and `12345` are one number" in README
    assert is_communicated("12345", "合計は1万2,345ドルです。")
    assert "`123` is not found inside `1234`" in README
    assert not is_communicated("123", "合計は1234ドルです。")


def test_the_newest_entry_of_the_changelog_is_this_version():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[(\d[^\]]*)\]", text, re.MULTILINE)
    assert versions[0] == __version__


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / target).exists(), target


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_place_of_one_machine_is_named(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert not re.search(r"(?<![\w.])/(?:home|root|opt|tmp|work|usr)/", text)
