"""A review goes out, is written into as reviewers do, and comes back: exactly that arrives."""

from __future__ import annotations

import contextlib
import difflib
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from jtau_plugin.overlays.catalog import load_catalog
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.overlays.loader import fingerprint_folder
from jtau_plugin.review.book import Answer
from jtau_plugin.review.exporting import FORMATS, Sample, dump_book, make_book
from jtau_plugin.review.reading import read_review
from jtau_plugin.review.rows import rows_of
from jtau_plugin.translation.english import read_english
from jtau_plugin.translation.extraction.structure import find_structure
from jtau_plugin.translation.inventory import file_problems, record_problems
from jtau_plugin.translation.items import State
from jtau_plugin.translation.ledger import Ledgers, load_ledger
from jtau_plugin.translation.planning import Plan, make_plan
from jtau_plugin.translation.questions import is_wanted

from .review_support import Sheets, copy_retail, export, files_of, rows_of_workbook, run

CALCULATE = "retail/tools.yaml#agent.calculate.description"
USER = "retail/policy.md#User"
TOP = "retail/policy.md#Retail agent policy"
TASK = "retail/tasks.yaml#tasks.3./user_scenario/instructions/reason_for_call.text"
NUMBERS = "retail/tasks.yaml#tasks.1./user_scenario/instructions/reason_for_call.text"
ASKED = "retail/tasks.yaml#tasks.29./user_scenario/instructions/unknown_info.text"
NAME = "names.yaml#given.Emma"
GREETING = "prompts.yaml#prompts.greeting.text"
DRIFTED = "retail/tools.yaml#agent.get_order_details.description"
TWICE = "retail/tools.yaml#agent.get_product_details.description"
NUMBER = "retail/tools.yaml#agent.get_user_details.description"
GONE = "retail/tools.yaml#agent.list_all_product_types.description"
PENDING = "retail/values.yaml#tables.order_status.pending"


@dataclass(frozen=True)
class Taken:
    """An import and what was there before and afterwards.

    Attributes:
        folder: the locale's folder.
        file: what the reviewer sent back.
        before: files before it.
        after: files after it.
        code: the exit code.
        report: what ``--json`` said.
        texts: what each corrected text should say, by address.
        fingerprint: of the overlay before it.
    """

    folder: Path
    file: Path
    before: Mapping[str, bytes]
    after: Mapping[str, bytes]
    code: int
    report: Mapping[str, Any]
    texts: Mapping[str, str]
    fingerprint: str


def import_(path: Path, *options: str) -> tuple[int, dict[str, Any]]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = run("import", str(path), "--reviewer", "確認者", "--yes", "--json", *options)
    return code, json.loads(out.getvalue())


def plan_of(folder: Path) -> Plan:
    ledgers = Ledgers(folder, ["retail"])
    return make_plan(folder, read_english("retail"), find_structure("retail"), ledgers)


def review_as_a_person(path: Path) -> dict[str, str]:
    """Write into a workbook what reviewers write; return the texts that are to arrive."""
    sheets = Sheets(path)

    def current(key: str) -> str:
        return str(sheets.cell(key, "translation").value)

    calculate = current(CALCULATE).replace("求めます", "返します")
    task = current(TASK).replace("知りたいと考えています", "知りたいと思っています")
    part = next(key for key in sheets.keys if TOP in key and "1人だけです" in current(key))
    assert part.startswith(f"{TOP} [")
    top = current(part).replace("1人だけです", "1人に限ります")
    assert current(CALCULATE) != calculate
    assert current(TASK) != task
    sheets.fill(CALCULATE, correction=calculate, status="修正", note="=SUM(1) ではなく文")
    sheets.fill(TASK, correction=task.replace("\n", "\r\n"))
    sheets.fill(NAME, correction="エマちゃん", status="ｃｏｒｒｅｃｔｅｄ")
    for key in sheets.keys:
        if key.split(" [")[0] == USER:
            sheets.fill(key, status=" 承認 ")
    sheets.fill(GREETING, status="approved", correction=current(GREETING))
    sheets.fill(ASKED, status="質問", note="「覚えていない」でよいですか")
    sheets.fill(part, correction=top)
    # What cannot be taken.
    sheets.fill(NUMBERS, correction=current(NUMBERS).replace("#W2378156", "#W2378157"))
    sheets.fill(DRIFTED, correction="別の訳", translation_sha256="0" * 64)
    sheets.fill(NUMBER, correction=5)
    sheets.cell(NUMBER, "correction").number_format = "General"
    sheets.fill(TWICE, correction="一つ目")
    again = sheets.copy_row(TWICE)
    sheet, _ = sheets.find(TWICE)
    sheet.cell(again, sheets.column(sheet, "correction")).value = "二つ目"
    unknown = sheets.copy_row(CALCULATE)
    sheet.cell(unknown, sheets.column(sheet, "address")).value = "retail/tools.yaml#agent.nothing"
    # What does no harm.
    same = sheets.copy_row(CALCULATE)
    assert same
    sheet, row = sheets.find(GONE)
    sheet.delete_rows(row)
    own = sheets.book.create_sheet("自分用")
    own["A1"] = "=1+1"
    sheets.save()
    return {CALCULATE: calculate, TASK: task, NAME: "エマちゃん"}


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Taken]:
    root = tmp_path_factory.mktemp("review")
    folder = copy_retail(root / "overlays")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JTAU_OVERLAY_PATH", str(folder.parent))
        patch.setenv("SOURCE_DATE_EPOCH", "1796169600")
        path = export(root / "review.xlsx")
        before = files_of(folder)
        fingerprint = fingerprint_folder([folder, folder / "retail"])
        texts = review_as_a_person(path)
        code, report = import_(path)
        yield Taken(folder, path, before, files_of(folder), code, report, texts, fingerprint)


