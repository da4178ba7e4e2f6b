"""
Plugins: installed packages that add domains, tasks, agents or users to tau2.

A package announces a function without parameters as an entry point of the group
`tau2.plugins`, and the function registers what the package brings along. In the
package's pyproject.toml:

    [project.entry-points."tau2.plugins"]
    my-domain = "my_package:register"

and in `my_package/__init__.py`:

    def register() -> None:
        from tau2.registry import registry

        registry.register_domain(get_environment, "my_domain")
        registry.register_tasks(get_tasks, "my_domain")

The functions are called once in every process that imports tau2, so worker processes
know what a plugin has registered. A plugin that fails is reported and left out.

The environment variable TAU2_PLUGINS chooses: `none` loads no plugin, a list of names
separated by commas loads these only. Without it all are loaded.
"""

import os
from importlib.metadata import EntryPoint, entry_points

from loguru import logger

ENTRY_POINT_GROUP = "tau2.plugins"
PLUGINS_VARIABLE = "TAU2_PLUGINS"

_tried: set[str] = set()


def find_plugins() -> list[EntryPoint]:
    """
    Return the installed plugins that TAU2_PLUGINS lets in, sorted by name.
    """
    found = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name)
    setting = os.environ.get(PLUGINS_VARIABLE)
    if setting is None:
        return found
    wanted = {name.strip() for name in setting.split(",")} - {"", "none"}
    for name in sorted(wanted - {point.name for point in found}):
        logger.warning(f"{PLUGINS_VARIABLE} names {name}, which is not installed.")
    return [point for point in found if point.name in wanted]


def load_plugins() -> list[str]:
    """
    Call the function of each plugin that has not been called in this process yet.

    Returns:
        The names of the plugins that were loaded by this call.
    """
    loaded = []
    for point in find_plugins():
        if point.name in _tried:
            continue
        _tried.add(point.name)
        try:
            point.load()()
        except Exception as e:
            logger.warning(f"Plugin {point.name} ({point.value}) was not loaded: {e!r}")
        else:
            loaded.append(point.name)
    return loaded
