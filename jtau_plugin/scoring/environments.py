"""The final state of the environment against that of a gold environment, and the assertions on it.

The gold environment is synchronised after every gold action, as a live one is after every call.
Builds what upstream builds, and one more environment only where synchronising changes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from loguru import logger

from jtau_plugin.compat import rewards
from jtau_plugin.compat.layout import detect_layout
from jtau_plugin.scoring.judge import describe_error
from jtau_plugin.scoring.states import RULES, StateRules, is_same_state

DB, ENV_ASSERTION = "DB", "ENV_ASSERTION"


@dataclass
class EnvironmentGrader:
    """Grades one conversation by what it left behind.

    Attributes:
        build: tau2's constructor of the environment.
        task: with evaluation criteria.
        solo_mode: whether the agent acted alone.
        options: further arguments of the constructor.
        strict: whether a replayed call must answer what was recorded, where tau2 lets it differ.
    """

    build: Callable[..., Any]
    task: Any
    solo_mode: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    strict: bool = True

    def grade(self, trajectory: list[Any]) -> Any:
        """Return the RewardInfo; upstream's verdict and failed gold actions are in its info."""
        criteria = self.task.evaluation_criteria
        predicted = self._replay(list(trajectory), solo_mode=self.solo_mode)
        gold, errors = self._gold(synchronised=True)
        hashes = _hashes(gold), _hashes(predicted)
        is_match = _is_same(gold, predicted, *hashes)
        theirs = self._upstream_match(gold, *hashes)
        db_check = rewards.db_check(is_match=is_match)
        checks = [
            rewards.env_assertion_check(
                assertion,
                is_met=predicted.run_env_assertion(assertion, raise_assertion_error=False),
            )
            for assertion in criteria.env_assertions or ()
        ]
        found = {
            DB: db_check.db_reward,
            ENV_ASSERTION: float(all(check.met for check in checks)),
        }
        counted = {name: found[name] for name in found if name in rewards.basis_names(criteria)}
        record = {"verdicts": {**found, DB: float(theirs)}, "gold_errors": errors}
        return rewards.reward_info(
            float(all(counted.values())),
            db_check=db_check,
            env_assertions=checks,
            reward_basis=criteria.reward_basis,
            breakdown=counted,
            info={"jtau": record},
        )

    def _replay(self, history: list[Any], **options: Any) -> Any:
        environment = self.build(**options, **self.options)
        state = self.task.initial_state
        further = {"strict": self.strict} if detect_layout().features.strict_replay else {}
        environment.set_state(
            initialization_data=state.initialization_data if state else None,
            initialization_actions=state.initialization_actions if state else None,
            message_history=history,
            **further,
        )
        return environment

    def _gold(self, *, synchronised: bool) -> tuple[Any, list[dict[str, str]]]:
        """Return an environment after the gold actions, and those of them that raised."""
        state = self.task.initial_state
        environment = self._replay(list((state.message_history if state else None) or ()))
        errors = []
        for action in self.task.evaluation_criteria.actions or ():
            try:
                environment.make_tool_call(
                    tool_name=action.name, requestor=action.requestor, **action.arguments
                )
                if synchronised:
                    environment.sync_tools()
            except Exception as error:  # noqa: BLE001  (whatever a tool raises, the agent would see)
                what = describe_error(error)
                logger.warning(f"task {self.task.id}: gold action {action.name} raised {what}")
                errors.append({"action": action.action_id, "name": action.name, "error": what})
        return environment, errors

    def _upstream_match(self, gold: Any, gold_hashes: _Hashes, predicted_hashes: _Hashes) -> bool:
        """Return whether upstream finds the states equal: not synchronised, in the same order."""
        if rewards.needs_sync(gold):
            gold_hashes = _hashes(self._gold(synchronised=False)[0])
        return gold_hashes == predicted_hashes


_Hashes = tuple[str | None, str | None]


def _hashes(environment: Any) -> _Hashes:
    return environment.get_db_hash(), environment.get_user_db_hash()


def _is_same(gold: Any, predicted: Any, gold_hashes: _Hashes, predicted_hashes: _Hashes) -> bool:
    """Tell whether two environments' databases say the same, though they need not be written so."""
    toolkits = ((gold.tools, predicted.tools), (gold.user_tools, predicted.user_tools))
    return all(
        one == other or _is_same_database(*pair)
        for one, other, pair in zip(gold_hashes, predicted_hashes, toolkits, strict=True)
    )


def _is_same_database(gold: Any, predicted: Any) -> bool:
    one, other = (getattr(toolkit, "db", None) for toolkit in (gold, predicted))
    if one is None or other is None:
        return one is other
    rules = RULES.get(type(one).__name__, StateRules())
    return is_same_state(one.model_dump(), other.model_dump(), rules)