@pytest.fixture(scope="module")
def plan(taken: Taken) -> Plan:
    """How the texts stand after the import."""
    return plan_of(taken.folder)


def test_exactly_the_edits_arrive(taken: Taken, plan: Plan) -> None:
    changed = {name for name in taken.after if taken.after[name] != taken.before.get(name)}
    records = {"ledger.jsonl", "locale.yaml", "retail/ledger.jsonl", "retail/manifest.yaml"}
    texts = {"retail/tools.yaml", "retail/tasks.yaml", "retail/policy.md", "names.yaml"}
    assert changed == records | texts
    for name in texts:
        old = taken.before[name].decode("utf-8").splitlines()
        new = taken.after[name].decode("utf-8").splitlines()
        lines = [d for d in difflib.ndiff(old, new) if d[:2] in ("- ", "+ ")]
        assert len(lines) == 2, lines
    items = {item.address: item for item in plan.items}
    for address, text in taken.texts.items():
        assert items[address].held.text.strip("\n") == text
    assert "1人に限ります" in items[TOP].held.text


def test_what_was_not_taken_says_why_and_lies_beside_the_file(taken: Taken) -> None:
    assert taken.code == 1
    reasons = {r["address"]: r["reason"] for r in taken.report["rejected"]}
    assert set(reasons) == {NUMBERS, DRIFTED, NUMBER, TWICE, "retail/tools.yaml#agent.nothing"}
    assert "W2378157" in reasons[NUMBERS]
    assert "訳が変わりました" in reasons[DRIFTED]
    assert "数値または日付" in reasons[NUMBER]
    assert "食い違っています" in reasons[TWICE]
    assert "見つかりません" in reasons["retail/tools.yaml#agent.nothing"]
    path = Path(taken.report["rejects"])
    assert path.name == "review.rejects.xlsx"
    rows = rows_of_workbook(path)
    assert sorted(row["correction"] for row in rows if row["address"] == TWICE) == [
        "一つ目",
        "二つ目",
    ]
    assert {row["reason"] for row in rows} == set(reasons.values())


def test_who_has_read_what_is_recorded(taken: Taken) -> None:
    own = load_ledger(taken.folder / "retail")
    shared = load_ledger(taken.folder)
    entry = own[CALCULATE]
    assert (entry.status, entry.origin, entry.reviewer, entry.round, entry.date) == (
        *("reviewed", "person", "確認者", "1", "2026-12-02"),
    )
    assert entry.text == fingerprint_text(taken.texts[CALCULATE])
    assert entry.note == "=SUM(1) ではなく文"
    assert (own[TOP].status, own[TOP].origin) == ("translated", "person")  # one part of it
    assert own[USER].origin == "written"
    assert own[USER].status == "reviewed"
    assert shared[GREETING].status == "reviewed"
    assert own[ASKED].status == "translated"
    assert own[ASKED].note == "question (確認者): 「覚えていない」でよいですか"
    catalog = load_catalog("ja", taken.folder, "retail")
    tools = catalog.manifest.artefacts["tools.yaml"]
    assert tools.human_review.startswith("1 of ")
    assert tools.human_review.endswith(" segments, by 確認者; last: round 1, 2026-12-02")
    assert (tools.reviews[0].segments, tools.reviews[0].corrections) == (1, 1)
    assert catalog.manifest.artefacts["values.yaml"].human_review == "none"
    assert catalog.about.artefacts["prompts.yaml"].human_review.startswith("1 of ")
    assert "第1回、2026-12-02" in catalog.about.review
    assert list(record_problems(catalog)) == []
    assert list(file_problems(taken.folder, ["retail"])) == []
    assert taken.report["questions"] == [{"address": ASKED, "note": "「覚えていない」でよいですか"}]


