"""One request to a model through litellm: paced, timed out, tried again, counted.

litellm is imported when the first request is made: it takes seconds.
"""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from jtau_plugin.errors import SettingError, TranslationError
from jtau_plugin.translation.engine.pace import Pace, backoff, retry_after

Message = dict[str, str]
_TOO_MANY, _SERVER = 429, 500
#: The request is wrong in itself, or the service will never answer it: no use in trying again.
_FATAL = (
    "AuthenticationError",
    "PermissionDeniedError",
    "NotFoundError",
    "BudgetExceededError",
    "UnsupportedParamsError",
)
#: The request is wrong in what it holds: parts of it may be answered.
_OF_REQUEST = (
    "ContextWindowExceededError",
    "ContentPolicyViolationError",
    "RejectedRequestError",
)
_CLIENT = 400
#: Answers about the moment and not about the request.
_PASSING = (408, 409, _TOO_MANY)
#: A service that has no time yet is asked more patiently than one that fails.
_MOST_BUSY = 12
#: A limit that does not pass while one waits.
_USED_UP = (
    "insufficient_quota",
    "exceeded your current quota",
    "Missing credentials",
    "api_key client option",
)
#: Ends of names of parameters that hold secrets: parameters are written into manifests.
_SECRETS = ("_key", "_secret", "_token", "password", "credentials", "headers", "authorization")
#: What is ours to say.
_OURS = frozenset(
    {
        "model",
        "messages",
        "timeout",
        "request_timeout",
        "max_retries",
        "num_retries",
        "api_base",
        "base_url",
        "stream",
        "n",
        "drop_params",
        "mock_response",
        "tools",
    }
)


@dataclass(frozen=True)
class ModelSettings:
    """How a model is asked.

    Attributes:
        model: litellm's name of it.
        parameters: what litellm is given besides; part of every cache key.
        api_base: address of the service; litellm's own when empty.
        timeout: seconds after which a request counts as lost, whatever still trickles in.
        max_retries: how often a failed request is made again.
        first_wait: seconds before the first of them.
        rpm: requests per minute; no limit when 0.
        concurrency: requests at a time.
    """

    model: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    api_base: str = ""
    timeout: float = 120.0
    max_retries: int = 4
    first_wait: float = 1.0
    rpm: float = 0.0
    concurrency: int = 4

    @property
    def service(self) -> str:
        """Where the model is asked, without what may be secret; empty for litellm's own address.

        Two services may have different models under one name.
        """
        return _without_secrets(self.api_base or _base_of_environment(self.model))


def _base_of_environment(model: str) -> str:
    provider = model.partition("/")[0] if "/" in model else "openai"
    name = provider.upper().replace("-", "_")
    # In the order in which litellm looks.
    found = (os.environ.get(f"{name}_{end}", "") for end in ("BASE_URL", "API_BASE"))
    return next(filter(None, found), "")


def _without_secrets(address: str) -> str:
    """Return an address without user, password, query and fragment."""
    parts = urlsplit(address.strip())
    host = parts.netloc.rpartition("@")[2].lower()
    return f"{parts.scheme}://{host}{parts.path.rstrip('/')}" if host else parts.path


@dataclass(frozen=True)
class Completion:
    """What a model answered.

    Attributes:
        content: its text.
        is_cut: whether it stopped because the answer became too long.
        prompt_tokens: tokens of the request.
        completion_tokens: tokens of the answer.
        cost: US dollars; ``None`` when the price is not known.
    """

    content: str
    is_cut: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None


class RequestLost(Exception):  # noqa: N818  (not an error of the run: the next request may succeed)
    """A request that was not answered.

    Attributes:
        reason: why, in a sentence.
        is_of_request: whether it is the request's fault: another, or a smaller one, may succeed.
    """

    def __init__(self, reason: str, *, is_of_request: bool = False) -> None:
        self.reason = reason
        self.is_of_request = is_of_request
        super().__init__(reason)


def require_parameters(parameters: Mapping[str, Any]) -> None:
    """Refuse parameters that are not for a user to set.

    Raises:
        SettingError: for the first such name.
    """
    for name in parameters:
        if name.lower().endswith(_SECRETS):
            raise SettingError(
                f"--param {name}: parameters are written into manifests; put what is secret into "
                "the environment, under the name that litellm reads"
            )
        if name in _OURS:
            raise SettingError(f"--param {name}: is set by jtau itself")


def require_model(model: str, api_base: str = "") -> None:
    """Refuse a model that litellm cannot ask, before anything is done for it.

    Args:
        model: litellm's name of it.
        api_base: address of the service; a service that is named may do without a key.

    Raises:
        SettingError: for a name that litellm cannot place, and for a key that is not there.
    """
    import litellm  # noqa: PLC0415

    litellm.suppress_debug_info = True
    try:
        litellm.get_llm_provider(model, api_base=api_base or None)
    except Exception as error:
        raise SettingError(
            f"--model {model}: litellm knows no such model; write provider/model, such as "
            "openai/gpt-4.1, and for a service of your own openai/NAME with --api-base URL"
        ) from error
    # A variable that is set to nothing holds no key, but litellm takes it for one.
    for name in [name for name, value in os.environ.items() if name.endswith("_KEY") and not value]:
        del os.environ[name]
    missing = [] if api_base else litellm.validate_environment(model).get("missing_keys", [])
    if missing:
        raise SettingError(f"--model {model} wants {', '.join(missing)} in the environment")


