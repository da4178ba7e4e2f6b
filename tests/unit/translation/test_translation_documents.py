"""Documents are cut at their headings, and the sections of two languages stand side by side."""

from __future__ import annotations

from jtau_plugin.translation.documents import pair_sections, split_sections

ENGLISH = "Intro\n\n# A\ntext\n\n```\n# no heading\n```\n## B\n- b\n## B\nagain"
JAPANESE = "前書き\n\n# あ\n本文\n\n```\n# no heading\n```\n## い\n- び\n## い\nもう一度"


def test_sections():
    found = [(section.title, section.line) for section in split_sections(ENGLISH)]
    assert found == [("", 1), ("A", 3), ("B", 9), ("B", 11)]


def test_nothing_is_lost():
    assert "\n".join(section.text for section in split_sections(ENGLISH)) == ENGLISH


def test_pairs():
    pairs = pair_sections(ENGLISH, JAPANESE)
    assert [(pair.name, pair.line) for pair in pairs] == [
        ("(top)", 1),
        ("A", 3),
        ("B", 9),
        ("B (2)", 11),
    ]
    assert pairs[2].source == "## B\n- b"
    assert pairs[2].target == "## い\n- び"


def test_documents_with_other_sections_stay_whole():
    [pair] = pair_sections(ENGLISH, "# あ\n本文")
    assert (pair.name, pair.source, pair.target) == ("", ENGLISH, "# あ\n本文")


def test_blank_lines_before_the_first_heading_belong_to_it():
    [section] = split_sections("\n\n# A\ntext")
    assert (section.title, section.line, section.text) == ("A", 1, "\n\n# A\ntext")


def test_an_empty_document_has_no_section():
    assert split_sections("\n\n") == []