def test_no_machine_writes_over_what_a_person_has_read(
    taken: Taken, plan: Plan, tmp_path: Path
) -> None:
    for item in plan.items:
        if item.address in (*taken.texts, USER, TOP, GREETING):
            assert item.is_protected, item.address
            assert not is_wanted(item, again=True)
    # The same once the English has changed: the text is kept and waits for a person.
    copy = copy_retail(tmp_path)
    for name, data in taken.after.items():
        (copy / name).write_bytes(data)
    source = load_ledger(copy / "retail")[TASK].source
    for name in ("retail/tasks.yaml", "retail/ledger.jsonl"):
        text = (copy / name).read_text(encoding="utf-8")
        assert source in text
        (copy / name).write_text(text.replace(source, "0" * 64), encoding="utf-8")
    items = {item.address: item for item in plan_of(copy).items}
    assert items[TASK].state is State.KEPT
    assert rows_of(items[TASK])[0].is_locked


def test_taking_it_in_again_changes_nothing(taken: Taken) -> None:
    code, report = import_(taken.file)
    assert files_of(taken.folder) == taken.after
    assert report["corrected"] == report["approved"] == report["files"] == []
    assert report["rejected"] == taken.report["rejected"]
    assert report["rejects"] == taken.report["rejects"]
    assert code == 1


def test_only_a_changed_text_changes_the_fingerprint(
    taken: Taken, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [taken.folder, taken.folder / "retail"]
    now = fingerprint_folder(folders)
    assert now != taken.fingerprint
    path = export(tmp_path / "more.csv", "--component", "messages")
    text = path.read_text(encoding="utf-8-sig")
    first = text.index(",,,ja,")
    path.write_text(f"{text[:first]},,承認,ja,{text[first + 6 :]}", encoding="utf-8-sig")
    before = files_of(taken.folder)
    assert run("import", str(path), "--reviewer", "確認者") == 1
    assert "there is no terminal to ask on (use --yes)" in capsys.readouterr().err
    assert run("import", str(path), "--reviewer", "確認者", "--dry-run") == 0
    assert files_of(taken.folder) == before
    code, report = import_(path, "--round", "最終")
    assert (code, len(report["approved"]), report["round"]) == (0, 1, "最終")
    assert fingerprint_folder(folders) == now


@pytest.fixture(scope="module")
def books(taken: Taken, plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same review in every format."""
    book = make_book("ja", taken.folder, [plan], Sample(), "2026-12-02")
    root = tmp_path_factory.mktemp("books")
    for form in FORMATS:
        (root / f"review.{form}").write_bytes(dump_book(book, form))
    return {form: root / f"review.{form}" for form in FORMATS}


def test_every_format_has_the_same_rows(books: dict[str, Path]) -> None:
    def said(answers: tuple[Answer, ...]) -> list[Answer]:
        return [
            replace(a, where="", context="", translation=(a.translation or "").strip("\n"))
            for a in answers
        ]

    files = {form: read_review(path) for form, path in books.items()}
    first = said(files["xlsx"].answers)
    assert len(first) > 700
    for form, file in files.items():
        assert said(file.answers) == first, form


@pytest.mark.parametrize("form", FORMATS)
def test_a_review_that_nobody_wrote_into_changes_nothing(
    books: dict[str, Path], taken: Taken, form: str
) -> None:
    before = files_of(taken.folder)
    code, report = import_(books[form])
    assert code == 0
    assert report["empty"] > 700
    assert not any(report[name] for name in ("corrected", "approved", "rejected", "questions"))
    assert files_of(taken.folder) == before
    assert not list(books[form].parent.glob("*rejects*"))
