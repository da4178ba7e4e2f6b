"""Segments of ``prompts.yaml``: what tau2 itself says to the models, and a scenario's labels."""

from __future__ import annotations

from collections.abc import Iterator

from jtau_plugin.compat.frames import installed_frames, scenario_labels
from jtau_plugin.compat.installed import installed_prompts
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.translation.extraction.segment import LABEL, PROMPT, SourceSegment, join_address

FILE = "prompts.yaml"
_READERS = {
    "greeting": "the caller: it is the first thing that the agent says",
    "agent_instruction": "the agent",
    "agent_instruction_gt": "an agent that is told the solution",
    "agent_instruction_solo": "an agent that works without a caller",
    "user_guidelines": "the model that plays the caller",
    "user_guidelines_tools": "the model that plays the caller and has tools of its own",
    "solo_stop_tool": "an agent that works without a caller",
}
_STEP_READER = "an agent that is told the solution"


def _prompt(name: str, english: str, sources: tuple[str, ...]) -> SourceSegment:
    return SourceSegment(
        address=join_address(FILE, "prompts", name, "text"),
        kind=PROMPT,
        english=english,
        component="prompts",
        file=FILE,
        key=("prompts", name),
        sources=sources,
        context={"read by": _READERS.get(name, _STEP_READER)},
    )


def extract_prompts() -> Iterator[SourceSegment]:
    """Yield the prompts of the installed tau2 and the labels of a scenario."""
    for name, english in installed_prompts().items():
        yield _prompt(name, english.strip("\n"), (fingerprint_text(english),))
    for name, frame in installed_frames().items():
        yield _prompt(name, frame.english, frame.sources)
    for name, label in scenario_labels().items():
        yield SourceSegment(
            address=join_address(FILE, "scenario_labels", name),
            kind=LABEL,
            english=label,
            component="prompts",
            file=FILE,
            key=("scenario_labels", name),
            context={"stands before": f"the {name.replace('_', ' ')} of a caller's scenario"},
        )
