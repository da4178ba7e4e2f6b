"""NL_ASSERTION with complete verdicts: ``scoring.judge`` in the place of whatever came back."""

from __future__ import annotations

import json
from typing import Any

from jtau_plugin.compat.extension import EXTENSION
from jtau_plugin.compat.scope import is_task_in_scope
from jtau_plugin.scoring.judge_reader import read_verdicts


def make(original: Any) -> Any:
    """Return the replacement for ``NLAssertionsEvaluator.calculate_reward``."""

    def calculate_reward(
        cls: Any, task: Any, full_trajectory: Any, *args: Any, **kwargs: Any
    ) -> Any:
        def upstream() -> Any:
            return original(cls, task, full_trajectory, *args, **kwargs)

        scorer = EXTENSION.scorer
        if scorer is None or not is_task_in_scope(task):
            return upstream()
        return scorer.grade_assertions(task, full_trajectory, upstream)

    return calculate_reward


_ENGLISH = ("The agent refuses.", "The agent names the price.")
_JAPANESE = ("エージェントは注文を取り消した。",)


def _entry(index: int, text: str, *, is_met: bool) -> dict[str, Any]:
    return {"index": index, "expectedOutcome": text, "reasoning": "", "metExpectation": is_met}


def _vectors() -> list[tuple[str, tuple[str, ...], str, list[bool]]]:
    both = [_entry(2, _ENGLISH[1], is_met=False), _entry(1, _ENGLISH[0], is_met=True)]
    only = json.dumps({"results": [_entry(1, _JAPANESE[0], is_met=True)]}, ensure_ascii=False)
    return [
        ("both verdicts", _ENGLISH, json.dumps({"results": both}), [True, False]),
        ("half the verdicts", _ENGLISH, json.dumps({"results": both[:1]}), []),
        ("no verdicts", _ENGLISH, '{"results": []}', []),
        (
            "囲みと前置きのある回答",
            _JAPANESE,
            f"判定は次のとおりです。\n```json\n{only}\n```",
            [True],
        ),
    ]


def check() -> list[str]:
    """Return what the reader gets wrong in an English and a Japanese vector."""
    return [
        f"{name}: read as {found}, expected {expected}"
        for name, assertions, answer, expected in _vectors()
        if (found := [v.is_met for v in read_verdicts(answer, assertions).verdicts]) != expected
    ]
