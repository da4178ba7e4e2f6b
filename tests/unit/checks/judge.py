"""How the tests of the checks ask: ``passes(check, english, japanese)``, ``faults_of(…)``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from jtau_plugin import resources
from jtau_plugin.checks.model import DOCUMENT, TASK, Check, Choices, Context, Segment
from jtau_plugin.models.checks import CheckWords, Term
from jtau_plugin.overlays.loader import load_model

JA = resources.data_root() / "overlays" / "ja"
WORDS, _ = load_model(JA / "checks.yaml", CheckWords)


def term(english: str, local: str, *alternatives: str, key: str = "term") -> Term:
    return Term(
        domain="shop", key=key, english=english, local=local, alternatives=alternatives, line=7
    )


def choices(**rows: tuple[str, ...]) -> Choices:
    """``choices(pending=("保留中", "処理待ち"))``: the shown form first, then what is accepted."""
    forms = {canonical: canonical for canonical in rows}
    forms |= {form: canonical for canonical, row in rows.items() for form in row}
    return Choices({canonical: row[0] for canonical, row in rows.items()}, forms)


TERMS = (
    term("order", "注文", "ご注文"),
    term("delivered order", "配達済みの注文"),
    term("item", "商品アイテム", "アイテム"),
    term("item ID", "アイテムID"),
    term("cancel", "キャンセルする", "取り消す"),
    term("refund", "返金", "払い戻し"),
    term("transfer to a human agent", "有人オペレーターに引き継ぐ", "担当者に転送する"),
    term("origin / destination", "出発地／目的地", "到着地"),
    term("explicit confirmation (yes)", "明示的な同意（「はい」）"),
    term("reset settings", "設定をリセットする"),
    term("status", "ステータス"),
    term("flight", "フライト", "便"),
    term("pending", "保留中", "処理待ち", key="order.status"),
)
TABLES = {
    "order_status": choices(
        pending=("保留中", "処理待ち"), delivered=("配達済み", "お届け済み"), done=("処理済み",)
    ),
    "reason": choices(
        no_longer_needed=("不要になった", "不要になったため"), by_mistake=("誤って注文した",)
    ),
    "mode": choices(**{"4g_5g_preferred": ("4G/5G優先", "5G/4G優先"), "4g_only": ("4Gのみ",)}),
    "product": choices(smartphone=("スマートフォン", "スマホ"), water_bottle=("ウォーターボトル",)),
}
CONTEXT = Context(
    locale="ja",
    domain="shop",
    words=WORDS,
    terms=TERMS,
    tables=TABLES,
    told=frozenset({"reason", "mode"}),
    names=frozenset({"get_order", "order_id", "done", "think"}),
    persons=frozenset({"Yusuf", "Rossi", "Emma", "Kim"}),
    places=frozenset({"Chicago", "IL", "USA"}),
)


def segment(english: str, japanese: str, kind: str = TASK, **more: str) -> Segment:
    return Segment("shop/a.yaml#x", kind, english, japanese, "a.yaml", 3, **more)


def faults_of(
    check: Check,
    english: str,
    japanese: str,
    kind: str | None = None,
    context: Context = CONTEXT,
    **more: str,
) -> list[str]:
    """Return what a check says about one text, as a kind of segment that it looks at."""
    if kind is None:
        kind = TASK if TASK in check.kinds else min(check.kinds)
    return [f.message for f in check.run([segment(english, japanese, kind, **more)], context)]


def passes(check: Check, english: str, japanese: str, **more: str) -> bool:
    return faults_of(check, english, japanese, **more) == []


def faults_among(check: Check, *segments: Segment, context: Context = CONTEXT) -> list[str]:
    return [f"{f.segment.address}: {f.message}" for f in check.run(list(segments), context)]


def document(english: Iterable[str], japanese: Iterable[str]) -> tuple[str, str]:
    return "\n".join(english), "\n".join(japanese)


__all__ = ["CONTEXT", "DOCUMENT", "TABLES", "TERMS", "WORDS", "replace"]
