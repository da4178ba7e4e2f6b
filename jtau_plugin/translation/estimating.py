"""What a translation would take: texts, tokens and an estimated price, without asking anybody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from jtau_plugin.translation.engine.limits import Limits, make_batches
from jtau_plugin.translation.engine.request import Target, build_messages
from jtau_plugin.translation.engine.units import Unit
from jtau_plugin.translation.planning import Plan
from jtau_plugin.translation.questions import (
    is_wanted,
    known_lines,
    literal_questions,
    prose_questions,
    prose_waves,
)
from jtau_plugin.translation.settled import settled_glossary

#: The tokenizer by which all models are counted; it needs no download.
_TOKENIZER = "gpt-4o"
#: Other scripts take more tokens than English, and each answer comes with its id.
_GROWTH, _PER_ANSWER = 2.0, 20


@dataclass
class Estimate:
    """What one domain would take.

    Attributes:
        domain: tau2's name of it.
        segments: segments to translate, by kind.
        units: texts to ask for; a text that stands in several places is asked for once.
        requests: requests.
        prompt_tokens: tokens of the requests.
        completion_tokens: tokens of the answers.
        cost: US dollars; ``None`` when the model's price is not known.
    """

    domain: str
    segments: dict[str, int] = field(default_factory=dict)
    units: int = 0
    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None


def count_tokens(text: str) -> int:
    """Return how many tokens a text has, counted as a common model does."""
    import litellm  # noqa: PLC0415  (takes seconds)

    return int(litellm.token_counter(model=_TOKENIZER, text=text))


def price(model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
    """Return what a model takes for some tokens; ``None`` when its price is not known."""
    import litellm  # noqa: PLC0415  (takes seconds)

    try:
        prompt, completion = litellm.cost_per_token(
            model=model, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens
        )
    except Exception:  # noqa: BLE001  (litellm raises what it likes for an unknown model)
        return None
    return float(prompt + completion)


def _units(plan: Plan, items: Sequence[object], locale: str, language: str) -> Iterable[Unit]:
    wanted = [item for item in plan.items if item in items]
    glossary = settled_glossary(plan, locale, {})
    for question in literal_questions(wanted, glossary, language):
        yield question.unit
    for groups in prose_waves(wanted, known_lines([])):
        for question in prose_questions(groups, glossary, {}, language):
            yield question.unit


def estimate(
    plans: Sequence[Plan], target: Target, model: str, limits: Limits, *, again: bool = False
) -> list[Estimate]:
    """Return what each plan would take; what domains share counts once.

    Args:
        plans: what the overlays need.
        target: the language.
        model: litellm's name of the model; may be empty.
        limits: how much is asked for at a time.
        again: also what a machine has translated already.
    """
    seen: set[str] = set()
    found = []
    for plan in plans:
        items = [
            item for item in plan.items if is_wanted(item, again=again) and item.address not in seen
        ]
        seen |= {item.address for item in items}
        own = Estimate(plan.domain)
        for item in items:
            own.segments[item.segment.kind] = own.segments.get(item.segment.kind, 0) + 1
        units = list(_units(plan, items, target.locale, target.language))
        for batch in make_batches([u for u in units if not u.masked.is_nothing_left], limits):
            own.requests += 1
            own.units += len(batch)
            messages = build_messages(target, batch, {})
            own.prompt_tokens += sum(count_tokens(message["content"]) for message in messages)
            own.completion_tokens += sum(
                int(count_tokens(unit.masked.text) * _GROWTH) + _PER_ANSWER for unit in batch
            )
        own.cost = price(model, own.prompt_tokens, own.completion_tokens) if model else None
        found.append(own)
    return found
