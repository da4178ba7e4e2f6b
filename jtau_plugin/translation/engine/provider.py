"""Makes ``jtau/echo`` a model of litellm, beside the models that play simulations.

litellm is imported when the model is registered, never at import time.
"""

from __future__ import annotations

import threading
from typing import Any

from jtau_plugin.oracle import register_oracle
from jtau_plugin.translation.engine.echo import MODEL, NAME, echo_reply

_PROVIDER = "jtau"
_lock = threading.Lock()


def register_echo() -> None:
    """Register the stand-in with litellm; doing so again changes nothing."""
    import litellm  # noqa: PLC0415  (takes seconds)

    register_oracle()
    with _lock:
        for entry in litellm.custom_provider_map:
            handler = entry["custom_handler"]
            if entry["provider"] == _PROVIDER and not hasattr(handler, "jtau_echo"):
                entry["custom_handler"] = _make_handler(handler)
        price = {"litellm_provider": _PROVIDER, "mode": "chat"}
        # litellm warns of every price that is left out.
        costs = dict.fromkeys(
            (
                "input_cost_per_token",
                "output_cost_per_token",
                "cache_creation_input_token_cost",
                "cache_read_input_token_cost",
            ),
            0.0,
        )
        litellm.register_model({MODEL: price | costs})


def _make_handler(players: Any) -> Any:
    """Return a handler that answers for ``echo`` itself and hands all else to the players'."""
    from litellm import CustomLLM  # noqa: PLC0415

    class EchoHandler(CustomLLM):  # type: ignore[misc]
        """Answers requests for translations; every other model is the players'."""

        jtau_echo = True

        def completion(self, model: str, messages: Any, model_response: Any, **more: Any) -> Any:
            """Return the answer of a model of the provider."""
            if model != NAME:
                return players.completion(
                    model=model, messages=messages, model_response=model_response, **more
                )
            return _respond(messages, model_response)

        async def acompletion(
            self, model: str, messages: Any, model_response: Any, **more: Any
        ) -> Any:
            """Return the same as ``completion``."""
            return self.completion(model, messages, model_response, **more)

    return EchoHandler()


def _respond(messages: Any, response: Any) -> Any:
    from litellm.types.utils import Choices, Message, Usage  # noqa: PLC0415

    content = echo_reply(str(messages[-1]["content"]))
    message = Message(role="assistant", content=content)
    response.choices = [Choices(finish_reason="stop", index=0, message=message)]
    response.model = NAME
    # No model is at work, so there are no tokens to count.
    response.usage = Usage(prompt_tokens=0, completion_tokens=0, total_tokens=0)
    return response
