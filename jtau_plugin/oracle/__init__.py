"""The embedded model ``jtau/oracle``, which plays both sides of a simulation from gold.

``jtau/oracle-wide`` writes each argument in another legitimate form each time, ``jtau/saboteur``
makes exactly one fault. They read the task and the database; what a tool accepts is decided by the
same path that any other model goes through.
"""

from __future__ import annotations

import threading

_PROVIDER = "jtau"
_lock = threading.Lock()


def register_oracle() -> None:
    """Register the embedded models with litellm; doing so again changes nothing."""
    import litellm  # noqa: PLC0415  (takes seconds, and English runs do not need it from us)
    from litellm.utils import custom_llm_setup  # noqa: PLC0415

    from jtau_plugin.oracle.provider import make_provider  # noqa: PLC0415
    from jtau_plugin.oracle.script import MODELS  # noqa: PLC0415

    with _lock:
        known = [item["provider"] for item in litellm.custom_provider_map]
        if _PROVIDER in known:
            return
        entry = {"provider": _PROVIDER, "custom_handler": make_provider()}
        litellm.custom_provider_map = [*litellm.custom_provider_map, entry]
        custom_llm_setup()
        price = {
            "litellm_provider": _PROVIDER,
            "mode": "chat",
            "input_cost_per_token": 0.0,
            "output_cost_per_token": 0.0,
            "cache_creation_input_token_cost": 0.0,
            "cache_read_input_token_cost": 0.0,
            "supports_function_calling": True,
        }
        litellm.register_model({f"{_PROVIDER}/{name}": price for name in MODELS})
