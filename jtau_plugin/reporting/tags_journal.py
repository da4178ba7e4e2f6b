"""The judge's answers, kept line by line, so that a run that was stopped goes on where it was.

A line belongs to exactly one question: model, arguments, vocabulary and conversation. Whatever of
them changes, the question is another one and is asked anew. Errors are kept for the reader only.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from jtau_plugin.errors import Problem, ResultsError
from jtau_plugin.reporting.tags_judge import Judged, Message
from jtau_plugin.reporting.tags_rules import Finding


def question_key(
    model: str, arguments: Mapping[str, Any], vocabulary: str, messages: Sequence[Message]
) -> str:
    """Return what identifies a question."""
    parts = [model, dict(arguments), vocabulary, list(messages)]
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Journal:
    """A file of answers.

    Args:
        path: where it lies, or is made with the first answer.

    Raises:
        ResultsError: if it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._answers: dict[str, Judged] = {}
        if path.exists():
            self._read()

    def _read(self) -> None:
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            problem = Problem(str(self.path), f"cannot be read: {error}", "move it away")
            raise ResultsError("The judge's earlier answers cannot be used.", [problem]) from error
        for line in lines:
            try:
                entry = json.loads(line)
                key, judged = entry["key"], _judged(entry)
            except (ValueError, TypeError, KeyError, AttributeError):
                continue  # a line that was cut off when the run was stopped
            if not judged.error:
                self._answers[key] = judged

    def find(self, key: str) -> Judged | None:
        """Return the answer to a question, if it was answered."""
        return self._answers.get(key)

    def add(self, key: str, judged: Judged, about: Mapping[str, Any]) -> None:
        """Keep an answer.

        Raises:
            ResultsError: if the file cannot be written.
        """
        line = json.dumps({"key": key, **about, **asdict(judged)}, ensure_ascii=True)
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{'' if self._ends_whole() else chr(10)}{line}\n")
        except OSError as error:
            problem = Problem(str(self.path), f"cannot be written: {error.strerror}")
            raise ResultsError("The judge's answers cannot be kept.", [problem]) from error
        if not judged.error:
            self._answers[key] = judged

    def _ends_whole(self) -> bool:
        """Tell whether the file's last line was written to its end."""
        with self.path.open("rb") as file:
            size = file.seek(0, 2)
            if not size:
                return True
            file.seek(size - 1)
            return file.read(1) == b"\n"


def _judged(entry: Mapping[str, Any]) -> Judged:
    return Judged(
        findings=tuple(Finding(**finding) for finding in entry["findings"]),
        unknown=tuple((str(written), str(hint)) for written, hint in entry["unknown"]),
        error=str(entry["error"]),
        cost=entry["cost"],
    )
