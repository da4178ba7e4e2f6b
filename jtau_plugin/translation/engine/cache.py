"""Answers by what was asked: the same question is paid once, in whatever run it comes up.

The key covers model, service, parameters, version of the prompt, language, text, terms and context.
A file per answer, written whole or not at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jtau_plugin.translation.writing.files import write_atomically

VARIABLE = "JTAU_CACHE_DIR"


def default_cache_dir() -> Path:
    """Return where answers and diaries are kept when nobody says otherwise."""
    if os.environ.get(VARIABLE):
        return Path(os.environ[VARIABLE]).expanduser()
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if base else Path.home() / ".cache") / "jtau"


class AnswerCache:
    """Kept answers.

    Args:
        folder: where; ``None`` keeps nothing.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder / "answers" if folder is not None else None

    def _path(self, key: str) -> Path | None:
        return None if self._folder is None else self._folder / key[:2] / f"{key}.json"

    def get(self, key: str) -> dict[str, Any] | None:
        """Return an answer, or ``None``; a file that cannot be read is no answer."""
        path = self._path(key)
        if path is None or not path.is_file():
            return None
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            return None
        return data if isinstance(data, dict) and isinstance(data.get("text"), str) else None

    def put(self, key: str, answer: Mapping[str, Any]) -> None:
        """Keep an answer."""
        path = self._path(key)
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, json.dumps(answer, ensure_ascii=False, sort_keys=True) + "\n")
