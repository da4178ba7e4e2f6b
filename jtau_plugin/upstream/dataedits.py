"""Repairs of data as edits of upstream's files: tasks, documents, descriptions of tools.

An edit takes the files as they are and returns the new text of those that change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from pathlib import PurePosixPath
from typing import Any, Protocol

from jtau_plugin import resources
from jtau_plugin.models.overlay import ManifestFile
from jtau_plugin.models.patches import DocumentRepair, TaskRepair, ToolTextRepair
from jtau_plugin.overlays.loader import load_model
from jtau_plugin.patching.canonical import find_value, fingerprint_value, split_pointer
from jtau_plugin.patching.repairs import apply_repair, fit_of, is_wildcard
from jtau_plugin.upstream.syntax import AlreadyThereError, AnchorError
from jtau_plugin.upstream.taskfile import TaskFile, shape_like
from jtau_plugin.upstream.textfiles import edit_docstring, edit_document, edit_field

#: Brings a task's raw data to how tau2's own model dumps it.
Normalize = Callable[[dict[str, Any]], dict[str, Any]]


class Files(Protocol):
    """Files by their path in the repository."""

    def has(self, path: str) -> bool:
        """Return whether there is such a file."""
        ...

    def read(self, path: str) -> str:
        """Return a file's text."""
        ...


#: Returns the new text of each file that changes. Raises ``AlreadyThereError`` where all is right
#: already, and ``AnchorError`` where it does not fit.
Make = Callable[[Files], "dict[str, str]"]


def task_edit(repair: TaskRepair, domain: str, normalize: Normalize) -> Make:
    """Return what makes a repair of tasks in their file.

    Args:
        repair: the repair.
        domain: tau2's name of the domain.
        normalize: brings a task's raw data to the form that guards are taken from.
    """
    path = f"data/tau2/domains/{domain}/tasks.json"

    def make(files: Files) -> dict[str, str]:
        file = TaskFile(files.read(path))
        unfit, has_changed = [], False
        for name in _targets(repair, file.tasks):
            if name not in file.tasks:
                unfit.append(f"there is no task {name}")
                continue
            document = normalize(file.tasks[name])
            fit = fit_of(repair, document)
            if fit == "applies":
                raw = file.tasks[name]
                changed = _repaired(repair, raw, document, normalize)
                file.replace(name, changed, _swapped(repair, raw, changed))
                has_changed = True
            elif fit == "unfit" and name in repair.tasks:
                unfit.append(f"task {name} {repair.pointer} has another value than the guard knows")
        if unfit:
            raise AnchorError("; ".join(unfit))
        if not has_changed:
            raise AlreadyThereError
        return {path: file.text()}

    return make


def _targets(repair: TaskRepair, known: Iterable[str]) -> Iterator[str]:
    wild = [name[1:] for name in repair.tasks if is_wildcard(name)]
    yield from (name for name in repair.tasks if not is_wildcard(name))
    yield from (
        task for task in known if task not in repair.tasks and any(part in task for part in wild)
    )


def _repaired(
    repair: TaskRepair, raw: dict[str, Any], document: dict[str, Any], normalize: Normalize
) -> dict[str, Any]:
    """Return a task's raw data after a repair, written as the file writes such data."""
    changed = deepcopy(raw)
    try:
        apply_repair(repair, changed)
    except (KeyError, TypeError) as error:
        raise AnchorError(f"{repair.pointer} is not spelt out in the file") from error
    if not isinstance(repair.value, (dict, list)):
        return changed
    _shape(repair, raw, changed)
    wanted = deepcopy(document)
    apply_repair(repair, wanted)
    if fingerprint_value(normalize(changed)) != fingerprint_value(wanted):
        raise AnchorError(f"the file's data after the repair is not what {repair.id} makes of it")
    return changed


def _swapped(
    repair: TaskRepair, raw: dict[str, Any], changed: dict[str, Any]
) -> tuple[str, str] | None:
    """Return the text before and after, if a text is all that a repair changes."""
    before, after = find_value(raw, repair.pointer), find_value(changed, repair.pointer)
    is_text = isinstance(before, str) and isinstance(after, str)
    return (before, after) if is_text and repair.op != "remove" else None


def _shape(repair: TaskRepair, raw: dict[str, Any], changed: dict[str, Any]) -> None:
    """Write what a repair has put into raw data with the keys that the file spells out."""
    parent, _, last = repair.pointer.rpartition("/")
    container = find_value(changed, parent) if parent else changed
    old = find_value(raw, repair.pointer)
    if isinstance(container, list):
        at = container.index(repair.value)
        siblings: list[Any] = find_value(raw, parent)
        first = next((item for item in siblings if isinstance(item, dict)), None)
        container[at] = shape_like(repair.value, old if isinstance(old, dict) else first)
    else:
        key = split_pointer(f"/{last}")[0]
        container[key] = shape_like(repair.value, old)


def document_paths(domain: str) -> dict[str, str]:
    """Return where a domain's documents lie in the checkout, by their names in the manifest.

    Raises:
        OverlayError: if a manifest cannot be used.
    """
    for _, folder in resources.iter_locales():
        file = folder / domain / "manifest.yaml"
        if file.is_file():
            documents = load_model(file, ManifestFile)[0].documents
            return {name: f"data/tau2/{document.path}" for name, document in documents.items()}
    return {}


def document_edit(repair: DocumentRepair, paths: dict[str, str]) -> Make:
    """Return what makes a repair of documents in their files.

    Args:
        repair: the repair.
        paths: where each document lies.
    """

    def make(files: Files) -> dict[str, str]:
        changed = {}
        for name in repair.documents:
            path = paths.get(name)
            if path is None:
                raise AnchorError(f"no overlay says where the document {name} lies")
            try:
                changed[path] = edit_document(name, files.read(path), repair)
            except AlreadyThereError:
                continue
            except AnchorError as error:
                raise AnchorError(f"{PurePosixPath(path).name}: {error}") from error
        if not changed:
            raise AlreadyThereError
        return changed

    return make


def tool_text_edit(repair: ToolTextRepair, domain: str) -> Make:
    """Return what makes a repair of a tool's description in the domain's source.

    Args:
        repair: the repair.
        domain: tau2's name of the domain.
    """
    folder = f"src/tau2/domains/{domain}"
    tools = f"{folder}/{'user_tools' if repair.requestor == 'user' else 'tools'}.py"

    def make(files: Files) -> dict[str, str]:
        if "." in repair.parameter:
            path = f"{folder}/data_model.py"
            return {path: edit_field(files.read(path), repair)}
        return {tools: edit_docstring(files.read(tools), repair)}

    return make
