"""Reads and validates the files of an overlay.

Every problem of a file is reported at once, with file, line and key. Whether the English sources
still match is decided later, where tau2 is known.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from jtau_plugin.errors import OverlayError, Problem
from jtau_plugin.overlays.yamlfile import Key, YamlFile, load_yaml

Model = TypeVar("Model", bound=BaseModel)

_HINTS = {
    "extra_forbidden": "remove the key or correct its spelling",
    "missing": "add the key",
}
# Steps that pydantic adds for a union or a key check; they are no part of the file.
_NOT_IN_FILE = ("function-", "tagged-", "[key]")


def _key_of(location: Key, file: YamlFile) -> Key:
    """Drop the steps of pydantic's address that are not in the file."""
    key: Key = ()
    for step in location:
        name = str(step)
        if (*key, step) in file.lines or not name.startswith(_NOT_IN_FILE):
            key = (*key, step)
    while (
        key and key not in file.lines and key[:-1] in file.lines and not str(key[-1]).isidentifier()
    ):
        key = key[:-1]
    return key


def _problems(error: ValidationError, file: YamlFile) -> list[Problem]:
    found = []
    for detail in error.errors(include_url=False):
        key = _key_of(detail["loc"], file)
        what = detail["msg"].removeprefix("Value error, ")
        if detail["type"] == "extra_forbidden":
            what = "unknown key"
        elif detail["type"] == "missing":
            what = "the key is missing"
        else:
            what = f"{what}, found {repr(detail.get('input'))[:60]}"
        found.append(Problem(file.where(key), what, _HINTS.get(detail["type"], "")))
    return found


def load_model(path: Path, model: type[Model]) -> tuple[Model, YamlFile]:
    """Return the validated content of a YAML file and the file itself (for line numbers).

    Raises:
        OverlayError: for everything that is wrong in the file, collected.
    """
    file = load_yaml(path)
    try:
        return model.model_validate(file.data), file
    except ValidationError as error:
        raise OverlayError(f"{path.name} cannot be used.", _problems(error, file)) from None


#: Files that no run of a real model reads: changing one leaves a result what it was.
_NOT_IN_RUN = frozenset(
    {
        "oracle.yaml",
        "checks.yaml",
        "exemptions.yaml",
        "measures.yaml",
        "termbase.tsv",
        "ledger.jsonl",
        "style.md",
        "review.yaml",
    }
)
#: Parts of files that only say how the texts came to be: a review that changes no text changes no
#: result.
_RECORDS: Mapping[str, frozenset[str]] = {
    "manifest.yaml": frozenset({"artefacts"}),
    "locale.yaml": frozenset({"artefacts", "review"}),
}


def _is_in_run(name: str) -> bool:
    return name not in _NOT_IN_RUN and not name.startswith(".")


def _read_in_run(path: Path) -> bytes:
    """Return what a run reads of a file: all of it, but for the blocks that are records."""
    raw = path.read_bytes()
    records = _RECORDS.get(path.name)
    keys = [key for key in load_yaml(path).lines.items() if len(key[0]) == 1] if records else []
    if not records or not keys:
        return raw
    lines = raw.splitlines(keepends=True)
    starts = sorted((line - 1, str(key)) for (key,), line in keys)
    ends = [start for start, _ in starts[1:]] + [len(lines)]
    for (start, key), end in zip(reversed(starts), reversed(ends), strict=True):
        if key in records:
            del lines[start:end]
    return b"".join(lines)


def fingerprint_folder(folders: list[Path]) -> str:
    """Return the SHA-256 over names and bytes of what a run reads in ``folders``."""
    digest = hashlib.sha256()
    for folder in folders:
        files = (p for p in folder.iterdir() if p.is_file() and _is_in_run(p.name))
        for path in sorted(files):
            digest.update(f"{folder.name}/{path.name}\0".encode())
            digest.update(hashlib.sha256(_read_in_run(path)).digest())
    return digest.hexdigest()


def require_folder(folder: Path, what: str) -> None:
    """Raise OverlayError unless ``folder`` exists."""
    if not folder.is_dir():
        problem = Problem(str(folder), f"no such folder for {what}", "reinstall jtau-plugin")
        raise OverlayError("An overlay is missing.", [problem])
