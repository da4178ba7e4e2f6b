"""What a result may say of its language beside the reward, made while it is graded.

Small and quick: counts only, no task and no database. ``measures`` makes the whole of it again from
the results file, so nothing is lost where this was not recorded.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from jtau_plugin.reporting.conversation import read_conversation
from jtau_plugin.reporting.measures import Measurer, TurnMeasure
from jtau_plugin.reporting.setting import find_setting

#: Version of the record: raised when a key is renamed, removed or given another meaning.
SCHEMA = 1
#: What of a result's stamp decides how it is measured.
_DECIDES = ("locale", "scenario", "surfaces", "directive", "tool_mix", "strict_arguments")


@lru_cache(maxsize=64)
def _measurer(domain: str, stamp: str) -> Measurer:
    return Measurer(find_setting(domain, [json.loads(stamp)]))


def record_language(
    domain: str, stamp: Mapping[str, Any], messages: Iterable[Any]
) -> dict[str, Any]:
    """Return the record for ``RewardInfo.info["jtau"]["language"]``.

    Args:
        domain: the registered domain.
        stamp: what the result says of its domain: ``info["jtau"]``.
        messages: the conversation, as tau2's own objects or as plain data.

    Returns:
        ``schema``; ``target``, the language of each side; by side how many turns have each label,
        ``None`` where its language cannot be told; ``register`` and ``arguments``, ``None`` where
        there is nothing to tell them by.

    Raises:
        OverlayError: if the overlay or the rules of a language cannot be used.
    """
    decides = {key: stamp.get(key) for key in _DECIDES}
    measurer = _measurer(domain, json.dumps(decides, sort_keys=True, default=str))
    measures = measurer.measure_conversation(read_conversation(messages))
    return {
        "schema": SCHEMA,
        "target": {
            "agent": measurer.setting.agent_language,
            "user": measurer.setting.user_language,
        },
        "agent": _counts(measures.agent_turns),
        "user": _counts(measures.user_turns),
        "register": measures.register_counts,
        "arguments": measures.argument_counts,
    }


def _counts(turns: Iterable[TurnMeasure] | None) -> dict[str, int] | None:
    return None if turns is None else dict(Counter(turn.label for turn in turns))
