"""Every sentence that the installed retail tools can say has its Japanese, and is said in Japanese."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tau2.data_model.message import ToolCall
from tau2.domains.retail.tools import RetailTools

from .shop import PROVOCATIONS, Shop
from .support import call, fresh_domain, registry, stray_english
from .upstream_sentences import Sentence, sentences_of


def _is_canonical_value(text: str, catalog: Any) -> bool:
    return any(text in table.display for table in catalog.tables.values())


def _spoken(cls: type, catalog: Any) -> list[Sentence]:
    return [s for s in sentences_of(cls) if not _is_canonical_value(s.text, catalog)]


def test_every_sentence_in_the_installed_source_has_its_japanese(localizer: Any) -> None:
    missing: list[tuple[str, str]] = []

    for sentence in _spoken(RetailTools, localizer.catalog):
        shown = localizer.book.localize(sentence.sample, lambda *found: missing.append(found))
        assert stray_english(shown, "1008292230") == [], sentence

    assert missing == []


def _answers(name: str, fresh: Callable[[str], Any]) -> tuple[str, str, dict[str, Any], Any]:
    english, japanese = fresh("retail"), fresh("ja_retail")
    tool, arguments = PROVOCATIONS[name](Shop(english.tools.db))
    again = PROVOCATIONS[name](Shop(japanese.tools.db))
    assert again == (tool, arguments), "the provocation must be the same for both"
    plain, shown = call(english, tool, arguments), call(japanese, tool, arguments)
    assert bool(plain.error) == bool(shown.error)
    return plain.content, shown.content, arguments, japanese


@pytest.mark.parametrize("name", PROVOCATIONS)
def test_each_sentence_is_said_in_japanese(
    name: str, fresh: Callable[[str], Any], catalog: Any
) -> None:
    plain, shown, _arguments, japanese = _answers(name, fresh)

    assert shown.startswith("Error: ") == plain.startswith("Error: ")
    assert any(
        s.pattern.fullmatch(plain.removeprefix("Error: ")) for s in _spoken(RetailTools, catalog)
    )
    assert stray_english(shown) == []
    assert japanese.jtau_records.misses == []


def _said(env: Any, tool: str, arguments: dict[str, Any]) -> tuple[int, str]:
    """Return the line of the source that spoke, and what it said."""
    try:
        text = env.make_tool_call(tool, **arguments)
    except ValueError as error:
        trace = error.__traceback__
        assert trace is not None
        while trace.tb_next is not None:
            trace = trace.tb_next
        return trace.tb_lineno, str(error)
    return 0, text


def test_the_provocations_reach_every_sentence(fresh: Callable[[str], Any], catalog: Any) -> None:
    """Fails when upstream adds a sentence that nothing here provokes."""
    said: list[tuple[int, str]] = []
    for provoke in PROVOCATIONS.values():
        english = fresh("retail")
        said.append(_said(english, *provoke(Shop(english.tools.db))))

    silent = [
        sentence
        for sentence in _spoken(RetailTools, catalog)
        if not any(
            sentence.pattern.fullmatch(text) and line in (0, *sentence.lines) for line, text in said
        )
    ]

    assert silent == []


@pytest.mark.parametrize(
    ("requestor", "change", "expected"),
    [
        ("assistant", {}, "ツール「no_such_tool」が見つかりません。"),
        ("assistant", {"tools": None}, "ツールは利用できません。"),
        ("user", {}, "ユーザーのツールは利用できません。"),
        ("user", {"solo_mode": True}, "ソロモードでは、"),
        ("nobody", {}, "呼び出し元「nobody」は無効です。"),
    ],
)
def test_the_environment_itself_speaks_japanese(
    requestor: str, change: dict[str, Any], expected: str, fresh: Callable[[str], Any]
) -> None:
    japanese = fresh("ja_retail")
    for name, value in change.items():
        setattr(japanese, name, value)
    message = ToolCall.model_construct(
        id="c1", name="no_such_tool", arguments={}, requestor=requestor
    )
    if requestor == "nobody":
        with pytest.raises(ValueError, match="requestor"):
            japanese.get_response(message)  # no message of tau2 can carry it, neither in English
        return

    answer = japanese.get_response(message)

    assert answer.content.startswith(f"Error: {expected}")
    assert stray_english(answer.content, "no_such_tool") == []
    assert japanese.jtau_records.misses == []


_DRIFT = """
from tau2.domains.retail.tools import RetailTools
from tau2.environment.toolkit import ToolType, is_tool


class DriftedTools(RetailTools):
    @is_tool(ToolType.READ)
    def get_order_details(self, order_id: str):
        {doc!r}
        {drift}
        return self._get_order(order_id)
"""

_DRIFTS = {
    "raised": 'raise ValueError("The shop is closed today")',
    "raised with a value": 'raise ValueError(f"The shop {order_id} is closed today")',
    "returned": 'return "The shop is closed today"',
    "in another function": """
        def later():
            raise KeyError("The shop is closed today")
        later()""",
}
_HIDDEN_DRIFTS = {
    "joined": 'raise ValueError("The shop " + order_id + " is closed today")',
    "chosen": 'return "The shop is closed today" if order_id else ""',
    "formatted": 'raise ValueError("The shop %s is closed today" % order_id)',
    "named first": 'text = "The shop is closed today"; raise ValueError(text)',
}


@pytest.fixture
def drifted_tools(tmp_path: Path) -> Iterator[Callable[[str], type]]:
    """Return a toolkit class of a tau2 that says one sentence more."""
    names = []

    def make(drift: str) -> type:
        name = f"tau2.domains.retail.drifted_{len(names)}_{tmp_path.name}"
        path = tmp_path / f"drifted_{len(names)}.py"
        doc = RetailTools.get_order_details.__doc__
        path.write_text(_DRIFT.format(doc=doc, drift=drift.strip()), encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        names.append(name)
        spec.loader.exec_module(module)
        return module.DriftedTools  # type: ignore[no-any-return]

    yield make
    for name in names:
        del sys.modules[name]


def _undrifted_problems() -> list[Any]:
    return list(fresh_domain().check(registry().get_env_constructor("retail")())[1])


def test_the_installed_tools_and_the_overlay_fit() -> None:
    assert _undrifted_problems() == []


@pytest.mark.parametrize("drift", _DRIFTS)
def test_a_new_sentence_upstream_is_reported(
    drift: str, drifted_tools: Callable[[str], type], fresh: Callable[[str], Any], catalog: Any
) -> None:
    drifted = drifted_tools(_DRIFTS[drift])
    environment = fresh("retail")
    environment.tools = drifted(environment.tools.db)

    _, problems = fresh_domain().check(environment)

    assert ["DriftedTools.get_order_details" in str(problem) for problem in problems] == [True]
    assert "messages.yaml:" in problems[0].where
    assert len(_spoken(drifted, catalog)) == 1


@pytest.mark.parametrize("drift", _HIDDEN_DRIFTS)
def test_a_new_sentence_that_is_assembled_makes_this_check_fail(
    drift: str, drifted_tools: Callable[[str], type], catalog: Any
) -> None:
    """``domain.check`` reads literal sentences; the tests above read every prose in the source."""
    assert _spoken(drifted_tools(_HIDDEN_DRIFTS[drift]), catalog) != []
