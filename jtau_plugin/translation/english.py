"""The English of one domain as it is installed: what its overlays render."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from jtau_plugin.compat import layout
from jtau_plugin.compat.installed import (
    installed_documents,
    installed_prompts,
    installed_templates,
    installed_tools,
    shared_classes,
)
from jtau_plugin.compat.sources import SourceTemplate
from jtau_plugin.domains import is_variant
from jtau_plugin.errors import LayoutError, Problem


@dataclass(frozen=True)
class English:
    """What the installed tau2 says in one domain.

    Attributes:
        domain: tau2's name of the domain.
        environment: an environment of it.
        tools: its tools by (requestor, name).
        templates: the sentences that its tools can return or raise, and their pieces.
        shared_classes: names of the classes whose sentences every domain has.
        prompts: what tau2 itself says to the models.
        policies: the policy of the domain and of each variant, as tau2 composed it, by name.
        tasks: the tasks of the domain and of its variants, by name of the task set.
    """

    domain: str
    environment: Any
    tools: Mapping[tuple[str, str], Any]
    templates: tuple[SourceTemplate, ...]
    shared_classes: frozenset[str]
    prompts: Mapping[str, str]
    policies: Mapping[str, str]
    tasks: Mapping[str, tuple[Any, ...]]

    def documents(self, paths: Mapping[str, str]) -> dict[str, str]:
        """Return the English documents by name; one that is not installed is empty."""
        return installed_documents(paths)


def _load_tasks(loader: Callable[..., Any]) -> tuple[Any, ...]:
    if "task_split_name" in inspect.signature(loader).parameters:
        return tuple(loader(task_split_name=None))
    return tuple(loader())


def _all_tasks(names: Iterable[str]) -> dict[str, tuple[Any, ...]]:
    """Return the tasks of some task sets; sets with one loader are read once."""
    loaders = {name: layout.registry().get_tasks_loader(name) for name in names}
    loaded = {loader: _load_tasks(loader) for loader in dict.fromkeys(loaders.values())}
    return {name: loaded[loader] for name, loader in loaders.items()}


def read_english(domain: str) -> English:
    """Read everything that the installed tau2 says in a domain and its variants.

    Raises:
        LayoutError: if there is no tau2, or if it has no such domain.
    """
    layout.require_tau2()
    registry = layout.registry()
    if domain not in registry.get_domains():
        known = ", ".join(registry.get_domains())
        problem = Problem("installed tau2", f"no domain {domain!r}; it has {known}")
        raise LayoutError("The domain of an overlay is not installed.", [problem])
    environment = registry.get_env_constructor(domain)()
    return English(
        domain=domain,
        environment=environment,
        tools=installed_tools(environment),
        templates=tuple(installed_templates(environment, with_fragments=True)),
        shared_classes=shared_classes(environment),
        prompts=installed_prompts(),
        policies={
            name: registry.get_env_constructor(name)().policy
            for name in registry.get_domains()
            if is_variant(name, domain)
        },
        tasks=_all_tasks(n for n in registry.get_task_sets() if is_variant(n, domain)),
    )
