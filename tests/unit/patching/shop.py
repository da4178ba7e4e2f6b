"""A tau2 that is not there: two small modules of its name, fixes for them, and cards."""

from __future__ import annotations

import importlib.util
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import jtau_plugin.fixes
from jtau_plugin.compat.wrapping import find_slot
from jtau_plugin.patching import cards as cards_module
from jtau_plugin.patching.engine import PatchEngine
from jtau_plugin.patching.fingerprint import fingerprint_function
from jtau_plugin.patching.selection import select, setting

SHOP = '''
LIMIT = 3


def total(prices):
    """Add up."""
    return sum(prices)


def is_tool(function):
    function.__tool__ = True
    return function


class Counter:
    @is_tool
    def price(self, item: str, *, count: int = 1) -> int:
        """What it costs."""
        return len(item) * count

    @classmethod
    def opened(cls, name):
        return cls.__name__ + name

    @staticmethod
    def tax(amount):
        return amount // 10

    @property
    def size(self):
        return 5


class Branch(Counter):
    pass
'''
TILL = """
from tau2.shop import total
from tau2.shop import total as add
"""
#: Adds 100 to what the target returns.
PLUS = """
def make(original):
    def patched(*args, **kwargs):
        {log}
        return original(*args, **kwargs) + {add!r}
    return patched

def check():
    return {failures!r}
"""


@dataclass
class Shop:
    """What a test arranges: fakes of tau2's modules, fix modules, cards, and an engine on them."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch
    layout: str = "v0_2"
    known: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in ("source", "fixes", "cards"):
            (self.folder / name).mkdir()
        path = [*jtau_plugin.fixes.__path__, str(self.folder / "fixes")]
        self.monkeypatch.setattr(jtau_plugin.fixes, "__path__", path)
        self.shop = self.module("shop", SHOP)
        self.till = self.module("till", TILL)

    def module(self, name: str, source: str) -> ModuleType:
        """Import a module ``tau2.<name>`` from text."""
        path = self.folder / "source" / f"{name}.py"
        path.write_text(source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(f"tau2.{name}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        self.monkeypatch.setitem(sys.modules, f"tau2.{name}", module)
        spec.loader.exec_module(module)
        return module

    def fix(self, name: str, text: str = "", *, add: Any = 100, **parts: Any) -> None:
        """Write a fix module; without text it adds to what the target returns."""
        sys.modules.pop(f"{cards_module.FIXES}.{name}", None)
        vars(jtau_plugin.fixes).pop(name, None)
        text = text or PLUS.format(add=add, **{"failures": [], "log": "pass", **parts})
        path = self.folder / "fixes" / f"{name}.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        importlib.invalidate_caches()

    def fingerprint(self, target: str) -> str:
        slot = find_slot(target)
        assert slot is not None
        return fingerprint_function(slot.function)

    def card(self, name: str, target: str = "tau2.shop:total", **changes: Any) -> Path:
        """Write a card whose fingerprint fits, unless the changes say otherwise."""
        layouts = changes.pop("layouts", None) or {"v0_2": [self.fingerprint(target)]}
        values = {
            "id": name,
            "title": "t",
            "class": "tools",
            "why": "w",
            "evidence": "e",
            "default": "true",
            "target": target,
            "fix": "plus",
            "layouts": layouts,
            "retire_when": "r",
            **changes,
        }
        lines = [f"{key}: {_flow(value)}" for key, value in values.items() if value is not None]
        return self.write(name, "\n".join(lines) + "\n")

    def write(self, name: str, text: str) -> Path:
        path = self.folder / "cards" / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        cards_module._load.cache_clear()
        return path

    def engine(self) -> PatchEngine:
        folder = self.folder / "cards"

        def cards() -> tuple[cards_module.Card, ...]:
            return cards_module.load_cards(folder)

        return PatchEngine(
            cards=cards,
            selection=lambda: select([card.patch for card in cards()], setting()),
            layout=lambda: self.layout,
        )

    def switch(self, text: str) -> None:
        self.monkeypatch.setenv("JTAU_PATCHES", text)


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    text = str(value)
    return f'"{text}"' if ":" in text or text.isdigit() else text
