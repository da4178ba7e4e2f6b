"""``jtau patches``: what it prints, what its JSON says, and how it exits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jtau_plugin.cli import main, patches
from jtau_plugin.cli.patching import english, exporting, listing, standing, verifying
from jtau_plugin.cli.patching.standing import Standing
from jtau_plugin.compat.layout import Features, Layout
from jtau_plugin.errors import PatchError, Problem, ProblemsError, RepairError, SettingError
from jtau_plugin.models.patches import (
    CodePatch,
    DocumentRepair,
    TaskRepair,
    ToolTextRepair,
    Upstream,
)
from jtau_plugin.patching import selection as selection_module
from jtau_plugin.patching.canonical import fingerprint_value
from jtau_plugin.patching.documents import fingerprint_lines
from jtau_plugin.patching.selection import select
from jtau_plugin.upstream import entries as entries_module
from jtau_plugin.upstream.changes import Change, Group
from jtau_plugin.upstream.entries import Entry
from jtau_plugin.upstream.export import NOBODY, Export, Outcome

COMMON = {"why": "It is wrong.", "evidence": "Read."}
TASK = TaskRepair.model_validate(
    {
        **COMMON,
        "id": "shop-1-sum",
        "title": "Expect 7 in task 1",
        "class": "facts",
        "tasks": ["1"],
        "pointer": "/sum",
        "guard": fingerprint_value(6),
        "value": 7,
        "fault": "wrong_sum",
        "gates": "DB",
        "upstream": {"issues": ["#5"], "state": "open"},
    }
)
DOCUMENT = DocumentRepair.model_validate(
    {
        **COMMON,
        "id": "shop-two",
        "title": "Write two",
        "class": "rules",
        "findings": ["S01"],
        "documents": {
            "policy": [
                {
                    "op": "replace",
                    "guard": fingerprint_lines(["one"]),
                    "value": "two",
                    "localized": {"ja": [{"find": "一", "replace": "二"}]},
                }
            ]
        },
    }
)
TEXT = ToolTextRepair.model_validate(
    {
        **COMMON,
        "id": "shop-pay-text",
        "title": "Describe paying",
        "class": "tools",
        "tool": "pay",
        "guard": "0" * 64,
        "value": "Pays.",
        "localized": {"ja": "支払います。"},
    }
)
CARD = CodePatch.model_validate(
    {
        **COMMON,
        "id": "score-sum",
        "title": "Add up right",
        "class": "scorer",
        "target": "tau2.evaluator.sums:Sum.add",
        "fix": "score_sum",
        "layouts": {"v1_0": ["a" * 64]},
        "retire_when": "upstream adds up right",
    }
)
ENTRIES = (
    Entry(CARD, "code patch", "", "code/score-sum.yaml"),
    Entry(TASK, "task repair", "shop", "tasks/shop.yaml"),
    Entry(DOCUMENT, "document repair", "shop", "documents/shop.yaml"),
    Entry(TEXT, "tool text", "shop", "documents/shop.yaml"),
)


@pytest.fixture(autouse=True)
def shop(monkeypatch, tmp_path):
    """Four repairs, and a tau2 that three of them fit."""
    repairs = [entry.repair for entry in ENTRIES]
    monkeypatch.delenv("JTAU_PATCHES", raising=False)
    for module in (listing, entries_module, verifying):
        monkeypatch.setattr(module, "all_entries", lambda: ENTRIES)
    monkeypatch.setattr(
        listing, "active_selection", lambda: select(repairs, selection_module.setting())
    )
    features = Features(
        user_tools_include=True, agent_factories=True, strict_replay=True, results_in_folder=True
    )
    installed = Layout("v1_0", "tau2", "1.0.1", tmp_path, features)
    monkeypatch.setattr(patches.layout, "require_tau2", lambda: None)
    monkeypatch.setattr(patches.layout, "detect_layout", lambda: installed)
    monkeypatch.setattr(patches.layout, "is_installed", lambda: True)
    monkeypatch.setattr(patches.layout, "is_impostor", lambda: False)
    monkeypatch.setattr(english.InstalledDomain, "is_installed", True)
    monkeypatch.setattr(english.InstalledDomain, "tasks", {"1": {"id": "1", "sum": 6}})
    monkeypatch.setattr(english.InstalledDomain, "documents", {"policy": "zero\none"})
    monkeypatch.setattr(
        english.InstalledDomain, "descriptions", {("assistant", "pay", ""): "Pays."}
    )
    applied = {"score-sum": Standing("score-sum", "applied")}
    monkeypatch.setattr(listing, "patch_standings", lambda: applied)
    fits = {"score-sum": Standing("score-sum", "fits")}
    monkeypatch.setattr(verifying, "verified_patches", lambda: dict(fits))
    monkeypatch.setattr(verifying, "repaired_domains", lambda: ())
    monkeypatch.setattr(verifying, "check_contributions", lambda known: [])
    return monkeypatch


def shown(capsys, *arguments: str) -> str:
    assert patches.main(arguments) == 0
    return capsys.readouterr().out


def data(capsys, *arguments: str) -> dict:
    return json.loads(shown(capsys, *arguments, "--json"))


def test_the_list_says_what_is_on_and_how_it_stands(capsys):
    lines = shown(capsys, "list").splitlines()
    assert lines[0].split() == ["ID", "CLASS", "ON", "STATE", "UPSTREAM", "TITLE"]
    rows = {line.split()[0]: line.split(maxsplit=4) for line in lines[1:5]}
    assert rows["score-sum"][1:4] == ["scorer", "yes", "applied"]
    assert rows["shop-1-sum"][1:4] == ["facts", "yes", "applied"]
    assert rows["shop-two"][1:4] == ["rules", "no", "disabled"]
    assert lines[-1].startswith("4 repairs and patches, 2 on.")


def test_the_setting_counts(capsys, shop):
    shop.setenv("JTAU_PATCHES", "+rules,-shop-1-sum,+tools")
    lines = shown(capsys, "list").splitlines()
    rows = {line.split()[0]: line.split()[2:4] for line in lines[1:5]}
    assert rows["shop-1-sum"] == ["no*", "disabled"]
    assert rows["shop-two"] == ["yes*", "applied"]
    assert rows["shop-pay-text"] == ["yes*", "satisfied"]


def test_the_list_as_json(capsys):
    found = data(capsys, "list", "--class", "facts", "--class", "rules")
    assert found["schema"] == listing.SCHEMA
    assert [one["id"] for one in found["repairs"]] == ["shop-1-sum", "shop-two"]
    assert found["repairs"][0] == {
        "id": "shop-1-sum",
        "class": "facts",
        "kind": "task repair",
        "domain": "shop",
        "title": "Expect 7 in task 1",
        "default": True,
        "on": True,
        "state": "applied",
        "reason": "1 task",
        "gates": "DB",
        "upstream": {"issues": ["#5"], "state": "open"},
    }


def test_the_list_needs_no_tau2(capsys, shop):
    shop.setattr(patches.layout, "is_installed", lambda: False)
    states = [one["state"] for one in data(capsys, "list")["repairs"]]
    assert states == ["on", "on", "disabled", "disabled"]


def test_the_page_is_printed(capsys, shop):
    shop.setattr(patches, "fixes_page", lambda: "# Fixes\n")
    assert shown(capsys, "list", "--markdown") == "# Fixes\n"


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("score-sum", ["score-sum: Add up right", "tau2.evaluator.sums:Sum.add", "a" * 64]),
        ("shop-1-sum", ["task repair of shop", "applied (1 task)", "#5, open", "/sum", "value"]),
        ("shop-two", ["policy: replace", "no, by default no", "value ja", "二", "S01"]),
        ("shop-pay-text", ["pay", "Pays.", "支払います。"]),
    ],
)
def test_one_repair_is_shown_completely(capsys, name, texts):
    printed = shown(capsys, "show", name)
    assert "why" in printed
    assert "It is wrong." in printed
    for text in texts:
        assert text in printed
    found = data(capsys, "show", name)
    assert found["schema"] == listing.SCHEMA
    assert found["repair"]["id"] == name
    assert found["repair"]["class"] in ("scorer", "facts", "rules", "tools")
    assert found["file"].endswith(".yaml")


def test_an_unknown_id_is_an_error_with_the_nearest(capsys):
    with pytest.raises(
        SettingError, match=r"no repair or patch 'shop-too' \(did you mean shop-two"
    ):
        patches.main(["show", "shop-too"])
    assert main.main(["patches", "show", "shop-too"]) == 1
    assert "jtau: there is no repair" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["mend"],
        ["show"],
        ["list", "--class", "none"],
        ["list", "--json", "--markdown"],
        ["export"],
        ["export", "--repo", "."],
    ],
)
def test_wrong_usage(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        patches.main(arguments)
    assert caught.value.code == 2
    assert "usage: jtau patches" in capsys.readouterr().err


def test_everything_fits(capsys):
    printed = shown(capsys, "verify")
    assert printed.splitlines()[0].split() == [
        "KIND",
        "FITS",
        "SATISFIED",
        "NOT",
        "APPLICABLE",
        "REFUSED",
    ]
    assert printed.endswith("Everything fits tau2 1.0.1.\n")
    found = data(capsys, "verify")
    assert (found["schema"], found["ok"], found["problems"]) == (verifying.SCHEMA, True, [])
    assert [one["state"] for one in found["repairs"]] == ["fits", "fits", "fits", "satisfied"]


def test_what_does_not_fit_is_a_problem(capsys, shop):
    shop.setattr(english.InstalledDomain, "tasks", {"1": {"id": "1", "sum": 9}})
    shop.setattr(english.InstalledDomain, "documents", {"policy": "three"})
    shop.setattr(english.InstalledDomain, "descriptions", {("assistant", "pay", ""): "Sells."})
    bad = {"score-sum": Standing("score-sum", "refused", "its self-check fails")}
    shop.setattr(verifying, "verified_patches", lambda: dict(bad))
    assert patches.main(["verify"]) == 1
    printed = capsys.readouterr().out
    assert "Problems (4)" in printed
    for text in (
        "its self-check fails",
        "task 1: another value stands at /sum",
        "policy: the guarded lines stand nowhere",
        "none of the guards fits",
    ):
        assert text in printed
    assert patches.main(["verify", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert not found["ok"]
    assert {one["state"] for one in found["repairs"]} == {"refused"}
    assert found["problems"][1]["where"].endswith("shop.yaml: shop-1-sum")


def test_what_tau2_does_not_have_needs_no_repair(capsys, shop):
    shop.setattr(english.InstalledDomain, "documents", {"policy": ""})
    shop.setattr(english.InstalledDomain, "descriptions", {})
    states = [one["state"] for one in data(capsys, "verify")["repairs"]]
    assert states == ["fits", "fits", "not applicable", "not applicable"]
    shop.setattr(english.InstalledDomain, "is_installed", False)
    assert [one["state"] for one in data(capsys, "verify")["repairs"]][1:] == ["not applicable"] * 3


def test_files_that_cannot_be_used_are_problems(capsys, shop):
    def broken():
        raise RepairError("The repairs contradict each other.", [Problem("shop.yaml", "twice")])

    shop.setattr(verifying, "all_entries", broken)
    assert patches.main(["verify"]) == 1
    assert "  - shop.yaml: twice\n" in capsys.readouterr().out


def test_cards_that_cannot_be_used_are_problems(capsys, shop):
    def broken():
        raise PatchError("The cards cannot be used.", [Problem("a.yaml", "no target")])

    shop.setattr(verifying, "verified_patches", broken)
    assert patches.main(["verify"]) == 1
    assert "  - a.yaml: no target\n" in capsys.readouterr().out


def _with(pointer: str = "/sum", **fields) -> TaskRepair:
    given = TASK.model_dump(by_alias=True, mode="json")
    return TaskRepair.model_validate({**given, "pointer": pointer, **fields})


def test_repairs_whose_order_decides_are_conflicts(shop):
    installed = english.InstalledDomain("shop")
    shop.setattr(english.InstalledDomain, "tasks", {"1": {"sum": 6, "said": "a b"}})
    rival = _with(id="rival", tasks=["*1"], value=8)
    found = list(verifying.task_conflicts([TASK, rival], installed))
    assert len(found) == 1
    assert found[0].where == "repairs shop-1-sum and rival"
    assert found[0].what == "both write /sum of 1 tasks, 1 is one"
    same = _with(id="same", tasks=["*"])
    assert len(list(verifying.task_conflicts([TASK, same], installed))) == 1
    elsewhere = _with("/said", id="elsewhere", guard=[fingerprint_value("a b")], value="c")
    assert list(verifying.task_conflicts([TASK, elsewhere], installed)) == []
    guards = [fingerprint_value(text) for text in ("a b", "x b", "a y")]
    both = [
        _with("/said", id=new, op="substitute", find=old, guard=guards, value=new)
        for old, new in (("a", "x"), ("b", "y"))
    ]
    assert list(verifying.task_conflicts(both, installed)) == []


def test_patterns_find_tasks(shop):
    installed = english.InstalledDomain("shop")
    tasks = {"[a]1": {"sum": 6}, "[a]2": {"sum": 7}, "[b]1": {"sum": 6}}
    shop.setattr(english.InstalledDomain, "tasks", tasks)
    one = standing.task_standing(_with(tasks=["*[a]"]), installed)
    assert (one.state, one.reason) == ("fits", "1 task")
    one = standing.task_standing(_with(tasks=["*[a]2"]), installed)
    assert (one.state, one.reason) == ("satisfied", "1 task")
    one = standing.task_standing(_with(tasks=["*[c]"]), installed)
    assert one.state == "not applicable"
    one = standing.task_standing(_with(tasks=["[c]1"]), installed)
    assert (one.state, one.reason) == ("refused", "there is no task [c]1")


def a_change(name: str, class_: str = "facts", covers: tuple[str, ...] = ()) -> Change:
    return Change(
        id=name,
        class_=class_,
        group=Group("domain/shop/fix", "shop"),
        title=f"Mend {name}",
        why="Why.",
        evidence="Read.",
        gates="DB",
        upstream=Upstream(),
        make=lambda files: {},
        covers=covers,
    )


CHANGES = [
    a_change("shop-1-sum"),
    a_change("sums", "scorer", ("score-sum",)),
    a_change("loader", ""),
]


@pytest.mark.parametrize(
    ("ids", "classes", "chosen"),
    [
        ([], [], ["shop-1-sum", "sums", "loader"]),
        (["score-sum"], [], ["sums"]),
        (["sums", "loader"], [], ["sums", "loader"]),
        ([], ["facts"], ["shop-1-sum"]),
        (["sums"], ["facts"], []),
    ],
)
def test_ids_and_classes_choose(ids, classes, chosen):
    assert [change.id for change in exporting.choose(CHANGES, ids, classes)] == chosen


def test_what_cannot_be_exported_is_named(shop):
    shop.setattr(exporting, "load_code_patches", lambda: (CARD,))
    ids = ["sumz", "metrics-table", "score-sum"]
    with pytest.raises(ProblemsError) as caught:
        exporting.choose(CHANGES[:1], ids, [])
    said = str(caught.value)
    assert "there is no repair or patch 'sumz'" in said
    assert "metrics-table has nothing to bring upstream: They show" in said
    assert "nothing is written yet that brings score-sum upstream" in said


def test_the_export_is_reported(capsys, shop, tmp_path):
    asked = []
    outcomes = (
        Outcome(CHANGES[0], "written", files=("a.json",), patches=("alone/shop-1-sum.patch",)),
        Outcome(CHANGES[1], "already upstream"),
        Outcome(CHANGES[2], "impossible", "the function is gone"),
    )

    def make_export(*given, **named):
        asked.append((given, named))
        return Export(outcomes, "v1.0.1", NOBODY, ("shop-1-sum",))

    shop.setattr(exporting, "make_export", make_export)
    arguments = ["export", "--repo", "repo", "--out", "out", "--id", "a", "--class", "facts"]
    printed = shown(capsys, *arguments)
    assert asked == [((Path("repo"), Path("out"), ["a"], ["facts"]), {"force": False})]
    assert "Written: 1\n" in printed
    assert "  shop-1-sum  Mend shop-1-sum\n" in printed
    assert "Already upstream: 1\n  sums\n" in printed
    assert "Impossible: 1\n  loader  the function is gone\n" in printed
    assert f"so the author is {NOBODY}" in printed
    found = data(capsys, *arguments, "--force")
    assert asked[1][1] == {"force": True}
    assert found["schema"] == exporting.SCHEMA
    assert found["neighbours"] == ["shop-1-sum"]
    assert [one["state"] for one in found["repairs"]] == [o.state for o in outcomes]
    assert found["repairs"][0]["patches"] == ["alone/shop-1-sum.patch"]
