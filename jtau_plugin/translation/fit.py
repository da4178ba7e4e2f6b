"""Does an overlay render the installed English, all of it and nothing else?

The same comparisons that a run makes before it starts, for every variant of a domain at once.
"""

from __future__ import annotations

from collections.abc import Iterator

from jtau_plugin.compat.installed import tool_schemas
from jtau_plugin.errors import Problem
from jtau_plugin.localization.localizer import DomainLocalizer
from jtau_plugin.localization.policy import check_policy
from jtau_plugin.localization.sources import check_messages, check_prompts, check_tools
from jtau_plugin.localization.tasks import choose_renderings, choose_shared
from jtau_plugin.overlays.catalog import Catalog
from jtau_plugin.translation.english import English


def check_fit(catalog: Catalog, english: English) -> list[Problem]:
    """Return each text that is stale, missing or obsolete, once."""
    problems = [
        *check_prompts(catalog),
        *_policies(catalog, english),
        *check_tools(catalog, english.tools),
        *_messages(catalog, english),
        *_tasks(catalog, english),
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


def _tasks(catalog: Catalog, english: English) -> list[Problem]:
    texts, file = catalog.tasks
    problems: list[Problem] = []
    known: set[str] = set()
    for tasks in english.tasks.values():
        for task in tasks:
            known.add(task.id)
            own = texts.tasks.get(task.id)
            if own is not None:
                choose_renderings(task, own, file, problems, problems)
            elif texts.shared:
                choose_shared(task, texts.shared, file, problems, problems)
            else:
                what = f"task {task.id!r} has no texts"
                problems.append(Problem(file.where(("tasks",)), what, "translate it"))
    for task_id in sorted(texts.tasks.keys() - known):
        what = "the installed tau2 has no such task"
        problems.append(Problem(file.where(("tasks", task_id)), what, "remove it"))
    return problems
