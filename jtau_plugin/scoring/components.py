"""The components of a reward that are judged by what was said and called.

Each takes upstream's own evaluator and gives back its RewardInfo with our verdicts; upstream's stay
beside them in ``info["jtau"]``. Nothing here knows which domain it is grading.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from jtau_plugin.compat import rewards
from jtau_plugin.compat.judge import ask_judge, installed_judge, read_as_upstream
from jtau_plugin.scoring.actions import Call, GoldAction, match_actions
from jtau_plugin.scoring.calls import (
    Localizer,
    canonical_arguments,
    canonicalize_trajectory,
    is_solo,
    iter_calls,
)
from jtau_plugin.scoring.communicate import is_communicated, is_communicated_leniently
from jtau_plugin.scoring.judge import Judgement, JudgeSettings, judge, judge_settings

ACTION, COMMUNICATE, NL_ASSERTION = "ACTION", "COMMUNICATE", "NL_ASSERTION"


def _with_verdicts(info: Any, name: str, checks: list[Any], is_met: bool, record: Any) -> Any:
    """Return a RewardInfo with new checks, their reward, and our record of them."""
    reward = float(is_met)
    return info.model_copy(
        update={
            name: checks,
            "reward": reward,
            "reward_breakdown": dict.fromkeys(info.reward_breakdown or {}, reward),
            "info": {**(info.info or {}), "jtau": record},
        }
    )


def grade_communication(
    upstream: Any, trajectory: Sequence[Any], forms: Mapping[str, Collection[str]]
) -> Any:
    """Return upstream's RewardInfo with number- and word-aware verdicts.

    The record has upstream's verdict on each information, and the lenient one.

    Args:
        upstream: what upstream's evaluator made of the conversation.
        trajectory: the conversation.
        forms: further accepted forms of each expected information, in lower case.
    """
    if not upstream.communicate_checks:
        return upstream
    said = [
        message.content
        for message in trajectory
        if message.role == "assistant"
        and isinstance(message.content, str)
        and message.content.strip()
    ]
    checks = []
    for check in upstream.communicate_checks:
        own = forms.get(check.info.strip().lower(), ())
        met = next((text for text in said if is_communicated(check.info, text, forms=own)), None)
        why = (
            f"{check.info!r} is not communicated as a number or word of its own."
            if met is None
            else f"{check.info!r} is communicated in: {met}"
        )
        checks.append(check.model_copy(update={"met": met is not None, "justification": why}))
    theirs = [bool(check.met) for check in upstream.communicate_checks]
    record = {
        "verdicts": {COMMUNICATE: float(all(theirs))},
        "upstream": theirs,
        "lenient": [
            any(is_communicated_leniently(check.info, text) for text in said) for check in checks
        ],
    }
    return _with_verdicts(
        upstream, "communicate_checks", checks, all(check.met for check in checks), record
    )


def grade_actions(
    evaluate: Callable[[list[Any]], Any], trajectory: list[Any], localizer: Localizer
) -> Any:
    """Return upstream's RewardInfo with one-to-one verdicts on the gold actions.

    The record has upstream's verdict on each gold action, on the same canonical arguments.

    Args:
        evaluate: upstream's evaluator, for a conversation.
        trajectory: the conversation.
        localizer: makes arguments canonical.
    """
    canonical = canonicalize_trajectory(localizer, trajectory)
    upstream = evaluate(canonical)
    if not upstream.action_checks:
        return upstream
    solo = is_solo(trajectory)
    calls = [Call(call.name, call.arguments, call.requestor) for call in iter_calls(canonical)]
    golds = [_gold(check.action, localizer, solo=solo) for check in upstream.action_checks]
    matches = match_actions(golds, calls, any_requestor=solo)
    checks = [
        check.model_copy(
            update={"action_match": call is not None, "action_reward": float(call is not None)}
        )
        for check, call in zip(upstream.action_checks, matches, strict=True)
    ]
    theirs = [bool(check.action_match) for check in upstream.action_checks]
    record = {"verdicts": {ACTION: float(all(theirs))}, "upstream": theirs}
    return _with_verdicts(upstream, "action_checks", checks, None not in matches, record)


def _gold(action: Any, localizer: Localizer, *, solo: bool) -> GoldAction:
    arguments, _ = canonical_arguments(
        localizer, action.name, action.arguments, action.requestor, solo=solo
    )
    keys = None if action.compare_args is None else tuple(action.compare_args)
    return GoldAction(action.name, arguments, action.requestor, keys)


def active_judge() -> JudgeSettings:
    """Return the judge that is asked: the environment's, else the installed tau2's.

    Raises:
        SettingError: if the environment says something that means nothing.
    """
    return judge_settings(installed_judge())


def grade_assertions(
    assertions: Sequence[str], trajectory: Sequence[Any], *, notes: str = ""
) -> Any:
    """Return the RewardInfo of a judge's verdicts; without complete verdicts it is 0 and says why.

    Args:
        assertions: what is asserted; at least one.
        trajectory: the conversation.
        notes: a locale's additions to the judge's instruction.

    Raises:
        SettingError: if the judge is not named properly.
    """
    settings = active_judge()

    def ask(messages: Sequence[tuple[str, str]]) -> tuple[str | None, float | None]:
        return ask_judge(settings.model, settings.arguments, messages)

    judgement = judge(assertions, trajectory, ask, notes=notes)
    checks = [
        rewards.nl_assertion_check(text, is_met=verdict.is_met, reason=verdict.reason)
        for text, verdict in zip(assertions, judgement.verdicts, strict=False)
    ]
    reward = float(bool(checks) and all(check.met for check in checks))
    return rewards.reward_info(
        reward,
        nl_assertions=checks or None,
        breakdown={NL_ASSERTION: reward},
        info={"jtau": _record(judgement, settings)},
    )


def _record(judgement: Judgement, settings: JudgeSettings) -> dict[str, Any]:
    theirs = read_as_upstream(judgement.first_answer)
    record = {
        "verdicts": {NL_ASSERTION: None if theirs is None else float(theirs)},
        "status": judgement.status,
        "judge": {
            **settings.describe(),
            "tries": judgement.tries,
            "cost": judgement.cost,
        },
    }
    return {**record, "error": judgement.error} if judgement.error else record
