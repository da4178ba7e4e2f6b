"""Tool-call arguments in the history of localized conversations, readable instead of escaped."""

from __future__ import annotations

import json
from contextvars import ContextVar
from typing import Any

from jtau_plugin.compat import wrapping
from jtau_plugin.compat.readable import dump_readable

_readable: ContextVar[bool] = ContextVar("jtau_readable_arguments", default=False)


def _is_localized(tool: Any) -> bool:
    return bool(getattr(getattr(tool, "params", None), "jtau_localized", False))


def patch_llm_utils(module: Any) -> None:
    """Write non-ASCII arguments as they are when the tools at hand are localized."""
    wrapping.replace_function(module, "generate", _generate)
    wrapping.replace_function(module, "to_litellm_messages", _to_litellm_messages)


def _generate(original: Any) -> Any:
    def generate(model: Any, messages: Any, tools: Any = None, *args: Any, **kwargs: Any) -> Any:
        if not tools or not any(_is_localized(tool) for tool in tools):
            return original(model, messages, tools, *args, **kwargs)
        token = _readable.set(True)
        try:
            return original(model, messages, tools, *args, **kwargs)
        finally:
            _readable.reset(token)

    return generate


def _to_litellm_messages(original: Any) -> Any:
    def to_litellm_messages(messages: Any) -> Any:
        converted = original(messages)
        if not _readable.get():
            return converted
        for message in converted:
            for call in message.get("tool_calls") or ():
                function = call["function"]
                if "\\u" in function["arguments"]:
                    arguments = json.loads(function["arguments"])
                    function["arguments"] = dump_readable(arguments)
        return converted

    return to_litellm_messages
