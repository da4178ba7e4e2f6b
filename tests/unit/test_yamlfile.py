"""Reading one YAML file: plain data, the line of every key, and every way to be broken."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from jtau_plugin.errors import OverlayError
from jtau_plugin.overlays.yamlfile import load_yaml, read_text

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def write(tmp_path):
    def write(content: str | bytes):
        path = tmp_path / "values.yaml"
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return path

    return write


def problems_of(path) -> list[str]:
    with pytest.raises(OverlayError) as caught:
        load_yaml(path)
    assert caught.value.problems
    return [str(problem).replace(str(path), "FILE") for problem in caught.value.problems]


def test_data_and_lines(write):
    file = load_yaml(
        write("# 注文\norder:\n  status: 保留中\n  counts: [1, 2.5, true, null]\n'8': x\n")
    )
    assert file.data == {"order": {"status": "保留中", "counts": [1, 2.5, True, None]}, "8": "x"}
    assert file.lines["order",] == 2
    assert file.lines["order", "status"] == 3
    assert file.lines["order", "counts", 2] == 4
    assert file.lines["8",] == 5


def test_where_names_file_line_and_key(write):
    path = write("a:\n  b:\n    c: 1\n")
    file = load_yaml(path)
    assert file.where(("a", "b", "c")) == f"{path}:3: a.b.c"
    assert file.where(("a", "b", "missing", "deeper")) == f"{path}:2: a.b.missing.deeper"
    assert file.where(()) == f"{path}:1: (top level)"


def test_a_missing_file(tmp_path):
    assert problems_of(tmp_path / "gone.yaml") == [
        "FILE: cannot be read: No such file or directory (restore the file)"
    ]


def test_a_folder_in_the_place_of_a_file(tmp_path):
    (problem,) = problems_of(tmp_path)
    assert problem.startswith("FILE: cannot be read: ")


def test_bytes_that_are_not_utf8(write):
    path = write("a: 保留中\nb: ".encode() + "処理済み".encode("cp932") + b"\n")
    assert problems_of(path) == ["FILE:2: not UTF-8: byte 16 is 0x8f (save the file as UTF-8)"]


def test_utf16_is_not_utf8(write):
    (problem,) = problems_of(write("a: 保留中\n".encode("utf-16")))
    assert problem == "FILE:1: not UTF-8: byte 0 is 0xff (save the file as UTF-8)"


def test_an_invalid_file(write):
    (problem,) = problems_of(write("a: 1\nb: [1, 2\nc: 3\n"))
    assert problem.startswith("FILE:3: not valid YAML: ")
    assert problem.endswith("(is the file truncated?)")


def test_a_truncated_file(write):
    (problem,) = problems_of(write('a: 1\nb: "途中で切れた'))
    assert problem.startswith("FILE:2: not valid YAML: ")


@pytest.mark.parametrize("content", ["", "\n", "# 何もない\n"])
def test_an_empty_file(write, content):
    assert problems_of(write(content)) == ["FILE: the file is empty (restore the file)"]


def test_two_documents_in_one_file(write):
    (problem,) = problems_of(write("a: 1\n---\nb: 2\n"))
    assert problem.startswith("FILE:2: not valid YAML: ")


def test_every_duplicate_key_is_named(write):
    content = "a:\n  pending: 1\n  delivered: 2\n  pending: 3\nb: 4\nb: 5\n"
    assert problems_of(write(content)) == [
        "FILE:4: key 'pending' stands twice (first on line 2)",
        "FILE:6: key 'b' stands twice (first on line 5)",
    ]


@pytest.mark.parametrize("key", ["8", "yes", "no", "null", "2024-05-01", "1.5"])
def test_a_key_that_yaml_takes_for_something_else(write, key):
    assert problems_of(write(f"a:\n  {key}: x\n")) == [
        f"FILE:2: key {key!r} is no text (put the key in quotes)"
    ]


@pytest.mark.parametrize(
    "value",
    [
        "2024-05-01",
        "!!python/name:os.system ''",
        "!!set {a}",
        "!!str {a: 1}",
        "!!int abc",
        "!!bool maybe",
    ],
)
def test_a_value_that_is_no_plain_data(write, value):
    (problem,) = problems_of(write(f"a: 1\nb: {value}\n"))
    assert problem.startswith("FILE:2: ")


@pytest.mark.parametrize("content", ["a: 1\nb: &x {c: 2}\nd: *x\n", "a: 1\nb: &x [*x]\n"])
def test_an_alias_is_named_where_its_value_stands(write, content):
    assert problems_of(write(content)) == [
        "FILE:2: an alias repeats this value (write it out at each place)"
    ]


def test_a_merge_key(write):
    problems = problems_of(write("a: &x {c: 2}\nb:\n  <<: *x\n"))
    assert "FILE:3: key '<<' is no text (put the key in quotes)" in problems


def test_a_file_without_a_line_end_is_whole(write):
    assert load_yaml(write("a: 最後")).data == {"a": "最後"}


def test_a_byte_order_mark_is_no_part_of_the_text(write):
    assert load_yaml(write(b"\xef\xbb\xbfa: 1\n")).data == {"a": 1}


def test_read_text_keeps_every_character(write):
    assert read_text(write("〜、。①𠮷\n")) == "〜、。①𠮷\n"


def test_every_shipped_file_is_yaml_for_a_pure_python_reader_too() -> None:
    # libyaml lets pass what PyYAML without it refuses, and not every installation has libyaml.
    for folder in ("overlays", "patches"):
        for path in sorted((ROOT / folder).rglob("*.yaml")):
            assert list(yaml.parse(path.read_text(encoding="utf-8"), yaml.SafeLoader)), path
