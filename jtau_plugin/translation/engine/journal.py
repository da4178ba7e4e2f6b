"""The diary of a run: every answer is on the disk before it is used.

Append-only JSON lines, each synchronised. A run that was killed is taken up from here; what had
been answered is not asked again. A last line that was cut off is dropped, and any other line that
cannot be read is passed over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from jtau_plugin.errors import TranslationError


@dataclass(frozen=True)
class WrittenText:
    """A text that a run wrote, or was about to write.

    Attributes:
        text: its fingerprint.
        note: what the checks would still say about it.
        date: when the model wrote it.
        model: litellm's name of the model.
        prompt: version of the words in which it was asked.
        previous: the text that it takes the place of; may be empty.
    """

    text: str
    note: str = ""
    date: str = ""
    model: str = ""
    prompt: str = ""
    previous: str = ""


class Journal:
    """One run's diary.

    Args:
        path: its file; ``None`` keeps nothing.

    Attributes:
        answers: accepted answers by key. One with ``open`` was to be asked for once more.
        written: by address, what was about to be written, by its fingerprint.
        open_requests: keys that were asked for and not answered.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: Any = None
        self.answers: dict[str, dict[str, Any]] = {}
        self.written: dict[str, dict[str, WrittenText]] = {}
        self.open_requests: set[str] = set()

    def __enter__(self) -> Journal:
        """Read what a killed run left, and go on writing behind it.

        Raises:
            TranslationError: if another run is at it.
        """
        if self._path is None:
            return self
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._path.open("a+b")
        _lock(self._file, self._path)
        self._file.seek(0)
        raw = self._file.read()
        end = raw.rfind(b"\n") + 1
        self._file.truncate(end)
        for line in raw[:end].splitlines():
            try:
                self._read(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError):
                continue  # a damaged line costs what it held, not the rest
        return self

    def _read(self, record: Mapping[str, Any]) -> None:
        if record["type"] == "ask":
            self.open_requests.update(record["keys"])
        elif record["type"] == "answers":
            answers = {k: a for k, a in record["answers"].items() if isinstance(a["text"], str)}
            self.answers.update(answers)
            self.open_requests.difference_update(record["asked"])
        elif record["type"] == "write":
            for address, about in record["texts"].items():
                self._remember(address, WrittenText(**about))

    def _remember(self, address: str, written: WrittenText) -> None:
        # The first one knows what was there before.
        self.written.setdefault(address, {}).setdefault(written.text, written)

    def _append(self, record: Mapping[str, Any]) -> None:
        if self._file is None:
            return
        line = json.dumps(record, ensure_ascii=False, sort_keys=True)
        self._file.write(line.encode("utf-8") + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def ask(self, keys: list[str]) -> None:
        """Note that some units are being asked for."""
        self._append({"type": "ask", "keys": keys})

    def answer(self, asked: list[str], answers: Mapping[str, Mapping[str, Any]]) -> None:
        """Note what came of a request.

        Args:
            asked: keys of the units that were asked for.
            answers: the accepted ones by key.
        """
        self.answers.update({key: dict(answer) for key, answer in answers.items()})
        self._append({"type": "answers", "asked": asked, "answers": answers})

    def note(self, kind: str, **about: Any) -> None:
        """Note something for a person who reads the diary."""
        self._append({"type": kind, **about})

    def write(self, texts: Mapping[str, WrittenText]) -> None:
        """Note which texts are about to be written, by address.

        Should the writing be interrupted, a text that is known from here is the machine's, not a
        person's edit, and the next run writes down what it is.
        """
        for address, written in texts.items():
            self._remember(address, written)
        self._append({"type": "write", "texts": {a: asdict(w) for a, w in texts.items()}})

    def finish(self) -> None:
        """Forget the diary: everything in it has been written where it belongs."""
        if self._file is not None and self._path is not None:
            # Away before the lock is: whoever comes next must not find it half gone.
            self._path.unlink(missing_ok=True)
            self._file.close()
            self._file = None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            is_empty = self._file.seek(0, os.SEEK_END) == 0
            if is_empty and self._path is not None:
                self._path.unlink(missing_ok=True)
            self._file.close()
            self._file = None


def _lock(file: Any, path: Path) -> None:
    try:
        import fcntl  # noqa: PLC0415  (there is none on Windows)
    except ImportError:  # pragma: no cover
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise TranslationError(
            f"another run is translating the same overlay ({path}); wait for it to end"
        ) from None
