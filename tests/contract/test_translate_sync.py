"""Upstream changes: exactly what it touched is stale, missing or obsolete, and only that is renewed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from jtau_plugin.cli import sync, translate
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.translation import session
from jtau_plugin.translation.ledger import load_ledger, save_ledger

from .drifted import Upstream, read_once

DOMAIN = "airline"
POLICY = "airline/policy.md"
TASK = "/user_scenario/instructions/reason_for_call"


@pytest.fixture(scope="module")
def translated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Thai overlay of what is installed, made by the stand-in."""
    folder = tmp_path_factory.mktemp("translated")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1767312000")
        patch.setenv("JTAU_CACHE_DIR", str(folder / "cache"))
        patch.setattr(session, "read_english", read_once)
        given = ["--locale", "th", "--domain", DOMAIN, "--model", "jtau/echo", "--json"]
        assert translate.main([*given, "--out", str(folder / "out")]) == 0
    return folder / "out"


def test_a_dry_run_needs_neither_key_nor_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(session, "read_english", read_once)
    monkeypatch.setenv("JTAU_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    given = ["--locale", "th", "--domain", DOMAIN, "--component", "policy", "--dry-run"]
    assert translate.main([*given, "--model", "gpt-4.1", "--out", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out
    assert "airline: " in said
    assert said.splitlines()[-1].startswith("About $0.0")
    assert list(tmp_path.iterdir()) == []


class World:
    """A copy of the overlay, an upstream that can be edited, and the command between them."""

    def __init__(
        self, folder: Path, upstream: Upstream, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.folder, self.upstream, self._capsys = folder, upstream, capsys
        self.last: dict[str, Any] = {}

    def path(self, name: str) -> Path:
        return self.folder / "th" / name

    def read(self, name: str) -> str:
        return self.path(name).read_text(encoding="utf-8")

    def yaml(self, name: str) -> Any:
        return yaml.safe_load(self.read(name))

    def run(self, *given: str) -> int:
        self._capsys.readouterr()
        code = sync.main(["--locale", "th", "--out", str(self.folder), "--json", *given])
        (self.last,) = json.loads(self._capsys.readouterr().out)["locales"]
        return code

    def found(self) -> dict[str, list[str]]:
        """Return what ``--check`` lists, without what it has nothing to say about."""
        code = self.run("--check")
        (own,) = self.last["found"]
        groups = ("stale", "missing", "kept", "obsolete", "problems")
        found = {name: own[name] for name in groups if own[name]}
        assert code == (1 if found else 0)
        return found

    def renew(self, *given: str) -> int:
        return self.run("--model", "jtau/echo", *given)

    def lines(self) -> dict[str, list[str]]:
        """Return the lines of every file but those that keep the books."""
        books = ("ledger.jsonl", "manifest.yaml", "locale.yaml")
        return {
            str(path.relative_to(self.folder)): path.read_text(encoding="utf-8").splitlines()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and path.name not in books
        }

    def changes(self, before: dict[str, list[str]]) -> dict[str, int]:
        """Return how many lines are new, by file."""
        after = self.lines()
        assert after.keys() == before.keys()
        new = {name: len([x for x in after[name] if x not in before[name]]) for name in after}
        return {name: count for name, count in new.items() if after[name] != before[name]}


@pytest.fixture
def world(
    tmp_path: Path,
    translated: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> World:
    shutil.copytree(translated, tmp_path / "out")
    monkeypatch.setenv("JTAU_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1777312000")
    return World(tmp_path / "out", Upstream(monkeypatch), capsys)


def say(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


def retell(text: str) -> Callable[[Any], Any]:
    def change(task: Any) -> Any:
        task.user_scenario.instructions.reason_for_call = text
        return task

    return change


def some_task() -> Any:
    """A task that no repair touches, so that its text is upstream's on both layouts."""
    from jtau_plugin.domains.repairing import repair_tasks

    for entry in repair_tasks(list(read_once(DOMAIN).tasks[DOMAIN]), DOMAIN):
        if not entry.repairs:
            return entry.task
    raise AssertionError


def test_what_is_in_sync_is_left_alone(world: World) -> None:
    before = {p: p.read_bytes() for p in world.folder.rglob("*") if p.is_file()}
    assert world.found() == {}
    assert world.run() == 0  # without a model: there is nothing to ask
    assert {p: p.read_bytes() for p in world.folder.rglob("*") if p.is_file()} == before


def test_exactly_what_was_edited_is_stale_and_renewed(world: World) -> None:
    task = some_task()
    flight = next(iter(read_once(DOMAIN).environment.tools.db.reservations.values()))
    world.upstream.edit_document(POLICY, lambda text: text.replace("\n\n", "\n\nBe brief.\n\n", 1))
    world.upstream.edit_prompt("user_guidelines", lambda text: f"{text}\n- Be brief.")
    world.upstream.edit_task(task.id, retell("You want a window seat."))
    world.upstream.edit_value(flight, "status", "rescheduled")
    stale = {
        "prompts.yaml#prompts.user_guidelines.text",
        "airline/policy.md#Airline Agent Policy",
        f"airline/tasks.yaml#tasks.{task.id}.{TASK}.text",
    }
    found = world.found()
    assert set(found.pop("stale")) == stale
    (value,) = found.pop("missing")
    assert value.startswith("airline/values.yaml#tables.")
    assert value.endswith(".rescheduled")
    assert found == {}

    before = world.lines()
    assert world.renew() == 0
    changes = world.changes(before)
    assert changes.keys() == {
        "th/prompts.yaml",
        "th/airline/policy.md",
        "th/airline/tasks.yaml",
        "th/airline/values.yaml",
    }
    assert changes["th/airline/values.yaml"] == 1
    assert changes["th/airline/policy.md"] == 1
    assert changes["th/airline/tasks.yaml"] == 2  # text and fingerprint
    assert "⟦th⟧Be brief." in world.read(POLICY)
    assert "⟦th⟧You want a window seat." in world.read("airline/tasks.yaml")
    assert world.last["spent"]["asked"] == 4
    assert world.found() == {}


def test_an_edit_needs_a_model_and_says_so(world: World) -> None:
    from jtau_plugin.errors import SettingError

    world.upstream.edit_document(POLICY, lambda text: f"{text}\nOne more sentence.")
    with pytest.raises(SettingError, match="name a model with --model"):
        world.run()


def test_what_upstream_adds_is_missing_and_takes_its_place(world: World) -> None:
    before = world.read(POLICY)
    world.upstream.edit_document(POLICY, say("\n## ", "\n## Pets\n\nPets stay at home.\n\n## "))
    found = world.found()
    assert found == {"missing": ["airline/policy.md#Pets"]}
    assert world.renew() == 0
    after = world.read(POLICY)
    new = "## ⟦th⟧Pets\n\n⟦th⟧Pets stay at home.\n\n"
    assert new in after
    assert after.replace(new, "", 1) == before
    assert after.index("⟦th⟧Pets") < after.index("## ", after.index("⟦th⟧Pets"))
    assert world.found() == {}


def test_what_upstream_drops_is_obsolete_and_goes(world: World) -> None:
    task = some_task()
    source = next(iter(read_once(DOMAIN).policies.values()))
    last = source.rindex("\n## ")
    title = source[last:].split("\n")[1].removeprefix("## ")
    world.upstream.edit_document(POLICY, lambda text: text[: text.rindex("\n## ")] + "\n")
    world.upstream.edit_task(task.id, lambda task: None)
    found = world.found()
    assert found.keys() == {"obsolete"}
    assert any(a.startswith(f"airline/policy.md#{title}") for a in found["obsolete"])
    assert f"airline/tasks.yaml#tasks.{task.id}" in found["obsolete"]
    assert world.run() == 0  # nothing is to be translated
    assert f"⟦th⟧{title}" not in world.read(POLICY)
    assert task.id not in world.yaml("airline/tasks.yaml")["tasks"]
    assert not any(f"#{title}" in a for a in load_ledger(world.path(DOMAIN)))
    assert world.found() == {}


def test_a_persons_edit_is_kept_and_reported(world: World) -> None:
    """Two sections change upstream; a person has rewritten one of them, and a reviewer read one."""
    headings = [s for s in load_ledger(world.path(DOMAIN)) if s.startswith(POLICY)]
    edited, reviewed, machines = headings[0], headings[1], headings[2]
    mine = "บุคคลเขียนประโยคนี้"
    text = world.read(POLICY)
    first = text.index("⟦th⟧", text.index("\n"))
    world.path(POLICY).write_text(f"{text[:first]}{mine} {text[first:]}", encoding="utf-8")
    ledger = load_ledger(world.path(DOMAIN))
    entry = ledger[reviewed].model_copy(update={"status": "reviewed", "reviewer": "A"})
    save_ledger(world.path(DOMAIN), {**ledger, reviewed: entry})
    assert world.found() == {}  # an edit alone is nothing to renew

    def longer(document: str) -> str:
        parts = document.split("\n## ")
        return "\n## ".join(f"{part.rstrip()}\nMore.\n" for part in parts)

    before = world.read(POLICY)
    world.upstream.edit_document(POLICY, longer)
    found = world.found()
    places = {name: next((k for k in found if name in found[k]), None) for name in headings[:3]}
    assert places[machines] == "stale"
    kept = {name for name, group in places.items() if group == "kept"}
    assert reviewed in kept
    assert len(found["kept"]) == 2

    assert world.renew() == 1  # somebody has to look
    after = world.read(POLICY)
    assert mine in after
    (own,) = world.last["domains"]
    assert sorted(own["kept"]) == sorted(found["kept"])
    assert after.count("⟦th⟧More.") == len(found["stale"])
    assert edited in found["kept"] or mine in before
    ledger = load_ledger(world.path(DOMAIN))
    assert {ledger[name].status for name in found["kept"]} == {"stale"}
    assert world.found().keys() == {"kept"}


def test_an_overlay_can_serve_two_versions(world: World) -> None:
    task = some_task()
    world.upstream.edit_prompt("user_guidelines", lambda text: f"{text}\n- Be brief.")
    world.upstream.edit_document(POLICY, lambda text: f"{text.rstrip()}\nBe brief.\n")
    world.upstream.edit_task(task.id, retell("You want a window seat."))
    assert world.renew("--accept-old") == 0
    assert world.found() == {}
    world.upstream.restore()
    assert world.found() == {}
    sources = world.yaml("prompts.yaml")["prompts"]["user_guidelines"]["source"]
    old = read_once(DOMAIN).prompts["user_guidelines"]
    assert sources == [fingerprint_text(f"{old}\n- Be brief."), fingerprint_text(old)]


def test_without_it_the_older_version_is_stale_again(world: World) -> None:
    world.upstream.edit_prompt("user_guidelines", lambda text: f"{text}\n- Be brief.")
    assert world.renew() == 0
    world.upstream.restore()
    assert world.found() == {"stale": ["prompts.yaml#prompts.user_guidelines.text"]}


def test_an_unknown_locale_or_domain(world: World) -> None:
    from jtau_plugin.errors import JtauError

    with pytest.raises(JtauError, match=r"no overlay; found: .*th"):
        sync.main(["--locale", "xx", "--out", str(world.folder), "--check"])
    with pytest.raises(JtauError, match="none of the domains retail; it has airline"):
        sync.main(["--locale", "th", "--domain", "retail", "--out", str(world.folder), "--check"])
    with pytest.raises(JtauError, match="no such domain"):
        sync.main(["--locale", "th", "--domain", "x", "--out", str(world.folder), "--check"])
