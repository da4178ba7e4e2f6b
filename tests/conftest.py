"""What every test shares: quiet logs, no network, a Hypothesis profile that gives equal runs."""

from __future__ import annotations

import os

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
for _setting in ("JTAU_DISABLE", "JTAU_ALLOW_STALE", "JTAU_STRICT_ARGS", "JTAU_OVERLAY_PATH"):
    os.environ.pop(_setting, None)

from hypothesis import HealthCheck, settings  # noqa: E402
from loguru import logger  # noqa: E402

logger.remove()
settings.register_profile(
    "jtau", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
settings.load_profile("jtau")
