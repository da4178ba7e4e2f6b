"""The termbase: five columns, no row twice, every problem at once."""

from __future__ import annotations

import pytest

from jtau_plugin import resources
from jtau_plugin.errors import OverlayError
from jtau_plugin.overlays.termbase import load_termbase

HEAD = "domain\tkey\ten\tja\talt\n"


@pytest.fixture
def load(tmp_path):
    def write(rows, head=HEAD):
        path = tmp_path / "termbase.tsv"
        path.write_text(head + rows, encoding="utf-8")
        return load_termbase(path)

    return write


def problems(load, rows):
    with pytest.raises(OverlayError) as caught:
        load(rows)
    return [(p.where.rpartition(":")[2], p.what) for p in caught.value.problems]


def test_rows(load):
    first, second = load(
        "shop\tterm\torder\t注文\tご注文|オーダー\n\nshop\tterm\tuser\tユーザー\t\n"
    )
    assert (first.domain, first.key, first.english, first.local) == (
        "shop",
        "term",
        "order",
        "注文",
    )
    assert first.alternatives == ("ご注文", "オーダー")
    assert (first.line, second.line) == (2, 4)
    assert second.alternatives == ()


def test_the_same_english_under_two_keys(load):
    assert len(load("shop\tterm\torder\t注文\t\nshop\tlabel\torder\t注文\t\n")) == 2


def test_every_problem_is_reported(load):
    rows = "shop\tterm\torder\n\tterm\tuser\tユーザー\t\nshop\tterm\titem\t\t\n"
    assert problems(load, rows) == [
        ("2", "3 columns, expected 5"),
        ("3", "domain is empty"),
        ("4", "the term is empty"),
    ]


def test_a_row_stands_once(load):
    rows = "shop\tterm\torder\t注文\t\nshop\tterm\torder\tオーダー\t\n"
    assert problems(load, rows) == [("3", "'order' stands twice (first on line 2)")]


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(OverlayError, match="missing"):
        load_termbase(tmp_path / "termbase.tsv")


def test_the_shipped_termbase():
    terms = load_termbase(resources.data_root() / "overlays" / "ja" / "termbase.tsv")
    assert {term.domain for term in terms} == {"retail", "airline", "telecom"}
    for term in terms:
        assert term.local not in term.alternatives, term
