"""What every test shares: quiet logs, no network, a Hypothesis profile that gives equal runs."""

from __future__ import annotations

import os

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
#: These are for tests to read; every other variable of ours would change what is tested.
_FOR_TESTS = {"JTAU_TAU2_CHECKOUT", "JTAU_TEST_REPORTS"}
for _setting in [name for name in os.environ if name.startswith("JTAU_")]:
    if _setting not in _FOR_TESTS:
        del os.environ[_setting]

from hypothesis import HealthCheck, settings  # noqa: E402
from loguru import logger  # noqa: E402

logger.remove()
settings.register_profile(
    "jtau", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
settings.load_profile("jtau")
