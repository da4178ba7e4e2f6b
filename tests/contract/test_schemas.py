"""Tool schemas: Japanese descriptions on upstream's own names, types and order."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tau2.environment.server import EnvironmentServer
from tau2.environment.toolkit import get_tool_signatures

from .golden import check_golden
from .support import is_main, stray_english

_JAPANESE = re.compile("[ぁ-んァ-ヶ一-龠]")


def _schemas(environment: Any) -> dict[str, Any]:
    return {tool.name: tool.openai_schema for tool in environment.get_tools()}


def _without_descriptions(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        # A parameter could be named "description"; only texts are taken away.
        return {
            k: _without_descriptions(v, k)
            for k, v in value.items()
            if not (k == "description" and isinstance(v, str))
        }
    return [_without_descriptions(v) for v in value] if isinstance(value, list) else value


def _descriptions(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [v for k, v in value.items() if k == "description" and isinstance(v, str)]
        return own + [d for v in value.values() for d in _descriptions(v)]
    return [d for v in value for d in _descriptions(v)] if isinstance(value, list) else []


def test_schemas_are_as_they_were_read() -> None:
    from .support import registry

    environment = registry().get_env_constructor("ja_retail")()
    check_golden("retail_schemas.json", _schemas(environment), frozenset({"get_item_details"}))


def test_which_tools_exist(reading: Any) -> None:
    names = {tool.name for tool in reading.get_tools()}

    assert len(names) == (16 if is_main() else 15)
    assert ("get_item_details" in names) == is_main()


def test_schemas_differ_from_english_in_descriptions_only(reading: Any, english: Any) -> None:
    japanese, plain = _schemas(reading), _schemas(english)

    assert list(japanese) == list(plain)
    for name in plain:
        bare = _without_descriptions(plain[name])
        assert json.dumps(_without_descriptions(japanese[name])) == json.dumps(bare)
        assert len(_descriptions(japanese[name])) == len(_descriptions(plain[name])), name


def test_every_description_is_japanese(reading: Any) -> None:
    for tool, schema in _schemas(reading).items():
        for text in _descriptions(schema):
            assert _JAPANESE.search(text), (tool, text)
            unquoted = re.sub("「[^」]*」", "", text)
            assert stray_english(unquoted) == [], (tool, text)


@pytest.mark.parametrize("domain", ["ja_airline", "ja_telecom"])
def test_every_description_of_the_other_domains_is_japanese(domain: str) -> None:
    """What a data model says about itself included."""
    from .support import registry

    environment = registry().get_env_constructor(domain)()
    tools = [
        *environment.get_tools(),
        *(environment.get_user_tools() if environment.user_tools else []),
    ]
    for text in _descriptions([tool.openai_schema for tool in tools]):
        assert _JAPANESE.search(text), text


def test_texts_of_tools_are_japanese(reading: Any, english: Any) -> None:
    for tool, twin in zip(reading.get_tools(), english.get_tools(), strict=True):
        assert str(tool).startswith(f"def {tool.name}{twin.__signature__}:\n")
        body = str(tool).partition('"""')[2]
        assert _JAPANESE.search(body)
        words = re.sub("「[^」]*」", "", body).replace("Args:", "").replace("Returns:", "")
        for name in tool.params.model_fields:
            words = words.replace(f"    {name}: ", "")
        assert stray_english(words) == [], tool.name
        assert set(tool.params.model_fields) == set(twin.params.model_fields)


def test_a_caller_that_edits_a_schema_edits_its_own_copy(fresh: Callable[[str], Any]) -> None:
    before = json.dumps(_schemas(fresh("ja_retail")))
    environment = fresh("ja_retail")
    tools = environment.get_tools()
    for tool in tools:
        schema = tool.openai_schema["function"]["parameters"]
        for child in schema.get("properties", {}).values():
            child["description"] = "spoilt"
            child.pop("type", None)
        schema["additionalProperties"] = False
        schema.pop("properties", None)

    assert json.dumps({tool.name: tool.openai_schema for tool in tools}) == before
    assert json.dumps(_schemas(environment)) == before
    assert json.dumps(_schemas(fresh("ja_retail"))) == before


def test_tools_still_work_when_they_are_called(
    reading: Any, english: Any, pristine_db: Any
) -> None:
    order_id = next(iter(pristine_db.orders))
    for environment in (reading, english):
        tool = next(t for t in environment.get_tools() if t.name == "get_order_details")
        assert tool(order_id=order_id) == pristine_db.orders[order_id]
        assert tool.params(order_id=order_id).model_dump() == {"order_id": order_id}


def test_many_threads_get_the_same_schemas(fresh: Callable[[str], Any]) -> None:
    environments = [fresh("ja_retail") for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda env: json.dumps(_schemas(env)), environments * 5))

    assert len(set(texts)) == 1


def test_signatures_are_japanese(reading: Any, english: Any) -> None:
    signatures, twins = get_tool_signatures(reading.tools), get_tool_signatures(english.tools)

    assert list(signatures) == list(twins)
    for name, signature in signatures.items():
        assert _JAPANESE.search(signature.doc)
        assert all(_JAPANESE.search(text) for text in _descriptions(signature.params))
        returned = signature.returns["properties"]["returns"]["description"]
        assert _JAPANESE.search(returned), (name, returned)


def test_environment_info_is_japanese(reading: Any) -> None:
    info = reading.get_info(include_tool_info=True)

    assert info.domain_name == "ja_retail"
    assert info.policy == reading.get_policy()
    assert _JAPANESE.search(info.policy)
    assert all(_JAPANESE.search(signature.doc) for signature in info.tool_defs.values())
    assert type(info).model_validate_json(info.model_dump_json()) == info


def test_tools_description_is_japanese(reading: Any) -> None:
    lines = reading.get_tools_description("assistant").split("\n\n")

    assert len(lines) == len(reading.get_tools())
    assert all(_JAPANESE.search(line) for line in lines)
    assert reading.get_tools_description("user") is None


def test_the_documentation_server_shows_japanese(reading: Any) -> None:
    app = EnvironmentServer(reading).get_app()
    openapi = app.openapi()

    assert openapi["info"]["title"] == "Environment: ja_retail"
    assert "保留中の注文のキャンセルと変更" in openapi["info"]["description"]
    operation = openapi["paths"]["/tools/cancel_pending_order"]["post"]
    assert "保留中の注文をキャンセルします。" in operation["description"]
    assert "The order details after" not in operation["description"]
    assert "\\u" not in operation["description"]


def test_user_tools_are_refused_as_upstream_refuses_them(reading: Any, english: Any) -> None:
    for environment in (reading, english):
        with pytest.raises(ValueError, match="User tools not available"):
            environment.get_user_tools()
