"""Loading an overlay: every way in which a file can be wrong is named by file, line and key."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from jtau_plugin.errors import OverlayError
from jtau_plugin.models.overlay import MessagesFile, ValuesFile
from jtau_plugin.overlays.catalog import load_catalog
from jtau_plugin.overlays.loader import fingerprint_folder, load_model

SHA = "ab" * 32
UNKNOWN = "unknown key (remove the key or correct its spelling)"
PENDING = "shop/values.yaml:3: tables.status.pending"
OPEN = "shop/values.yaml:4: tables.status.open"
OWN_FORM = "(give each its own form)"
FILES = {
    "locale.yaml": """\
locale: xx
name: テスト
language: Test
register: です・ます
version: "1"
changelog: {"1": 初版}
review: none
""",
    "names.yaml": "given:\n  Emma: [エマ]\n  Noah: [ノア]\n",
    "prompts.yaml": f"""\
prompts:
  greeting: {{source: {SHA}, text: こんにちは。}}
scenario_labels: {{domain: "ドメイン:"}}
""",
    "messages.yaml": "messages: []\n",
    "shop/manifest.yaml": f"""\
base_domain: shop
title: 店
documents:
  policy: {{file: policy.md, path: domains/shop/policy.md, source: {SHA}}}
sources: {{}}
artefacts: {{}}
""",
    "shop/policy.md": "# ポリシー\n",
    "shop/values.yaml": """\
tables:
  status:
    pending: {display: 保留中, accept: [処理待ち]}
    delivered: {display: 配達済み}
fields:
  Order.status: status
""",
    "shop/tools.yaml": f"""\
agent:
  cancel:
    source: [{SHA}]
    description: 注文をキャンセルします。
    parameters:
      order_id: {{kind: id, description: 注文ID}}
      reason: {{kind: pseudo_enum, table: status, description: 理由}}
""",
    "shop/messages.yaml": f"""\
messages:
  - source: {SHA}
    at: [Shop.cancel]
    text: 注文が見つかりません。
""",
    "shop/tasks.yaml": f"""\
domain_label: 店
tasks:
  '0':
    /ticket: {{source: [{SHA}], text: 注文をキャンセルしたい。}}
