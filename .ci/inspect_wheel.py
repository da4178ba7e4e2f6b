"""Looks into a built wheel: everything that belongs into it, and nothing else.

Run by ``.ci/run`` with an interpreter that has tau2, whose English must not be in the wheel.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

#: So many words in a row in the English of tau2 are no coincidence.
_RUN = 8
_OVERLAYS = "jtau_plugin/_data/overlays/"
_DEEPEST = 2
_TEXT = {".py", ".yaml", ".md", ".tsv", ".pth"}
_WORD = re.compile(r"[A-Za-z']+")


def runs_of_words(text: str) -> Iterator[str]:
    """Yield every run of words in ``text``; other scripts end a run."""
    for piece in re.split(r"[^\x00-\x7f]+", text):
        words = _WORD.findall(piece.lower())
        for start in range(len(words) - _RUN + 1):
            yield " ".join(words[start : start + _RUN])


def strings_in(value: object) -> Iterator[str]:
    """Yield every string in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for child in value.values():
            yield from strings_in(child)
    elif isinstance(value, list):
        for child in value:
            yield from strings_in(child)


def prose_of_tau2() -> Iterator[str]:
    """Yield the English of the installed tau2 that its models read."""
    spec = importlib.util.find_spec("tau2")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("tau2 is not installed")
    package = Path(spec.submodule_search_locations[0])
    data = package / "data" / "tau2"
    for file in data.rglob("*.md"):
        yield file.read_text(encoding="utf-8")
    for file in data.rglob("tasks*.json"):
        yield from strings_in(json.loads(file.read_text(encoding="utf-8")))
    for file in [*(package / "domains").rglob("*.py"), *(package / "agent").rglob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def expected_files(root: Path) -> dict[str, Path]:
    """Return the file of the checkout for each name that the wheel has to hold."""
    files = {"jtau_plugin.pth": root / "jtau_plugin.pth"}
    for file in (p for p in (root / "jtau_plugin").rglob("*") if p.is_file()):
        if "__pycache__" not in file.parts:
            files[file.relative_to(root).as_posix()] = file
    for folder in ("overlays", "patches"):
        for file in (p for p in (root / folder).rglob("*") if p.is_file()):
            files[f"jtau_plugin/_data/{file.relative_to(root).as_posix()}"] = file
    return files


def check_files(content: dict[str, bytes], root: Path, info: str) -> Iterator[str]:
    """Yield each file that is missing, differs, or does not belong there."""
    expected = expected_files(root)
    for name, file in expected.items():
        if name not in content:
            yield f"{name} is missing"
        elif content[name] != file.read_bytes():
            yield f"{name} differs from the checkout's"
    for name in content:
        if name not in expected and not name.startswith(f"{info}/"):
            yield f"{name} does not belong there"
        if name.startswith(_OVERLAYS) and name.count("/") - _OVERLAYS.count("/") > _DEEPEST:
            yield f"{name} lies deeper than locale/domain/file, where nothing reads it"


def check_metadata(content: dict[str, bytes], info: str) -> Iterator[str]:
    """Yield each entry point and each licence file that is missing."""
    points = content[f"{info}/entry_points.txt"].decode()
    for line in ("jtau = jtau_plugin.cli.main:main", "jtau = jtau_plugin.domains:activate"):
        if line not in points:
            yield f"no entry point {line}"
    for name in ("LICENSE", "NOTICE"):
        if f"{info}/licenses/{name}" not in content:
            yield f"{name} is missing"


def check_prose(content: dict[str, bytes]) -> Iterator[str]:
    """Yield each run of words that stands in the English of tau2 too."""
    english = {run for text in prose_of_tau2() for run in runs_of_words(text)}
    for name, raw in content.items():
        if Path(name).suffix in _TEXT:
            for run in sorted(set(runs_of_words(raw.decode("utf-8"))) & english):
                yield f"{name} holds English of tau2: {run!r}"


def problems(wheel: Path, root: Path) -> Iterator[str]:
    """Yield everything that is wrong with the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    info = next(name.partition("/")[0] for name in content if name.endswith("dist-info/METADATA"))
    yield from check_files(content, root, info)
    yield from check_metadata(content, info)
    yield from check_prose(content)


def main() -> None:
    """Exit with the list of what is wrong."""
    found = list(problems(Path(sys.argv[1]), Path(sys.argv[2])))
    if found:
        raise SystemExit("\n".join(["The wheel is not as it should be.", *found]))
    sys.stdout.write(f"{Path(sys.argv[1]).name} holds what it should and nothing else\n")


if __name__ == "__main__":
    main()
