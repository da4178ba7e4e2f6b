"""tau2 loads the plugins that are installed beside it."""

from __future__ import annotations

import ast

from jtau_plugin.upstream.syntax import AlreadyThereError, AnchorError, Editor

_MODULE = "tau2.plugins"


def edit_package(source: str) -> str:
    """Load the plugins at the end of the package's own import, when all of it can be imported."""
    editor = Editor(source)
    imports = [node for node in editor.tree.body if isinstance(node, ast.ImportFrom)]
    if any(node.module == _MODULE for node in imports):
        raise AlreadyThereError
    earlier = [node for node in imports if (node.module or "") < _MODULE]
    if not earlier:
        raise AnchorError("no import of the package sorts before the loader's")
    editor.insert_after(earlier[-1], f"from {_MODULE} import load_plugins")
    editor.insert_after(
        editor.tree.body[-1],
        "# Plugins may import anything of the package, so they come last.\nload_plugins()",
        apart=True,
    )
    return editor.result()


EDITS = {"src/tau2/__init__.py": edit_package}
