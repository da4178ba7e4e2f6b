"""What tau2 says around tasks: the labels of a scenario, the steps of the agent that knows gold.

Read from what the installed tau2 writes and from its syntax trees; never written. Whatever an
installed tau2 does not have is left out.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jtau_plugin.compat.layout import module
from jtau_plugin.compat.sources import SourceTemplate, extract_fragments, extract_templates
from jtau_plugin.overlays.fingerprint import fingerprint_docstring, fingerprint_text

_FIELDS = ("reason_for_call", "known_info", "unknown_info", "task_instructions")
_GOLD_AGENT = "LLMGTAgent"
_ACTION = "{action}"


@dataclass(frozen=True)
class Frame:
    """A text of tau2's that is put together in code.

    Attributes:
        english: the text with ``{name}`` for each placeholder.
        sources: fingerprints of the pieces that it is made of.
    """

    english: str
    sources: tuple[str, ...]


def scenario_labels() -> dict[str, str]:
    """Return the labels with which a scenario is printed, by the field that they stand before."""
    tasks = module("tau2.data_model.tasks")
    marks = {name: f"<{name}>" for name in ("domain", *_FIELDS)}
    scenario = tasks.UserScenario(
        persona="<persona>", instructions=tasks.StructuredUserInstructions(**marks)
    )
    lines = str(scenario).split("\n")
    labels: dict[str, str] = {}
    for before, line in itertools.pairwise(lines):
        for name in ("persona", *_FIELDS):
            if line.strip() == f"<{name}>":
                labels[name] = before.strip()
        label, mark, _ = line.strip().partition("<domain>")
        if mark:
            labels["domain"], labels["instructions"] = label, before.strip()
    return labels


def _gold_agent() -> tuple[list[SourceTemplate], list[SourceTemplate]]:
    source = inspect.getsource(module("tau2.agent.llm_agent"))
    return extract_templates(source), extract_fragments(source)


def _fits(template: SourceTemplate, sentence: str) -> bool:
    pattern = "".join("(?s:.*)" if p.name else re.escape(p.text) for p in template.parts)
    return re.fullmatch(pattern, sentence) is not None


def _steps() -> Iterator[tuple[str, Frame]]:
    """Yield the sentences in which the agent that knows gold is told its steps."""
    agent = getattr(module("tau2.agent.llm_agent"), _GOLD_AGENT, None)
    make = getattr(agent, "make_agent_instructions_from_action", None)
    if make is None:
        return
    sentences, pieces = _gold_agent()
    frames = [t for t in pieces if t.at == f"{_GOLD_AGENT}.make_agent_instructions_from_actions"]
    frame = next((t for t in frames if len(t.placeholders) == 2), None)  # noqa: PLR2004
    if frame is None:
        return
    number, step = frame.placeholders
    action_class = module("tau2.data_model.tasks").Action
    for requestor in ("assistant", "user"):
        action = action_class(action_id="a", requestor=requestor, name="name", arguments={})
        for detail, shown in (("full", action.get_func_format()), ("short", action.name)):
            sentence = make(action, include_function_args=detail == "full")
            template = next((t for t in sentences if _fits(t, sentence)), None)
            if template is None:
                continue
            english = frame.text.replace(f"{{{number}}}", "{number}")
            english = english.replace(f"{{{step}}}", sentence.replace(shown, _ACTION))
            sources = (fingerprint_text(frame.text), fingerprint_text(template.text))
            yield f"resolution_step_{requestor}_{detail}", Frame(english, sources)


def _stop_tool() -> Iterator[tuple[str, Frame]]:
    """Yield what is said of the tool with which an agent without a caller ends."""
    for node in ast.walk(ast.parse(inspect.getsource(module("tau2.agent.llm_agent")))):
        if isinstance(node, ast.FunctionDef) and node.name == "add_stop_tool":
            inner: list[Any] = [n for n in node.body if isinstance(n, ast.FunctionDef)]
            text = ast.get_docstring(inner[0]) if inner else None
            if text:
                yield "solo_stop_tool", Frame(text, (fingerprint_docstring(text),))


def installed_frames() -> dict[str, Frame]:
    """Return the texts of ``prompts.yaml`` that tau2 puts together in code, by name."""
    return dict([*_steps(), *_stop_tool()])
