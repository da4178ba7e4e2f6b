"""Every case of tests/cases/arguments.yaml, each through the rule of its parameter's kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from jtau_plugin.normalization import RuleSet, get_rules
from jtau_plugin.normalization.enums import fold_enum
from jtau_plugin.normalization.text import fold_key

ROOT = Path(__file__).resolve().parents[3]
CASES = yaml.safe_load((ROOT / "tests/cases/arguments.yaml").read_text(encoding="utf-8"))
NAMES_FILE = ROOT / "overlays/ja/names.yaml"

Rule = Callable[[RuleSet, Any], object]


def table(**forms: str) -> dict[str, str]:
    """Return a one-to-one table from ``canonical="form form"``, canonical values included."""
    pairs = {fold_enum(form): value for value, text in forms.items() for form in text.split()}
    return {**{value: value for value in forms}, **pairs}


def names(role: str) -> dict[str, str]:
    """Return the overlay's table of one role, or a small one when there is no overlay."""
    small = {
        "given": {"Yusuf": ["ユスフ"]},
        "family": {"Rossi": ["ロッシ"]},
        "city": {"Chicago": ["シカゴ"]},
        "state": {"IL": ["イリノイ州", "イリノイ"]},
        "country": {"USA": ["アメリカ"]},
    }
    data = small
    if NAMES_FILE.exists():
        data = yaml.safe_load(NAMES_FILE.read_text(encoding="utf-8"))
    forms = {fold_key(form): value for value, all_forms in data[role].items() for form in all_forms}
    return {**{value: value for value in data[role]}, **forms}


REASON = {
    "no longer needed": "no longer needed",
    "ordered by mistake": "ordered by mistake",
    "不要になった": "no longer needed",
    "不要になったため": "no longer needed",
    "誤って注文した": "ordered by mistake",
    "間違えて注文した": "ordered by mistake",
}
ENUMS = {
    "reason": REASON,
    "cabin": table(
        business="ビジネスクラス ビジネス",
        economy="エコノミークラス エコノミー",
        basic_economy="ベーシックエコノミー",
    ),
    "flight_type": table(round_trip="往復", one_way="片道"),
    "insurance": table(yes="はい 加入する", no="いいえ 加入しない"),
    "mode": {
        "4g_5g_preferred": "4g_5g_preferred",
        "4G/5G優先": "4g_5g_preferred",
        "4Gのみ": "4g_only",
    },
    "permission": table(storage="ストレージ", sms="SMS", phone="電話", network="ネットワーク"),
    "app_name": table(messaging="メッセージ", browser="ブラウザー"),
}
NUMBERS: dict[str, dict[str, Any]] = {
    "total_baggages": {"integer": True, "units": ["個", "点", "つ"]},
    "amount": {"integer": True, "units": ["ドル", "米ドル", "$", "USD"]},
    "gb_amount": {"integer": False, "units": ["GB", "ギガ", "ギガバイト"]},
}
OTHER_RULES: dict[str, Rule] = {
    "first_name": lambda rules, value: rules.name(value, names("given")),
    "last_name": lambda rules, value: rules.name(value, names("family")),
    "full_name": lambda rules, value: rules.full_name(value, names("given"), names("family")),
    "address1": lambda rules, value: rules.address_line(value),
    "address2": lambda rules, value: rules.address_line(value),
    "city": lambda rules, value: rules.place(value, names("city")),
    "state": lambda rules, value: rules.place(value, names("state")),
    "country": lambda rules, value: rules.place(value, names("country")),
    "date": lambda rules, value: rules.date(value),
    "dob": lambda rules, value: rules.date(value),
    "expression": lambda rules, value: rules.expression(value),
    "reset_at_reboot": lambda rules, value: rules.boolean(value),
}
ASCII_PARAMETERS = {
    *("order_id", "user_id", "product_id", "item_ids", "new_item_ids", "payment_method_id"),
    *("reservation_id", "origin", "email", "phone_number", "zip"),
}


def rule_for(case: dict[str, Any]) -> Rule:
    """Return the rule of the case's parameter, found by the last name of its path."""
    leaf = re.split(r"[.\]]", case["path"])[-1]
    if (case["tool"], leaf) == ("suspend_line", "reason"):
        return lambda rules, value: value
    if leaf in ASCII_PARAMETERS:
        return lambda rules, value: rules.ascii(value)
    if leaf in ENUMS:
        # The control arm shows English, so its tables hold canonical values only.
        is_english = case.get("locale") == "en"
        forms = {v: v for v in ENUMS[leaf].values()} if is_english else ENUMS[leaf]
        return lambda rules, value: rules.enum(value, forms)
    if leaf in NUMBERS:
        options = {**NUMBERS[leaf], **({"units": []} if case.get("locale") == "en" else {})}
        return lambda rules, value: rules.number(value, **options)
    return OTHER_RULES[leaf]


def canonicalize(case: dict[str, Any], written: Any) -> Any:
    rules, rule = get_rules(case.get("locale", "ja")), rule_for(case)
    return (
        [rule(rules, item) for item in written]
        if isinstance(written, list)
        else rule(rules, written)
    )


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['path']}-{c['written']!r}")
def test_written_becomes_canonical(case: dict[str, Any]) -> None:
    got = canonicalize(case, case["written"])
    assert got == case["canonical"], case.get("why")
    assert type(got) is type(case["canonical"])


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['path']}-{c['written']!r}")
def test_canonical_stays(case: dict[str, Any]) -> None:
    got = canonicalize(case, case["canonical"])
    assert got == case["canonical"]
    assert type(got) is type(case["canonical"])
