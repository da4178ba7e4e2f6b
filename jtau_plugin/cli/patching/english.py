"""What the installed tau2 has in one domain that repairs are held against."""

from __future__ import annotations

import inspect
from functools import cached_property
from typing import Any

from jtau_plugin.compat import layout
from jtau_plugin.compat.installed import installed_documents, installed_tools
from jtau_plugin.patching.tool_texts import Key, read_descriptions
from jtau_plugin.upstream.dataedits import document_paths

_DATA = "data/tau2/"


class InstalledDomain:
    """One domain of the installed tau2, read piece by piece when it is asked for.

    Args:
        name: tau2's name of the domain.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def is_installed(self) -> bool:
        """Whether tau2 has the domain."""
        return self.name in layout.registry().get_domains()

    @cached_property
    def tasks(self) -> dict[str, dict[str, Any]]:
        """All its tasks as tau2's own model dumps them, by id."""
        loader = layout.registry().get_tasks_loader(self.name)
        takes_split = "task_split_name" in inspect.signature(loader).parameters
        tasks = loader(task_split_name=None) if takes_split else loader()
        return {str(task.id): task.model_dump(mode="json") for task in tasks}

    @cached_property
    def documents(self) -> dict[str, str]:
        """Its documents by the names that repairs use; one that is not installed is empty."""
        paths = document_paths(self.name)
        return installed_documents({name: path.removeprefix(_DATA) for name, path in paths.items()})

    @cached_property
    def descriptions(self) -> dict[Key, str]:
        """What its tools and their parameters are described as."""
        tools = installed_tools(layout.registry().get_env_constructor(self.name)())
        return {
            (requestor, name, path): text
            for (requestor, name), tool in tools.items()
            for path, text in read_descriptions(
                _description(tool), tool.params.model_json_schema()
            ).items()
        }


def _description(tool: Any) -> str:
    return f"{tool.short_desc}\n\n{tool.long_desc}" if tool.long_desc else str(tool.short_desc)
