"""An upstream that changes under a test: the installed English with edits in it, on either layout."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from jtau_plugin.compat import installed
from jtau_plugin.translation import english, session
from jtau_plugin.translation.english import English, read_english
from jtau_plugin.translation.extraction import documents, prompts

read_once = cache(read_english)


class Upstream:
    """The installed tau2 as a later version of it might be.

    Args:
        patch: takes everything back at the end of a test.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        self._documents: dict[str, Callable[[str], str]] = {}
        self._prompts: dict[str, Callable[[str], str]] = {}
        self._tasks: dict[str, Callable[[Any], Any]] = {}
        patch.setattr(session, "read_english", self._read)
        patch.setattr(prompts, "installed_prompts", self._read_prompts)
        for module in (documents, english):
            patch.setattr(module, "installed_documents", self._read_documents)

    def edit_document(self, path: str, change: Callable[[str], str]) -> None:
        """Change a document, named by how its path ends."""
        self._documents[path] = change

    def edit_prompt(self, name: str, change: Callable[[str], str]) -> None:
        self._prompts[name] = change

    def edit_task(self, task_id: str, change: Callable[[Any], Any]) -> None:
        """Change a copy of a task, or take it away by returning ``None``."""
        self._tasks[task_id] = change

    def edit_value(self, owner: Any, name: str, value: Any) -> None:
        """Change a field of the database."""
        self._patch.setattr(owner, name, value)

    def restore(self) -> None:
        """Be as installed again, the database excepted."""
        self._documents.clear()
        self._prompts.clear()
        self._tasks.clear()

    def _read(self, domain: str) -> English:
        found = read_once(domain)
        tasks = {
            name: tuple(t for task in own if (t := self._changed(task)) is not None)
            for name, own in found.tasks.items()
        }
        return replace(found, tasks=tasks)

    def _changed(self, task: Any) -> Any:
        change = self._tasks.get(task.id)
        return task if change is None else change(copy.deepcopy(task))

    def _read_prompts(self) -> dict[str, str]:
        return {
            name: self._prompts.get(name, str)(text)
            for name, text in installed.installed_prompts().items()
        }

    def _read_documents(self, paths: Any) -> dict[str, str]:
        texts = installed.installed_documents(paths)
        for name, path in paths.items():
            for end, change in self._documents.items():
                if path.endswith(end):
                    texts[name] = change(texts[name])
        return texts