""",
}


@pytest.fixture
def overlay(tmp_path):
    """A small overlay that can be loaded; ``overlay(name, text)`` replaces one of its files."""
    folder = tmp_path / "xx"
    (folder / "shop").mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")

    def replace(name: str, text: str | bytes | None) -> Path:
        path = folder / name
        if text is None:
            path.unlink()
        else:
            path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return folder

    replace.folder = folder
    return replace


def problems_of(folder: Path) -> list[str]:
    with pytest.raises(OverlayError) as caught:
        assert load_catalog("xx", folder, "shop").tasks
    assert caught.value.problems
    return [str(p).replace(f"{folder}/", "") for p in caught.value.problems]


def test_the_small_overlay_is_whole(overlay):
    catalog = load_catalog("xx", overlay.folder, "shop")
    assert catalog.name == "xx/shop"
    assert catalog.tables["status"].localize("pending") == "保留中"
    assert catalog.tables["status"].forms["処理待ち"] == "pending"
    assert catalog.tasks[0].domain_label == "店"
    assert catalog.documents["policy"] == "# ポリシー\n"


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file(overlay, name):
    assert problems_of(overlay(name, None)) == [
        f"{name}: cannot be read: No such file or directory (restore the file)"
    ]


def test_a_missing_folder(overlay):
    shutil.rmtree(overlay.folder / "shop")
    (problem,) = problems_of(overlay.folder)
    assert problem.endswith("shop: no such folder for xx/shop (reinstall jtau-plugin)")


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_not_utf8(overlay, name):
    text = FILES[name].encode("utf-8") + b"# \x83e\x83X\x83g\n"
    (problem,) = problems_of(overlay(name, text))
    line = FILES[name].count("\n") + 1
    assert problem.startswith(f"{name}:{line}: not UTF-8: byte ")


@pytest.mark.parametrize("name", [n for n in FILES if n.endswith(".yaml")])
def test_an_empty_file(overlay, name):
    assert problems_of(overlay(name, "")) == [f"{name}: the file is empty (restore the file)"]


@pytest.mark.parametrize("name", [n for n in FILES if n.endswith(".yaml")])
def test_a_file_that_is_no_yaml(overlay, name):
    (problem,) = problems_of(overlay(name, FILES[name] + "broken: [1, 2\n"))
    assert problem.startswith(f"{name}:{FILES[name].count(chr(10)) + 2}: not valid YAML: ")


@pytest.mark.parametrize("name", [n for n in FILES if n.endswith(".yaml")])
def test_a_list_in_the_place_of_a_mapping(overlay, name):
    assert problems_of(overlay(name, "- a\n- b\n"))


def test_a_truncated_file(overlay):
    text = FILES["shop/values.yaml"]
    (problem,) = problems_of(overlay("shop/values.yaml", text[: text.index("処理待ち")]))
    assert problem.startswith("shop/values.yaml:")
    assert problem.endswith("(is the file truncated?)")


def test_a_file_cut_between_two_keys(overlay):
    text = FILES["shop/manifest.yaml"]
    assert problems_of(overlay("shop/manifest.yaml", text[: text.index("sources")])) == [
        "shop/manifest.yaml:1: sources: the key is missing (add the key)",
        "shop/manifest.yaml:1: artefacts: the key is missing (add the key)",
    ]


def test_duplicate_keys(overlay):
    text = "tables:\n  status:\n    pending: {display: 保留中}\n    pending: {display: 処理中}\n"
    assert problems_of(overlay("shop/values.yaml", text)) == [
        "shop/values.yaml:4: key 'pending' stands twice (first on line 3)"
    ]


def test_unknown_keys_of_every_depth_are_named_at_once(overlay):
    text = FILES["shop/values.yaml"].replace("accept:", "acept:") + "colour: red\n"
    assert problems_of(overlay("shop/values.yaml", text)) == [
        f"shop/values.yaml:3: tables.status.pending.acept: {UNKNOWN}",
        f"shop/values.yaml:7: colour: {UNKNOWN}",
    ]


def test_a_missing_key(overlay):
    text = "tables:\n  status:\n    pending: {accept: [処理待ち]}\n"
    assert problems_of(overlay("shop/values.yaml", text)) == [
        "shop/values.yaml:3: tables.status.pending.display: the key is missing (add the key)"
    ]


def test_a_value_of_the_wrong_kind(overlay):
    text = "tables:\n  status:\n    pending: {display: 3}\n"
    (problem,) = problems_of(overlay("shop/values.yaml", text))
    assert problem.startswith("shop/values.yaml:3: tables.status.pending.display: ")
    assert problem.endswith("found 3")


def test_an_empty_text(overlay):
    text = "tables:\n  status:\n    pending: {display: ' '}\n"
    assert problems_of(overlay("shop/values.yaml", text)) == [
        f"{PENDING}.display: expected a text that is not empty, found ' '"
    ]


@pytest.mark.parametrize("source", ["abc", "0" * 63, "G" * 64])
def test_a_fingerprint_that_is_none(overlay, source):
    text = FILES["shop/messages.yaml"].replace(SHA, f'"{source}"')
    (problem,) = problems_of(overlay("shop/messages.yaml", text))
    assert problem.startswith("shop/messages.yaml:2: messages.0.source: expected a SHA-256")


def test_two_canonical_values_with_one_display(overlay):
    text = "tables:\n  status:\n    pending: {display: 保留中}\n    open: {display: 保留中}\n"
    assert problems_of(overlay("shop/values.yaml", text)) == [
        f"{OPEN}: display '保留中' of 'open' is already a form of 'pending' {OWN_FORM}"
    ]


def test_two_canonical_values_with_one_alias(overlay):
    text = (
        "tables:\n  status:\n    pending: {display: 保留中, accept: [処理待ち]}\n"
        "    open: {display: 受付中, accept: [処理待ち]}\n"
    )
    assert problems_of(overlay("shop/values.yaml", text)) == [
        f"{OPEN}: accept '処理待ち' of 'open' is already a form of 'pending' {OWN_FORM}"
    ]


@pytest.mark.parametrize("form", ["ＳＳＤ", " SSD"])
def test_forms_are_one_when_only_their_width_differs(overlay, form):
    text = f"tables:\n  status:\n    a: {{display: SSD}}\n    b: {{display: '{form}'}}\n"
    (problem,) = problems_of(overlay("shop/values.yaml", text))
    assert problem.startswith("shop/values.yaml:4: tables.status.b: display ")


def test_a_form_that_is_the_canonical_value_of_another(overlay):
    text = "tables:\n  status:\n    SSD: {display: 固体}\n    HDD: {display: SSD}\n"
    (problem,) = problems_of(overlay("shop/values.yaml", text))
    assert "'SSD' of 'HDD' is already a form of 'SSD'" in problem


def test_two_names_with_one_form(overlay):
    text = "given:\n  Sara: [サラ]\n  Sarah: [サラ]\n"
    assert problems_of(overlay("names.yaml", text)) == [
        f"names.yaml:3: given.Sarah: accept 'サラ' of 'Sarah' is already a form of 'Sara' {OWN_FORM}"
    ]


def test_the_same_form_in_two_tables_is_no_collision(overlay):
    text = (
        "tables:\n  a:\n    medium: {display: 中}\n  b:\n    mid: {display: 中}\n"
        "  status:\n    pending: {display: 保留中}\n"
    )
    load_catalog("xx", overlay("shop/values.yaml", text), "shop")


def test_a_table_that_does_not_exist(overlay):
    values = FILES["shop/values.yaml"].replace("Order.status: status", "Order.status: state")
    overlay("shop/values.yaml", values)
    tools = FILES["shop/tools.yaml"].replace("table: status", "table: reason")
    problems = problems_of(overlay("shop/tools.yaml", tools))
    assert len(problems) == 2
    assert problems[0].startswith("shop/values.yaml:6: fields.Order.status: no table 'state'")
    assert problems[1].startswith(
        "shop/tools.yaml:7: agent.cancel.parameters.reason: no table 'reason'"
    )


def test_a_choice_without_a_table(overlay):
    tools = FILES["shop/tools.yaml"].replace("table: status, ", "")
    (problem,) = problems_of(overlay("shop/tools.yaml", tools))
    assert problem.startswith("shop/tools.yaml:7: agent.cancel.parameters.reason: ")


def test_an_unknown_kind_of_parameter(overlay):
    tools = FILES["shop/tools.yaml"].replace("kind: id", "kind: identifier")
    (problem,) = problems_of(overlay("shop/tools.yaml", tools))
    assert problem.startswith("shop/tools.yaml:6: agent.cancel.parameters.order_id.kind: ")
    assert problem.endswith("found 'identifier'")


def test_one_message_twice(overlay):
    message = FILES["shop/messages.yaml"].partition("\n")[2]
    problems = problems_of(overlay("shop/messages.yaml", FILES["shop/messages.yaml"] + message))
    assert problems[0].startswith("shop/messages.yaml:5: messages.1: the same source")


def test_another_locale_in_the_folder(overlay):
    text = FILES["locale.yaml"].replace("locale: xx", "locale: yy")
    (problem,) = problems_of(overlay("locale.yaml", text))
    assert problem.startswith("locale.yaml:1: locale: locale is 'yy', expected 'xx'")


def test_a_manifest_without_documents(overlay):
    policy = FILES["shop/manifest.yaml"].splitlines()[3]
    text = FILES["shop/manifest.yaml"].replace(f"documents:\n{policy}", "documents: {}")
    assert problems_of(overlay("shop/manifest.yaml", text)) == [
        "shop/manifest.yaml:3: documents: no document (add the policy)"
    ]


def test_a_document_that_the_manifest_names_and_nobody_wrote(overlay):
    text = FILES["shop/manifest.yaml"].replace("policy.md, path", "rules.md, path")
    (problem,) = problems_of(overlay("shop/manifest.yaml", text))
    assert problem.startswith("shop/rules.md: cannot be read: ")


def test_models_are_read_only(overlay):
    values, _ = load_model(overlay.folder / "shop" / "values.yaml", ValuesFile)
    with pytest.raises(ValueError, match="frozen"):
        values.tables = {}


def test_the_title_of_an_error_names_the_file(overlay):
    folder = overlay("messages.yaml", "messages: 3\n")
    with pytest.raises(OverlayError, match=r"^messages\.yaml cannot be used\."):
        load_model(folder / "messages.yaml", MessagesFile)


class TestFingerprint:
    def test_it_changes_with_any_file(self, overlay):
        folders = [overlay.folder, overlay.folder / "shop"]
        seen = {fingerprint_folder(folders)}
        for name, text in FILES.items():
            overlay(name, "\n" + text)
            seen.add(fingerprint_folder(folders))
        assert len(seen) == len(FILES) + 1

    def test_it_is_blind_to_who_has_read_the_texts(self, overlay):
        before = fingerprint_folder([overlay.folder, overlay.folder / "shop"])
        locale, manifest = FILES["locale.yaml"], FILES["shop/manifest.yaml"]
        overlay("locale.yaml", locale.replace("review: none", "review: by Emma"))
        artefacts = manifest.index("artefacts:")
        overlay("shop/manifest.yaml", manifest[:artefacts] + "artefacts:\n  policy.md: read\n")
        overlay("review.yaml", "font: Arial\n")
        assert fingerprint_folder([overlay.folder, overlay.folder / "shop"]) == before

    def test_it_sees_what_stands_beside_the_records(self, overlay):
        before = fingerprint_folder([overlay.folder])
        overlay("locale.yaml", FILES["locale.yaml"] + "artefacts: {}\n")
        assert fingerprint_folder([overlay.folder]) == before
        overlay("locale.yaml", FILES["locale.yaml"].replace("版", "稿") + "artefacts: {}\n")
        assert fingerprint_folder([overlay.folder]) != before

    def test_it_changes_with_a_name(self, overlay):
        before = fingerprint_folder([overlay.folder])
        (overlay.folder / "names.yaml").rename(overlay.folder / "names.yml")
        assert fingerprint_folder([overlay.folder]) != before

    def test_it_is_blind_to_where_the_folder_lies(self, overlay, tmp_path):
        before = fingerprint_folder([overlay.folder])
        copy = tmp_path / "elsewhere" / "xx"
        shutil.copytree(overlay.folder, copy)
        assert fingerprint_folder([copy]) == before
