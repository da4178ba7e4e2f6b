"""Results keep order, types and structure; only declared values change, and nothing is escaped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, datetime, timezone
from typing import Any

import pytest

from .overlay_copy import OverlayCopy
from .support import call, fresh_domain, is_main, registry

_KEPT_VALUES = frozenset(
    [
        "order_id",
        "user_id",
        "product_id",
        "item_id",
        "payment_method_id",
        "tracking_id",
        "brand",
        "last_four",
        "email",
        "zip",
        "first_name",
        "last_name",
        "address1",
        "address2",
        "city",
        "state",
        "country",
    ]
)


def _reads(db: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every read that a tool offers, over the whole database."""
    yield "list_all_product_types", {}
    for order_id in db.orders:
        yield "get_order_details", {"order_id": order_id}
    for user_id in db.users:
        yield "get_user_details", {"user_id": user_id}
    for product_id, product in db.products.items():
        yield "get_product_details", {"product_id": product_id}
        if is_main():
            for item_id in product.variants:
                yield "get_item_details", {"item_id": item_id}


def _texts(env: Any, db: Any) -> dict[str, str]:
    return {json.dumps([tool, a]): call(env, tool, a).content for tool, a in _reads(db)}


@pytest.fixture(scope="module")
def english_texts(english: Any, pristine_db: Any) -> dict[str, str]:
    return _texts(english, pristine_db)


@pytest.fixture(scope="module")
def japanese_texts(reading: Any, pristine_db: Any) -> dict[str, str]:
    reading.jtau_records.misses.clear()
    return _texts(reading, pristine_db)


def test_the_whole_database_is_read(english_texts: dict[str, str], pristine_db: Any) -> None:
    variants = sum(len(product.variants) for product in pristine_db.products.values())
    expected = 1 + 1000 + 500 + 50 + (variants if is_main() else 0)
    assert len(english_texts) == expected
    assert not any(text.startswith("Error") for text in english_texts.values())


def _same_shape(english: Any, japanese: Any, path: str, is_renamed: bool = False) -> None:
    """Check types, order and length; keys too, save those of options and of the list of products."""
    assert type(english) is type(japanese), path
    if isinstance(english, dict):
        assert len(english) == len(japanese), path
        if not is_renamed:
            assert list(english) == list(japanese), path
        for (key, value), other in zip(english.items(), japanese.values(), strict=True):
            _same_shape(value, other, f"{path}.{key}", is_renamed=key == "options")
    elif isinstance(english, list):
        assert len(english) == len(japanese), path
        for index, (value, other) in enumerate(zip(english, japanese, strict=True)):
            _same_shape(value, other, f"{path}[{index}]")
    elif not isinstance(english, str) or _is_kept(path):
        assert english == japanese, path


def _is_kept(path: str) -> bool:
    return (
        ".options." not in path
        and path.rsplit(".", 1)[-1].split("[", maxsplit=1)[0] in _KEPT_VALUES
    )


def test_every_result_has_upstream_s_shape(
    english_texts: dict[str, str], japanese_texts: dict[str, str]
) -> None:
    for read, text in english_texts.items():
        is_list = "list_all" in read
        _same_shape(json.loads(text), json.loads(japanese_texts[read]), read, is_renamed=is_list)


def test_nothing_is_escaped(japanese_texts: dict[str, str]) -> None:
    assert [read for read, text in japanese_texts.items() if "\\u" in text] == []


def test_every_declared_value_is_in_its_table(japanese_texts: dict[str, str], reading: Any) -> None:
    assert len(japanese_texts) > 1500
    assert reading.jtau_records.misses == []


def test_only_declared_values_differ(
    english_texts: dict[str, str], japanese_texts: dict[str, str], catalog: Any
) -> None:
    """Translated back by the tables, each Japanese result is upstream's text to the letter."""
    for read, text in english_texts.items():
        back = _back(json.loads(japanese_texts[read]), catalog, "list_all" in read)
        assert json.dumps(back) == text, read


def _back(value: Any, catalog: Any, is_list: bool, name: str = "") -> Any:
    tables = catalog.tables
    if is_list:
        return {tables["product"].forms[key]: item for key, item in value.items()}
    if isinstance(value, list):
        return [_back(item, catalog, False, name) for item in value]
    if isinstance(value, dict) and name == "options":
        keys = {key: tables["option_name"].forms[key] for key in value}
        return {keys[k]: tables[f"option/{keys[k]}"].forms[v] for k, v in value.items()}
    if isinstance(value, dict):
        is_person = "first_name" in value
        return {
            key: item if is_person else _back(item, catalog, False, key)
            for key, item in value.items()
        }
    scopes = {"name": "product", "status": "order_status", "source": "payment_source"}
    scopes |= {"transaction_type": "transaction_type", "cancel_reason": "cancel_reason"}
    return tables[scopes[name]].forms[value] if name in scopes and value is not None else value


def test_with_an_identity_overlay_the_text_is_upstream_s(
    overlay: OverlayCopy, english_texts: dict[str, str], pristine_db: Any
) -> None:
    def declare_nothing(values: dict[str, Any]) -> None:
        values["fields"] = {}
        values["results"] = {tool: {"data": True} for tool in values["results"]}

    overlay.edit("retail/values.yaml", declare_nothing)
    environment = fresh_domain().get_environment(db=pristine_db)

    for read, text in english_texts.items():
        tool, arguments = json.loads(read)
        expected = json.dumps(json.loads(text), ensure_ascii=False)
        assert call(environment, tool, arguments).content == expected
    assert environment.jtau_records.misses == []


@pytest.mark.parametrize(
    "value",
    [
        *[None, True, 0, 1.5, "text", "Ünï", [], {}, [1, "a", None], (1, 2), {"a": [1.5, True]}],
        {"日": "本"},
        {"a": {"b": None}},
        date(2024, 5, 15),
        datetime(2024, 5, 15, 3, 4, tzinfo=timezone.utc),
    ],
    ids=repr,
)
def test_values_of_every_type_are_written_as_upstream_writes_them(
    value: Any, english: Any, reading: Any
) -> None:
    plain = english.to_json_str(value)

    expected = (
        plain if isinstance(value, str) else json.dumps(json.loads(plain), ensure_ascii=False)
    )
    assert reading.to_json_str(value) == expected


def test_a_type_that_upstream_refuses_is_refused(english: Any, reading: Any) -> None:
    for env in (english, reading):
        with pytest.raises(ValueError, match="Unsupported type"):
            env.to_json_str({1, 2})


def test_the_localized_database_is_the_english_one(reading: Any, pristine_db: Any) -> None:
    """Showing results changes nothing in the database."""
    assert (
        reading.tools.get_db_hash()
        == registry().get_env_constructor("retail")(db=pristine_db).get_db_hash()
    )
