"""Which surface is in which language in every scenario, judged from what models were really sent.

The configuration is not asked: the texts that simulations handed to litellm, and what came back, are
sorted by surface; each surface's language is the share of Japanese script among its letters after
ids, names and codes are taken out. CI compares the arms on one task each (``test_arms``).
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from .explained import Book
from .explained_results import played_data
from .explained_sentences import leaves_of
from .shown import AGENT, USER, Played, play, reward_of, split_prompt, tasks_of
from .stumbling import stumbles

pytestmark = pytest.mark.exhaustive

ARMS = ("en_{}", "ja_{}_interaction", "ja_{}_tools", "ja_{}_agentside", "ja_{}")
BASES = ("retail", "airline", "telecom")
SURFACES = (
    "agent instruction",
    "policy",
    "tool descriptions",
    "enum choices",
    "values in results",
    "sentences in results",
    "refusals",
    "user guidelines",
    "directive",
    "task script",
    "greeting",
    "agent's turns",
    "user's turns",
    "agent's arguments",
    "agent's free text",
    "user's tools",
    "user's enum choices",
    "user's tool results",
    "user's arguments",
)
_TOLD = {"tool descriptions", "enum choices", "agent's arguments"}
_USERS_TOOLS = {"user's tools", "user's enum choices", "user's arguments"}
_SPOKEN = {"agent's free text", "greeting", "agent's turns", "user's turns"}
_AGENT_SIDE = {
    *_TOLD,
    *_USERS_TOOLS,
    *_SPOKEN,
    "agent instruction",
    "policy",
    "values in results",
    "sentences in results",
    "refusals",
    "user's tool results",
}
#: What has to be Japanese; the rest has to be English.
JAPANESE = {
    "en_{}": set(),
    "ja_{}_interaction": {*_SPOKEN, "agent instruction", "user guidelines"},
    "ja_{}_tools": {*_TOLD, *_USERS_TOOLS},
    "ja_{}_agentside": _AGENT_SIDE,
    "ja_{}": {*_AGENT_SIDE, "user guidelines", "task script"},
}
_IS_JAPANESE, _IS_ENGLISH = 0.6, 0.1

_CODE = re.compile(r"</?\w+>|###[A-Z-]+###|`[^`]*`|\S+@\S+|https?://\S+|\[type=[^\n]*")
_TOKEN = re.compile(r"[A-Za-z0-9#]*[\d_#][\w#.-]*|[A-Z]{6}|[A-Za-z][A-Za-z'’-]*", re.ASCII)
_WORD = re.compile(r"(?![A-Z]{6}$)[A-Za-z'’-]+", re.ASCII)
#: Names of access points, which are code in every language.
_CODES = frozenset({"internet", "broken"})
_SCRIPT = re.compile("[ぁ-ゖァ-ヺー一-鿿々]")


class Measure:
    """Counts the letters of each language in texts of one surface."""

    def __init__(self, ignored: frozenset[str]) -> None:
        self._ignored = ignored
        self.japanese = self.latin = self.texts = 0

    def add(self, text: str) -> None:
        text = _CODE.sub(" ", text)
        words = [word for word in _TOKEN.findall(text) if _WORD.fullmatch(word)]
        latin = sum(len(word) for word in words if word not in self._ignored)
        japanese = len(_SCRIPT.findall(text))
        self.texts += 1
        self.japanese += japanese
        self.latin += latin

    @property
    def share(self) -> float | None:
        total = self.japanese + self.latin
        return self.japanese / total if total else None

    @property
    def language(self) -> str:
        share = self.share
        if share is None:
            return "–"
        return "ja" if share >= _IS_JAPANESE else "en" if share <= _IS_ENGLISH else "mixed"

    def __str__(self) -> str:
        return "–" if self.share is None else f"{self.language} {100 * self.share:.0f} %"


@cache
def _ignored(domain: str) -> frozenset[str]:
    """Return words of ids, names and data that no locale renders."""
    return Book(domain, "en").names | _CODES


def _words(texts: Any) -> set[str]:
    return {word for text in texts for word in re.findall(r"[A-Za-z][A-Za-z'’-]*", text)}


def surfaces(played: Played) -> Iterator[tuple[str, str]]:
    """Yield (surface, text) of everything that the models of a simulation were shown or wrote."""
    for side, prompt in played.prompts():
        for name, text in split_prompt(side, prompt)[1].items():
            yield _PROMPTS.get(name, "user guidelines"), text
    for side, tool in played.tools():
        prefix, told = ("", "tool descriptions") if side == AGENT else ("user's ", "tools")
        yield prefix + told, tool["function"]["description"]
        for word, text in _schema(tool["function"]["parameters"]):
            yield prefix + ("enum choices" if word == "enum" else told), text
    yield "greeting", played.simulation.messages[0].content
    for side, message, _ in played.messages():
        if message["role"] == "tool":
            yield from _answer(side, message["content"])
    yield from _written(played)


def _written(played: Played) -> Iterator[tuple[str, str]]:
    for side, name in ((AGENT, "agent's"), (USER, "user's")):
        for text in played.said(side):
            yield f"{name} turns", text
    catalog = played.environment.jtau_localizer.catalog
    for side, tool, arguments in played.calls():
        text = catalog.tool(tool, side)
        for parameter, value in arguments.items() if text is not None else ():
            known = text.parameters.get(parameter)
            is_free = known is not None and known.kind == "free_text"
            name = f"{_WHO[side]} {'free text' if is_free else 'arguments'}"
            for leaf in leaves_of(value):
                if isinstance(leaf, str):
                    yield name, leaf


_WHO = {AGENT: "agent's", USER: "user's"}
_PROMPTS = {
    "agent_instruction": "agent instruction",
    "domain_policy": "policy",
    "instructions": "task script",
    "directive": "directive",
}


def _schema(schema: Any) -> Iterator[tuple[str, str]]:
    if isinstance(schema, dict):
        for word, value in schema.items():
            if word == "description" and isinstance(value, str):
                yield word, value
            elif word in ("enum", "const"):
                for choice in value if isinstance(value, list) else [value]:
                    yield "enum", str(choice)
            else:
                yield from _schema(value)
    elif isinstance(schema, list):
        for child in schema:
            yield from _schema(child)


def _answer(side: str, text: str) -> Iterator[tuple[str, str]]:
    if text.startswith("Error: "):
        yield "refusals", text.removeprefix("Error: ")
        return
    if side == USER:
        yield "user's tool results", text
        return
    try:
        value = json.loads(text)
    except ValueError:
        yield "sentences in results", text
        return
    for leaf in leaves_of(value):
        if isinstance(leaf, str):
            yield "values in results", leaf


def measure(
    domain: str, base: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[dict[str, Measure], list[float]]:
    """Play some tasks of an arm; return the measure of each surface, and the rewards."""
    tasks = list(tasks_of(domain).values())
    some = tasks[:: len(tasks) // 5][:5]
    played = [play(monkeypatch, domain, task) for task in some]
    rewards = [reward_of(one) for one in played]
    # Only for what is refused: what its caller writes is chosen here.
    wrong = stumbles(domain, 1, golds=4, tools=8, is_localized=False)
    wrong[AGENT].append(("transfer_to_human_agents", {"summary": "1"}))
    stumbling = play(monkeypatch, domain, tasks[1], stumbles=wrong)
    found: dict[str, Measure] = {}
    for one in (*played, stumbling):
        data = _words(played_data(one, Book(base, "en")))
        written = _words(
            str(leaf) for leaf in leaves_of([c[2] for c in one.calls()]) if str(leaf).isascii()
        )
        ignored = frozenset({*_ignored(base), *data})
        for surface, text in surfaces(one):
            if one is stumbling and surface.endswith(("arguments", "text", "turns")):
                continue
            own = found.setdefault(surface, Measure(ignored))
            own._ignored = ignored | (written if surface == "refusals" else frozenset())
            own.add(text)
    return found, rewards


def render(base: str, measured: dict[str, dict[str, Measure]]) -> str:
    lines = [f"### {base}", "", "| surface | " + " | ".join(a.format(base) for a in ARMS) + " |"]
    lines.append("|---" * (len(ARMS) + 1) + "|")
    for surface in SURFACES:
        if any(surface in own for own in measured.values()):
            cells = [str(measured[arm].get(surface, "–")) for arm in ARMS]
            lines.append(f"| {surface} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


@pytest.mark.parametrize("base", BASES)
def test_the_language_of_every_surface(
    base: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured, wrong = {}, []
    for arm in ARMS:
        measured[arm], rewards = measure(arm.format(base), base, monkeypatch)
        assert set(rewards) == {1.0}, arm
        for surface, own in measured[arm].items():
            assert surface in SURFACES, surface
            wanted = "ja" if surface in JAPANESE[arm] else "en"
            if own.language not in ("–", wanted):
                wrong.append(f"{arm.format(base)}: {surface} is {own}, expected {wanted}")
    with capsys.disabled():
        sys.stdout.write(f"\n{render(base, measured)}\n")
    assert not wrong, "\n".join(wrong)
