"""Hands out a toolkit's tools with localized descriptions; what a tool does stays upstream's."""

from __future__ import annotations

import marshal
import threading
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from jtau_plugin.localization.schemas import localize_parameters_schema, render_docstring
from jtau_plugin.models.overlay import ToolText
from jtau_plugin.overlays.catalog import Catalog

_lock = threading.Lock()
_models: dict[tuple[Any, ...], tuple[type, type]] = {}


@dataclass(frozen=True)
class ToldTool:
    """What is said of one tool.

    Attributes:
        text: its description and those of its parameters.
        catalog: the overlay that they belong to, for the choices of enumerations.
    """

    text: ToolText
    catalog: Catalog


class ToolTexts(dict[str, ToldTool]):
    """What is said of each tool of one side, by name; read-only once it is made."""

    def __deepcopy__(self, _: object) -> ToolTexts:
        """Return the same texts: copies of an environment share them."""
        return self


class LocalizedToolkit:
    """Mixin in front of an upstream toolkit class."""

    jtau_texts: ToolTexts
    jtau_domain: str

    def get_tools(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return upstream's tools with localized descriptions and parameter schemas."""
        tools: dict[str, Any] = super().get_tools(*args, **kwargs)  # type: ignore[misc]
        for name, tool in tools.items():
            told = self.jtau_texts.get(name)
            if told is not None:
                _localize_tool(tool, told.text, told.catalog)
        return tools


@cache
def _localized_class(cls: Any) -> Any:
    return type(cls)(f"Localized{cls.__name__}", (LocalizedToolkit, cls), {})


def localize_toolkit(toolkit: Any, texts: ToolTexts, domain: str) -> None:
    """Give one toolkit instance localized tools.

    Args:
        toolkit: a toolkit of upstream's, owned by the caller.
        texts: what is said of each tool; a tool that is left out keeps upstream's text.
        domain: the registered name.
    """
    cls: Any = type(toolkit)
    toolkit.__class__ = _localized_class(cls)
    toolkit.jtau_texts = texts
    toolkit.jtau_domain = domain


def _make_parameters(original: Any, text: ToolText, catalog: Catalog) -> type:
    schema = localize_parameters_schema(original.model_json_schema(), text, catalog.tables)
    packed = marshal.dumps(schema)

    class LocalizedParameters(original):  # type: ignore[misc]
        jtau_localized: ClassVar[bool] = True

        @classmethod
        def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
            # A fresh copy each time, as a provider may edit what it is given; marshal is the
            # quickest way to copy plain data, and these bytes never leave the process.
            fresh: dict[str, Any] = marshal.loads(packed)  # noqa: S302
            return fresh

    LocalizedParameters.__name__ = original.__name__
    return LocalizedParameters


def _make_returns(original: Any, text: ToolText) -> type:
    """Return the model of what a tool returns; only documentation for people shows it."""

    class LocalizedReturns(original):  # type: ignore[misc]
        @classmethod
        def model_json_schema(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
            schema: dict[str, Any] = original.model_json_schema(*args, **kwargs)
            schema["properties"]["returns"]["description"] = text.returns
            return schema

    LocalizedReturns.__name__ = original.__name__
    return LocalizedReturns


def _make_models(tool: Any, text: ToolText, catalog: Catalog) -> tuple[type, type]:
    returns = tool.returns if text.returns is None else _make_returns(tool.returns, text)
    return _make_parameters(tool.params, text, catalog), returns


def _localize_tool(tool: Any, text: ToolText, catalog: Catalog) -> None:
    # A text is one object for as long as its catalog is in use, and equal texts make equal models.
    key = (catalog.fingerprint, catalog.name, catalog.repairs, tool.name, text.description)
    models = _models.get(key)
    if models is None:
        with _lock:
            models = _models.setdefault(key, _make_models(tool, text, catalog))
    tool.params, tool.returns = models
    tool.short_desc, _, tool.long_desc = text.description.partition("\n\n")
    tool.__doc__ = render_docstring(text)


def is_localized_tool(tool: Any) -> bool:
    """Return whether a tool was handed out by a localized toolkit."""
    return bool(getattr(getattr(tool, "params", None), "jtau_localized", False))
