"""Japanese words around a number: counters, currencies, times, and words for "about".

Never decides whether a number is exact: see ``jtau_plugin.scoring.number_meaning``. What only a
counter can tell (六本木, 一通り, 327便) is told here.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from jtau_plugin.normalization.japanese_numerals import is_ambiguous_pair
from jtau_plugin.normalization.japanese_script import KANJI, KATAKANA, is_glued_before
from jtau_plugin.normalization.quantity_words import QuantityWords


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# A native numeral before one of these is a number; before another counter it may be a word (一部).
_COUNTERS = (
    *_words("箇所 か所 カ所 ケ所 ヵ所 ヶ所 種類 種(?!類) 品目 通り 名様 回線 区間"),
    *_words("個 つ 点 名 人 件 枚 本 台 組 着 足 冊 便 回"),
    *_words("アイテム タイプ パターン バリエーション バージョン オプション モデル デザイン カラー"),
    *_words("スタイル サイズ ピース セット パック ケース スーツケース バッグ フライト"),
)

JAPANESE_QUANTITIES: Final = QuantityWords(
    dollars=("(?:米|アメリカ|US|us)?ドル(?![ァ-ヺー])",),
    counters=(
        *_COUNTERS,
        *_words("商品 製品 予約 選択肢 項目 部屋 部(?!屋) 店舗"),
        *_words("コ 品 色 通 席 口 社 箱 袋 缶 瓶 杯 皿 束 巻 匹 頭 案 択 両"),
    ),
    native_counters=_COUNTERS,
    other_units=(
        *_words("円 ユーロ ポンド ウォン 人民元 台湾 セント パーセント ポイント [%‰°℃]"),
        *_words("日 本日 営業日 か月 ケ月 ヶ月 カ月 ヵ月 箇月 かげつ 月 年 週 時 分 秒"),
        *_words("歳 才 代(?!金) 泊 番 号 階 丁目 位(?!置) 度 倍 割 人前 人目 名前 桁 けた"),
        *_words("ギガ メガ テラ キロ グラム センチ ミリ インチ メートル リットル"),
        *_words("ワット ボルト ダース"),
        r"\( ?円",
    ),
    cents=("(?:と|、)?[0-9一二三四五六七八九十]+セント",),
    vague_before=(
        # 約 also ends many words of two characters: 予約, 契約, 解約, 節約.
        "(?<![予契解節制規条誓要婚公確特密集倹成先売違括協盟旧新口内隠前])約(?:合計|計)?",
        "(?:およそ|おおよそ|おおむね|概ね|凡そ|大体|だいたい|ほぼ|ざっと)(?:で|に|、|,)?(?:合計|計)?",
        "(?:概算|推定|推計|目安|見込み)(?:額)?(?:で|では|は|として|、|:)?(?:合計|計)?",
        "(?:少なくとも|少なくても|最低でも|最低限?)(?:、|,)?(?:合計|計)?",
    ),
    vague_before_native=("[数何幾]",),
    vague_after=(
        *_words("程度 程(?!度) ほど くらい ぐらい 位(?!置) 前後 内外 見当 そこそこ 少々 ちょっと"),
        *_words("以上 以下 未満 超(?!過) 強(?![化制調い]) 弱(?!い) 台(?!湾) 半(?![額分数角])"),
        *_words("余り(?!ま) あまり 足らず に満たな 近く に?近い あたりで"),
        *_words("を?(?:超え|越え|上回|下回|切[っるり]) より(?:も)?[多少高安大小上下]"),
        *_words("目 回り [星葉角折]"),
        r"\(?(?:概算|推定|目安|見込み)",
    ),
    ordinal_before=("第", "分の", "末尾(?:が|は|の)?", "下[0-9一二三四]桁(?:が|は|の)?"),
    labels=_words("ステップ 手順 オプション 選択肢 バージョン レベル ゲート 項目 案 プラン №"),
    alternatives=_words("か または 又は もしくは あるいは から ないし"),
    negative_before=("マイナス", "[▲△]"),
    refund=("返金", "払い?戻", "返還", "還付", "お戻し"),
)

_KATAKANA_GOES_ON = re.compile(f"(?<={KATAKANA}){KATAKANA}")
_KANJI_GOES_ON = re.compile(f"(?!様|分(?!の)){KANJI}")
_IDIOMATIC_WITH_ONE = ("通り", "種")
_FLIGHTS = "便"
_LEAST_FLIGHT_NUMBER = 100


def goes_on_in_katakana(text: str, end: int) -> bool:
    """Tell whether the katakana counter that ends at ``end`` is only the beginning of a word."""
    return _KATAKANA_GOES_ON.match(text, end) is not None


def is_flight_number(counter: str, value: Decimal) -> bool:
    """Tell whether a number before 便 names a flight (327便) and does not count flights (4便)."""
    return counter == _FLIGHTS and abs(value) >= _LEAST_FLIGHT_NUMBER


def is_native_count(before: str, numeral: str, counter: str, after: str) -> bool:
    """Tell whether a kanji numeral and its counter are no part of a word (六本木, 一通り)."""
    if is_ambiguous_pair(numeral) or _KANJI_GOES_ON.match(after):
        return False
    if numeral != "一":
        return True
    return counter not in _IDIOMATIC_WITH_ONE and not is_glued_before(numeral, before)
