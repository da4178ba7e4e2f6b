"""Does an overlay render the installed English, all of it and nothing else?

The same comparisons that a run makes before it starts, for every variant of a domain at once, and
for every wording that repairs make of its tasks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jtau_plugin.compat.installed import tool_schemas
from jtau_plugin.errors import Problem
from jtau_plugin.localization.localizer import DomainLocalizer
from jtau_plugin.localization.policy import check_policy
from jtau_plugin.localization.sources import check_messages, check_prompts, check_tools
from jtau_plugin.localization.tasks import choose_renderings
from jtau_plugin.models.overlay import MessagesFile
from jtau_plugin.overlays.catalog import Catalog
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.overlays.loader import load_model
from jtau_plugin.overlays.yamlfile import Key, load_yaml
from jtau_plugin.translation.english import English
from jtau_plugin.translation.extraction.segment import LITERAL, TASK, VALUE, SourceSegment
from jtau_plugin.translation.overlay_texts import Held

Pairs = Sequence[tuple[SourceSegment, Held | None]]


def check_fit(catalog: Catalog, english: English, pairs: Pairs) -> list[Problem]:
    """Return each text that is stale, missing or obsolete, once.

    Args:
        catalog: the overlay.
        english: what it renders.
        pairs: what tau2 says in the domain, each with the overlay's text.
    """
    problems = [
        *check_prompts(catalog),
        *_policies(catalog, english),
        *check_tools(catalog, english.tools),
        *_messages(catalog, english),
        *_shared_messages(catalog, english),
        *_values(catalog, pairs),
        *_tasks(catalog, english),
        *_wordings(catalog, pairs),
        *_left_over(catalog, pairs),
        *_lines(catalog, english),
    ]
    return list(dict.fromkeys(problems))


def _policies(catalog: Catalog, english: English) -> Iterator[Problem]:
    documents = english.documents(
        {name: document.path for name, document in catalog.manifest.documents.items()}
    )
    for policy in english.policies.values():
        yield from check_policy(catalog, policy, documents)


def _messages(catalog: Catalog, english: English) -> Iterator[Problem]:
    # Only a domain whose tools answer in prose renders the pieces of longer results.
    templates = [t for t in english.templates if catalog.fragments or t.kind != "fragment"]
    localizer = DomainLocalizer(catalog, templates, tool_schemas(english.tools))
    yield from check_messages(catalog, localizer.book)


def _shared_messages(catalog: Catalog, english: English) -> Iterator[Problem]:
    """Yield a problem for each sentence of all domains that tau2 does not have."""
    known = {fingerprint_text(template.text) for template in english.templates}
    file = load_yaml(catalog.folder.parent / "messages.yaml")
    shared, _ = load_model(file.path, MessagesFile)
    for index, message in enumerate(shared.messages):
        is_here = any(at.partition(".")[0] in english.shared_classes for at in message.at)
        if is_here and message.source not in known and not message.optional:
            what = "the installed tau2 has no such sentence"
            yield Problem(file.where(("messages", index)), what, "remove it")


def _values(catalog: Catalog, pairs: Pairs) -> Iterator[Problem]:
    """Yield a problem for each value of the database that no table shows."""
    file = catalog.files["values.yaml"]
    for source, held in pairs:
        if source.kind in (LITERAL, VALUE) and held is None:
            _, table, value = source.key
            what = f"the value {value!r} of table {table} has no form"
            yield Problem(file.where(("tables", table)), what, "add it")


def _distinct(english: English) -> Mapping[str, Any]:
    """Return the tasks of all sets by id; sets share their tasks."""
    return {task.id: task for tasks in english.tasks.values() for task in tasks}


def _tasks(catalog: Catalog, english: English) -> list[Problem]:
    """Return what the tasks as they are installed lack, and what is left of tasks that are gone."""
    texts, file = catalog.tasks
    problems: list[Problem] = []
    tasks = _distinct(english)
    for task_id, task in tasks.items():
        own = texts.tasks.get(task_id)
        if own is not None:
            choose_renderings(task, own, file, problems, problems)
        elif not texts.shared:
            what = f"task {task_id!r} has no texts"
            problems.append(Problem(file.where(("tasks",)), what, "translate it"))
    for task_id in sorted(texts.tasks.keys() - tasks.keys()):
        what = "the installed tau2 has no such task"
        problems.append(Problem(file.where(("tasks", task_id)), what, "remove it"))
    return problems


def _wordings(catalog: Catalog, pairs: Pairs) -> Iterator[Problem]:
    """Yield a problem for each wording of a task, repaired or installed, that nothing renders."""
    texts, file = catalog.tasks
    for source, held in pairs:
        if source.kind != TASK or (held is not None and set(source.sources) & set(held.sources)):
            continue
        key: Key = source.key[:-1] if source.key[0] == "tasks" else source.key
        if source.key[0] == "tasks" and str(source.key[1]) not in texts.tasks:
            continue  # the task as a whole is missing
        if held is not None and source.key[0] == "tasks":
            yield Problem(file.where(key), "the English has changed", "")
            continue
        what = f"nothing renders the wording {source.sources[0][:12]}"
        yield Problem(file.where(key), what, "translate it")


def _left_over(catalog: Catalog, pairs: Pairs) -> Iterator[Problem]:
    """Yield a problem for each text shared by tasks that renders none of their wordings."""
    texts, file = catalog.tasks
    known = {source for s, _ in pairs if s.kind == TASK for source in s.sources}
    for pointer, renderings in texts.shared.items():
        for index, rendering in enumerate(renderings):
            if not rendering.optional and not known & set(rendering.source):
                what = "no installed task has such a text"
                yield Problem(file.where(("shared", pointer, index)), what, "remove it")


def _lines(catalog: Catalog, english: English) -> Iterator[Problem]:
    """Yield a problem for each task of ``say.yaml`` that there is not."""
    gone = sorted(catalog.lines.keys() - _distinct(english).keys())
    if gone:
        file = load_yaml(catalog.folder / "say.yaml")
        what = "the installed tau2 has no such task"
        yield from (Problem(file.where((task_id,)), what, "remove it") for task_id in gone)