def _key(settings: ModelSettings) -> dict[str, str]:
    """Return a key for a service without one: the client of OpenAI insists."""
    is_own = settings.api_base and settings.model.startswith("openai/")
    return {"api_key": "none"} if is_own and not os.environ.get("OPENAI_API_KEY") else {}


def _reason(error: BaseException) -> str:
    if isinstance(error, asyncio.TimeoutError):
        return "no answer in time"
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__


def _headers(error: BaseException) -> Mapping[str, str]:
    for holder in (getattr(error, "response", None), error):
        headers = getattr(holder, "headers", None)
        if headers:
            return dict(headers)
    return dict(getattr(error, "litellm_response_headers", None) or {})


def _names(error: BaseException) -> set[str]:
    return {cls.__name__ for cls in type(error).__mro__}


def _cost(response: Any) -> float | None:
    hidden = getattr(response, "_hidden_params", None) or {}
    cost = hidden.get("response_cost")
    if cost is not None:
        return float(cost)
    import litellm  # noqa: PLC0415

    try:
        return float(litellm.completion_cost(completion_response=response))
    except Exception:  # noqa: BLE001  (litellm raises what it likes for an unknown model)
        return None


def _completion(response: Any) -> Completion:
    choice = response.choices[0]
    usage = getattr(response, "usage", None)
    return Completion(
        content=choice.message.content or "",
        is_cut=choice.finish_reason == "length",
        prompt_tokens=int(getattr(usage, "prompt_tokens", 0) or 0),
        completion_tokens=int(getattr(usage, "completion_tokens", 0) or 0),
        cost=_cost(response),
    )


class Client:
    """Asks one model.

    Args:
        settings: how.
        on_wait: told the reason and the seconds whenever a request will be made again.
    """

    def __init__(
        self, settings: ModelSettings, on_wait: Callable[[str, float], None] | None = None
    ) -> None:
        self.settings = settings
        self._pace = Pace(settings.rpm)
        self._on_wait = on_wait
        self._has_connections = False
        self._lent: Any = None

    async def _ask(self, messages: Sequence[Message]) -> Completion:
        import litellm  # noqa: PLC0415

        litellm.suppress_debug_info = True  # it would print a page for each failed request
        self._open_connections(litellm)
        given = self.settings
        more: dict[str, Any] = {"api_base": given.api_base} if given.api_base else {}
        more |= _key(given)
        call = litellm.acompletion(
            model=given.model,
            messages=list(messages),
            timeout=given.timeout,
            # Retries are ours alone: one made behind our back would be paid and not counted.
            max_retries=0,
            num_retries=0,
            drop_params=True,
            **{"response_format": {"type": "json_object"}, **given.parameters},
            **more,
        )
        return _completion(await asyncio.wait_for(call, given.timeout))

    def _open_connections(self, litellm: Any) -> None:
        """Have requests go over connections of this event loop.

        tau2 lends litellm one session for all. What another loop left open there is closed in the
        middle of a request, whose answer is then paid and lost.
        """
        if not self._has_connections:
            self._has_connections = True
            self._lent = litellm.aclient_session
            litellm.aclient_session = None
            litellm.in_memory_llm_clients_cache.flush_cache()

    async def leave_connections(self) -> None:
        """Give back what was lent, when the event loop ends."""
        if self._has_connections:
            import litellm  # noqa: PLC0415

            self._has_connections = False
            for kept in list(litellm.in_memory_llm_clients_cache.cache_dict.values()):
                close = getattr(kept, "close", None)
                if inspect.iscoroutinefunction(close):
                    await close()
            litellm.aclient_session = self._lent
            litellm.in_memory_llm_clients_cache.flush_cache()

    async def complete(self, messages: Sequence[Message]) -> Completion:
        """Return a model's answer.

        Raises:
            RequestLost: if every attempt failed, or if the request is one that never succeeds.
            TranslationError: if no request of this run can succeed.
        """
        failed = busy = 0
        while True:
            await self._pace.turn()
            try:
                return await self._ask(messages)
            except Exception as error:  # noqa: BLE001  (litellm and httpx raise many kinds)
                is_busy = getattr(error, "status_code", None) == _TOO_MANY
                busy, failed = busy + is_busy, failed + (not is_busy)
                most = self.settings.max_retries
                is_last = failed > most or busy > (_MOST_BUSY if most else 0)
                await self._bear(error, busy + failed - 1, is_last=is_last)

    async def _bear(self, error: Exception, attempt: int, *, is_last: bool) -> None:
        """Wait for another attempt, or say that there is none."""
        names, status = _names(error), getattr(error, "status_code", None)
        reason = _reason(error)
        is_wrong = isinstance(status, int) and _CLIENT <= status < _SERVER
        if names & set(_OF_REQUEST):
            raise RequestLost(reason, is_of_request=True) from error
        if names & set(_FATAL) or any(sign in str(error) for sign in _USED_UP):
            raise TranslationError(
                f"The model {self.settings.model} cannot be asked: {reason}"
            ) from error
        if is_wrong and status not in _PASSING:
            raise RequestLost(reason, is_of_request=True) from error
        if is_last:
            raise RequestLost(reason) from error
        asked = retry_after(_headers(error))
        wait = backoff(attempt, self.settings.first_wait)
        if asked is not None:
            # A service that says "at once" again and again does not mean it.
            wait = max(wait, asked)
            self._pace.pause(asked)
        if self._on_wait is not None:
            self._on_wait(reason, wait)
        await asyncio.sleep(wait)
