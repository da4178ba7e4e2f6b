"""The litellm provider ``jtau``: takes a completion request, answers with the next message.

litellm is imported when the provider is made, never at import time.
"""

from __future__ import annotations

import json
from typing import Any

from jtau_plugin.compat.simulation import current_orchestrator
from jtau_plugin.errors import OracleError
from jtau_plugin.oracle.player import PROVIDER, Line, play


def make_provider() -> Any:
    """Return the handler that litellm calls for models of the provider."""
    from litellm import CustomLLM  # noqa: PLC0415  (litellm takes seconds to import)
    from litellm.exceptions import BadRequestError  # noqa: PLC0415

    class OracleRequestError(OracleError, BadRequestError):  # type: ignore[misc]
        """An OracleError that litellm hands on as it is, without asking for a bug report."""

    class JtauProvider(CustomLLM):  # type: ignore[misc]
        """Plays agent and caller from the task that is being simulated."""

        def completion(self, model: str, model_response: Any, **_: Any) -> Any:
            """Return the next message of the simulation in this thread."""
            try:
                line = play(current_orchestrator(), model)
            except OracleError as error:
                raise OracleRequestError(str(error), model, PROVIDER) from error
            return _respond(line, model, model_response)

        async def acompletion(self, model: str, model_response: Any, **_: Any) -> Any:
            """Return the same as ``completion``."""
            return self.completion(model, model_response)

    return JtauProvider()


def _respond(line: Line, model: str, response: Any) -> Any:
    from litellm.types.utils import Choices, Message, Usage  # noqa: PLC0415

    calls = None
    if line.tool:
        arguments = json.dumps(line.arguments, ensure_ascii=False)
        function = {"name": line.tool, "arguments": arguments}
        calls = [{"id": line.call_id, "type": "function", "function": function}]
    message = Message(role="assistant", content=line.text or None, tool_calls=calls)
    if line.record is not None:
        message.provider_specific_fields = {PROVIDER: line.record}
    reason = "tool_calls" if calls else "stop"
    response.choices = [Choices(finish_reason=reason, index=0, message=message)]
    response.model = model
    # No model is at work, so there are no tokens to count.
    response.usage = Usage(prompt_tokens=0, completion_tokens=0, total_tokens=0)
    return response
